"""Trivet's NumPy backend.

>>> import trivet as tv
>>> from trivet_ndarray import NdArray
>>> tv.asarray([1.0, 2.0], backend=NdArray()) + 1
Tensor([2., 3.], dtype=float32, backend=ndarray, device=cpu)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trivet_ndarray.backend import NdArray

__all__ = ["NdArray"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """The entry point's module is in this package, and must not import NumPy."""
    if name == "NdArray":
        from trivet_ndarray.backend import NdArray

        return NdArray
    raise AttributeError(f"module 'trivet_ndarray' has no attribute {name!r}")
