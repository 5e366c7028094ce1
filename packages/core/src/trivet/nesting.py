"""Nested Python sequences as shapes and numbers, and numbers as bytes.

`convert` makes tensors of them; no array is touched here.
"""

import math
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from trivet import dtypes
from trivet.contract import DefaultDTypes
from trivet.dtypes import DType, Scalar
from trivet.errors import ConversionError, DTypeError

__all__ = [
    "FORMATS",
    "NESTING",
    "are_plain",
    "default_dtype",
    "fitting",
    "flattened",
    "leaves",
    "number",
    "packed",
]

FORMATS = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "float16": "e",
    "float32": "f",
    "float64": "d",
    "complex64": "f",
    "complex128": "d",
}
NESTING = (list, tuple, range)


def leaves(item: Any) -> Iterator[Any]:
    """What nested sequences hold, in C order."""
    if not isinstance(item, NESTING):
        yield item
        return
    for inner in item:
        yield from leaves(inner)


def flattened(obj: Any) -> tuple[tuple[int, ...], list[Scalar]]:
    """The shape of nested sequences, and their numbers in C order."""
    shape: list[int] = []
    level: list[Any] = [obj]
    while not are_plain(level) and any(isinstance(i, NESTING) for i in level):
        level = [_opened(item) for item in level]
        sizes = [len(item) if isinstance(item, NESTING) else None for item in level]
        if len(set(sizes)) > 1:
            raise _ragged(len(shape), sizes)
        shape.append(sizes[0] or 0)
        level = [inner for item in level for inner in item]
        if not level:
            break
        level = level if are_plain(level) else [_opened(item) for item in level]
    return tuple(shape), level if are_plain(level) else [number(i) for i in level]


def are_plain(items: Sequence[Any]) -> bool:
    """Whether all are Python's own numbers: long lists mostly are."""
    return {bool, int, float, complex}.issuperset(map(type, items))


def _opened(item: Any) -> Any:
    """Other libraries' arrays inside lists, as lists."""
    if getattr(item, "shape", None) and hasattr(item, "tolist"):
        return item.tolist()
    return item


def _ragged(depth: int, sizes: Sequence[int | None]) -> ConversionError:
    other = next(i for i, size in enumerate(sizes) if size != sizes[0])

    def words(size: int | None) -> str:
        return "a number" if size is None else f"a sequence of length {size}"

    return ConversionError(
        f"asarray: the nested sequences are ragged: at depth {depth}, item 0 is "
        f"{words(sizes[0])} and item {other} is {words(sizes[other])}. Every row must "
        "have the same length."
    )


def number(item: Any) -> Scalar:
    """A Python number, or another library's scalar as one. `ConversionError` if not."""
    if isinstance(item, bool | int | float | complex):
        return item
    if getattr(item, "shape", None) == () and hasattr(item, "item"):
        return item.item()  # type: ignore[no-any-return]
    raise ConversionError(
        f"asarray: a {type(item).__module__}.{type(item).__qualname__} cannot become a "
        "tensor. Give numbers, nested lists of numbers, or an array."
    )


def default_dtype(flat: Sequence[Scalar], defaults: DefaultDTypes) -> DType:
    """The dtype that Python numbers get where none is given."""
    kinds = set(map(type, flat))
    if any(issubclass(kind, complex) for kind in kinds):
        return defaults.complex_floating
    if not flat or any(issubclass(kind, float) for kind in kinds):
        return defaults.real_floating
    if kinds == {bool}:
        return dtypes.bool
    return defaults.integral


def packed(flat: Sequence[Scalar], dtype: DType) -> bytes:
    """The numbers as the bytes of an array. Raises `DTypeError` for one too large."""
    code = FORMATS[dtype.name]
    if dtype.kind in dtypes.REAL_FLOATING and set(map(type, flat)) == {float}:
        with suppress(OverflowError):
            return struct.pack(f"={len(flat)}{code}", *flat)
    numbers = [fitting("asarray", item, dtype) for item in flat]
    if dtype.kind == "complex floating":
        numbers = [part for z in numbers for part in (z.real, z.imag)]
    try:
        return struct.pack(f"={len(numbers)}{code}", *numbers)
    except OverflowError:  # a finite float past the dtype's range rounds to infinity
        largest = dtypes.finfo(dtype).max
        numbers = [
            math.copysign(math.inf, n) if abs(n) > largest else n for n in numbers
        ]
        return struct.pack(f"={len(numbers)}{code}", *numbers)


def fitting(op: str, item: Scalar, dtype: DType) -> Any:
    """The number as one that `dtype` holds. Raises `DTypeError` where it does not.

    >>> fitting("full", 2, dtypes.float32)
    2.0
    """
    if dtype == dtypes.bool:
        return bool(item)
    if dtype.kind == "complex floating":
        return complex(item)
    if isinstance(item, complex):
        raise DTypeError(f"{op}: the complex number {item} does not fit {dtype}.")
    if dtype.kind not in dtypes.INTEGRAL:
        return float(item)
    limits = dtypes.iinfo(dtype)
    whole = item if isinstance(item, int) or math.isfinite(item) else math.inf
    if not limits.min - 1 < whole < limits.max + 1:
        raise DTypeError(
            f"{op}: the number {item} does not fit {dtype}, which holds "
            f"{limits.min} to {limits.max}."
        )
    return int(item)
