"""Where elements are: those that are not zero, and values among the edges of bins."""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, call_many, require_kind, require_tensor
from trivet.errors import ShapeError
from trivet.functions.sorting import nonzero
from trivet.tensor import Tensor

__all__ = ["argwhere", "digitize"]

B = TypeVar("B", bound=Backend[Any])


def argwhere(x: Tensor[B], /) -> Tensor[B]:
    """The positions of the elements that are not zero: a row for each, in C order.

    `nonzero` gives them as columns, which index a tensor. How many there are is read
    back to the host. Takes all dtypes.

    >>> import trivet as tv
    >>> tv.argwhere(tv.asarray([[1, 0], [0, 5]])).tolist()
    [[0, 0], [1, 1]]
    """
    require_tensor("argwhere", x)
    if not x.ndim:  # a row of no numbers, if it is not zero
        rows = argwhere(call("reshape", x, shape=(1,)))
        return call("getitem", rows, key=(slice(None), slice(0, 0)))
    return call("matrix_transpose", call_many("stack", nonzero(x), axis=0))


def digitize(x: Tensor[B], bins: Tensor[B], /, *, right: bool = False) -> Tensor[B]:
    """The numbers of the bins that elements are in, by the bins' 1-D edges in order.

    With rising edges it is 0 before the first, then i where
    bins[i - 1] <= x < bins[i], and their number behind the last; with `right=True`,
    where bins[i - 1] < x <= bins[i]. Edges may fall: then bins[i - 1] is the larger.
    NaN is behind rising edges. In the index dtype. Raises `ShapeError` unless `bins`
    is 1-D, `DTypeError` unless both are real.

    >>> import trivet as tv
    >>> tv.digitize(tv.asarray([0.2, 6.4, 3.0]), tv.asarray([0.0, 1.0, 3.0])).tolist()
    [1, 3, 3]
    """
    require_tensor("digitize", x, bins)
    for operand in (x, bins):
        require_kind("searchsorted", operand)
    if bins.ndim != 1:
        raise ShapeError(
            f"digitize: bins of shape {bins.shape}; their edges must be 1-D."
        )
    if not bins.size:
        return call("searchsorted", bins, x, side="left")
    falls = call("less", bins[-1], bins[0])  # not read back to the host
    rising = call("where", falls, call("flip", bins, axis=None), bins)
    side = "left" if right else "right"
    found = call("searchsorted", rising, x, side=side)
    # of falling edges, all less what was found: one pass less than choosing
    whole = call("astype", falls, dtype=found.dtype) * bins.size
    return call("abs", found - whole)
