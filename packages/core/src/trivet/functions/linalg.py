"""Products of vectors and matrices, on the last axes; the others are batches."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import integer, items
from trivet.contract import Backend
from trivet.dispatch import call, hot, require_kind, require_tensor
from trivet.dtypes import COMPLEX, as_dtype
from trivet.errors import AxisError, DTypeError, ShapeError
from trivet.shapes import broadcast, normalize_axes
from trivet.tensor import Tensor

__all__ = [
    "cross",
    "diagonal",
    "kron",
    "matmul",
    "matrix_transpose",
    "multi_dot",
    "outer",
    "tensordot",
    "trace",
    "vecdot",
]

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


def cross(x1: Tensor[B], x2: Tensor[B], /, *, axis: int = -1) -> Tensor[B]:
    """The cross product of 3-vectors along `axis`; the other axes broadcast.

    `axis` is counted from the end, -1 being the last. Raises `AxisError` for one that
    is not negative or not there, `ShapeError` where the size along it is not 3. Takes
    numeric dtypes.

    >>> import trivet as tv
    >>> tv.linalg.cross(tv.asarray([1, 0, 0]), tv.asarray([0, 1, 0])).tolist()
    [0, 0, 1]
    """
    _check("cross", x1, x2)
    ndim = min(x1.ndim, x2.ndim)
    if not -ndim <= axis < 0:
        raise AxisError(
            f"cross: axis={axis} is out of range for the shapes {x1.shape} and "
            f"{x2.shape}. It is counted from the end, from {-ndim} to -1."
        )
    if not x1.shape[axis] == x2.shape[axis] == 3:
        raise ShapeError(
            f"cross: along axis {axis} the shapes {x1.shape} and {x2.shape} have "
            f"{x1.shape[axis]} and {x2.shape[axis]} elements. Both must have 3."
        )
    broadcast("cross", x1.shape, x2.shape)
    return call("cross", x1, x2, axis=axis)


def diagonal(x: Tensor[B], /, *, offset: SupportsIndex = 0) -> Tensor[B]:
    """The `offset`-th diagonal of each matrix, above the main one if positive.

    `x` has shape (..., M, N) and any dtype; the result has as many elements along its
    last axis as the diagonal, which can be none. Raises `ShapeError` below two
    dimensions.

    >>> import trivet as tv
    >>> tv.linalg.diagonal(tv.asarray([[1, 2], [3, 4]]), offset=1).tolist()
    [2]
    """
    _require_matrices("diagonal", x)
    return call("diagonal", x, offset=integer("diagonal", "offset", offset))


def trace(
    x: Tensor[B], /, *, offset: SupportsIndex = 0, dtype: Any = None
) -> Tensor[B]:
    """The sum of the `offset`-th diagonal of each matrix.

    `x` has shape (..., M, N). Floats keep their dtype, small integers become the
    default integer, unless `dtype` says otherwise. Raises `ShapeError` below two
    dimensions, `DTypeError` for booleans, and for complex numbers in a real `dtype`.

    >>> import trivet as tv
    >>> tv.linalg.trace(tv.asarray([[1, 2], [3, 4]])).item()
    5
    """
    _require_matrices("trace", x)
    require_kind("trace", x)
    wanted = None if dtype is None else as_dtype(dtype)
    if wanted is not None and x.dtype.kind in COMPLEX and wanted.kind not in COMPLEX:
        raise DTypeError(
            f"trace: dtype={wanted} would drop the imaginary parts of {x.dtype}. Take "
            "the real part first, or ask for a complex dtype."
        )
    return call("trace", x, offset=integer("trace", "offset", offset), dtype=wanted)


def _require_matrices(op: str, x: Tensor[Any]) -> None:
    require_tensor(op, x)
    if x.ndim < 2:
        raise ShapeError(
            f"{op}: a tensor of shape {x.shape} holds no matrices; it needs at least "
            "two dimensions."
        )


def matrix_transpose(x: Tensor[B], /) -> Tensor[B]:
    """The last two axes swapped; `x.mT`. Raises `ShapeError` below two dimensions.

    >>> import trivet as tv
    >>> tv.matrix_transpose(tv.asarray([[1, 2], [3, 4]])).tolist()
    [[1, 3], [2, 4]]
    """
    _require_matrices("matrix_transpose", x)
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


def kron(x1: Tensor[B], x2: Tensor[B], /) -> Tensor[B]:
    """The Kronecker product: each element of `x1` times the whole of `x2`.

    The result is along each axis as long as both together, multiplied; missing axes in
    front count as axes of size 1. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.kron(tv.asarray([1, 10]), tv.asarray([1, 2])).tolist()
    [1, 2, 10, 20]
    """
    _check("kron", x1, x2)
    return call("kron", x1, x2)


def multi_dot(arrays: Sequence[Tensor[B]], /) -> Tensor[B]:
    """The product of two or more matrices, in the order that multiplies least.

    The first may be a row of shape (N,), the last a column of shape (N,); all others
    have two dimensions. Raises `ShapeError` for other shapes, and where neighbours do
    not fit. The order is that of Cormen et al., Introduction to Algorithms, 15.2.

    >>> import trivet as tv
    >>> x = tv.asarray([[1, 2], [3, 4]])
    >>> tv.linalg.multi_dot([x, x, tv.asarray([1, 1])]).tolist()
    [17, 37]
    """
    arrays = list(arrays)
    _check_chain(arrays)
    last = len(arrays) - 1
    first, end = arrays[0].shape, arrays[last].shape
    rows = [first[0] if len(first) > 1 else 1, *(x.shape[0] for x in arrays[1:])]
    splits = _cheapest([*rows, end[1] if len(end) > 1 else 1])

    def product(i: int, j: int) -> Tensor[B]:
        if i == j:
            return arrays[i]
        split = splits[i, j]
        return call("matmul", product(i, split), product(split + 1, j))

    return product(0, last)


def _check_chain(arrays: list[Tensor[Any]]) -> None:
    require_tensor("multi_dot", *arrays)
    if len(arrays) < 2:
        raise ShapeError(
            f"multi_dot: {len(arrays)} array was given, and a product needs at least "
            "two."
        )
    for place, x in enumerate(arrays):
        require_kind("matmul", x)
        at_end = place in {0, len(arrays) - 1}
        if x.ndim != 2 and not (at_end and x.ndim == 1):
            raise ShapeError(
                f"multi_dot: the array at place {place} has shape {x.shape}. All must "
                "be 2-D; the first and the last may be 1-D."
            )
    for place, (one, other) in enumerate(pairwise(arrays)):
        if one.shape[-1] != other.shape[0]:
            raise ShapeError(
                f"multi_dot: the shapes {one.shape} and {other.shape} at places "
                f"{place} and {place + 1} do not fit: {one.shape[-1]} is not "
                f"{other.shape[0]}."
            )


def _cheapest(sizes: list[int]) -> dict[tuple[int, int], int]:
    """For factors i to j, of sizes[i] rows each, where to split their product."""
    count = len(sizes) - 1
    cost = {(i, i): 0 for i in range(count)}
    splits = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            costs = {
                k: cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                for k in range(i, j)
            }
            splits[i, j] = min(costs, key=costs.__getitem__)
            cost[i, j] = costs[splits[i, j]]
    return splits


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
    first, second = _two_sides(axes)
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


def _two_sides(axes: Any) -> list[list[Any]]:
    sides = [
        items("tensordot", "axes", side) for side in items("tensordot", "axes", axes)
    ]
    if len(sides) != 2:
        raise AxisError(
            f"tensordot: axes={axes} is neither a number of axes nor a pair of "
            "sequences, one for each tensor."
        )
    return sides


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
    if not min(x1.ndim, x2.ndim):
        raise ShapeError(
            f"vecdot: the shapes are {x1.shape} and {x2.shape}, and neither may be (). "
            "Multiply by a number with *."
        )
    along = check_pairs("vecdot", x1, x2, axis)
    return call("vecdot", x1, x2, axis=along)


def check_pairs(op: str, x1: Tensor[Any], x2: Tensor[Any], axis: SupportsIndex) -> int:
    """The axis from the end along which elements pair up; the others broadcast.

    Raises `AxisError`, `ShapeError`.
    """
    along, ndim = integer(op, "axis", axis), min(x1.ndim, x2.ndim)
    if not -ndim <= along < 0:
        raise AxisError(
            f"{op}: axis={along} is out of range for the shapes {x1.shape} and "
            f"{x2.shape}. It is counted from the end, from {-ndim} to -1."
        )
    if x1.shape[along] != x2.shape[along]:
        raise ShapeError(
            f"{op}: along axis {along} the shapes {x1.shape} and {x2.shape} have "
            f"{x1.shape[along]} and {x2.shape[along]} elements. They must have as many."
        )
    broadcast(op, x1.shape, x2.shape)
    return along


def _check(op: str, x1: Tensor[Any], x2: Tensor[Any]) -> None:
    """Refuse what is no tensor, and dtypes that the op does not take."""
    require_tensor(op, x1, x2)
    require_kind(op, x1)
    require_kind(op, x2)
