"""Rules for orthogonal factors: of `qr`, `svd` and `eigh`.

Gradients are of real matrices. Those of Hermitian ones are symmetric. Vectors of equal
singular values or eigenvalues are not determined, and neither is their gradient, which
is NaN; that of the values is as ever. Source: Giles, An extended collection of matrix
derivative results (2008), unless a rule names another.
"""

import functools
from typing import Any

from trivet.contract import Backend
from trivet.errors import GradientError
from trivet_autodiff.complexes import conjugate, is_complex, real_part
from trivet_autodiff.rules.matrices import (
    adjoint,
    by_adjoints,
    by_inverse,
    columns,
    gaps,
    reciprocal,
    symmetric,
    times,
    values_back,
)
from trivet_autodiff.rules.registry import rule, several

__all__: list[str] = []


@several("qr")
def qr(b: Backend[Any]) -> Any:
    """(gQ + Q copyltu(R gR^H - gQ^H Q)) R^-H; copyltu mirrors the lower triangle.

    Of a wide matrix, the columns past the square are Q times theirs of R (Roberts and
    Roberts, QR and LQ decomposition matrix backpropagation algorithms, 2020).
    """

    def for_q(g: Any, saved: Any) -> Any:
        x, q, r = saved
        if q.shape[-1] > x.shape[-1]:
            raise GradientError(
                "qr: the Q of mode='complete' has columns that the matrices of shape "
                f"{tuple(x.shape)} do not determine. Use mode='reduced'."
            )
        inner = b.negative(b.matmul(adjoint(b, g), q))
        return _qr_back(b, g, inner, q, r, None)

    def for_r(g: Any, saved: Any) -> Any:
        x, q, r = saved
        rank = min(x.shape[-2:])
        row = len(x.shape) - 2
        q, r, g = (
            b.part(q, row + 1, 0, rank),
            *(b.part(y, row, 0, rank) for y in (r, g)),
        )
        square, first = b.part(r, row + 1, 0, rank), b.part(g, row + 1, 0, rank)
        inner = b.matmul(square, adjoint(b, first))
        return _qr_back(b, None, inner, q, r, b.part(g, row + 1, rank, g.shape[-1]))

    def record(outs: Any, x: Any, *, complete: bool) -> Any:
        saved = (x, *outs)
        return ((by_adjoints(b, for_q), saved),), ((by_adjoints(b, for_r), saved),)

    return record


def _qr_back(b: Backend[Any], gq: Any, inner: Any, q: Any, r: Any, beside: Any) -> Any:
    """The gradient of the square part, and of the columns beside it."""
    row, rank = len(q.shape) - 2, q.shape[-1]
    wide = r.shape[-1] - rank
    t = functools.partial(adjoint, b)
    square = b.part(r, row + 1, 0, rank)
    if beside is not None and wide:
        # these columns are q^H times theirs of x: q gets a cotangent from them
        rest = b.matmul(q, b.part(r, row + 1, rank, r.shape[-1]))
        gq = b.matmul(rest, t(beside))
        inner = b.subtract(inner, b.matmul(t(gq), q))
    # the Hermitian part has a real diagonal and is the same elsewhere
    mirrored = symmetric(b, b.add(b.tril(inner, k=0), t(b.tril(inner, k=-1))))
    back = b.matmul(q, mirrored)
    back = by_inverse(b, back if gq is None else b.add(gq, back), square)
    if not wide:
        return back
    shape = (*back.shape[:-1], wide)
    more = b.filled_like(back, 0, shape) if beside is None else b.matmul(q, beside)
    return b.concat((back, more), axis=row + 1)


