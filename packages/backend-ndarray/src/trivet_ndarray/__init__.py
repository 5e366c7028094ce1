"""Trivet's NumPy backend.

>>> import trivet as tv
>>> tv.asarray([1.0, 2.0], backend=NdArray()) + 1
Tensor([2., 3.], dtype=float32, backend=ndarray, device=cpu)
"""

from trivet_ndarray.backend import NdArray

__all__ = ["NdArray"]
