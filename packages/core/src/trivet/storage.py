"""Tensors in files: `tv.save` and `tv.load`, in the safetensors format.

The one module that touches safetensors, which the extra `trivet[safetensors]` installs.
It is imported when a file is written or read, never before.
"""

from collections.abc import Mapping
from os import PathLike
from types import ModuleType
from typing import Any

from trivet.contract import Device
from trivet.convert import supported, untracked
from trivet.dispatch import wrap
from trivet.dtypes import DTYPES
from trivet.errors import ArgumentError, ConversionError
from trivet.failures import describe
from trivet.plugins import device_of, resolve
from trivet.tensor import Tensor

__all__ = ["load", "save"]

# what the format calls our dtypes; it has no complex128
_NAMES = {
    "BOOL": "bool",
    "I8": "int8",
    "I16": "int16",
    "I32": "int32",
    "I64": "int64",
    "U8": "uint8",
    "U16": "uint16",
    "U32": "uint32",
    "U64": "uint64",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "C64": "complex64",
}


def save(path: str | PathLike[str], tensors: Mapping[str, Tensor[Any]], /) -> None:
    """Write named tensors to a file in the safetensors format.

    The file keeps names, shapes, dtypes and values, not backends, devices and
    gradients; PyTorch, JAX and others read it. An existing file is replaced. Raises
    `ConversionError` for what is no tensor, for complex128, and without safetensors;
    `ArgumentError` for what is no mapping.

    >>> import tempfile
    >>> import trivet as tv
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tv.save(f"{folder}/w.safetensors", {"w": tv.asarray([1.0, 2.0])})
    ...     tv.load(f"{folder}/w.safetensors")["w"].tolist()
    [1.0, 2.0]
    """
    import ctypes  # three milliseconds that `import trivet` need not pay

    if not isinstance(tensors, Mapping):
        raise ArgumentError(
            f"save: {describe(tensors)} is not a mapping of names to tensors. Call "
            'tv.save(path, {"name": tensor}).'
        )
    library = _library("save")
    held = {name: _data(name, x) for name, x in tensors.items()}
    specs = {
        name: library.TensorSpec(
            dtype=tensors[name].dtype.name,
            shape=list(tensors[name].shape),
            data_ptr=ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value,
            data_len=len(data),
        )
        for name, data in held.items()
    }
    library.serialize_file(specs, str(path))


def load(
    path: str | PathLike[str],
    /,
    *,
    backend: Any = None,
    device: Device | str | None = None,
) -> dict[str, Tensor[Any]]:
    """The named tensors in a file of the safetensors format, on a backend's device.

    Without `backend` the default one is used. Raises `ConversionError` for a file of
    another format or without safetensors, `DTypeError` where the backend lacks a dtype,
    and `FileNotFoundError`.

    >>> import trivet as tv
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tv.save(f"{folder}/model.safetensors", {"w": tv.ones(2)})
    ...     tv.load(f"{folder}/model.safetensors")["w"].tolist()
    [1.0, 1.0]
    """
    library = _library("load")
    found = resolve(backend)
    place = device_of(found, device)
    with open(path, "rb") as file:  # noqa: PTH123  # pathlib is slow to import
        data = file.read()
    try:
        entries = library.deserialize(data)
    except library.SafetensorError as error:
        raise ConversionError(
            f"load: {path} is not a file in the safetensors format ({error}). Such "
            "files are written by tv.save."
        ) from error
    return {name: _loaded(name, entry, found, place) for name, entry in entries}


def _library(op: str) -> ModuleType:
    try:
        import safetensors
    except ImportError as error:
        raise ConversionError(
            f"{op}: safetensors is not installed. Install it with pip install "
            '"trivet[safetensors]".'
        ) from error
    return safetensors


def _data(name: str, x: Any) -> bytes:
    if not isinstance(x, Tensor):
        raise ConversionError(
            f"save: {name!r} is a {type(x).__module__}.{type(x).__qualname__}, not a "
            "tensor. Call tv.asarray(...) on it first."
        )
    if x.dtype.name not in _NAMES.values():
        raise ConversionError(
            f"save: {name!r} has the dtype {x.dtype}, which the safetensors format "
            "does not have. Save tv.real(x) and tv.imag(x), or cast with .astype(...)."
        )
    return bytes(x.backend.to_host(untracked(x)))


def _loaded(name: str, entry: Any, backend: Any, device: Device) -> Tensor[Any]:
    if entry["dtype"] not in _NAMES:
        raise ConversionError(
            f"load: {name!r} has the dtype {entry['dtype']}, which Trivet does not "
            f"have. It reads {', '.join(_NAMES)}."
        )
    dtype = supported(backend, device, DTYPES[_NAMES[entry["dtype"]]])
    shape = tuple(entry["shape"])
    handle = backend.from_host(entry["data"], shape=shape, dtype=dtype, device=device)
    return wrap(handle, backend)
