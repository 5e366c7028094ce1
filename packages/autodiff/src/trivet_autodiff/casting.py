"""`autocast`: a backend that computes products in 16 bits and sums in 32."""

from collections.abc import Callable
from types import MethodType
from typing import Any, ClassVar, TypeVar

from trivet.contract import Backend, Op, Recorder, Tracker
from trivet.dtypes import REAL_FLOATING, DType, as_dtype, bfloat16, float16, float32
from trivet.errors import DTypeError, NotRecordingError

__all__ = ["Autocast", "AutocastBfloat16", "autocast"]

B = TypeVar("B", bound=Backend[Any])

PRODUCTS = frozenset({"conv", "conv_transpose", "linear", "matmul", "tensordot"})
"""Ops whose operands are cast to the 16-bit dtype, unless one of them is float64."""

PARTS = frozenset({"einsum", "scaled_dot_product_attention"})
"""Products and sums at once: each part is computed as its own op is."""

WIDE_FAMILIES = frozenset(
    {"decomposition", "fft", "loss", "nanreduction"}
    | {"normalization", "norms", "signal", "special"}
)
_SUMS = {"accumulate", "cumulative_prod", "cumulative_sum", "mean", "prod", "sum"}
_PRODUCT_SUMS = {"corrcoef", "cov", "std", "trace", "var", "vecdot"}
_LOGS = {"log", "log10", "log1p", "log2", "log_sigmoid", "log_softmax", "logaddexp"}
_EXPS = {"exp", "expm1", "logcumsumexp", "logsumexp", "pow", "reciprocal", "softplus"}
_SOFTMAX = {"quiet_softmax", "softmax", "softmin"}
WIDE = frozenset(_SUMS | _PRODUCT_SUMS | _LOGS | _EXPS | _SOFTMAX)
"""Ops whose 16-bit operands are cast to float32, beside those of whole families."""


class Autocast(Recorder[B]):
    """Mixed precision: each op in the dtype that suits it, by a fixed policy.

    Products (`matmul`, `linear`, convolutions, ...) take their floating operands in
    `compute` and give it. Sums, softmax, losses, norms, exponentials and logarithms
    take 16-bit operands in float32. All other ops do what they always do: operands of
    two dtypes are promoted. Operands of float64 are left alone.

    It records nothing itself. It wraps an `Autodiff`, or is wrapped by one: outside,
    the policy is that of each op that the program calls; inside, of the ops that rules
    and derived bodies are made of. Gradients have the dtype of their variable.

    >>> import trivet as tv
    >>> x = tv.ones((2, 2), backend="autocast(ndarray)")
    >>> (x @ x).dtype, (x @ x).sum().dtype, (x @ x + x).dtype
    (trivet.float16, trivet.float32, trivet.float32)
    """

    label = "autocast"
    compute: ClassVar[DType] = float16

    def set_up(self) -> None:
        """Refuse a backend without the dtype: raises `DTypeError`."""
        inner = self.inner
        if self.compute not in inner.dtypes(inner.default_device):
            raise DTypeError(
                f"autocast: the backend {inner.name} has no {self.compute} on "
                f"{inner.default_device}. Choose another dtype with compute=."
            )

    def forward(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        """The op with its operands cast, where the policy says so."""
        if op.name in PRODUCTS:
            return self._in_compute(function)
        if op.name in PARTS:
            return MethodType(op.function, self)
        if op.name in WIDE or op.family in WIDE_FAMILIES:
            return self._in_float32(function)
        return function

    def _in_compute(self, function: Callable[..., Any]) -> Callable[..., Any]:
        compute = self.compute

        def product(*arrays: Any, **statics: Any) -> Any:
            widths = [self._width(x) for x in arrays]
            if max(widths) > float32.itemsize:
                return function(*arrays, **statics)
            found = [
                self._cast(x, compute) if width else x
                for x, width in zip(arrays, widths, strict=True)
            ]
            return function(*found, **statics)

        return product

    def _in_float32(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def wide(*arrays: Any, **statics: Any) -> Any:
            found = [
                self._cast(x, float32) if self._width(x) == float16.itemsize else x
                for x in arrays
            ]
            return function(*found, **statics)

        return wide

    def _width(self, x: Any) -> int:
        """The bytes of an element; 0 of what is no array of real floats."""
        if not hasattr(x, "shape"):
            return 0
        dtype = self.inner.dtype(x)
        return dtype.itemsize if dtype.kind in REAL_FLOATING else 0

    def _cast(self, x: Any, dtype: DType) -> Any:
        inner = self.inner
        return x if inner.dtype(x) == dtype else inner.astype(x, dtype=dtype)

    def adopt(self, obj: Any, /) -> Any:
        """What the inner backend adopts."""
        return self.inner.adopt(obj)

    def require_grad(self, x: Any, /) -> Any:
        """A variable of the backend inside that records.

        Raises `NotRecordingError` if there is none.
        """
        return self._recorder("require_grad").require_grad(x)

    def is_tracked(self, x: Any, /) -> bool:
        """Whether the backend inside tracks the handle."""
        return isinstance(self.inner, Tracker) and self.inner.is_tracked(x)

    def detach(self, x: Any, /) -> Any:
        """The handle without what the backend inside recorded."""
        return self.inner.detach(x) if isinstance(self.inner, Tracker) else x

    def backward(self, x: Any, cotangent: Any | None, /) -> Any:
        """The gradients that the backend inside finds; raises as `require_grad`."""
        return self._recorder("backward").backward(x, cotangent)

    def _recorder(self, what: str) -> Recorder[Any]:
        inner: Backend[Any] = self.inner
        if isinstance(inner, Recorder):
            return inner
        raise NotRecordingError(
            f"{what}: {self.name} casts and records nothing. Use "
            f'"{self.label}(autodiff({inner.name}))" or "autodiff({self.name})".'
        )


class AutocastBfloat16(Autocast[B]):
    """`Autocast` with bfloat16: the range of float32, and 8 bits of precision.

    >>> import trivet as tv
    >>> low = AutocastBfloat16(tv.backend("ndarray"))
    >>> x = tv.ones((2, 2), backend=low)
    >>> (x @ x).dtype, (x + x).dtype
    (trivet.bfloat16, trivet.float32)
    """

    label = "autocast_bfloat16"
    compute = bfloat16


_CLASSES: dict[DType, type[Autocast[Any]]] = {
    float16: Autocast,
    bfloat16: AutocastBfloat16,
}


def autocast(inner: B, compute: DType | str = float16) -> Autocast[B]:
    """`inner` with products computed in `compute`, which is float16 or bfloat16.

    Raises `DTypeError` for another dtype, and for one that `inner` does not have.

    >>> import trivet as tv
    >>> nd = tv.backend("ndarray")
    >>> autocast(nd) is tv.backend("autocast(ndarray)")
    True
    >>> autocast(nd, "bfloat16").compute
    trivet.bfloat16
    """
    dtype = as_dtype(compute)
    if dtype not in _CLASSES:
        raise DTypeError(
            f"autocast: compute={dtype} is no 16-bit float. Choose float16, with a "
            "GradientScaler, or bfloat16, which has the range of float32."
        )
    return _CLASSES[dtype](inner)
