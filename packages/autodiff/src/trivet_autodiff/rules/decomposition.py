"""Rules for factorisations of matrices.

Gradients are of real matrices. Those of Hermitian ones are symmetric. Vectors of equal
singular values or eigenvalues are not determined, and neither is their gradient, which
is NaN; that of the values is as ever. Sources: Giles, An extended collection of matrix
derivative results (2008), and where a rule names another.
"""

import math
from typing import Any

from trivet.contract import Backend
from trivet.errors import GradientError
from trivet_autodiff.rules.registry import RULES, Refusal, rule, several
from trivet_autodiff.tape import unbroadcast

__all__: list[str] = []


def _times(b: Backend[Any], first: Any, *others: Any) -> Any:
    for other in others:
        first = b.matmul(first, other)
    return first


def _columns(b: Backend[Any], x: Any, scale: Any) -> Any:
    """Each column of the matrices times its number."""
    return b.multiply(x, b.expand_dims(scale, axis=(len(scale.shape) - 1,)))


def _by_inverse(b: Backend[Any], x: Any, r: Any) -> Any:
    """x times the inverse of r^T."""
    t = b.matrix_transpose
    return t(b.solve(r, t(x)))


def _symmetric(b: Backend[Any], x: Any) -> Any:
    return b.multiply(b.add(x, b.matrix_transpose(x)), 0.5)


def _shaped(b: Backend[Any], x: Any, axes: int) -> Any:
    """With so many axes of size 1 at the end."""
    ndim = len(x.shape)
    return b.expand_dims(x, axis=tuple(range(ndim, ndim + axes)))


def _eye(b: Backend[Any], x: Any, n: int) -> Any:
    return b.eye(n_rows=n, n_cols=n, k=0, dtype=b.dtype(x), device=b.device(x))


@rule("solve")
def solve(b: Backend[Any]) -> Any:
    """For the right sides, solve(x1^T, g); for the matrices, less that times y^T."""

    def right(g: Any, saved: Any) -> Any:
        x1, shape = saved
        return unbroadcast(b, b.solve(b.matrix_transpose(x1), g), shape)

    def left(g: Any, saved: Any) -> Any:
        x1, out = saved
        back = b.solve(b.matrix_transpose(x1), g)
        product = b.matmul(back, b.matrix_transpose(out))
        return unbroadcast(b, b.negative(product), tuple(x1.shape))

    def record(out: Any, x1: Any, x2: Any) -> Any:
        return (left, (x1, out)), (right, (x1, tuple(x2.shape)))

    return record


@rule("inv")
def inv(b: Backend[Any]) -> Any:
    """-y^T g y^T."""

    def pull(g: Any, out: Any) -> Any:
        turned = b.matrix_transpose(out)
        return b.negative(_times(b, turned, g, turned))

    def record(out: Any, x: Any) -> Any:
        return ((pull, out),)

    return record


@rule("det")
def det(b: Backend[Any]) -> Any:
    """The cofactors: det(x) inv(x)^T, and of a singular matrix by its factors."""

    def pull(g: Any, saved: Any) -> Any:
        x, out = saved
        singular = b.equal(out, 0)
        shown = _shaped(b, singular, 2)
        inverse = b.inv(b.where(shown, _eye(b, x, x.shape[-1]), x))
        cofactors = b.multiply(_shaped(b, out, 2), b.matrix_transpose(inverse))
        if b.read_int(b.count_nonzero(singular, axis=None, keepdims=False)):
            cofactors = b.where(shown, _cofactors(b, x, shown), cofactors)
        return b.multiply(_shaped(b, g, 2), cofactors)

    def record(out: Any, x: Any) -> Any:
        return ((pull, (x, out)),)

    return record


def _cofactors(b: Backend[Any], x: Any, singular: Any) -> Any:
    """det(U) det(V) U diag(products of the other singular values) V^T.

    Others than the singular matrices are replaced: their factors may have no gradient.
    """
    n = x.shape[-1]
    eye = _eye(b, x, n)
    apart = b.multiply(eye, b.add(b.astype(b.counting(x, n), dtype=b.dtype(x)), 1))
    u, s, vh = b.svd(b.where(singular, x, apart), full_matrices=False)
    last = len(s.shape)
    rows = b.where(b.equal(eye, 1), 1, b.expand_dims(s, axis=(last - 1,)))
    others = b.prod(rows, axis=(last,), dtype=None, keepdims=False)
    sign = b.multiply(b.det(u), b.det(vh))
    return b.multiply(_shaped(b, sign, 2), b.matmul(_columns(b, u, others), vh))


