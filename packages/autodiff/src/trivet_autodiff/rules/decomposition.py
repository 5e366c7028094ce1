"""Rules for elimination, and for what is solved by it.

Gradients are of real matrices; those of Hermitian ones are symmetric. Source: Giles, An
extended collection of matrix derivative results (2008), unless a rule names another.
"""

import functools
import math
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.complexes import conjugate, is_complex, real_part
from trivet_autodiff.recorders import unbroadcast
from trivet_autodiff.rules.matrices import (
    adjoint,
    by_adjoints,
    by_inverse,
    columns,
    identity,
    shaped,
    symmetric,
    times,
    values_back,
)
from trivet_autodiff.rules.registry import rule, several

__all__: list[str] = []


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
        return b.negative(times(b, turned, g, turned))

    def record(out: Any, x: Any) -> Any:
        return ((pull, out),)

    return record


@rule("det")
def det(b: Backend[Any]) -> Any:
    """The cofactors: det(x) inv(x)^T, and of a singular matrix by its factors."""

    def pull(g: Any, saved: Any) -> Any:
        x, out = saved
        singular = b.equal(out, 0)
        shown = shaped(b, singular, 2)
        inverse = b.inv(b.where(shown, identity(b, x, x.shape[-1]), x))
        cofactors = b.multiply(shaped(b, out, 2), b.matrix_transpose(inverse))
        if b.read_int(b.count_nonzero(singular, axis=None, keepdims=False)):
            cofactors = b.where(shown, _cofactors(b, x, shown), cofactors)
        return b.multiply(shaped(b, g, 2), cofactors)

    def record(out: Any, x: Any) -> Any:
        return ((pull, (x, out)),)

    return record


def _cofactors(b: Backend[Any], x: Any, singular: Any) -> Any:
    """det(U) det(V) U diag(products of the other singular values) V^T, conjugated.

    Others than the singular matrices are replaced: their factors may have no gradient.
    """
    n = x.shape[-1]
    eye = identity(b, x, n)
    apart = b.multiply(eye, b.add(b.astype(b.counting(x, n), dtype=b.dtype(x)), 1))
    u, s, vh = b.svd(b.where(singular, x, apart), full_matrices=False)
    last = len(s.shape)
    rows = b.where(b.equal(eye, 1), 1, b.expand_dims(s, axis=(last - 1,)))
    others = b.prod(rows, axis=(last,), dtype=None, keepdims=False)
    sign = b.multiply(b.det(u), b.det(vh))
    u, vh = conjugate(b, u), conjugate(b, vh)
    return b.multiply(shaped(b, sign, 2), b.matmul(columns(b, u, others), vh))


@several("slogdet")
def slogdet(b: Backend[Any]) -> Any:
    """inv(x)^T for the logarithm; NaN where the matrix is singular.

    A complex sign turns with the imaginary part of that logarithm.
    """

    def for_logarithm(g: Any, saved: Any) -> Any:
        x, sign = saved
        singular = shaped(b, b.equal(sign, 0), 2)
        inverse = b.inv(b.where(singular, identity(b, x, x.shape[-1]), x))
        inverse = b.where(singular, math.nan, inverse)
        return b.multiply(shaped(b, real_part(b, g), 2), b.matrix_transpose(inverse))

    def for_sign(g: Any, saved: Any) -> Any:
        _, sign = saved
        along = b.imag(b.multiply(g, sign))
        turned = b.multiply(shaped(b, along, 2), 1j)
        one = b.filled_like(along, 1, tuple(along.shape))
        return b.multiply(turned, for_logarithm(one, saved))

    def record(outs: Any, x: Any) -> Any:
        saved = (x, outs[0])
        signs = ((for_sign, saved),) if is_complex(b, x) else ()
        return signs, ((for_logarithm, saved),)

    return record


@rule("cholesky")
def cholesky(b: Backend[Any]) -> Any:
    """The Hermitian part of L^-H phi(L^H g) L^-1; phi halves the diagonal of tril.

    Murray, Differentiation of the Cholesky decomposition (2016), equation 10.
    """

    def pull(g: Any, saved: Any) -> Any:
        out, upper = saved
        t = functools.partial(adjoint, b)
        lower, g = (t(out), t(g)) if upper else (out, g)
        inner = b.tril(b.matmul(t(lower), g), k=0)
        inner = b.multiply(b.add(inner, b.tril(inner, k=-1)), 0.5)
        half = b.solve(t(lower), inner)
        return symmetric(b, t(b.solve(t(lower), t(half))))

    def record(out: Any, x: Any, *, upper: bool) -> Any:
        return ((by_adjoints(b, pull), (out, upper)),)

    return record


