"""Different elements and membership, against NumPy and the standard."""

import numpy as np
import pytest

import trivet as tv
import trivet_ndarray
from trivet import contract

nan, inf = float("nan"), float("inf")
OPS = ("unique_all", "unique_counts", "unique_inverse", "unique_values")


@pytest.fixture(scope="module")
def bodies():
    """The derived sets over NumPy's own ops, which know complex numbers."""
    backend = trivet_ndarray.NdArray()
    for op in contract.OPS.values():
        if op.family == "sets":
            backend.bind(**{op.name: op.function.__get__(backend)})
    return backend


def sample(dtype, shape=(3, 4)):
    numbers = np.asarray(np.random.default_rng(1).integers(0, 4, shape))
    if np.dtype(dtype).kind == "c":
        numbers = numbers + 1j * (numbers.T.reshape(shape) % 2)
    return np.asarray(numbers, dtype)


DTYPES = ["bool", "int8", "uint64", "float16", "float32", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 4), (), (0,), (2, 0)])
def test_all_parts_describe_the_values(bodies, dtype, shape):
    x = sample(dtype, shape)

    values, indices, inverse, counts = tv.unique_all(tv.asarray(x))

    want = np.unique(x)
    np.testing.assert_array_equal(values.numpy(), want, strict=True)
    assert {indices.dtype, inverse.dtype, counts.dtype} == {tv.int64}
    assert [int(i) for i in indices] == [list(x.ravel()).index(v) for v in want]
    assert inverse.shape == shape
    np.testing.assert_array_equal(want[inverse.numpy()], x)
    assert counts.tolist() == [int((x == v).sum()) for v in want]
    whole = (values, indices, inverse, counts)
    for part, body in zip(whole, bodies.unique_all(x), strict=True):
        np.testing.assert_array_equal(part.numpy(), body, strict=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 4), (), (0,)])
def test_smaller_functions_give_parts_of_the_whole(bodies, dtype, shape):
    x = sample(dtype, shape)
    tensor = tv.asarray(x)

    whole = tv.unique_all(tensor)

    for name in ("unique_counts", "unique_inverse"):
        found = getattr(tv, name)(tensor)
        for field, body in zip(found._fields, getattr(bodies, name)(x), strict=True):
            want = getattr(whole, field).numpy()
            np.testing.assert_array_equal(getattr(found, field).numpy(), want)
            np.testing.assert_array_equal(body, want, strict=True)
    np.testing.assert_array_equal(
        tv.unique_values(tensor).numpy(), whole.values.numpy()
    )
    np.testing.assert_array_equal(bodies.unique_values(x), whole.values.numpy())


def test_parts_have_the_names_of_the_standard():
    x = tv.asarray([1])

    assert tv.unique_all(x)._fields == (
        "values",
        "indices",
        "inverse_indices",
        "counts",
    )
    assert tv.unique_counts(x)._fields == ("values", "counts")
    assert tv.unique_inverse(x)._fields == ("values", "inverse_indices")


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_each_nan_is_a_value_of_its_own(bodies, dtype):
    x = np.asarray([nan, 0.0, inf, nan, -0.0, inf], dtype)

    values, indices, inverse, counts = tv.unique_all(tv.asarray(x))

    np.testing.assert_array_equal(values.numpy(), np.asarray([0, inf, nan, nan], dtype))
    assert counts.tolist() == [2, 2, 1, 1]
    assert indices.tolist() == [1, 2, 0, 3]
    assert inverse.tolist() == [2, 0, 1, 3, 0, 1]
    assert [part.tolist() for part in bodies.unique_all(x)[1:]] == [
        indices.tolist(),
        inverse.tolist(),
        counts.tolist(),
    ]


def test_complex_numbers_with_nan_differ_from_all(bodies):
    x = np.asarray([1 + 2j, complex(nan, 1), complex(1, nan), 1 + 2j, complex(nan, 1)])

    for values, counts in (tv.unique_counts(tv.asarray(x)), bodies.unique_counts(x)):
        assert sorted(counts.tolist()) == [1, 1, 1, 2]
        assert np.isnan(np.asarray(values.tolist())).sum() == 3


@pytest.mark.parametrize("first", ["int8", "uint64", "float32", "complex64", "bool"])
@pytest.mark.parametrize("second", ["int8", "uint64", "float32", "complex64", "bool"])
@pytest.mark.parametrize("invert", [False, True])
def test_membership_is_numpys_for_all_pairs_of_dtypes(bodies, first, second, invert):
    x1, x2 = sample(first), sample(second, (5,))

    got = tv.isin(tv.asarray(x1), tv.asarray(x2), invert=invert)

    want = (x1[..., None] == x2).any(-1) != invert
    np.testing.assert_array_equal(got.numpy(), want, strict=True)
    np.testing.assert_array_equal(bodies.isin(x1, x2, invert=invert), want, strict=True)


def test_large_integers_of_two_kinds_are_compared_exactly():
    signed = tv.asarray([-1, 2**63 - 1], dtype="int64")
    unsigned = tv.asarray([2**64 - 1, 2**63 - 1, 2**63], dtype="uint64")

    assert tv.isin(signed, unsigned).tolist() == [False, True]
    assert tv.isin(unsigned, signed).tolist() == [False, True, False]


def test_nan_is_in_no_set_and_zeros_are_equal():
    x = tv.asarray([nan, -0.0])

    assert tv.isin(x, tv.asarray([nan, 0.0])).tolist() == [False, True]


def test_membership_takes_a_number_on_either_side():
    x = tv.asarray([1, 2], dtype="int8")

    assert tv.isin(x, 2).tolist() == [False, True]
    assert tv.isin(2, x).tolist() is True
    assert tv.isin(x, 2, invert=True).tolist() == [True, False]
    assert tv.isin(x, 2.5).tolist() == [False, False]
    assert tv.isin(x, 1000).tolist() == [False, False]
    assert tv.isin(np.float64(1.0), x).tolist() is True


def test_membership_of_numbers_alone_is_refused():
    with pytest.raises(TypeError) as caught:
        tv.isin(1, 2)
    with pytest.raises(TypeError) as listed:
        tv.isin(tv.asarray([1]), [1])

    assert str(caught.value) == (
        "isin: the first operand is the number 1, not a tensor. Nothing is converted "
        "silently: call tv.asarray(...) on it first."
    )
    assert str(listed.value) == (
        "isin: the second operand is a builtins.list, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


@pytest.mark.parametrize("op", OPS)
def test_list_is_no_tensor(op):
    with pytest.raises(TypeError) as caught:
        getattr(tv, op)([1])

    assert str(caught.value) == (
        f"{op}: the first operand is a builtins.list, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


def test_nan_of_bfloat16_comes_last_too():
    pytest.importorskip("ml_dtypes")
    x = tv.asarray([3.0, nan, 1.0, 3.0], dtype="bfloat16")

    values, counts = tv.unique_counts(x)

    assert (values.dtype, values[:2].tolist()) == (tv.bfloat16, [1.0, 3.0])
    assert counts.tolist() == [1, 2, 1]
    assert tv.sort(x)[:3].tolist() == [1.0, 3.0, 3.0]
    assert tv.topk(x, 1).indices.tolist() == [1]
