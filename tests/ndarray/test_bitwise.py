"""Operations on bits against NumPy and Python's integers."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import DTypeError

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
LOGIC = ("bitwise_and", "bitwise_or", "bitwise_xor")
SHIFTS = ("bitwise_left_shift", "bitwise_right_shift")


def edges(dtype):
    info = np.iinfo(dtype)
    middle = [0, 1, 2, 5, 100] + [-1, -2, -100] * (info.min < 0)
    return np.array([info.min, info.min + 1, *middle, info.max], dtype)


@pytest.mark.parametrize("dtype", [*INTEGERS, "bool"])
@pytest.mark.parametrize("name", LOGIC)
def test_a_function_of_bits_is_numpys_when_operands_broadcast(bodies, name, dtype):
    x = edges(dtype) if dtype != "bool" else np.array([True, False])
    want = getattr(np, name)(x, x[:, None])

    native = getattr(tv, name)(tv.asarray(x), tv.asarray(x[:, None])).numpy()
    derived = getattr(bodies, name)(x, x[:, None])

    np.testing.assert_array_equal(native, want, strict=True)
    np.testing.assert_array_equal(derived, want, strict=True)


@pytest.mark.parametrize("dtype", [*INTEGERS, "bool"])
def test_bitwise_invert_flips_every_bit(bodies, dtype):
    x = edges(dtype) if dtype != "bool" else np.array([True, False])

    native = tv.bitwise_invert(tv.asarray(x)).numpy()

    np.testing.assert_array_equal(native, ~x, strict=True)
    np.testing.assert_array_equal(bodies.bitwise_invert(x), ~x, strict=True)


@pytest.mark.parametrize("counts", ["int8", "uint8", "int64"])
@pytest.mark.parametrize("dtype", INTEGERS[:-1])
@pytest.mark.parametrize("name", SHIFTS)
def test_a_shift_is_numpys_when_it_is_as_long_as_the_number_or_longer(
    bodies, name, dtype, counts
):
    x = edges(dtype)
    count = np.array([0, 1, 6, 7, 8, 15, 31, 32, 63, 64, 65, 127], counts)[:, None]
    want = getattr(np, name)(x, count)

    native = getattr(tv, name)(tv.asarray(x), tv.asarray(count)).numpy()
    derived = getattr(bodies, name)(x, count)

    np.testing.assert_array_equal(native, want, strict=True)
    np.testing.assert_array_equal(derived, want, strict=True)


@pytest.mark.parametrize("count", range(0, 64, 7))
def test_a_shift_multiplies_and_divides_by_powers_of_two(bodies, count):
    numbers = [-(2**62), -5, -1, 0, 1, 12345678901]
    x = np.array(numbers)

    right = [number >> count for number in numbers]
    left = [(number << count) % 2**64 for number in numbers]

    for shift in (bodies.bitwise_right_shift, np.right_shift):
        assert shift(x, count).tolist() == right
    assert tv.bitwise_right_shift(tv.asarray(x), count).tolist() == right
    assert bodies.bitwise_left_shift(x, count).astype(np.uint64).tolist() == left
    shifted = tv.bitwise_left_shift(tv.asarray(x), count).numpy()
    assert shifted.astype(np.uint64).tolist() == left


def test_operators_take_numbers_on_either_side():
    x = tv.asarray([1, 2, 3], dtype="uint8")

    assert (x & 2).tolist() == [0, 2, 2]
    assert (4 | x).tolist() == [5, 6, 7]
    assert (x ^ x).tolist() == [0, 0, 0]
    assert (~x).tolist() == [254, 253, 252]
    assert (1 << x).tolist() == [2, 4, 8]
    assert (x >> 1).dtype == tv.uint8


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
@pytest.mark.parametrize("name", [*LOGIC, *SHIFTS])
def test_shapes_stay_when_a_tensor_is_empty_or_0_d(bodies, name, shape):
    x = np.ones(shape, np.int32)

    assert getattr(tv, name)(tv.asarray(x), tv.asarray(x)).shape == shape
    assert getattr(bodies, name)(x, x).shape == shape


def test_bits_are_not_methods():
    assert not [name for name in (*LOGIC, *SHIFTS) if hasattr(tv.Tensor, name)]


def test_bitwise_and_names_its_dtypes_when_numbers_are_floating():
    with pytest.raises(DTypeError) as caught:
        tv.bitwise_and(tv.asarray([1.0]), tv.asarray([1]))

    assert str(caught.value) == (
        "bitwise_and: the dtype float32 is not one that this op takes; it takes bool "
        "or signed integer or unsigned integer. Cast with .astype(...)."
    )