@several("lu")
def lu(b: Backend[Any]) -> Any:
    """L^-H (tril(L^H gL, -1) + triu(gU U^H)) U^-H, with the rows put back.

    The part past the square of either factor depends on the other one linearly.
    """

    def record(outs: Any, x: Any) -> Any:
        order, lower, upper = outs
        back = b.argsort(
            order, axis=len(order.shape) - 1, descending=False, stable=True
        )
        saved = (b.expand_dims(back, axis=(len(order.shape),)), lower, upper)
        pulls = by_adjoints(b, _lu_lower(b)), by_adjoints(b, _lu_upper(b))
        return (), ((pulls[0], saved),), ((pulls[1], saved),)

    return record


def _lu_square(b: Backend[Any], core: Any, lower: Any, upper: Any) -> Any:
    return by_inverse(b, b.solve(adjoint(b, lower), core), upper)


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
    t = functools.partial(adjoint, b)

    def pull(g: Any, saved: Any) -> Any:
        back, lower, upper = saved
        row, rank = len(lower.shape) - 2, lower.shape[-1]
        first, _, square, beside = _lu_parts(b, lower, upper)
        g1, g2 = b.part(g, row, 0, rank), b.part(g, row, rank, g.shape[-2])
        below = b.part(lower, row, rank, lower.shape[-2])
        inside = b.tril(b.matmul(t(first), g1), k=-1)
        inside = b.subtract(inside, b.triu(b.matmul(t(below), g2), k=0))
        top = _lu_square(b, inside, first, square)
        whole = b.concat((top, by_inverse(b, g2, square)), axis=row)
        zeros = b.filled_like(whole, 0, (*whole.shape[:-1], beside.shape[-1]))
        whole = b.concat((whole, zeros), axis=row + 1)
        return b.take_along_axis(whole, back, axis=row)

    return pull


def _lu_upper(b: Backend[Any]) -> Any:
    t = functools.partial(adjoint, b)

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


def _pinv_back(b: Backend[Any], g: Any, x: Any, p: Any) -> Any:
    """-p^H g p^H + (I - x p) g^H p p^H + p^H p g^H (I - p x), at constant rank.

    Golub and Pereyra, The differentiation of pseudo-inverses (1973).
    """
    t = functools.partial(adjoint, b)
    turned, g_turned = t(p), t(g)
    past = b.matmul(g_turned, p)
    past = b.matmul(b.subtract(past, times(b, x, p, past)), turned)
    before = b.matmul(p, g_turned)
    before = b.matmul(turned, b.subtract(before, times(b, before, p, x)))
    return b.subtract(b.add(past, before), times(b, turned, g, turned))


@rule("pinv")
def pinv(b: Backend[Any]) -> Any:
    """At constant rank: a rank that changes has no gradient."""

    def pull(g: Any, saved: Any) -> Any:
        return _pinv_back(b, g, *saved)

    def record(out: Any, x: Any, rtol: Any) -> Any:
        return (by_adjoints(b, pull), (x, out)), None

    return record


@several("lstsq")
def lstsq(b: Backend[Any]) -> Any:
    """That of pinv(x1) @ x2, at constant rank; and that of the singular values."""
    t = functools.partial(adjoint, b)

    def left(g: Any, saved: Any) -> Any:
        x1, x2, rtol = saved
        p = b.pinv(x1, rtol)
        back = unbroadcast(b, b.matmul(g, t(x2)), tuple(p.shape))
        return _pinv_back(b, back, x1, p)

    def right(g: Any, saved: Any) -> Any:
        x1, x2, rtol = saved
        return unbroadcast(b, b.matmul(t(b.pinv(x1, rtol)), g), tuple(x2.shape))

    def record(outs: Any, x1: Any, x2: Any, rtol: Any) -> Any:
        saved = (x1, x2, rtol)
        values = (lambda g, x: values_back(b, g, x), x1)
        return (
            ((by_adjoints(b, left), saved), (by_adjoints(b, right), saved)),
            (),
            (values,),
        )

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
