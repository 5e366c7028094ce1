"""The derived operations on bits, against Python's own integers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.dtypes import DTYPES, iinfo

T, F = True, False
LOWEST, HIGHEST = -(2**63), 2**63 - 1
INTEGERS = [name for name in DTYPES if "int" in name]

CASES = [
    ("bitwise_or", ([0b1100, -1], [0b1010, 0]), {}, [0b1110, -1]),
    ("bitwise_or", ([T, T, F, F], [T, F, T, F]), {}, [T, T, T, F]),
    ("bitwise_or", (([1, 128], "uint8"), 2), {}, ([3, 130], "uint8")),
    ("bitwise_or", (([-128], "int8"), ([255], "uint8")), {}, ([-1], "int16")),
    ("bitwise_invert", ([0, -1, LOWEST],), {}, [-1, 0, HIGHEST]),
    ("bitwise_invert", (([0, 200], "uint8"),), {}, ([255, 55], "uint8")),
    ("bitwise_invert", (([0], "uint64"),), {}, ([2**64 - 1], "uint64")),
    ("bitwise_invert", ([T, F],), {}, [F, T]),
    ("bitwise_left_shift", ([1, 3, -1], [63, 62, 1]), {}, [LOWEST, -(2**62), -2]),
    ("bitwise_left_shift", (([129], "uint8"), 1), {}, ([2], "uint8")),
    ("bitwise_left_shift", (1, [0, 1, 2]), {}, [1, 2, 4]),
    ("bitwise_right_shift", ([-1, -8, 7, LOWEST], [1, 1, 1, 63]), {}, [-1, -4, 3, -1]),
    ("bitwise_right_shift", (([255], "uint8"), 7), {}, ([1], "uint8")),
    ("bitwise_right_shift", (([2**64 - 1], "uint64"), 63), {}, ([1], "uint64")),
    ("bitwise_invert", ((5, "int64"),), {}, (-6, "int64")),
    ("bitwise_or", (([], "int64"), 1), {}, ([], "int64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


def wrapped(value, dtype):
    """The element that the lowest bits of an integer make."""
    low = iinfo(dtype).min
    return (value - low) % 2 ** DTYPES[dtype].bits + low


@pytest.mark.parametrize("dtype", INTEGERS)
@given(data=st.data())
def test_shift_by_any_count_below_the_width_agrees_with_python(check, dtype, data):
    limits = iinfo(dtype)
    value = data.draw(st.integers(limits.min, limits.max))
    count = data.draw(st.integers(0, limits.bits - 1))
    operands = ([value], dtype), ([count], dtype)

    check("bitwise_left_shift", operands, {}, ([wrapped(value << count, dtype)], dtype))
    check("bitwise_right_shift", operands, {}, ([value >> count], dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
@given(data=st.data())
def test_or_and_invert_agree_with_python(check, dtype, data):
    limits = iinfo(dtype)
    a, b = data.draw(st.tuples(*[st.integers(limits.min, limits.max)] * 2))

    check("bitwise_or", (([a], dtype), ([b], dtype)), {}, ([a | b], dtype))
    check("bitwise_invert", (([a], dtype),), {}, ([wrapped(~a, dtype)], dtype))


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("bitwise") == {case[0] for case in CASES}