@several("svd")
def svd(b: Backend[Any]) -> Any:
    """U ((F * (U^H gU - gU^H U)) S) V^H with F_ij = 1 / (s_j^2 - s_i^2).

    To this comes (I - U U^H) gU S^-1 V^H. For V the same of x^H; for S, U diag(g) V^H.
    Townsend, Differentiating the singular value decomposition (2016).
    """
    t = functools.partial(adjoint, b)

    def side(g: Any, u: Any, s: Any, vh: Any, own: Any = 0) -> Any:
        inner = b.matmul(t(u), g)
        by = gaps(b, b.multiply(s, s), own)
        skew = b.multiply(b.subtract(inner, t(inner)), by)
        within = times(b, u, columns(b, skew, s), vh)
        if u.shape[-2] == u.shape[-1]:
            return within
        past = b.subtract(g, b.matmul(u, inner))
        return b.add(within, b.matmul(columns(b, past, reciprocal(b, s)), vh))

    def for_u(g: Any, saved: Any) -> Any:
        u, s, vh = _economic(b, saved, "U", saved[0].shape[-1])
        if not is_complex(b, u):
            return side(g, u, s, vh)
        # of both factors only the product has phases: those of V are held
        phases = reciprocal(b, b.multiply(b.multiply(s, s), 2))
        return side(g, u, s, vh, b.expand_dims(phases, axis=(len(s.shape) - 1,)))

    def for_vh(g: Any, saved: Any) -> Any:
        u, s, vh = _economic(b, saved, "Vh", saved[2].shape[-2])
        return t(side(t(g), t(vh), s, t(u)))

    def for_s(g: Any, saved: Any) -> Any:
        u, _, vh = _economic(b, saved, "S", 0)
        return conjugate(b, b.matmul(columns(b, u, real_part(b, g)), vh))

    def record(outs: Any, x: Any, *, full_matrices: bool) -> Any:
        return (
            ((by_adjoints(b, for_u), outs),),
            ((for_s, outs),),
            ((by_adjoints(b, for_vh), outs),),
        )

    return record


def _economic(b: Backend[Any], outs: Any, name: str, columns: int) -> Any:
    """The factors without the vectors that belong to no singular value."""
    u, s, vh = outs
    rank = s.shape[-1]
    if columns > rank:
        raise GradientError(
            f"svd: with full_matrices=True, {name} has vectors that matrices of shape "
            f"{(*u.shape[:-1], vh.shape[-1])} do not determine. Use "
            "full_matrices=False."
        )
    row = len(u.shape) - 2
    return b.part(u, row + 1, 0, rank), s, b.part(vh, row, 0, rank)


@rule("svdvals")
def svdvals(b: Backend[Any]) -> Any:
    """U diag(g) V^H."""

    def pull(g: Any, x: Any) -> Any:
        return values_back(b, g, x)

    def record(out: Any, x: Any) -> Any:
        return ((pull, x),)

    return record


@several("eigh")
def eigh(b: Backend[Any]) -> Any:
    """V diag(g) V^H for the values; V (F * (V^H g)) V^H, F_ij = 1 / (v_j - v_i)."""
    t = functools.partial(adjoint, b)

    def for_values(g: Any, vectors: Any) -> Any:
        core = b.matmul(columns(b, vectors, real_part(b, g)), t(vectors))
        return conjugate(b, core)

    def for_vectors(g: Any, saved: Any) -> Any:
        values, vectors = saved
        inner = b.multiply(gaps(b, values), b.matmul(t(vectors), g))
        return symmetric(b, times(b, vectors, inner, t(vectors)))

    def record(outs: Any, x: Any) -> Any:
        return ((for_values, outs[1]),), ((by_adjoints(b, for_vectors), outs),)

    return record


@rule("eigvalsh")
def eigvalsh(b: Backend[Any]) -> Any:
    """V diag(g) V^H."""

    def pull(g: Any, x: Any) -> Any:
        _, vectors = b.eigh(x)
        scaled = columns(b, vectors, real_part(b, g))
        return conjugate(b, b.matmul(scaled, adjoint(b, vectors)))

    def record(out: Any, x: Any) -> Any:
        return ((pull, x),)

    return record