@several("slogdet")
def slogdet(b: Backend[Any]) -> Any:
    """inv(x)^T for the logarithm; NaN where the matrix is singular."""

    def pull(g: Any, saved: Any) -> Any:
        x, sign = saved
        singular = _shaped(b, b.equal(sign, 0), 2)
        inverse = b.inv(b.where(singular, _eye(b, x, x.shape[-1]), x))
        inverse = b.where(singular, math.nan, inverse)
        return b.multiply(_shaped(b, g, 2), b.matrix_transpose(inverse))

    def record(outs: Any, x: Any) -> Any:
        return (), ((pull, (x, outs[0])),)

    return record


@rule("cholesky")
def cholesky(b: Backend[Any]) -> Any:
    """The symmetric part of L^-T phi(L^T g) L^-1; phi halves the diagonal of tril.

    Murray, Differentiation of the Cholesky decomposition (2016), equation 10.
    """

    def pull(g: Any, saved: Any) -> Any:
        out, upper = saved
        t = b.matrix_transpose
        lower, g = (t(out), t(g)) if upper else (out, g)
        inner = b.tril(b.matmul(t(lower), g), k=0)
        inner = b.multiply(b.add(inner, b.tril(inner, k=-1)), 0.5)
        half = b.solve(t(lower), inner)
        return _symmetric(b, t(b.solve(t(lower), t(half))))

    def record(out: Any, x: Any, *, upper: bool) -> Any:
        return ((pull, (out, upper)),)

    return record


@several("lu")
def lu(b: Backend[Any]) -> Any:
    """L^-T (tril(L^T gL, -1) + triu(gU U^T)) U^-T, with the rows put back.

    The part past the square of either factor depends on the other one linearly.
    """

    def record(outs: Any, x: Any) -> Any:
        order, lower, upper = outs
        back = b.argsort(
            order, axis=len(order.shape) - 1, descending=False, stable=True
        )
        saved = (b.expand_dims(back, axis=(len(order.shape),)), lower, upper)
        pulls = _lu_lower(b), _lu_upper(b)
        return (), ((pulls[0], saved),), ((pulls[1], saved),)

    return record


def _lu_square(b: Backend[Any], core: Any, lower: Any, upper: Any) -> Any:
    return _by_inverse(b, b.solve(b.matrix_transpose(lower), core), upper)


def _lu_parts(b: Backend[Any], lower: Any, upper: Any) -> tuple[Any, Any, Any, Any]:
    """The squares of both factors, and what is below the one, beside the other."""
    row, col = len(lower.shape) - 2, len(lower.shape) - 1
    rank = lower.shape[-1]
    return (
        b.part(lower, row, 0, rank),
        b.part(lower, row, rank, lower.shape[-2]),
        b.part(upper, col, 0, rank),
        b.part(upper, col, rank, upper.shape[-1]),
    )


def _lu_lower(b: Backend[Any]) -> Any:
    t = b.matrix_transpose

    def pull(g: Any, saved: Any) -> Any:
        back, lower, upper = saved
        row, rank = len(lower.shape) - 2, lower.shape[-1]
        first, _, square, beside = _lu_parts(b, lower, upper)
        g1, g2 = b.part(g, row, 0, rank), b.part(g, row, rank, g.shape[-2])
        below = b.part(lower, row, rank, lower.shape[-2])
        inside = b.tril(b.matmul(t(first), g1), k=-1)
        inside = b.subtract(inside, b.triu(b.matmul(t(below), g2), k=0))
        top = _lu_square(b, inside, first, square)
        whole = b.concat((top, _by_inverse(b, g2, square)), axis=row)
        zeros = b.filled_like(whole, 0, (*whole.shape[:-1], beside.shape[-1]))
        whole = b.concat((whole, zeros), axis=row + 1)
        return b.take_along_axis(whole, back, axis=row)

    return pull


def _lu_upper(b: Backend[Any]) -> Any:
    t = b.matrix_transpose

    def pull(g: Any, saved: Any) -> Any:
        back, lower, upper = saved
        row, rank = len(lower.shape) - 2, lower.shape[-1]
        first, below, square, beside = _lu_parts(b, lower, upper)
        g1, g2 = b.part(g, row + 1, 0, rank), b.part(g, row + 1, rank, g.shape[-1])
        inside = b.triu(b.matmul(g1, t(square)), k=0)
        inside = b.subtract(inside, b.tril(b.matmul(g2, t(beside)), k=-1))
        left = _lu_square(b, inside, first, square)
        whole = b.concat((left, b.solve(t(first), g2)), axis=row + 1)
        zeros = b.filled_like(
            whole, 0, (*whole.shape[:-2], below.shape[-2], whole.shape[-1])
        )
        whole = b.concat((whole, zeros), axis=row)
        return b.take_along_axis(whole, back, axis=row)

    return pull


