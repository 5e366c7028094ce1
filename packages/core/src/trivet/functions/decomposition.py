"""Factorisations of matrices, and what is solved by them. Users reach `tv.linalg`.

Matrices stand on the last two axes; all other axes are batches. Real and complex
floating dtypes are taken, others are refused; 16-bit floats are computed in float32.
Hermitian means symmetric where the dtype is real.
"""

from typing import Any, Literal, SupportsIndex, TypeVar

from trivet.arguments import integer, option, real
from trivet.contract import OPS, Backend
from trivet.dispatch import call, common, require_kind, require_tensor, wrap
from trivet.dtypes import FLOATING, REAL_FLOATING, finfo
from trivet.errors import DTypeError, ShapeError
from trivet.failures import fail
from trivet.functions.factors import (
    LstsqResult,
    LUResult,
    QRResult,
    SlogdetResult,
    SVDResult,
)
from trivet.shapes import broadcast
from trivet.tensor import Tensor

__all__ = [
    "cholesky",
    "det",
    "expm",
    "inv",
    "lstsq",
    "lu",
    "matrix_power",
    "matrix_rank",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
]

B = TypeVar("B", bound=Backend[Any])


def several(op: str, /, *operands: Any, **statics: Any) -> tuple[Tensor[Any], ...]:
    """`call` for an op that gives several arrays."""
    backend, handles = common(op, operands)
    try:
        results = getattr(backend, op)(*handles, **statics)
    except Exception as error:  # noqa: BLE001  # `fail` raises it again, explained
        fail(op, error, operands, statics)
    return tuple(wrap(result, backend) for result in results)


def require_matrices(op: str, x: Tensor[Any], *, square: bool = False) -> None:
    """Refuse what is no tensor of matrices, or of another dtype than the op takes."""
    require_tensor(op, x)
    if op in OPS:
        require_kind(op, x)
    if x.ndim < 2:
        raise ShapeError(
            f"{op}: a tensor of shape {x.shape} holds no matrices; it needs at least "
            "two dimensions."
        )
    if square and x.shape[-1] != x.shape[-2]:
        raise ShapeError(
            f"{op}: the matrices in the tensor of shape {x.shape} are not square."
        )


