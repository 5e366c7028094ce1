"""Factorisations of matrices, and what is solved by them."""

from typing import TypeVar

from trivet.contract.elimination import (
    cholesky_columns,
    eliminate,
    parity,
    substitute,
)
from trivet.contract.matrix_exponential import exponential
from trivet.contract.nn import Nn
from trivet.contract.orthogonal import adjoint, householder, jacobi
from trivet.contract.table import derived, optional
from trivet.dtypes import FLOATING, NUMERIC, Scalar, promote
from trivet.errors import SingularMatrixError, UnsupportedOpError
from trivet.shapes import broadcast

__all__ = ["Decomposition"]

H = TypeVar("H")
_REMEDIES = {
    "cholesky": "Of a covariance, add a small multiple of the identity first.",
    "inv": "tv.linalg.pinv gives the pseudoinverse.",
    "solve": "tv.linalg.lstsq gives the solution with the least error.",
}


class Decomposition(Nn[H], family="decomposition"):
    """Matrices stand on the last two axes; the others are batches.

    16-bit floats are computed in float32. "Hermitian" means symmetric where the dtype
    is real; of such matrices only the lower triangle is read.
    """

    def refusal(self, op: str, x: H) -> SingularMatrixError:
        """The error for a singular matrix, or for `cholesky` an indefinite one."""
        fault = "not positive definite" if op == "cholesky" else "singular"
        return SingularMatrixError(
            f"{op}: a matrix in the tensor of shape {self.shape(x)} is {fault}. "
            f"{_REMEDIES[op]}"
        )

    def _require_factors(self, op: str, good: H, x: H) -> None:
        """Raise unless every element of `good` holds; one number is read back."""
        bad = self.count_nonzero(self.logical_not(good), axis=None, keepdims=False)
        if self.read_int(bad):
            raise self.refusal(op, x)

    @derived(FLOATING)
    def lu(self, x: H, /) -> tuple[H, H, H]:
        """The order of rows in which `x` is L U, with L and U.

        L has ones on its diagonal and nothing above it, U nothing below it. The order
        is in the index dtype. Each pivot is the largest of its column.
        """
        wide, dtype = self.widened(x)
        order, packed = eliminate(self, wide)
        rank = min(self.shape(x)[-2:])
        last = len(self.shape(x)) - 1
        below = self.tril(self.part(packed, last, 0, rank), k=-1)
        lower = self.where(self.equal(self._gap(below), 0), 1, below)
        upper = self.triu(self.part(packed, last - 1, 0, rank), k=0)
        return order, self.cast(lower, dtype), self.cast(upper, dtype)

    @derived(FLOATING)
    def det(self, x: H, /) -> H:
        """The determinant: the product of the pivots, with the sign of the order."""
        wide, dtype = self.widened(x)
        order, packed = eliminate(self, wide)
        pivots = self.diagonal(packed, offset=0)
        last = (len(self.shape(pivots)) - 1,)
        product = self.prod(pivots, axis=last, dtype=None, keepdims=False)
        return self.cast(self._with_parity(order, product), dtype)

    def _with_parity(self, order: H, product: H) -> H:
        """With the sign of a permutation; a zero has none."""
        turned = self.where(parity(self, order), self.negative(product), product)
        return self.add(turned, 0)

    @derived(FLOATING)
    def slogdet(self, x: H, /) -> tuple[H, H]:
        """The sign of the determinant and the logarithm of its size.

        Of a singular matrix, 0 and -inf.
        """
        wide, dtype = self.widened(x)
        order, packed = eliminate(self, wide)
        pivots = self.diagonal(packed, offset=0)
        last = (len(self.shape(pivots)) - 1,)
        sign = self.prod(self.sign(pivots), axis=last, dtype=None, keepdims=False)
        sign = self._with_parity(order, sign)
        logs = self.log(self.abs(pivots))
        total = self.sum(logs, axis=last, dtype=None, keepdims=False)
        real = self.dtype(self.real(x))
        return self.cast(sign, dtype), self.cast(total, real)

    @derived(FLOATING)
    def inv(self, x: H, /) -> H:
        """The inverse. Raises `SingularMatrixError`."""
        return self._solved_by_lu("inv", x, self._identity_like(x))

    def _identity_like(self, x: H) -> H:
        """The identity matrix of the size, dtype and device of those in `x`."""
        n = self.shape(x)[-1]
        return self.eye(
            n_rows=n, n_cols=n, k=0, dtype=self.dtype(x), device=self.device(x)
        )

    @derived(FLOATING)
    def solve(self, x1: H, x2: H, /) -> H:
        """The matrix y with x1 @ y equal to `x2`, also a matrix; batches broadcast.

        Raises `SingularMatrixError`.
        """
        return self._solved_by_lu("solve", *self._promoted(x1, x2))

    def _solved_by_lu(self, op: str, x1: H, x2: H) -> H:
        (wide, dtype), (right, _) = self.widened(x1), self.widened(x2)
        order, packed = eliminate(self, wide)
        pivots = self.diagonal(packed, offset=0)
        self._require_factors(op, self.not_equal(pivots, 0), x1)
        batch = broadcast(op, self.shape(x1)[:-2], self.shape(x2)[:-2])
        right = self.broadcast_to(right, shape=(*batch, *self.shape(x2)[-2:]))
        places = self.expand_dims(order, axis=(len(self.shape(order)),))
        places = self.broadcast_to(places, shape=(*batch, self.shape(x1)[-1], 1))
        moved = self.take_along_axis(right, places, axis=len(batch))
        return self.cast(substitute(self, packed, moved), dtype)

    @derived(FLOATING)
    def cholesky(self, x: H, /, *, upper: bool) -> H:
        """The lower triangular L with x = L L^H, or with `upper` the U with U^H U.

        Only the triangle of that name is read. Raises `SingularMatrixError` for a
        matrix that is not positive definite.
        """
        wide, dtype = self.widened(x)
        columns, pivots = cholesky_columns(self, adjoint(self, wide) if upper else wide)
        if not columns:
            return x
        last = len(self.shape(x)) - 1
        self._require_factors(
            "cholesky", self.less(0, self.concat(pivots, axis=last)), x
        )
        whole = self.concat(columns, axis=last)
        return self.cast(adjoint(self, whole) if upper else whole, dtype)

    @derived(FLOATING)
    def qr(self, x: H, /, *, complete: bool) -> tuple[H, H]:
        """Q with orthonormal columns and the upper triangular R, whose product is `x`.

        Q has as many columns as the smaller side of `x`, or with `complete` as many as
        rows. The signs are LAPACK's.
        """
        wide, dtype = self.widened(x)
        rows, cols = self.shape(x)[-2:]
        columns = rows if complete else min(rows, cols)
        q, r = householder(self, wide, columns)
        r = self.part(r, len(self.shape(x)) - 2, 0, columns)
        return self.cast(q, dtype), self.cast(r, dtype)

    @derived(FLOATING)
    def svd(self, x: H, /, *, full_matrices: bool) -> tuple[H, H, H]:
        """U, the singular values from large to small, and V^H, by Jacobi rotations.

        With `full_matrices`, U and V^H are square; otherwise they have as many
        columns and rows as there are singular values.
        """
        rows, cols = self.shape(x)[-2:]
        if rows < cols:
            turned = adjoint(self, x)
            u, s, vh = self.svd(turned, full_matrices=full_matrices)
            return adjoint(self, vh), s, adjoint(self, u)
        wide, dtype = self.widened(x)
        u, s, vh = self._tall_svd(wide, rows if full_matrices else cols)
        real = self.dtype(self.real(x))
        return self.cast(u, dtype), self.cast(s, real), self.cast(vh, dtype)

    def _tall_svd(self, x: H, columns: int) -> tuple[H, H, H]:
        scale = self._largest_size(x)
        turned, v = jacobi(self, self.divide(x, scale))
        s, last = self._column_sizes(turned), len(self.shape(x)) - 1
        order = self.argsort(s, axis=last, descending=True, stable=True)
        s, turned, v = (
            self.take_along_axis(y, order, axis=last) for y in (s, turned, v)
        )
        u = self._unit_columns(turned, columns)
        s = self.squeeze(self.multiply(s, scale), axis=(last - 1,))
        return u, s, adjoint(self, v)

    def _unit_columns(self, x: H, columns: int) -> H:
        """Orthogonal columns with norm 1, and more to make `columns` of them.

        Their R is diagonal, so their Q has them up to the sign, and spans what zero
        columns do not.
        """
        *batch, _, cols = self.shape(x)
        q, r = householder(self, x, columns)
        signs = self.sign(self.diagonal(r, offset=0))
        signs = self.where(self.equal(signs, 0), 1, signs)
        ones = self.filled_like(signs, 1, (*batch, columns - cols))
        signs = self.concat((signs, ones), axis=len(batch))
        return self.multiply(q, self.expand_dims(signs, axis=(len(batch),)))

    def _column_sizes(self, x: H) -> H:
        """The norm of each column, scaled so that no square overflows or vanishes."""
        *batch, rows, cols = self.shape(x)
        if not rows:
            return self.real(self.filled_like(x, 0, (*batch, 1, cols)))
        size, axis = self.abs(x), (len(batch),)
        largest = self.max(size, axis=axis, keepdims=True)
        ratio = self.divide(size, self.where(self.equal(largest, 0), 1, largest))
        total = self.sum(self.square(ratio), axis=axis, dtype=None, keepdims=True)
        return self.multiply(self.sqrt(total), largest)

    def _largest_size(self, x: H) -> H:
        """The largest size in each matrix, or 1 where that is 0 or there is none."""
        *batch, rows, cols = self.shape(x)
        if not rows * cols:
            return self.real(self.filled_like(x, 1, (*batch, 1, 1)))
        axes = (len(batch), len(batch) + 1)
        largest = self.max(self.abs(x), axis=axes, keepdims=True)
        return self.where(self.equal(largest, 0), 1, largest)

    @derived(FLOATING)
    def svdvals(self, x: H, /) -> H:
        """The singular values, from large to small."""
        return self.svd(x, full_matrices=False)[1]

    @derived(FLOATING)
    def eigh(self, x: H, /) -> tuple[H, H]:
        """Eigenvalues of Hermitian matrices, ascending, and vectors in columns.

        A multiple of the identity, no less than any eigenvalue by Gershgorin's circles,
        makes the matrix positive: then its singular vectors are the eigenvectors.
        """
        wide, dtype = self.widened(x)
        real, axis = self.dtype(self.real(x)), len(self.shape(x)) - 1
        if not self.size(x):
            return self.real(self.sum(x, axis=(axis,), dtype=None, keepdims=False)), x
        whole = self._mirrored(wide)
        sums = self.sum(self.abs(whole), axis=(axis,), dtype=None, keepdims=True)
        shift = self.max(sums, axis=(axis - 1,), keepdims=True)
        moved = self.add(whole, self.multiply(self._identity_like(wide), shift))
        _, s, vh = self.svd(moved, full_matrices=False)
        values = self.subtract(s, self.squeeze(shift, axis=(axis,)))
        vectors = self.flip(adjoint(self, vh), axis=(axis,))
        values = self.flip(values, axis=(axis - 1,))
        return self.cast(values, real), self.cast(vectors, dtype)

    def _mirrored(self, x: H) -> H:
        """The Hermitian matrices whose lower triangles are those of `x`."""
        below = self.tril(x, k=-1)
        middle = self.where(self.equal(self._gap(x), 0), self.real(x), 0)
        return self.add(self.add(below, adjoint(self, below)), middle)

    @derived(FLOATING)
    def eigvalsh(self, x: H, /) -> H:
        """The eigenvalues of Hermitian matrices, ascending."""
        return self.eigh(x)[0]

    @optional(FLOATING)
    def eig(self, x: H, /) -> tuple[H, H]:
        """Eigenvalues, in no order, and vectors in columns; both always complex."""
        raise UnsupportedOpError(f"the backend {self.name} has no op eig.")

    @optional(FLOATING)
    def eigvals(self, x: H, /) -> H:
        """The eigenvalues, in no order; always complex."""
        raise UnsupportedOpError(f"the backend {self.name} has no op eigvals.")

    @derived(FLOATING)
    def pinv(self, x: H, rtol: H | Scalar, /) -> H:
        """The Moore-Penrose pseudoinverse.

        Singular values up to `rtol` times the largest count as 0; `rtol` broadcasts
        against the batches.
        """
        wide, dtype = self.widened(x)
        u, s, vh = self.svd(wide, full_matrices=False)
        kept = self._kept_values(s, rtol)
        inverse = self.where(kept, self.divide(1, self.where(kept, s, 1)), 0)
        columns = self.expand_dims(inverse, axis=(len(self.shape(s)) - 1,))
        left = self.multiply(adjoint(self, vh), columns)
        return self.cast(self.matmul(left, adjoint(self, u)), dtype)

    def _kept_values(self, s: H, rtol: H | Scalar) -> H:
        """Which singular values count, with an empty row where there are none."""
        last = len(self.shape(s)) - 1
        if not self.size(s):
            return self.truth(s)
        if not isinstance(rtol, int | float | complex):
            rtol = self.expand_dims(rtol, axis=(len(self.shape(rtol)),))
        largest = self.max(s, axis=(last,), keepdims=True)
        return self.less(self.multiply(largest, rtol), s)

    @derived(FLOATING, constant="integer result")
    def matrix_rank(self, x: H, rtol: H | Scalar, /) -> H:
        """How many singular values are above `rtol` times the largest."""
        s = self.svdvals(x)
        return self.count_nonzero(
            self._kept_values(s, rtol), axis=(len(self.shape(s)) - 1,), keepdims=False
        )

    @derived(FLOATING)
    def lstsq(self, x1: H, x2: H, rtol: H | Scalar, /) -> tuple[H, H, H]:
        """The matrix y of least norm among those with the least |x1 @ y - x2|.

        With it, the rank and the singular values of `x1`; those up to `rtol` times the
        largest count as 0.
        """
        (wide, dtype), (right, other) = self.widened(x1), self.widened(x2)
        u, s, vh = self.svd(wide, full_matrices=False)
        kept = self._kept_values(s, rtol)
        inverse = self.where(kept, self.divide(1, self.where(kept, s, 1)), 0)
        inside = self.matmul(adjoint(self, u), right)
        scaled = self.multiply(
            inside, self.expand_dims(inverse, axis=(len(self.shape(s)),))
        )
        found = self.matmul(adjoint(self, vh), scaled)
        last = len(self.shape(s)) - 1
        rank = self.count_nonzero(kept, axis=(last,), keepdims=False)
        real = self.dtype(self.real(x1))
        return self.cast(found, promote(dtype, other)), rank, self.cast(s, real)

    @derived(FLOATING)
    def expm(self, x: H, /) -> H:
        """The matrix exponential."""
        wide, dtype = self.widened(x)
        return self.cast(exponential(self, wide), dtype)

    @derived(NUMERIC)
    def matrix_power(self, x: H, /, *, n: int) -> H:
        """The product of `n` factors `x`; of -n factors inv(x) where `n` is negative.

        By squaring: about 2 log2(n) products.
        """
        if n < 0:
            return self.matrix_power(self.inv(x), n=-n)
        if n == 0:
            return self.broadcast_to(self._identity_like(x), shape=self.shape(x))
        result: H | None = None
        while n:
            if n % 2:
                result = x if result is None else self.matmul(result, x)
            n //= 2
            x = self.matmul(x, x) if n else x
        assert result is not None
        return result
