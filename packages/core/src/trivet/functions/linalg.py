"""Products of vectors and matrices, on the last axes; the others are batches."""

from collections.abc import Sequence
from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot, require_kind, require_tensor
from trivet.errors import AxisError, ShapeError
from trivet.shapes import broadcast, normalize_axes
from trivet.tensor import Tensor

__all__ = ["matmul", "matrix_transpose", "outer", "tensordot", "vecdot"]

B = TypeVar("B", bound=Backend[Any])
Pairs = int | tuple[Sequence[int], Sequence[int]]


@hot
def matmul(x1: Tensor[B], x2: Tensor[B], /) -> Tensor[B]:
    """The matrix product; `x1 @ x2`. Batch axes broadcast.

    A 1-D operand is a row on the left and a column on the right, and its axis is gone
    from the result. An empty inner axis gives zeros. Raises `ShapeError` for 0-d
    operands and sizes that do not fit. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.matmul(tv.asarray([[1, 2], [3, 4]]), tv.asarray([1, 1])).tolist()
    [3, 7]
    """
    return call("matmul", x1, x2)


def matrix_transpose(x: Tensor[B], /) -> Tensor[B]:
    """The last two axes swapped; `x.mT`. Raises `ShapeError` below two dimensions.

    >>> import trivet as tv
    >>> tv.matrix_transpose(tv.asarray([[1, 2], [3, 4]])).tolist()
    [[1, 3], [2, 4]]
    """
    require_tensor("matrix_transpose", x)
    if x.ndim < 2:
        raise ShapeError(
            f"matrix_transpose: a tensor of shape {x.shape} holds no matrices; it "
            "needs at least two dimensions."
        )
    return call("matrix_transpose", x)


def outer(x1: Tensor[B], x2: Tensor[B], /) -> Tensor[B]:
    """The product of each element of the 1-D `x1` with each of the 1-D `x2`.

    The result has the shape (N, M). Raises `ShapeError` for other ranks.

    >>> import trivet as tv
    >>> tv.outer(tv.asarray([1, 2]), tv.asarray([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    require_tensor("outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ShapeError(
            f"outer: the shapes are {x1.shape} and {x2.shape}, and both must be 1-D. "
            "Flatten with reshape(x, (-1,)) first."
        )
    return call("multiply", call("reshape", x1, shape=(x1.size, 1)), x2)


def tensordot(x1: Tensor[B], x2: Tensor[B], /, *, axes: Pairs = 2) -> Tensor[B]:
    """The sum of products over pairs of axes; the others follow one another.

    `axes` is a number N, the last N of `x1` with the first N of `x2`, or two sequences
    of axes to pair. Raises `AxisError` for axes that are not there, `ShapeError` where
    paired axes differ in size. Takes numeric dtypes.

    >>> import trivet as tv
    >>> x = tv.reshape(tv.arange(6), (2, 3))
    >>> tv.tensordot(x, x, axes=((1,), (1,))).tolist()
    [[5, 14], [14, 50]]
    """
    _check("tensordot", x1, x2)
    first, second = _paired(x1, x2, axes)
    sizes1, sizes2 = [x1.shape[i] for i in first], [x2.shape[i] for i in second]
    if sizes1 != sizes2:
        raise ShapeError(
            f"tensordot: the axes {first} of the shape {x1.shape} have the sizes "
            f"{sizes1}, and the axes {second} of {x2.shape} have {sizes2}. Paired axes "
            "must have one size."
        )
    return call("tensordot", x1, x2, axes=(first, second))


def _paired(
    x1: Tensor[Any], x2: Tensor[Any], axes: Pairs
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes to sum over, each counted from the front."""
    if isinstance(axes, int):
        if not 0 <= axes <= min(x1.ndim, x2.ndim):
            raise AxisError(
                f"tensordot: axes={axes} is out of range for the shapes {x1.shape} and "
                f"{x2.shape}; it can be 0 to {min(x1.ndim, x2.ndim)}."
            )
        return tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes))
    first, second = axes
    if len(first) != len(second):
        raise AxisError(
            f"tensordot: axes={axes} pairs {len(first)} with {len(second)} axes. Name "
            "as many of the one as of the other."
        )
    pairs = ((x1.ndim, first), (x2.ndim, second))
    one, other = (
        normalize_axes("tensordot", tuple(a), ndim) or () for ndim, a in pairs
    )
    return one, other


def vecdot(x1: Tensor[B], x2: Tensor[B], /, *, axis: int = -1) -> Tensor[B]:
    """The sum of conj(x1) * x2 along `axis`; the other axes broadcast.

    `axis` is counted from the end, -1 being the last. Raises `AxisError` for one that
    is not negative or not there, `ShapeError` where the sizes along it differ. Takes
    numeric dtypes.

    >>> import trivet as tv
    >>> tv.vecdot(tv.asarray([[1, 2], [3, 4]]), tv.asarray([1, 1])).tolist()
    [3, 7]
    """
    _check("vecdot", x1, x2)
    ndim = min(x1.ndim, x2.ndim)
    if not ndim:
        raise ShapeError(
            f"vecdot: the shapes are {x1.shape} and {x2.shape}, and neither may be (). "
            "Multiply by a number with *."
        )
    if not -ndim <= axis < 0:
        raise AxisError(
            f"vecdot: axis={axis} is out of range for the shapes {x1.shape} and "
            f"{x2.shape}. It is counted from the end, from {-ndim} to -1."
        )
    if x1.shape[axis] != x2.shape[axis]:
        raise ShapeError(
            f"vecdot: along axis {axis} the shapes {x1.shape} and {x2.shape} have "
            f"{x1.shape[axis]} and {x2.shape[axis]} elements. They must have as many."
        )
    broadcast("vecdot", x1.shape, x2.shape)
    return call("vecdot", x1, x2, axis=axis)


def _check(op: str, x1: Tensor[Any], x2: Tensor[Any]) -> None:
    """Refuse what is no tensor, and dtypes that the op does not take."""
    require_tensor(op, x1, x2)
    require_kind(op, x1)
    require_kind(op, x2)
