"""Gaussian elimination, substitution and Cholesky columns over ops.

The bodies of `decomposition` are written with these. Loops run over columns; batches
are computed together.
"""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["cholesky_columns", "column", "eliminate", "parity", "row", "substitute"]

H = TypeVar("H")


def row(b: Nn[H], x: H, k: int) -> H:
    """Row `k` of each matrix, as a matrix of one row."""
    return b.part(x, len(b.shape(x)) - 2, k, k + 1)


def column(b: Nn[H], x: H, k: int) -> H:
    """Column `k` of each matrix, as a matrix of one column."""
    return b.part(x, len(b.shape(x)) - 1, k, k + 1)


def _rows(b: Nn[H], x: H) -> H:
    """The number of each row, in one column."""
    rows = b.shape(x)[-2]
    return b.reshape(b.counting(x, rows), shape=(rows, 1))


def eliminate(b: Nn[H], x: H) -> tuple[H, H]:
    """The order of the rows, and both factors of `x` in that order in one array.

    The factor L, whose diagonal of ones is left out, stands below the diagonal, U on
    and above it. Each pivot is the largest of its column (Golub and Van Loan, Matrix
    Computations, algorithm 3.4.1).
    """
    *batch, rows, cols = b.shape(x)
    order = b.broadcast_to(_rows(b, x), shape=(*batch, rows, 1))
    for k in range(min(rows, cols)):
        swap = _swap(b, x, k)
        along = len(batch)
        order = b.take_along_axis(order, swap, axis=along)
        x = _cleared(b, b.take_along_axis(x, swap, axis=along), k)
    return b.squeeze(order, axis=(len(batch) + 1,)), x


def _swap(b: Nn[H], x: H, k: int) -> H:
    """The order of rows that brings the largest element of column `k` to row `k`."""
    place = _rows(b, x)
    size = b.where(b.less(place, k), -1, b.abs(column(b, x, k)))
    best = b.argmax(size, axis=len(b.shape(x)) - 2, keepdims=True)
    from_k = b.where(b.equal(place, best), k, place)
    return b.where(b.equal(place, k), best, from_k)


def _cleared(b: Nn[H], x: H, k: int) -> H:
    """One step: column `k` below the pivot is eliminated, and holds the factors."""
    pivot = column(b, row(b, x, k), k)
    safe = b.where(b.equal(pivot, 0), 1, pivot)  # below a zero pivot all is zero
    below = b.less(k, _rows(b, x))
    factors = b.where(below, b.divide(column(b, x, k), safe), 0)
    place = b.counting(x, b.shape(x)[-1])
    rest = b.subtract(
        x, b.multiply(factors, b.where(b.less(k, place), row(b, x, k), 0))
    )
    return b.where(b.logical_and(below, b.equal(place, k)), factors, rest)


def parity(b: Nn[H], order: H) -> H:
    """Whether each permutation along the last axis swaps an odd number of times."""
    last = len(b.shape(order))
    first = b.expand_dims(order, axis=(last,))
    second = b.expand_dims(order, axis=(last - 1,))
    dtype = b.default_dtypes(b.device(order)).indexing
    before = b.astype(b.greater(first, second), dtype=dtype)
    inversions = b.count_nonzero(
        b.triu(before, k=1), axis=(last - 1, last), keepdims=False
    )
    return b.equal(b.remainder(inversions, 2), 1)


def substitute(b: Nn[H], packed: H, x: H) -> H:
    """The solution for the factors of `eliminate` and right sides in their order."""
    n = b.shape(packed)[-1]
    lower, upper = b.tril(packed, k=-1), b.triu(packed, k=1)
    for k in range(n):
        x = b.subtract(x, b.multiply(column(b, lower, k), row(b, x, k)))
    found: list[H] = []
    for k in reversed(range(n)):
        one = b.divide(row(b, x, k), column(b, row(b, packed, k), k))
        x = b.subtract(x, b.multiply(column(b, upper, k), one))
        found.append(one)
    return b.concat(found[::-1], axis=len(b.shape(x)) - 2) if found else x


def cholesky_columns(b: Nn[H], x: H) -> tuple[list[H], list[H]]:
    """The columns of the lower factor, and the pivots whose roots are its diagonal.

    Only the lower triangle is read. Where a pivot is not positive, what follows is
    of no use (Golub and Van Loan, algorithm 4.2.1).
    """
    place, found, pivots = _rows(b, x), list[H](), list[H]()
    for k in range(b.shape(x)[-1]):
        rest = column(b, x, k)
        if found:
            left = b.concat(found, axis=len(b.shape(x)) - 1)
            across = b.conj(b.matrix_transpose(row(b, left, k)))
            rest = b.subtract(rest, b.matmul(left, across))
        pivot = b.real(row(b, rest, k))
        root = b.sqrt(b.where(b.less(0, pivot), pivot, 1))
        below = b.where(b.less(k, place), b.divide(rest, root), 0)
        found.append(b.where(b.equal(place, k), root, below))
        pivots.append(pivot)
    return found, pivots
