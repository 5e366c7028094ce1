"""What functions with several matrices as results return: tuples with named fields.

The fields have the standard's names where it has the function.
"""

from typing import Any, Generic, NamedTuple, TypeVar

from trivet.contract import Backend
from trivet.tensor import Tensor

__all__ = [
    "EigResult",
    "EighResult",
    "LUResult",
    "LstsqResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
]

B = TypeVar("B", bound=Backend[Any])


class EigResult(NamedTuple, Generic[B]):
    """What `eig` gives: complex numbers, and a matrix with vectors as columns."""

    eigenvalues: Tensor[B]
    eigenvectors: Tensor[B]


class EighResult(NamedTuple, Generic[B]):
    """What `eigh` gives: ascending numbers, and a matrix with vectors as columns."""

    eigenvalues: Tensor[B]
    eigenvectors: Tensor[B]


class LstsqResult(NamedTuple, Generic[B]):
    """What `lstsq` gives."""

    solution: Tensor[B]
    residuals: Tensor[B]
    rank: Tensor[B]
    singular_values: Tensor[B]


class LUResult(NamedTuple, Generic[B]):
    """What `lu` gives: a permutation, and a lower and an upper triangular factor."""

    P: Tensor[B]
    L: Tensor[B]
    U: Tensor[B]


class QRResult(NamedTuple, Generic[B]):
    """What `qr` gives: orthonormal columns, and an upper triangular factor."""

    Q: Tensor[B]
    R: Tensor[B]


class SlogdetResult(NamedTuple, Generic[B]):
    """What `slogdet` gives: a determinant is `sign * exp(logabsdet)`."""

    sign: Tensor[B]
    logabsdet: Tensor[B]


class SVDResult(NamedTuple, Generic[B]):
    """What `svd` gives: U, the singular values from large to small, and V^H."""

    U: Tensor[B]
    S: Tensor[B]
    Vh: Tensor[B]
