"""Small steps that the rules of linear algebra share."""

from typing import Any

from trivet.contract import Backend

__all__ = [
    "by_inverse",
    "columns",
    "identity",
    "shaped",
    "symmetric",
    "times",
    "values_back",
]


def times(b: Backend[Any], first: Any, *others: Any) -> Any:
    """The product of matrices, from left to right."""
    for other in others:
        first = b.matmul(first, other)
    return first


def columns(b: Backend[Any], x: Any, scale: Any) -> Any:
    """Each column of the matrices times its number."""
    return b.multiply(x, b.expand_dims(scale, axis=(len(scale.shape) - 1,)))


def by_inverse(b: Backend[Any], x: Any, r: Any) -> Any:
    """x times the inverse of r^T."""
    t = b.matrix_transpose
    return t(b.solve(r, t(x)))


def symmetric(b: Backend[Any], x: Any) -> Any:
    """The symmetric part."""
    return b.multiply(b.add(x, b.matrix_transpose(x)), 0.5)


def shaped(b: Backend[Any], x: Any, axes: int) -> Any:
    """With so many axes of size 1 at the end."""
    ndim = len(x.shape)
    return b.expand_dims(x, axis=tuple(range(ndim, ndim + axes)))


def identity(b: Backend[Any], x: Any, n: int) -> Any:
    """The identity matrix in the dtype and on the device of `x`."""
    return b.eye(n_rows=n, n_cols=n, k=0, dtype=b.dtype(x), device=b.device(x))


def values_back(b: Backend[Any], g: Any, x: Any) -> Any:
    """The gradient for a cotangent of the singular values: U diag(g) V^T."""
    u, _, vh = b.svd(x, full_matrices=False)
    return b.matmul(columns(b, u, g), vh)
