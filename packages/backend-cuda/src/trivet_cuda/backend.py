"""`Cuda`: the backend itself.

Each family in which CuPy differs from the standard, or is faster than the derived
body, has its own module, of the family's name.
"""

from collections.abc import Mapping

from trivet.contract import Device, Usage
from trivet.dtypes import DType, as_dtype, float16, float32
from trivet_cuda.comparison import Comparison
from trivet_cuda.decomposition import Decomposition
from trivet_cuda.elementwise import Elementwise
from trivet_cuda.fft import Fft
from trivet_cuda.indexing import Indexing
from trivet_cuda.library import load
from trivet_cuda.memory import Memory
from trivet_cuda.placement import place
from trivet_cuda.random import Random
from trivet_cuda.reduction import Reduction
from trivet_cuda.sorting import Sorting
from trivet_cuda.special import Special

__all__ = ["Cuda"]


class Cuda(
    Memory,
    Special,
    Fft,
    Decomposition,
    Random,
    Sorting,
    Reduction,
    Indexing,
    Elementwise,
    Comparison,
):
    """Computes with CuPy on the NVIDIA GPUs of this machine.

    `default_float` is the dtype of new floating tensors. Work is queued on CuPy's
    current stream; only reading values back waits for it. Raises
    `UnavailableBackendError` where there is no CuPy, no driver or no GPU.
    """

    name = "cuda"

    def __init__(self, *, default_float: DType | str = float32) -> None:
        super().__init__(*load(), default_float=as_dtype(default_float))
        if len(self.devices()) > 1:
            place(self)

    def dtypes(self, device: Device) -> Mapping[DType, Usage]:
        """The standard's dtypes, and float16, which tensor cores accelerate."""
        half = frozenset({"storage", "arithmetic", "accelerated"})
        return {**super().dtypes(device), float16: half}
