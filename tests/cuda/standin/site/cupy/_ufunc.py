"""The stand-in's ufuncs: NumPy's values, for the dtypes that CuPy has loops for."""

from typing import Any

import numpy as np

from cupy import cuda
from cupy._array import unwrap, wrap


class ufunc:  # noqa: N801  # CuPy's name
    def __init__(
        self, name: str, *, nin: int, nout: int, types: list[str], compute: Any = None
    ) -> None:
        self.name, self.nin, self.nout, self.types = name, nin, nout, types
        self._compute: Any = compute or getattr(np, name)

    def __call__(self, *args: Any, dtype: Any = None) -> Any:
        if len(args) != self.nin:
            raise TypeError(f"Wrong number of arguments for 'cupy_{self.name}'")
        for arg in args:
            if isinstance(arg, list | tuple):
                raise TypeError(f"Unsupported type {type(arg)}")
        values = unwrap(args)
        if not self._loop(values):
            names = tuple(getattr(value, "dtype", type(value)) for value in values)
            raise TypeError(f"Wrong type ({names}) of arguments for cupy_{self.name}")
        cuda.launched()
        with np.errstate(all="ignore"):
            keywords = {} if dtype is None else {"dtype": dtype}
            return wrap(self._compute(*values, **keywords))

    def _loop(self, values: tuple[Any, ...]) -> bool:
        arrays = [hasattr(value, "dtype") for value in values]
        return any(
            all(
                np.can_cast(value.dtype, char)
                for value, char, array in zip(values, loop, arrays, strict=False)
                if array
            )
            for loop in self.types
        )