@several("qr")
def qr(b: Backend[Any]) -> Any:
    """(gQ + Q copyltu(R gR^T - gQ^T Q)) R^-T; copyltu mirrors the lower triangle.

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
        inner = b.negative(b.matmul(b.matrix_transpose(g), q))
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
        inner = b.matmul(square, b.matrix_transpose(first))
        return _qr_back(b, None, inner, q, r, b.part(g, row + 1, rank, g.shape[-1]))

    def record(outs: Any, x: Any, *, complete: bool) -> Any:
        saved = (x, *outs)
        return ((for_q, saved),), ((for_r, saved),)

    return record


def _qr_back(b: Backend[Any], gq: Any, inner: Any, q: Any, r: Any, beside: Any) -> Any:
    """The gradient of the square part, and of the columns beside it."""
    row, rank = len(q.shape) - 2, q.shape[-1]
    wide = r.shape[-1] - rank
    t = b.matrix_transpose
    square = b.part(r, row + 1, 0, rank)
    if beside is not None and wide:
        # these columns are q^T times theirs of x: q gets a cotangent from them
        rest = b.matmul(q, b.part(r, row + 1, rank, r.shape[-1]))
        gq = b.matmul(rest, t(beside))
        inner = b.subtract(inner, b.matmul(t(gq), q))
    mirrored = b.add(b.tril(inner, k=0), t(b.tril(inner, k=-1)))
    back = b.matmul(q, mirrored)
    back = _by_inverse(b, back if gq is None else b.add(gq, back), square)
    if not wide:
        return back
    shape = (*back.shape[:-1], wide)
    more = b.filled_like(back, 0, shape) if beside is None else b.matmul(q, beside)
    return b.concat((back, more), axis=row + 1)


def _gaps(b: Backend[Any], values: Any) -> Any:
    """1 / (v_j - v_i): NaN where two are equal, and 0 on the diagonal."""
    last = len(values.shape)
    gap = b.subtract(
        b.expand_dims(values, axis=(last - 1,)), b.expand_dims(values, axis=(last,))
    )
    inverse = _reciprocal(b, gap)
    return b.where(b.equal(_eye(b, values, values.shape[-1]), 1), 0, inverse)


def _reciprocal(b: Backend[Any], x: Any) -> Any:
    """1 / x, and NaN where it is 0."""
    zero = b.equal(x, 0)
    return b.where(zero, math.nan, b.divide(1, b.where(zero, 1, x)))


@several("svd")
def svd(b: Backend[Any]) -> Any:
    """U ((F * (U^T gU - gU^T U)) S) V^T with F_ij = 1 / (s_j^2 - s_i^2).

    To this comes (I - U U^T) gU S^-1 V^T. For V the same of x^T; for S, U diag(g) V^T.
    Townsend, Differentiating the singular value decomposition (2016).
    """
    t = b.matrix_transpose

    def side(g: Any, u: Any, s: Any, vh: Any) -> Any:
        inner = b.matmul(t(u), g)
        skew = b.multiply(b.subtract(inner, t(inner)), _gaps(b, b.multiply(s, s)))
        within = _times(b, u, _columns(b, skew, s), vh)
        if u.shape[-2] == u.shape[-1]:
            return within
        past = b.subtract(g, b.matmul(u, inner))
        return b.add(within, b.matmul(_columns(b, past, _reciprocal(b, s)), vh))

    def for_u(g: Any, saved: Any) -> Any:
        u, s, vh = _economic(b, saved, "U", saved[0].shape[-1])
        return side(g, u, s, vh)

    def for_vh(g: Any, saved: Any) -> Any:
        u, s, vh = _economic(b, saved, "Vh", saved[2].shape[-2])
        return t(side(t(g), t(vh), s, t(u)))

    def for_s(g: Any, saved: Any) -> Any:
        u, _, vh = _economic(b, saved, "S", 0)
        return b.matmul(_columns(b, u, g), vh)

    def record(outs: Any, x: Any, *, full_matrices: bool) -> Any:
        return ((for_u, outs),), ((for_s, outs),), ((for_vh, outs),)

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
    """U diag(g) V^T."""

    def pull(g: Any, x: Any) -> Any:
        u, _, vh = b.svd(x, full_matrices=False)
        return b.matmul(_columns(b, u, g), vh)

    def record(out: Any, x: Any) -> Any:
        return ((pull, x),)

    return record


@several("eigh")
def eigh(b: Backend[Any]) -> Any:
    """V diag(g) V^T for the values; V (F * (V^T g)) V^T, F_ij = 1 / (v_j - v_i)."""
    t = b.matrix_transpose

    def for_values(g: Any, vectors: Any) -> Any:
        return b.matmul(_columns(b, vectors, g), t(vectors))

    def for_vectors(g: Any, saved: Any) -> Any:
        values, vectors = saved
        inner = b.multiply(_gaps(b, values), b.matmul(t(vectors), g))
        return _symmetric(b, _times(b, vectors, inner, t(vectors)))

    def record(outs: Any, x: Any) -> Any:
        return ((for_values, outs[1]),), ((for_vectors, outs),)

    return record


@rule("eigvalsh")
def eigvalsh(b: Backend[Any]) -> Any:
    """V diag(g) V^T."""

    def pull(g: Any, x: Any) -> Any:
        _, vectors = b.eigh(x)
        return b.matmul(_columns(b, vectors, g), b.matrix_transpose(vectors))

    def record(out: Any, x: Any) -> Any:
        return ((pull, x),)

    return record


def _pinv_back(b: Backend[Any], g: Any, x: Any, p: Any) -> Any:
    """-p^T g p^T + (I - x p) g^T p p^T + p^T p g^T (I - p x), at constant rank.

    Golub and Pereyra, The differentiation of pseudo-inverses (1973).
    """
    t = b.matrix_transpose
    turned, g_turned = t(p), t(g)
    past = b.matmul(g_turned, p)
    past = b.matmul(b.subtract(past, _times(b, x, p, past)), turned)
    before = b.matmul(p, g_turned)
    before = b.matmul(turned, b.subtract(before, _times(b, before, p, x)))
    return b.subtract(b.add(past, before), _times(b, turned, g, turned))


@rule("pinv")
def pinv(b: Backend[Any]) -> Any:
    """At constant rank: a rank that changes has no gradient."""

    def pull(g: Any, saved: Any) -> Any:
        return _pinv_back(b, g, *saved)

    def record(out: Any, x: Any, rtol: Any) -> Any:
        return (pull, (x, out)), None

    return record


@rule("lstsq")
def lstsq(b: Backend[Any]) -> Any:
    """That of pinv(x1) @ x2, at constant rank."""
    t = b.matrix_transpose

    def left(g: Any, saved: Any) -> Any:
        x1, x2, rtol = saved
        p = b.pinv(x1, rtol)
        back = unbroadcast(b, b.matmul(g, t(x2)), tuple(p.shape))
        return _pinv_back(b, back, x1, p)

    def right(g: Any, saved: Any) -> Any:
        x1, x2, rtol = saved
        return unbroadcast(b, b.matmul(t(b.pinv(x1, rtol)), g), tuple(x2.shape))

    def record(out: Any, x1: Any, x2: Any, rtol: Any) -> Any:
        return (left, (x1, x2, rtol)), (right, (x1, x2, rtol)), None

    return record


@rule("expm")
def expm(b: Backend[Any]) -> Any:
    """The upper right block of expm([[x^T, g], [0, x^T]]).

    Mathias, A chain rule for matrix functions and applications (1996).
    """

    def pull(g: Any, x: Any) -> Any:
        n, row = x.shape[-1], len(x.shape) - 2
        turned = b.matrix_transpose(x)
        zeros = b.filled_like(x, 0, tuple(x.shape))
        top = b.concat((turned, g), axis=row + 1)
        low = b.concat((zeros, turned), axis=row + 1)
        both = b.expm(b.concat((top, low), axis=row))
        return b.part(b.part(both, row, 0, n), row + 1, n, 2 * n)

    def record(out: Any, x: Any) -> Any:
        return ((pull, x),)

    return record


_COMPLEX = (
    "{0}: its results are complex, and gradients of complex tensors are not supported. "
    "Call .detach() first; a symmetric matrix has its eigenvalues by eigh."
)
RULES["eig"] = Refusal(_COMPLEX.format("eig"))
RULES["eigvals"] = Refusal(_COMPLEX.format("eigvals"))
