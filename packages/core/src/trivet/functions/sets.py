"""Different elements, and membership.

NaN equals nothing: each is a value of its own, with the count 1, and in no set. 0.0 and
-0.0 are one value. The values come in ascending order, NaN last, where the backend does
not say otherwise. How many there are is known by reading back to the host.
"""

from typing import Any, NamedTuple, TypeVar

from trivet.contract import Backend
from trivet.convert import asarray
from trivet.dispatch import as_number, call, common, require_tensor, wrap
from trivet.dtypes import INTEGRAL, Scalar, iinfo, int64, weak_dtype
from trivet.failures import fail, require_dynamic
from trivet.tensor import Tensor

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]

B = TypeVar("B", bound=Backend[Any])


class UniqueAll(NamedTuple):
    """What `unique_all` gives."""

    values: Tensor[Any]
    indices: Tensor[Any]
    inverse_indices: Tensor[Any]
    counts: Tensor[Any]


class UniqueCounts(NamedTuple):
    """What `unique_counts` gives."""

    values: Tensor[Any]
    counts: Tensor[Any]


class UniqueInverse(NamedTuple):
    """What `unique_inverse` gives."""

    values: Tensor[Any]
    inverse_indices: Tensor[Any]


def unique_all(x: Tensor[Any], /) -> UniqueAll:
    """The different values; where each is first; which one each element is; counts.

    `values`, `indices` (of the first occurrences in the flattened `x`) and `counts`
    have one axis. `inverse_indices` has the shape of `x`: `values[inverse_indices]` is
    `x` again, but for the signs of zeros. All but the values have the index dtype.

    >>> import trivet as tv
    >>> found = tv.unique_all(tv.asarray([[5, 3], [3, 3]]))
    >>> found.values.tolist(), found.indices.tolist(), found.counts.tolist()
    ([3, 5], [1, 0], [3, 1])
    >>> found.inverse_indices.tolist()
    [[1, 0], [0, 0]]
    """
    return UniqueAll(*_parts("unique_all", x))


def unique_counts(x: Tensor[Any], /) -> UniqueCounts:
    """The different values and how often each is there, in the index dtype.

    >>> import trivet as tv
    >>> values, counts = tv.unique_counts(tv.asarray([2.0, 1.0, 2.0]))
    >>> values.tolist(), counts.tolist()
    ([1.0, 2.0], [1, 2])
    """
    return UniqueCounts(*_parts("unique_counts", x))


def unique_inverse(x: Tensor[Any], /) -> UniqueInverse:
    """The different values, and in the shape of `x` the position of each element's.

    >>> import trivet as tv
    >>> values, inverse = tv.unique_inverse(tv.asarray([2.0, 1.0, 2.0]))
    >>> values.tolist(), inverse.tolist()
    ([1.0, 2.0], [1, 0, 1])
    """
    return UniqueInverse(*_parts("unique_inverse", x))


def unique_values(x: Tensor[B], /) -> Tensor[B]:
    """The different values, along one axis.

    >>> import trivet as tv
    >>> tv.unique_values(tv.asarray([2.0, 1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    _require("unique_values", x)
    return call("unique_values", x)


def _require(op: str, x: Any) -> None:
    require_tensor(op, x)
    require_dynamic(op, x, "Sort with tv.sort(x) and compare neighbours")


def _parts(op: str, x: Tensor[Any]) -> list[Tensor[Any]]:
    _require(op, x)
    backend, (handle,) = common(op, (x,))
    try:
        parts = getattr(backend, op)(handle)
    except Exception as error:  # noqa: BLE001  # `fail` raises it again, explained
        fail(op, error, (x,), {})
    return [wrap(part, backend) for part in parts]


def isin(
    x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /, *, invert: bool = False
) -> Tensor[B]:
    """Which elements of `x1` are equal to an element of `x2`, in the shape of `x1`.

    One of the two may be a number. With `invert=True`: which are equal to none. int64
    and uint64 are compared exactly. Raises `TypeError` if neither is a tensor.

    >>> import trivet as tv
    >>> tv.isin(tv.asarray([1, 2, 5]), tv.asarray([5, 1])).tolist()
    [True, False, True]
    """
    if not isinstance(x1, Tensor) and not isinstance(x2, Tensor):
        require_tensor("isin", x1)
    elements = _as_tensor(0, x1, x2)
    return call("isin", elements, _as_tensor(1, x2, x1), invert=invert)


def _as_tensor(place: int, operand: Any, other: Any) -> Tensor[Any]:
    if isinstance(operand, Tensor):
        return operand
    number = as_number("isin", place, operand)
    dtype = weak_dtype(other.dtype, number)
    if dtype.kind in INTEGRAL and not iinfo(dtype).min <= number <= iinfo(dtype).max:  # type: ignore[operator]  # integers have integer numbers
        dtype = int64
    return asarray(number, dtype=dtype, backend=other.backend, device=other.device)
