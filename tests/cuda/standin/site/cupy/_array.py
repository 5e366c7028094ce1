"""The stand-in's array: NumPy's inside, and as wary of the host as CuPy's."""

from typing import Any

import numpy as np

import cupy
from cupy import cuda

_DTYPES = "?bBhHiIlLqQefdFD"


def wrap(result: Any, *, base: Any = None) -> Any:
    """NumPy's result as CuPy gives it: arrays on the current device, also of rank 0."""
    if isinstance(result, np.ndarray | np.generic):
        return ndarray._of(np.asarray(result), cuda.current(), base)
    if isinstance(result, tuple | list):
        return type(result)(wrap(part) for part in result)
    return result


def unwrap(value: Any) -> Any:
    """What NumPy computes with; whatever CuPy refuses is refused."""
    if isinstance(value, ndarray):
        if value._device != cuda.current():
            raise ValueError(
                f"The device where the array resides ({value._device}) is different "
                f"from the current device ({cuda.current()})."
            )
        return value._values
    if isinstance(value, tuple | list):
        return type(value)(unwrap(part) for part in value)
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    return value


def checked(dtype: Any) -> np.dtype[Any]:
    found = np.dtype(dtype)
    if found.char not in _DTYPES:
        raise ValueError(f"Unsupported dtype {found}")
    return found


def _waits() -> None:
    cuda.COUNTS["waits"] += 1


class ndarray:  # noqa: N801  # CuPy's name
    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("_device", "_values", "base")

    @classmethod
    def _of(cls, values: Any, device: int, base: Any) -> "ndarray":
        checked(values.dtype)
        made = object.__new__(cls)
        made._values, made._device, made.base = values, device, base
        return made

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. Please use `.get()` "
            "to construct a NumPy array explicitly."
        )

    shape = property(lambda self: self._values.shape)
    dtype = property(lambda self: self._values.dtype)
    ndim = property(lambda self: self._values.ndim)
    size = property(lambda self: self._values.size)
    strides = property(lambda self: self._values.strides)
    device = property(lambda self: cuda.Device(self._device))

    def get(self) -> Any:
        _waits()
        return self._values.copy()

    def tobytes(self, order: str = "C") -> bytes:
        return self.get().tobytes(order)  # type: ignore[no-any-return]

    def item(self) -> Any:
        return self.get().item()

    def __bool__(self) -> bool:
        return bool(self.get())

    def __int__(self) -> int:
        return int(self.get())

    def __float__(self) -> float:
        return float(self.get())

    def __len__(self) -> int:
        return len(self._values)

    def astype(self, dtype: Any, order: str = "K", *, copy: bool = True) -> "ndarray":
        wanted = checked(dtype)
        if wanted == self.dtype and not copy:
            return self
        cuda.launched()
        values = unwrap(self)
        if values.dtype.kind == "f" and wanted.kind in "iu":
            return wrap(_saturated(values, wanted))
        with np.errstate(all="ignore"):
            return wrap(values.astype(wanted))

    def copy(self, order: str = "C") -> "ndarray":
        """On the current device, as CuPy's, whichever holds the original."""
        cuda.launched()
        return wrap(self._values.copy())

    def view(self, dtype: Any = None) -> "ndarray":
        wanted = self.dtype if dtype is None else checked(dtype)
        return ndarray._of(self._values.view(wanted), self._device, self)

    def reshape(self, *shape: Any) -> "ndarray":
        values = unwrap(self).reshape(*shape)
        shared = np.shares_memory(values, self._values)
        return wrap(values, base=self if shared else None)

    def take(self, indices: Any, axis: int | None = None) -> "ndarray":
        return cupy.take(self, indices, axis)

    def __getitem__(self, key: Any) -> "ndarray":
        cuda.launched()
        own = self._key(key)
        if any(isinstance(part, np.ndarray) and part.dtype.kind == "b" for part in own):
            _waits()  # the size of the result is on the device
        values = unwrap(self)[own]
        view = not any(isinstance(part, np.ndarray) for part in own)
        return wrap(values, base=self if view else None)

    def __setitem__(self, key: Any, value: Any) -> None:
        cuda.launched()
        own, given = self._key(key), unwrap(value)
        if len(own) == 1 and isinstance(own[0], np.ndarray) and own[0].ndim == 1:
            # which of several writes to one place wins is anyone's guess
            order = np.random.default_rng().permutation(len(own[0]))
            rows = (len(own[0]), *self.shape[1:])
            own, given = (own[0][order],), np.broadcast_to(given, rows)[order]
        unwrap(self)[own] = given

    def _key(self, key: Any) -> tuple[Any, ...]:
        """NumPy's key; integer arrays wrap round the axis instead of raising."""
        parts = key if isinstance(key, tuple) else (key,)
        if any(isinstance(part, list) for part in parts):
            raise IndexError("lists as indices are slow on the device")
        own, axis = list(unwrap(parts)), 0
        for i, part in enumerate(own):
            if isinstance(part, np.ndarray) and part.dtype.kind in "iu":
                own[i] = part % self.shape[axis] if self.shape[axis] else part
            axis += part is not None
        return tuple(own)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self._device

    def __dlpack__(self, **asked: Any) -> tuple[str, Any, dict[str, Any]]:
        """Not a capsule, as there is no device memory: what a test can look at."""
        return "stand-in capsule", self._values, asked


def _saturated(values: Any, dtype: np.dtype[Any]) -> Any:
    """Floats as integers, as a GPU converts them: to the nearest, NaN to 0."""
    lowest, highest = np.iinfo(dtype).min, np.iinfo(dtype).max
    whole = np.trunc(np.nan_to_num(values.astype("d"), nan=0.0))
    inside = (whole > lowest) & (whole < highest)
    done = np.where(inside, whole, 0).astype(dtype)
    done[whole <= lowest], done[whole >= highest] = lowest, highest
    return done


def _operator(name: str, *, turned: bool) -> Any:
    def operate(self: ndarray, other: Any) -> Any:
        if not isinstance(other, ndarray | bool | int | float | complex | np.generic):
            return NotImplemented
        first, second = (other, self) if turned else (self, other)
        return getattr(cupy, name)(first, second)

    return operate


_OPERATORS = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "true_divide",
    "and": "bitwise_and",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "gt": "greater",
}
for _name, _function in _OPERATORS.items():
    setattr(ndarray, f"__{_name}__", _operator(_function, turned=False))
    if _name not in {"eq", "ne", "lt", "gt"}:
        setattr(ndarray, f"__r{_name}__", _operator(_function, turned=True))
