"""Norms of vectors and matrices, and what is measured by them. Users reach `tv.linalg`.

Real and complex floating dtypes are taken, and results are real.
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, TypeVar

from trivet.arguments import real
from trivet.contract import Backend
from trivet.dispatch import call, require_kind, require_tensor
from trivet.errors import ArgumentError, ShapeError
from trivet.functions.linalg import check_pairs
from trivet.shapes import normalize_axes
from trivet.tensor import Tensor

__all__ = ["cond", "cosine_similarity", "matrix_norm", "norm", "vector_norm"]

B = TypeVar("B", bound=Backend[Any])
Axis = SupportsIndex | Sequence[SupportsIndex] | None
MatrixOrd = float | Literal["fro", "nuc"]
_MATRIX_ORDS = (1, -1, 2, -2, math.inf, -math.inf, "fro", "nuc")


def vector_norm(
    x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False, ord: float = 2
) -> Tensor[B]:
    """sum(abs(x) ** ord) ** (1 / ord) along `axis`: an int, several, or all of them.

    inf and -inf give the largest and smallest size, 0 the number of elements that are
    not zero. Of nothing the norm is 0, or inf for a negative `ord`. The result does not
    overflow unless the norm itself does. Its gradient at a vector of zeros is 0. Raises
    `AxisError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.vector_norm(tv.asarray([3.0, 4.0])).item()
    5.0
    """
    require_kind("vector_norm", x)
    axes = normalize_axes("vector_norm", axis, x.ndim)
    power = real("vector_norm", "ord", ord)
    return call("vector_norm", x, axis=axes, keepdims=keepdims, ord=float(power))


def matrix_norm(
    x: Tensor[B], /, *, keepdims: bool = False, ord: MatrixOrd = "fro"
) -> Tensor[B]:
    """A norm of each matrix, of shape (...), or (..., 1, 1) with `keepdims`.

    `x` has shape (..., M, N). `ord` is one of

    - "fro": the root of the sum of squares,
    - "nuc": the sum of the singular values; 2 and -2: the largest and the smallest,
    - 1 and -1: the largest and the smallest sum of sizes in a column,
    - inf and -inf: the largest and the smallest sum of sizes in a row.

    Of a matrix without elements it is 0. Raises `ShapeError`, `DTypeError`,
    `ValueError` for another `ord`.

    >>> import trivet as tv
    >>> tv.linalg.matrix_norm(tv.asarray([[1.0, -2.0], [3.0, 4.0]]), ord=1).item()
    6.0
    """
    _require_matrices("matrix_norm", x)
    chosen = _matrix_ord("matrix_norm", "ord", ord)
    return call("matrix_norm", x, keepdims=keepdims, ord=chosen)


def _require_matrices(op: str, x: Tensor[Any]) -> None:
    require_kind(op, x)
    if x.ndim < 2:
        raise ShapeError(
            f"{op}: a tensor of shape {x.shape} holds no matrices; it needs at least "
            "two dimensions."
        )


def _matrix_ord(op: str, name: str, ord: Any) -> Any:
    if not isinstance(ord, int | float | str) or ord not in _MATRIX_ORDS:
        listed = ", ".join(map(repr, _MATRIX_ORDS))
        raise ArgumentError(f"{op}: {name}={ord!r} is not one of {listed}.")
    return ord


def norm(
    x: Tensor[B],
    /,
    ord: MatrixOrd | None = None,
    axis: Axis = None,
    keepdims: bool = False,  # noqa: FBT001, FBT002  # NumPy's signature
) -> Tensor[B]:
    """A vector norm over one axis or a matrix norm over two, as in NumPy.

    Without `ord` it is the root of the sum of squares over `axis`, or over all axes.
    With `ord` and without `axis`, `x` is one vector or one matrix. Raises `AxisError`,
    `ShapeError`, `DTypeError`, `ValueError` for an `ord` that the norm does not have.

    >>> import trivet as tv
    >>> tv.linalg.norm(tv.asarray([[3.0, 4.0], [0.0, 12.0]])).item()
    13.0
    """
    require_kind("vector_norm", x)
    axes = normalize_axes("norm", axis, x.ndim)
    if ord is None:
        return call("vector_norm", x, axis=axes, keepdims=keepdims, ord=2.0)
    axes = tuple(range(x.ndim)) if axes is None else axes
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ArgumentError(
                f"norm: ord={ord!r} is a norm of matrices, not of vectors."
            )
        return call("vector_norm", x, axis=axes, keepdims=keepdims, ord=float(ord))
    if len(axes) != 2:
        raise ShapeError(
            f"norm: with ord={ord!r} the norm is over one axis or two, and the tensor "
            f"has the shape {x.shape} and axis={axis}."
        )
    return _matrix_norm_over(x, axes, _matrix_ord("norm", "ord", ord), keepdims)


def _matrix_norm_over(
    x: Tensor[B],
    axes: tuple[int, ...],
    ord: MatrixOrd,
    keepdims: bool,  # noqa: FBT001
) -> Tensor[B]:
    others = tuple(i for i in range(x.ndim) if i not in axes)
    moved = call("permute_dims", x, axes=(*others, *axes))
    found = call("matrix_norm", moved, keepdims=False, ord=ord)
    return call("expand_dims", found, axis=tuple(sorted(axes))) if keepdims else found


def cond(x: Tensor[B], /, *, p: MatrixOrd | None = None) -> Tensor[B]:
    """The condition number of each matrix, of shape (...).

    `x` has shape (..., M, N). It is the ratio of the largest to the smallest singular
    value, or with another `p`, one of `matrix_norm`, the norm times that of the
    inverse, of square matrices alone; inf of a singular one. Raises `ShapeError`,
    `DTypeError`, `ValueError` for another `p`.

    >>> import trivet as tv
    >>> tv.linalg.cond(tv.asarray([[1.0, 0.0], [0.0, 0.25]])).item()
    4.0
    """
    _require_matrices("cond", x)
    chosen = 2 if p is None else _matrix_ord("cond", "p", p)
    if not x.shape[-1] * x.shape[-2]:
        raise ShapeError(f"cond: the matrices of shape {x.shape} have no elements.")
    if chosen not in {2, -2} and x.shape[-1] != x.shape[-2]:
        raise ShapeError(
            f"cond: the matrices in the tensor of shape {x.shape} are not square. Only "
            "p=2 and p=-2 take such matrices."
        )
    return call("cond", x, p=chosen)


def cosine_similarity(
    x1: Tensor[B], x2: Tensor[B], /, *, axis: int = -1, eps: float = 1e-8
) -> Tensor[B]:
    """The cosine of the angle between vectors along `axis`; other axes broadcast.

    `axis` is counted from the end, -1 being the last. A norm below `eps` counts as
    `eps`, so with a vector of zeros it is 0. Raises `AxisError` for an axis that is not
    negative or not there, `ShapeError`, and `DTypeError` unless real floating.

    >>> import trivet as tv
    >>> x = tv.asarray([[3.0, 4.0], [0.0, 0.0]])
    >>> tv.linalg.cosine_similarity(x, tv.asarray([0.0, 2.0])).tolist()
    [0.800000011920929, 0.0]
    """
    require_tensor("cosine_similarity", x1, x2)
    require_kind("cosine_similarity", x1)
    require_kind("cosine_similarity", x2)
    along = check_pairs("cosine_similarity", x1, x2, axis)
    return call(
        "cosine_similarity",
        x1,
        x2,
        axis=along,
        eps=float(real("cosine_similarity", "eps", eps)),
    )
