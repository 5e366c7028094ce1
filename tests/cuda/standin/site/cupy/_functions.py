"""The stand-in's functions: NumPy's values behind CuPy's signatures."""

import inspect
from typing import Any

import numpy as np

from cupy import _array, cuda
from cupy._api import signature
from cupy._array import checked, unwrap, wrap

_WAITING = {"nonzero", "argwhere", "flatnonzero", "unique", "array_equal", "allclose"}
_VIEWS = {
    "broadcast_to",
    "diagonal",
    "flip",
    "matrix_transpose",
    "permute_dims",
    "transpose",
}
_AS_GIVEN = {"frombuffer", "asarray", "array", "from_dlpack"}


def function(name: str, parameters: list[list[Any]] | None, compute: Any = None) -> Any:
    """CuPy's function of that name; a call that doesn't fit its signature fails."""
    expected = signature(parameters)
    compute = compute or _OWN.get(name) or getattr(np, name, None)
    if compute is None:
        raise NotImplementedError(f"the stand-in has no counterpart of cupy.{name}")

    def call(*args: Any, **keywords: Any) -> Any:
        _bind(name, expected, args, keywords)
        cuda.launched()
        cuda.COUNTS["waits"] += name in _WAITING
        if "dtype" in keywords and keywords["dtype"] is not None:
            checked(keywords["dtype"])
        given = args if name in _AS_GIVEN else unwrap(args)
        with np.errstate(all="ignore"):
            result = compute(*given, **keywords)
        if isinstance(result, _array.ndarray):
            return result
        return wrap(result, base=args[0] if name in _VIEWS else None)

    call.__name__ = name
    return call


def _bind(
    name: str,
    expected: inspect.Signature | None,
    args: tuple[Any, ...],
    keywords: dict[str, Any],
) -> None:
    if expected is None:
        return
    try:
        expected.bind(*args, **keywords)
    except TypeError as error:
        raise TypeError(f"{name}() {error}") from None


def _empty(shape: Any, dtype: Any = float) -> Any:
    """Filled with what shows when it is read: NaN, or an unlikely integer."""
    found = checked(dtype)
    return np.full(shape, np.nan if found.kind in "fc" else 77 % 256, found)


def _take(a: Any, indices: Any, axis: int | None = None) -> Any:
    return np.take(a, indices, axis, mode="wrap")


def _from_dlpack(source: Any) -> Any:
    """Of what the stand-in itself exports."""
    device = source.__dlpack_device__()
    if device[0] != 2:
        raise TypeError("CPU arrays cannot be directly imported to CuPy.")
    _, values, _ = source.__dlpack__()
    return _array.ndarray._of(values, device[1], None)


_OWN = {"empty": _empty, "take": _take, "from_dlpack": _from_dlpack}