def cholesky(x: Tensor[B], /, *, upper: bool = False) -> Tensor[B]:
    """The lower triangular L with x = L @ L^H, or with `upper` the U with U^H @ U.

    `x` has shape (..., M, M) and is Hermitian and positive definite; only the triangle
    of the result is read. Raises `SingularMatrixError` if it is not, `ShapeError`,
    `DTypeError`. A gradient is symmetric, as if all of `x` was read.

    >>> import trivet as tv
    >>> tv.linalg.cholesky(tv.asarray([[4.0, 2.0], [2.0, 5.0]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    require_matrices("cholesky", x, square=True)
    return call("cholesky", x, upper=upper)


def det(x: Tensor[B], /) -> Tensor[B]:
    """The determinant of each matrix, of shape (...); 1 of an empty matrix.

    `x` has shape (..., M, M). Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.det(tv.asarray([[2.0, 0.0], [0.0, 3.0]])).item()
    6.0
    """
    require_matrices("det", x, square=True)
    return call("det", x)


def slogdet(x: Tensor[B], /) -> SlogdetResult[B]:
    """The sign and the logarithm of the absolute value of each determinant.

    For matrices whose determinant would overflow. Of a singular matrix they are 0 and
    -inf; of a complex one, the sign is a number of size 1. `x` has shape (..., M, M).
    Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> sign, logabsdet = tv.linalg.slogdet(tv.asarray([[0.0, 1.0], [1.0, 0.0]]))
    >>> sign.item(), logabsdet.item()
    (-1.0, 0.0)
    """
    require_matrices("slogdet", x, square=True)
    return SlogdetResult(*several("slogdet", x))


def inv(x: Tensor[B], /) -> Tensor[B]:
    """The inverse of each matrix.

    To solve equations, `solve` is quicker and more accurate. `x` has shape (..., M, M).
    Raises `SingularMatrixError`, `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.inv(tv.asarray([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    require_matrices("inv", x, square=True)
    return call("inv", x)


def solve(x1: Tensor[B], x2: Tensor[B], /) -> Tensor[B]:
    """The y with x1 @ y = x2.

    `x1` has shape (..., M, M); `x2` is one vector of shape (M,), or matrices of shape
    (..., M, K). Batches broadcast. Raises `SingularMatrixError`, `ShapeError`,
    `DTypeError`.

    >>> import trivet as tv
    >>> x = tv.asarray([[2.0, 0.0], [0.0, 4.0]])
    >>> tv.linalg.solve(x, tv.asarray([2.0, 2.0])).tolist()
    [1.0, 0.5]
    """
    require_matrices("solve", x1, square=True)
    found = call("solve", x1, _as_columns("solve", x1, x2))
    return call("squeeze", found, axis=(found.ndim - 1,)) if x2.ndim == 1 else found


def _as_columns(op: str, x1: Tensor[B], x2: Tensor[B]) -> Tensor[B]:
    """The right sides as matrices; a vector is one of one column."""
    require_tensor(op, x1, x2)
    require_kind(op, x2)
    rows = x2.shape[-2] if x2.ndim > 1 else x2.size if x2.ndim else None
    if rows != x1.shape[-2]:
        raise ShapeError(
            f"{op}: matrices of shape {x1.shape} and right sides of shape {x2.shape} "
            f"do not fit: a vector has {x1.shape[-2]} elements here, a matrix as many "
            "rows."
        )
    if x2.ndim == 1:
        return call("expand_dims", x2, axis=(1,))
    broadcast(op, x1.shape[:-2], x2.shape[:-2])
    return x2


def lu(x: Tensor[B], /) -> LUResult[B]:
    """P, L and U with x = P @ L @ U, by elimination with row pivoting.

    `x` has shape (..., M, N) and K is the smaller of M and N. P has shape (..., M, M)
    and permutes rows, L (..., M, K) with ones on its diagonal, and U (..., K, N).
    Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> p, l, u = tv.linalg.lu(tv.asarray([[1.0, 2.0], [4.0, 4.0]]))
    >>> p.tolist(), l.tolist(), u.tolist()
    ([[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.25, 1.0]], [[4.0, 4.0], [0.0, 1.0]])
    """
    require_matrices("lu", x)
    order, lower, upper = several("lu", x)
    rows = call("one_hot", order, num_classes=x.shape[-2], dtype=x.dtype)
    return LUResult(call("matrix_transpose", rows), lower, upper)


def qr(
    x: Tensor[B], /, *, mode: Literal["reduced", "complete"] = "reduced"
) -> QRResult[B]:
    """Q with orthonormal columns and the upper triangular R with x = Q @ R.

    `x` has shape (..., M, N) and K is the smaller of M and N. Reduced, Q has shape
    (..., M, K) and R (..., K, N); complete, (..., M, M) and (..., M, N). Raises
    `ShapeError`, `DTypeError`, `ValueError` for another mode.

    >>> import trivet as tv
    >>> tv.linalg.qr(tv.asarray([[3.0, 1.0], [4.0, 2.0]])).R.shape
    (2, 2)
    """
    require_matrices("qr", x)
    option("qr", "mode", mode, ("reduced", "complete"))
    return QRResult(*several("qr", x, complete=mode == "complete"))


def svd(x: Tensor[B], /, *, full_matrices: bool = True) -> SVDResult[B]:
    """U, S and Vh with x = (U * S) @ Vh, the singular values S from large to small.

    `x` has shape (..., M, N) and K is the smaller of M and N. S is real and has shape
    (..., K). With `full_matrices`, U and Vh are square, and those columns of U and rows
    of Vh past the K-th have no part in the product; otherwise U has shape (..., M, K)
    and Vh (..., K, N). Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.svd(tv.asarray([[0.0, 2.0], [3.0, 0.0]])).S.tolist()
    [3.0, 2.0]
    """
    require_matrices("svd", x)
    return SVDResult(*several("svd", x, full_matrices=full_matrices))


def svdvals(x: Tensor[B], /) -> Tensor[B]:
    """The singular values of each matrix, from large to small, real.

    Of shape (..., K), K being the smaller of M and N, where `x` has shape (..., M, N).
    Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.svdvals(tv.asarray([[0.0, 2.0], [3.0, 0.0]])).tolist()
    [3.0, 2.0]
    """
    require_matrices("svdvals", x)
    return call("svdvals", x)


def pinv(x: Tensor[B], /, *, rtol: float | Tensor[B] | None = None) -> Tensor[B]:
    """The Moore-Penrose pseudoinverse, of shape (..., N, M) for `x` (..., M, N).

    Singular values up to `rtol` times the largest count as 0. `rtol` is a number or a
    tensor of the batches' shape; unless given it is max(M, N) times the dtype's
    machine epsilon. Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.pinv(tv.asarray([[2.0, 0.0], [0.0, 0.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    require_matrices("pinv", x)
    return call("pinv", x, _cutoff("pinv", x, rtol))


def _cutoff(op: str, x: Tensor[Any], rtol: Any) -> Any:
    """The tolerance given, or the standard's default."""
    if rtol is None:
        return max(x.shape[-2:]) * finfo(x.dtype).eps
    if isinstance(rtol, Tensor):
        if rtol.dtype.kind not in REAL_FLOATING:
            raise DTypeError(f"{op}: a tolerance of dtype {rtol.dtype} is not real.")
        if broadcast(op, x.shape[:-2], rtol.shape) != x.shape[:-2]:
            raise ShapeError(
                f"{op}: a tolerance of shape {rtol.shape} does not fit the batches of "
                f"shape {x.shape[:-2]}. Give a number, or one for each matrix."
            )
        return rtol
    return real(op, "rcond" if op == "lstsq" else "rtol", rtol)


def matrix_rank(x: Tensor[B], /, *, rtol: float | Tensor[B] | None = None) -> Tensor[B]:
    """How many singular values of each matrix are above `rtol` times the largest.

    `x` has shape (..., M, N). `rtol` is a number or a tensor of the batches' shape;
    unless given it is max(M, N) times the dtype's machine epsilon. Raises
    `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.matrix_rank(tv.asarray([[1.0, 2.0], [2.0, 4.0]])).item()
    1
    """
    require_matrices("matrix_rank", x)
    return call("matrix_rank", x, _cutoff("matrix_rank", x, rtol))


def lstsq(
    a: Tensor[B], b: Tensor[B], /, *, rcond: float | Tensor[B] | None = None
) -> LstsqResult[B]:
    """The y of least norm among those with the least sum of squares of a @ y - b.

    `a` has shape (..., M, N); `b` is one vector of shape (M,), or matrices of shape
    (..., M, K). Singular values of `a` up to `rcond` times the largest count as 0;
    unless given it is max(M, N) times the dtype's machine epsilon. The residuals are
    the sums of squares, one for each column, always. Raises `ShapeError`,
    `DTypeError`.

    >>> import trivet as tv
    >>> a = tv.asarray([[1.0], [1.0]])
    >>> fit = tv.linalg.lstsq(a, tv.asarray([1.0, 3.0]))
    >>> round(fit.solution.tolist()[0], 4), round(fit.residuals.item(), 4)
    (2.0, 2.0)
    """
    require_matrices("lstsq", a)
    cutoff = _cutoff("lstsq", a, rcond)
    sides = _as_columns("lstsq", a, b)
    solution, rank, values = several("lstsq", a, sides, cutoff)
    off = call("subtract", call("matmul", a, solution), sides)
    squares = call("square", call("abs", off))
    residuals = call(
        "sum", squares, axis=(squares.ndim - 2,), dtype=None, keepdims=False
    )
    if b.ndim == 1:
        solution = call("squeeze", solution, axis=(solution.ndim - 1,))
        residuals = call("squeeze", residuals, axis=(residuals.ndim - 1,))
    return LstsqResult(solution, residuals, rank, values)


def expm(x: Tensor[B], /) -> Tensor[B]:
    """The matrix exponential, I + x + x @ x / 2 + ..., of each matrix.

    `x` has shape (..., M, M). By scaling and squaring with the Pade quotient of degree
    13 (Higham, 2005). Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.expm(tv.asarray([[0.0, 1.0], [0.0, 0.0]])).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    require_matrices("expm", x, square=True)
    return call("expm", x)


def matrix_power(x: Tensor[B], n: SupportsIndex, /) -> Tensor[B]:
    """The product of `n` factors `x`; the identity for 0.

    For a negative `n`, the power of the inverse, of floating dtypes alone. `x` has
    shape (..., M, M). Raises `ShapeError`, `DTypeError`, `SingularMatrixError`.

    >>> import trivet as tv
    >>> tv.linalg.matrix_power(tv.asarray([[1, 1], [1, 0]]), 5).tolist()
    [[8, 5], [5, 3]]
    """
    require_matrices("matrix_power", x, square=True)
    count = integer("matrix_power", "n", n)
    if count < 0 and x.dtype.kind not in FLOATING:
        raise DTypeError(
            f"matrix_power: n={count} needs an inverse, and the dtype {x.dtype} has "
            "none. Cast with .astype(...) to a floating dtype."
        )
    return call("matrix_power", x, n=count)
