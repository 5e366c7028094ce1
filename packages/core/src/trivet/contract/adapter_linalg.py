"""`NumPyLinalg`: factorisations by a namespace `xp.linalg` that is NumPy's or like it.

A backend derives from it next to `ArrayApiBackend`. What libraries disagree about is
left to it: `cholesky` of an upper triangle, `lu`, `lstsq`.
"""

from collections.abc import Callable
from typing import Any

from trivet.contract.adapter import ArrayApiBackend
from trivet.dtypes import complex64, complex128
from trivet.errors import SingularMatrixError

__all__ = ["NumPyLinalg"]

_FACTORS = {"inv", "solve", "cholesky"}


class NumPyLinalg(ArrayApiBackend):
    """16-bit floats are computed in float32: LAPACK has none.

    The library's `LinAlgError` becomes `SingularMatrixError`. Diagonals are views.
    """

    def run_wide(
        self, op: str, function: Callable[..., Any], x: Any, **statics: Any
    ) -> Any:
        """The function's results for `x` in the dtypes that go with its own."""
        try:
            if x.dtype.char != "e":
                return function(x, **statics)
            results = function(x.astype(self.xp.float32), **statics)
        except self.xp.linalg.LinAlgError as error:
            raise self.linalg_fault(op, x) from error
        if isinstance(results, tuple):
            return tuple(one.astype(x.dtype) for one in results)
        return results.astype(x.dtype)

    def linalg_fault(self, op: str, x: Any) -> SingularMatrixError:
        """What to raise for the library's `LinAlgError`."""
        if op in _FACTORS:
            return self.refusal(op, x)
        return SingularMatrixError(
            f"{op}: the iteration does not converge on a matrix in the tensor of shape "
            f"{x.shape}. Look for NaN and infinities: isfinite(x).all()."
        )

    def diagonal(self, x: Any, /, *, offset: int) -> Any:
        return self.xp.diagonal(x, offset, -2, -1)

    def cross(self, x1: Any, x2: Any, /, *, axis: int) -> Any:
        return self.xp.cross(x1, x2, axis=axis)

    def det(self, x: Any, /) -> Any:
        return self.run_wide("det", self.xp.linalg.det, x)

    def slogdet(self, x: Any, /) -> tuple[Any, Any]:
        sign, log = self.run_wide("slogdet", self.xp.linalg.slogdet, x)
        return sign, log

    def inv(self, x: Any, /) -> Any:
        return self.run_wide("inv", self.xp.linalg.inv, x)

    def solve(self, x1: Any, x2: Any, /) -> Any:
        dtype = self.xp.result_type(x1, x2)
        wide = self.xp.float32
        left, right = (x.astype(wide) if x.dtype.char == "e" else x for x in (x1, x2))
        try:
            return self.xp.linalg.solve(left, right).astype(dtype, copy=False)
        except self.xp.linalg.LinAlgError as error:
            raise self.linalg_fault("solve", x1) from error

    def qr(self, x: Any, /, *, complete: bool) -> tuple[Any, Any]:
        mode = "complete" if complete else "reduced"
        q, r = self.run_wide("qr", self.xp.linalg.qr, x, mode=mode)
        return q, r

    def svd(self, x: Any, /, *, full_matrices: bool) -> tuple[Any, Any, Any]:
        svd = self.xp.linalg.svd
        u, s, vh = self.run_wide("svd", svd, x, full_matrices=full_matrices)
        return u, s, vh

    def svdvals(self, x: Any, /) -> Any:
        return self.run_wide("svdvals", self.xp.linalg.svd, x, compute_uv=False)

    def eigh(self, x: Any, /) -> tuple[Any, Any]:
        values, vectors = self.run_wide("eigh", self.xp.linalg.eigh, x)
        return values, vectors

    def eigvalsh(self, x: Any, /) -> Any:
        return self.run_wide("eigvalsh", self.xp.linalg.eigvalsh, x)

    def eig(self, x: Any, /) -> tuple[Any, Any]:
        values, vectors = self._made_complex("eig", self.xp.linalg.eig, x)
        return values, vectors

    def eigvals(self, x: Any, /) -> Any:
        return self._made_complex("eigvals", self.xp.linalg.eigvals, x)

    def _made_complex(self, op: str, function: Callable[..., Any], x: Any) -> Any:
        """Complex results, also where the library gives real eigenvalues as such."""
        twin = complex128 if x.dtype.char in "dD" else complex64
        dtype = self.native(twin)
        wide = x.astype(self.xp.float32) if x.dtype.char == "e" else x
        results = self.run_wide(op, function, wide)
        if isinstance(results, tuple):
            return tuple(one.astype(dtype, copy=False) for one in results)
        return results.astype(dtype, copy=False)
