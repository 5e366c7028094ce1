"""Eigenvalues and eigenvectors of matrices. Users reach these as `tv.linalg`.

Matrices and dtypes are as in `decomposition`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call
from trivet.functions.decomposition import require_matrices, several
from trivet.functions.factors import EighResult, EigResult
from trivet.tensor import Tensor

__all__ = ["eig", "eigh", "eigvals", "eigvalsh"]

B = TypeVar("B", bound=Backend[Any])


def eigh(x: Tensor[B], /) -> EighResult[B]:
    """The eigenvalues of Hermitian matrices, ascending and real, and eigenvectors.

    `x` has shape (..., M, M); only its lower triangle is read. Vectors are the columns
    of a matrix, orthonormal, each up to its sign. A gradient is symmetric, as if all
    of `x` was read; vectors of equal eigenvalues have none (NaN). Raises `ShapeError`,
    `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.eigh(tv.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
    [1.0, 2.0]
    """
    require_matrices("eigh", x, square=True)
    return EighResult(*several("eigh", x))


def eigvalsh(x: Tensor[B], /) -> Tensor[B]:
    """The eigenvalues of Hermitian matrices, ascending and real.

    `x` has shape (..., M, M); only its lower triangle is read. Raises `ShapeError`,
    `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.eigvalsh(tv.asarray([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    require_matrices("eigvalsh", x, square=True)
    return call("eigvalsh", x)


def eig(x: Tensor[B], /) -> EigResult[B]:
    """The eigenvalues of square matrices, in no order, and eigenvectors.

    Both are complex, also where all of them happen to be real. Vectors are the columns
    of a matrix, each of norm 1 and with any phase: only what does not depend on phases
    has a gradient. Vectors of equal eigenvalues have none (NaN). `x` has shape
    (..., M, M). Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.eig(tv.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
    [(2+0j), (1+0j)]
    """
    require_matrices("eig", x, square=True)
    return EigResult(*several("eig", x))


def eigvals(x: Tensor[B], /) -> Tensor[B]:
    """The eigenvalues of square matrices, in no order, always complex.

    `x` has shape (..., M, M). The gradient of a matrix without M independent
    eigenvectors is NaN. Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.linalg.eigvals(tv.asarray([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [(2+0j), (1+0j)]
    """
    require_matrices("eigvals", x, square=True)
    return call("eigvals", x)
