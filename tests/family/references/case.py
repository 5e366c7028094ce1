"""`Case`: a function's reference, its calls, and how near its results must be.

`compared` runs a call on a backend and in the reference, and compares the results.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy

import trivet as tv


@dataclass(frozen=True)
class Case:
    """What a function is compared with.

    Results agree bit by bit, or where there are `ulps`, to so many units of the
    dtype's precision, relative to the result or to `scale`. With `dtype=False` the
    reference's dtype is not ours. `ours` is for what is no plain call.
    """

    reference: Callable[..., Any]
    calls: SearchStrategy[Any]
    ulps: float | None = None
    scale: float = 0.0
    dtype: bool = True
    ours: Callable[..., Any] | None = None
    needs: str | None = None  # a library of the reference's that may be missing


def compared(case, function, call, backend):
    """Asserts that the function agrees with the reference, and changes no argument."""
    arguments, keywords = call
    function = case.ours or function
    before = [np.array(x) for x in arrays_in((arguments, keywords))]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # they are the reference's
        expected = case.reference(*arguments, **keywords)

    with np.errstate(all="ignore"):  # of floats; any other warning fails
        result = function(*given(arguments, backend), **given(keywords, backend))

    found = to_host(result)

    agree(case, found, expected)
    for x, y in zip(arrays_in((arguments, keywords)), before, strict=True):
        np.testing.assert_array_equal(x, y)


def arrays_in(value):
    """The arrays in nested arguments."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [x for each in value for x in arrays_in(each)]
    return []


def given(value, backend):
    """The arguments with a tensor in the place of each array."""
    if isinstance(value, np.ndarray):
        return tv.asarray(value, backend=backend)
    if isinstance(value, dict):
        return {k: given(v, backend) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(given(each, backend) for each in value)
    return value


def to_host(value):
    """The result with an array in the place of each tensor."""
    if isinstance(value, tv.Tensor):
        return value.numpy()
    if isinstance(value, tv.DType):
        return np.dtype(str(value))
    if isinstance(value, list | tuple):
        return [to_host(each) for each in value]
    return value


def agree(case, found, expected):
    """Asserts that two results have the same structure, shapes, dtypes and values."""
    if isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for x, y in zip(found, expected, strict=True):
            agree(case, x, y)
        return
    if not isinstance(found, np.ndarray):
        assert found == expected
        return
    expected = np.asarray(expected)
    assert found.shape == expected.shape
    if case.dtype:
        assert found.dtype == expected.dtype
    near(case, found, expected)


def near(case, found, expected):
    if case.ulps is None:
        np.testing.assert_array_equal(found, expected)
        assert_same_zeros(found, expected)
        return
    precision = np.finfo(found.dtype).eps if found.dtype.kind in "fc" else 0.0
    unit = case.ulps * float(precision)
    np.testing.assert_allclose(found, expected, rtol=unit, atol=unit * case.scale)


def assert_same_zeros(found, expected):
    """Asserts that zeros have the same signs."""
    if found.dtype.kind == "f" and expected.dtype.kind == "f":
        zero = (found == 0) & (expected == 0)
        np.testing.assert_array_equal(
            np.signbit(found[zero]), np.signbit(expected[zero])
        )
