"""Small steps that the rules of linear algebra share."""

import math
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.complexes import conjugate, real_part

__all__ = [
    "adjoint",
    "by_adjoints",
    "by_inverse",
    "columns",
    "gaps",
    "identity",
    "reciprocal",
    "shaped",
    "symmetric",
    "times",
    "values_back",
]


def adjoint(b: Backend[Any], x: Any) -> Any:
    """The transpose, conjugated if the matrices are complex."""
    return conjugate(b, b.matrix_transpose(x))


def by_adjoints(b: Backend[Any], pull: Any) -> Any:
    """A vjp that is written with adjoints: its cotangents are those of users."""
    return lambda g, saved: conjugate(b, pull(conjugate(b, g), saved))


def times(b: Backend[Any], first: Any, *others: Any) -> Any:
    """The product of matrices, from left to right."""
    for other in others:
        first = b.matmul(first, other)
    return first


def columns(b: Backend[Any], x: Any, scale: Any) -> Any:
    """Each column of the matrices times its number."""
    return b.multiply(x, b.expand_dims(scale, axis=(len(scale.shape) - 1,)))


def by_inverse(b: Backend[Any], x: Any, r: Any) -> Any:
    """x times the inverse of r^H."""
    return adjoint(b, b.solve(r, adjoint(b, x)))


def symmetric(b: Backend[Any], x: Any) -> Any:
    """The symmetric part, or the Hermitian one."""
    return b.multiply(b.add(x, adjoint(b, x)), 0.5)


def shaped(b: Backend[Any], x: Any, axes: int) -> Any:
    """With so many axes of size 1 at the end."""
    ndim = len(x.shape)
    return b.expand_dims(x, axis=tuple(range(ndim, ndim + axes)))


def identity(b: Backend[Any], x: Any, n: int) -> Any:
    """The identity matrix in the dtype and on the device of `x`."""
    return b.eye(n_rows=n, n_cols=n, k=0, dtype=b.dtype(x), device=b.device(x))


def gaps(b: Backend[Any], values: Any, own: Any = 0) -> Any:
    """1 / (v_j - v_i): NaN where two are equal, and `own` on the diagonal."""
    last = len(values.shape)
    gap = b.subtract(
        b.expand_dims(values, axis=(last - 1,)), b.expand_dims(values, axis=(last,))
    )
    inverse = reciprocal(b, gap)
    return b.where(b.equal(identity(b, values, values.shape[-1]), 1), own, inverse)


def reciprocal(b: Backend[Any], x: Any) -> Any:
    """1 / x, and NaN where it is 0."""
    zero = b.equal(x, 0)
    return b.where(zero, math.nan, b.divide(1, b.where(zero, 1, x)))


def values_back(b: Backend[Any], g: Any, x: Any) -> Any:
    """The cotangent for one of the singular values: U diag(g) V^H, conjugated."""
    u, _, vh = b.svd(x, full_matrices=False)
    return conjugate(b, b.matmul(columns(b, u, real_part(b, g)), vh))
