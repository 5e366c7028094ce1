"""`NdArray`: the backend itself.

Each family that NumPy does faster than the derived body or the adapter has its own
module, of the family's name.
"""

from collections.abc import Callable
from operator import attrgetter, iadd
from typing import Any

import numpy as np

from trivet.contract import NumPyFft
from trivet.dtypes import DType, as_dtype, bfloat16, float16, float32
from trivet_ndarray.activation import Activation
from trivet_ndarray.attention import Attention
from trivet_ndarray.bfloat import (
    NATIVE,
    in_float32,
    joining_concat,
    wide_ops,
)
from trivet_ndarray.closeness import Closeness
from trivet_ndarray.comparison import Comparison
from trivet_ndarray.convolution import Convolution
from trivet_ndarray.creation import Creation
from trivet_ndarray.decomposition import Decomposition
from trivet_ndarray.elementwise import Elementwise
from trivet_ndarray.indexing import Indexing
from trivet_ndarray.linalg import Linalg
from trivet_ndarray.loss import Loss
from trivet_ndarray.nanreduction import NanReduction
from trivet_ndarray.nn import Nn
from trivet_ndarray.normalization import Normalization
from trivet_ndarray.norms import Norms
from trivet_ndarray.pooling import Pooling
from trivet_ndarray.random import Random
from trivet_ndarray.rearrangement import Rearrangement
from trivet_ndarray.reduction import Reduction
from trivet_ndarray.resampling import Resampling
from trivet_ndarray.selection import Selection
from trivet_ndarray.sets import Sets
from trivet_ndarray.signal import Signal
from trivet_ndarray.sorting import Sorting
from trivet_ndarray.special import Special
from trivet_ndarray.statistics import Statistics

__all__ = ["NdArray"]


class NdArray(
    Activation,
    Attention,
    Loss,
    Normalization,
    Convolution,
    Pooling,
    Resampling,
    Sets,
    Statistics,
    Closeness,
    NanReduction,
    Selection,
    Rearrangement,
    Special,
    Signal,
    NumPyFft,
    Norms,
    Decomposition,
    Linalg,
    Nn,
    Random,
    Sorting,
    Reduction,
    Indexing,
    Creation,
    Comparison,
    Elementwise,
):
    """Computes with NumPy on the host.

    `default_float` is the dtype of new floating tensors. Floating-point warnings are
    NumPy's own and follow `numpy.errstate`.

    >>> NdArray(default_float="float64").default_float
    trivet.float64
    """

    name = "ndarray"
    max_dimensions = 64

    def __init__(self, *, default_float: DType | str = float32) -> None:
        super().__init__(np, default_float=as_dtype(default_float))
        self.bind(accumulate=iadd, matrix_transpose=attrgetter("mT"))
        self.usage[float16] = frozenset({"storage", "arithmetic"})
        if NATIVE is not None:
            self.usage[bfloat16] = frozenset({"storage", "arithmetic"})
            wide = {
                op.name: in_float32(op, getattr(self, op.name)) for op in wide_ops()
            }
            self.bind(**wide)
            self.bind(concat=joining_concat(self.concat))
        if np.floor(np.int8(1)).dtype.kind == "f":  # before NumPy 2.1
            self._keep_integers("floor", "ceil", "trunc")

    def _keep_integers(self, *names: str) -> None:
        def keeping(function: np.ufunc) -> Callable[[Any], Any]:
            return lambda x, /: function(x) if x.dtype.kind not in "iu" else x

        self.bind(**{name: keeping(getattr(np, name)) for name in names})
