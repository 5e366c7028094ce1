"""Householder reflections and Jacobi rotations over ops.

The bodies of `qr`, `svd` and `eigh` are written with these. Batches are computed
together, and a round of rotations turns all pairs of columns at once.
"""

import math
from typing import TypeVar

from trivet.contract.elimination import column, row
from trivet.contract.nn import Nn
from trivet.dtypes import finfo

__all__ = ["adjoint", "householder", "jacobi"]

H = TypeVar("H")
_MOST_SWEEPS = 30  # six to ten are usual


def adjoint(b: Nn[H], x: H) -> H:
    """The conjugate of each transposed matrix."""
    return b.conj(b.matrix_transpose(x))


def _norm2(b: Nn[H], x: H) -> H:
    """The sum of the squared sizes in each column, as one row."""
    size = b.abs(x)
    return b.sum(
        b.multiply(size, size), axis=(len(b.shape(x)) - 2,), dtype=None, keepdims=True
    )


def householder(b: Nn[H], x: H, columns: int) -> tuple[H, H]:
    """`columns` columns of Q, and R, whose product is `x`; R may have more rows.

    The signs are LAPACK's (`geqrf`): a column that is zero below its diagonal is left
    alone, any other gets a diagonal element of the opposite sign.
    """
    *batch, rows, cols = b.shape(x)
    reflections = []
    for k in range(min(rows, cols)):
        v, tau = _reflection(b, x, k)
        x = _reflected(b, x, v, b.conj(tau))
        reflections.append((v, tau))
    eye = b.eye(n_rows=rows, n_cols=columns, k=0, dtype=b.dtype(x), device=b.device(x))
    q = b.broadcast_to(eye, shape=(*batch, rows, columns))
    for v, tau in reversed(reflections):
        q = _reflected(b, q, v, tau)
    return q, b.triu(x, k=0)


def _reflected(b: Nn[H], x: H, v: H, tau: H) -> H:
    """x - tau v (v^H x)."""
    return b.subtract(x, b.multiply(b.multiply(tau, v), b.matmul(adjoint(b, v), x)))


def _reflection(b: Nn[H], x: H, k: int) -> tuple[H, H]:
    """The vector and the factor that clear column `k` below the diagonal."""
    rows = b.shape(x)[-2]
    place = b.reshape(b.counting(x, rows), shape=(rows, 1))
    part = b.where(b.less(place, k), 0, column(b, x, k))
    largest = b.max(b.abs(part), axis=(len(b.shape(x)) - 2,), keepdims=True)
    part = b.divide(part, b.where(b.equal(largest, 0), 1, largest))
    head, tail = row(b, part, k), b.where(b.less(k, place), part, 0)
    rest, norm = _norm2(b, tail), b.sqrt(_norm2(b, part))
    beta = b.where(b.less(b.real(head), 0), norm, b.negative(norm))
    done = b.logical_and(b.equal(rest, 0), b.equal(head, b.real(head)))
    by = b.where(done, 1, b.subtract(head, beta))
    v = b.where(b.equal(place, k), 1, b.divide(tail, by))
    tau = b.divide(b.subtract(beta, head), b.where(done, 1, beta))
    return v, b.where(done, 0, tau)


def jacobi(b: Nn[H], x: H) -> tuple[H, H]:
    """`x` with rotated columns that are orthogonal to each other, and the rotation.

    One-sided Jacobi sweeps (Hestenes) in the round-robin order of Brent and Luk, until
    a sweep turns nothing: Golub and Van Loan, section 8.6.3. The columns are not
    sorted.
    """
    *batch, rows, cols = b.shape(x)
    eye = b.eye(n_rows=cols, n_cols=cols, k=0, dtype=b.dtype(x), device=b.device(x))
    eye = b.broadcast_to(eye, shape=(*batch, cols, cols))
    if cols < 2 or not b.size(x):
        return x, eye
    both = b.concat((x, eye), axis=len(batch))
    if cols % 2:  # a column of zeros never turns, and is last again after each sweep
        zeros = b.filled_like(x, 0, (*batch, rows + cols, 1))
        both = b.concat((both, zeros), axis=len(batch) + 1)
    for _ in range(_MOST_SWEEPS):
        both, turned = _sweep(b, both, rows)
        if not turned:
            break
    both = b.part(both, len(batch) + 1, 0, cols)
    return b.part(both, len(batch), 0, rows), b.part(
        both, len(batch), rows, rows + cols
    )


def _sweep(b: Nn[H], both: H, rows: int) -> tuple[H, bool]:
    """Every pair of columns once; whether any turned."""
    last = len(b.shape(both)) - 1
    cols = b.shape(both)[last]
    half, turned = cols // 2, False
    left, right = b.part(both, last, 0, half), b.part(both, last, half, cols)
    for _ in range(cols - 1):
        left, right, count = _rotated(b, left, right, rows)
        turned = turned or count > 0
        left, right = _next_pairs(b, left, right, half)
    return b.concat((left, right), axis=last), turned


def _next_pairs(b: Nn[H], left: H, right: H, half: int) -> tuple[H, H]:
    """All columns but the first move one place on, round the circle."""
    if half == 1:
        return left, right
    last = len(b.shape(left)) - 1
    first, others = b.part(left, last, 0, 1), b.part(left, last, 1, half - 1)
    up, down = b.part(right, last, 0, 1), b.part(left, last, half - 1, half)
    return (
        b.concat((first, up, others), axis=last),
        b.concat((b.part(right, last, 1, half), down), axis=last),
    )


def _rotated(b: Nn[H], left: H, right: H, rows: int) -> tuple[H, H, int]:
    """Both halves with each pair of columns made orthogonal; how many turned."""
    along = len(b.shape(left)) - 2
    x, y = b.part(left, along, 0, rows), b.part(right, along, 0, rows)
    gamma = b.sum(b.multiply(b.conj(x), y), axis=(along,), dtype=None, keepdims=True)
    size, alpha, beta = b.abs(gamma), _norm2(b, x), _norm2(b, y)
    least = finfo(b.dtype(alpha)).eps * math.sqrt(rows)
    turn = b.less(b.multiply(b.sqrt(b.multiply(alpha, beta)), least), size)
    size = b.where(turn, size, 1)
    tangent = b.where(turn, _tangent(b, b.subtract(beta, alpha), size), 0)
    c = b.divide(1, b.sqrt(b.add(b.multiply(tangent, tangent), 1)))
    s = b.multiply(c, tangent)
    turned = b.where(turn, b.divide(gamma, size), 1)  # of a real pair, their sign
    first = b.subtract(
        b.multiply(left, c), b.multiply(right, b.multiply(s, b.conj(turned)))
    )
    second = b.add(b.multiply(left, b.multiply(s, turned)), b.multiply(right, c))
    return first, second, b.read_int(b.count_nonzero(turn, axis=None, keepdims=False))


def _tangent(b: Nn[H], difference: H, size: H) -> H:
    """The tangent of the smaller angle that makes a pair of columns orthogonal."""
    zeta = b.divide(difference, b.multiply(size, 2))
    root = b.sqrt(b.add(b.multiply(zeta, zeta), 1))
    tangent = b.divide(1, b.add(b.abs(zeta), root))
    return b.where(b.less(zeta, 0), b.negative(tangent), tangent)
