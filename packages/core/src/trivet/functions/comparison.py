"""Comparisons, logic and selection: what gives or takes truth values."""

from typing import Any, TypeVar, overload

from trivet import dtypes
from trivet.contract import Backend
from trivet.convert import asarray
from trivet.dispatch import as_number, call, hot, method, require_tensor
from trivet.dtypes import Scalar
from trivet.errors import DTypeError
from trivet.functions.sorting import nonzero
from trivet.tensor import Tensor

__all__ = [
    "equal",
    "greater",
    "greater_equal",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
    "where",
]

B = TypeVar("B", bound=Backend[Any])


@method
@hot
def equal(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Which elements are equal; `x1 == x2`. NaN equals nothing.

    The shapes broadcast. Takes all dtypes.

    >>> import trivet as tv
    >>> tv.equal(tv.asarray([1, 2]), 2).tolist()
    [False, True]
    """
    return call("equal", x1, x2)


@method
@hot
def not_equal(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Which elements differ; `x1 != x2`. NaN differs from everything.

    Takes all dtypes.

    >>> import trivet as tv
    >>> tv.not_equal(tv.asarray([1, 2]), 2).tolist()
    [True, False]
    """
    return call("not_equal", x1, x2)


@method
@hot
def less(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Where x1 < x2; false beside NaN. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.less(tv.asarray([1, 2, 3]), 2).tolist()
    [True, False, False]
    """
    return call("less", x1, x2)


@method
@hot
def less_equal(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Where x1 <= x2; false beside NaN. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.less_equal(tv.asarray([1, 2, 3]), 2).tolist()
    [True, True, False]
    """
    return call("less_equal", x1, x2)


@method
@hot
def greater(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Where x1 > x2; false beside NaN. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.greater(tv.asarray([1, 2, 3]), 2).tolist()
    [False, False, True]
    """
    return call("greater", x1, x2)


@method
@hot
def greater_equal(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Where x1 >= x2; false beside NaN. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.greater_equal(tv.asarray([1, 2, 3]), 2).tolist()
    [False, True, True]
    """
    return call("greater_equal", x1, x2)


@method
@hot
def logical_and(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Where both are true; numbers are true unless zero. Takes all dtypes.

    >>> import trivet as tv
    >>> tv.logical_and(tv.asarray([True, False]), True).tolist()
    [True, False]
    """
    return call("logical_and", x1, x2)


@method
@hot
def logical_or(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Where either is true; numbers are true unless zero. Takes all dtypes.

    >>> import trivet as tv
    >>> tv.logical_or(tv.asarray([True, False]), False).tolist()
    [True, False]
    """
    return call("logical_or", x1, x2)


@method
@hot
def logical_xor(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """Where exactly one is true; numbers are true unless zero. Takes all dtypes.

    >>> import trivet as tv
    >>> tv.logical_xor(tv.asarray([True, False]), True).tolist()
    [False, True]
    """
    return call("logical_xor", x1, x2)


@method
@hot
def logical_not(x: Tensor[B], /) -> Tensor[B]:
    """Which elements are false, or zero. Takes all dtypes.

    >>> import trivet as tv
    >>> tv.logical_not(tv.asarray([True, False])).tolist()
    [False, True]
    """
    return call("logical_not", x)


@method
@hot
def isnan(x: Tensor[B], /) -> Tensor[B]:
    """Which elements are NaN. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.isnan(tv.asarray([1.0, float("nan")])).tolist()
    [False, True]
    """
    return call("isnan", x)


@method
@hot
def isinf(x: Tensor[B], /) -> Tensor[B]:
    """Which elements are infinite. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.isinf(tv.asarray([1.0, float("-inf")])).tolist()
    [False, True]
    """
    return call("isinf", x)


@method
@hot
def isfinite(x: Tensor[B], /) -> Tensor[B]:
    """Which elements are neither NaN nor infinite. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.isfinite(tv.asarray([1.0, float("nan")])).tolist()
    [True, False]
    """
    return call("isfinite", x)


@overload
def where(
    condition: Tensor[B], x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /
) -> Tensor[B]: ...


@overload
def where(condition: Tensor[B], /) -> tuple[Tensor[B], ...]: ...


def where(
    condition: Tensor[B],
    x1: Tensor[B] | Scalar | None = None,
    x2: Tensor[B] | Scalar | None = None,
    /,
) -> Tensor[B] | tuple[Tensor[B], ...]:
    """`x1` where `condition` holds and `x2` elsewhere.

    The three broadcast. Two tensors promote, a number takes the dtype of the tensor
    beside it, two numbers have the default dtype of their kind. With `condition` alone
    it is `nonzero`, as other libraries have it. Raises `DTypeError` unless `condition`
    is boolean.

    >>> import trivet as tv
    >>> x = tv.asarray([-1.0, 2.0])
    >>> tv.where(x > 0, x, 0).tolist()
    [0.0, 2.0]
    """
    if x1 is None and x2 is None:
        return nonzero(condition)
    require_tensor("where", condition)
    if condition.dtype != dtypes.bool:
        raise DTypeError(
            f"where: the condition has the dtype {condition.dtype}, and must be bool. "
            "Compare it first, for example condition != 0."
        )
    if not isinstance(x1, Tensor) and not isinstance(x2, Tensor):
        numbers = as_number("where", 1, x1), as_number("where", 2, x2)
        x1, x2 = _alike(condition, numbers), numbers[1]
    return call("where", condition, x1, x2)


def _alike(condition: Tensor[B], numbers: tuple[Scalar, Scalar]) -> Tensor[B]:
    """The first number as a tensor whose dtype holds the kinds of both."""
    kind: Any = max(map(type, numbers), key=[bool, int, float, complex].index)
    first = kind(numbers[0])
    return asarray(first, backend=condition.backend, device=condition.device)
