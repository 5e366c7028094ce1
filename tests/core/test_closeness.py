"""`assert_close`: what counts as equal, and the report of what does not."""

import math

import pytest

import trivet as tv
from trivet.testing import assert_close

INF, NAN = math.inf, math.nan


def tensor(values, dtype=None):
    return tv.tensor(values, dtype=dtype, backend="example")


def message(*args, **options):
    with pytest.raises(AssertionError) as caught:
        assert_close(*args, **options)
    return str(caught.value)


@pytest.mark.parametrize("dtype, scale", [("float32", 1e-6), ("float64", 1e-8)])
def test_rounding_of_the_dtype_is_forgiven_and_more_is_not(dtype, scale):
    expected = tensor([1000.0], dtype)

    assert_close(tensor([1000.0 * (1 + scale)], dtype), expected)
    message(tensor([1000.0 * (1 + 100 * scale)], dtype), expected)


def test_tolerances_are_those_of_the_less_precise_dtype():
    assert_close(tensor([1 / 3], "float32"), tensor([1 / 3], "float64"))
    assert_close(tensor([1 / 3], "float64"), tensor([1 / 3], "float32"))
    assert_close(tensor([1 / 3], "float32"), [1 / 3])


def test_integers_must_be_equal_however_large():
    assert_close(tensor([2**62 + 1]), [2**62 + 1])
    message(tensor([2**62 + 1]), [2**62])
    message(tensor([True]), [False])


def test_tolerances_that_are_given_replace_those_of_the_dtype():
    assert_close(tensor([1.0]), [1.5], atol=0.5)
    assert_close(tensor([1.0]), [2.0], rtol=0.5)
    assert_close(tensor([10]), [11], atol=1)
    message(tensor([1.0]), [1.0 + 1e-7], rtol=0, atol=1e-8)


def test_infinities_must_be_the_same():
    assert_close(tensor([INF, -INF]), [INF, -INF])
    message(tensor([INF]), [-INF])
    message(tensor([1.0]), [INF])
    message(tensor([INF]), [1.0], rtol=1e9, atol=1e9)


def test_nan_equals_nan_unless_told_otherwise():
    assert_close(tensor([NAN, 1.0]), [NAN, 1.0])
    message(tensor([NAN]), [NAN], equal_nan=False)
    message(tensor([NAN]), [1.0])
    message(tensor([1.0]), [NAN])


def test_empty_and_0d_values_are_compared():
    assert_close(tensor([]), [])
    assert_close(tensor(2.0), 2.0)
    assert_close(2.0, tensor(2.0))
    message(tensor(2.0), 3.0)


def test_shapes_must_be_the_same():
    assert message(tensor([1.0, 2.0]), [[1.0, 2.0]]) == (
        "assert_close: the actual shape is (2,), and (1, 2) was expected."
    )


def test_report_counts_elements_and_lists_the_worst_first():
    actual = tensor([[1.0, 2.0, NAN], [4.0, 5.0, 6.5]], "float64")

    assert message(actual, [[1.0, 2.5, 3.0], [4.0, 5.0, 6.0]], rtol=0.01, atol=0) == (
        "assert_close: 3 of 6 elements (50 %) differ by more than 0 + 0.01 * "
        "abs(expected). The worst:\n"
        "   index  actual  expected  difference  allowed\n"
        "  [0, 2]     nan         3         nan     0.03\n"
        "  [0, 1]       2       2.5         0.5    0.025\n"
        "  [1, 2]     6.5         6         0.5     0.06"
    )


def test_report_of_exact_dtypes_names_no_tolerance():
    assert message(tensor([7, 8]), [7, 9]) == (
        "assert_close: 1 of 2 elements (50 %) differs. The worst:\n"
        "  index  actual  expected  difference  allowed\n"
        "    [1]       8         9           1        0"
    )


def test_report_lists_five_of_many():
    report = message(tensor(list(range(100))), [1000] * 100)

    assert report.startswith("assert_close: 100 of 100 elements (100 %) differ.")
    assert [line.split()[0] for line in report.splitlines()[2:]] == [
        "[0]",
        "[1]",
        "[2]",
        "[3]",
        "[4]",
    ]
