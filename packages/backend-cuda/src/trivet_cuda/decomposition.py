"""Factorisations by cuSOLVER and cuBLAS.

CuPy does not look whether they succeed unless it is told to, since that makes the host
wait. Only the three ops that must refuse a matrix tell it.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from trivet.contract import OPS, NumPyLinalg
from trivet.errors import UnsupportedOpError
from trivet.shapes import broadcast
from trivet_cuda.data import Array, Data

__all__ = ["Decomposition"]


class Decomposition(NumPyLinalg, Data):
    """`inv`, `solve` and `cholesky` wait for the device; the others don't.

    Where an iteration does not converge, as on NaN, the result is NaN or wrong, and
    nothing is raised. `lu` and `lstsq` are derived: CuPy's wait.
    """

    def inv(self, x: Array, /) -> Array:
        with self._checking():
            return super().inv(x)

    def solve(self, x1: Array, x2: Array, /) -> Array:
        """CuPy does not broadcast the batches, and has no equations without sides."""
        if not x1.size or not x2.size:
            return OPS["solve"].function(self, x1, x2)
        batch = broadcast("solve", x1.shape[:-2], x2.shape[:-2])
        first = self.xp.broadcast_to(x1, (*batch, *x1.shape[-2:]))
        second = self.xp.broadcast_to(x2, (*batch, *x2.shape[-2:]))
        with self._checking():
            return super().solve(first, second)

    def cholesky(self, x: Array, /, *, upper: bool) -> Array:
        """CuPy reads and writes the lower triangle alone."""
        with self._checking():
            lower = self.run_wide(
                "cholesky", self.xp.linalg.cholesky, self._adjoint(x) if upper else x
            )
        return self._adjoint(lower) if upper else lower

    def _adjoint(self, x: Array) -> Array:
        return self.conj(self.matrix_transpose(x))

    def _checking(self) -> AbstractContextManager[Any]:
        """A context in which CuPy raises `LinAlgError`, of this thread only."""
        return self.cupyx.errstate(linalg="raise")  # type: ignore[no-any-return]

    def eig(self, x: Array, /) -> tuple[Array, Array]:
        with _explaining_geev("eig"):
            return super().eig(x)

    def eigvals(self, x: Array, /) -> Array:
        with _explaining_geev("eigvals"):
            return super().eigvals(x)


@contextmanager
def _explaining_geev(op: str) -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        if str(error) != "geev is not available":
            raise
        raise UnsupportedOpError(
            f"{op}: it needs cuSOLVER 11.7, which comes with CUDA 12.6.2. Update CUDA, "
            'or compute it on the host: x.to_backend("ndarray").'
        ) from error
