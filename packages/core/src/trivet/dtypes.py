"""Data types: Trivet's own dtype values and the one promotion table.

Every backend maps its native dtypes to these, so `x.dtype == tv.float32` means the
same everywhere. Promotion between arrays follows NumPy 2 and the array API standard;
Python scalars are weak: they take the array's dtype where its kind can hold them.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple, NoReturn

from trivet.errors import DTypeError

__all__ = [
    "ANY",
    "BITS",
    "BOOLEAN",
    "COMPLEX",
    "DTYPES",
    "FLOATING",
    "INTEGRAL",
    "NUMERIC",
    "REAL",
    "REAL_FLOATING",
    "STANDARD",
    "DType",
    "Kind",
    "Scalar",
    "as_dtype",
    "bfloat16",
    "bool",
    "can_cast",
    "complex64",
    "complex128",
    "finfo",
    "float16",
    "float32",
    "float64",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "promote",
    "promote_all",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "weak_dtype",
]

Kind = Literal[
    "bool", "signed integer", "unsigned integer", "real floating", "complex floating"
]
_bool = bool  # the module exports a dtype of this name
Scalar = _bool | int | float | complex


class DType:
    """An element type: its standard name, its kind and its width in bits.

    There is one object for each dtype, so that equality is identity, which is quick.

    >>> float32
    trivet.float32
    >>> float32.kind, float32.bits
    ('real floating', 32)
    """

    # By hand, as `Device`: the module dataclasses costs `import trivet` a fifth.
    __slots__ = ("bits", "kind", "name")

    name: str
    kind: Kind
    bits: int

    def __init__(self, name: str, kind: Kind, bits: int) -> None:
        for field, value in (("name", name), ("kind", kind), ("bits", bits)):
            object.__setattr__(self, field, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a dtype cannot be changed: {self!r}.{name}")

    def __repr__(self) -> str:
        return f"trivet.{self.name}"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return as_dtype, (self.name,)

    @property
    def itemsize(self) -> int:
        """Bytes an element takes in host memory.

        >>> DTYPES["float32"].itemsize, DTYPES["bool"].itemsize
        (4, 1)
        """
        return max(self.bits // 8, 1)


bool = DType("bool", "bool", 8)  # the standard's name
int8 = DType("int8", "signed integer", 8)
int16 = DType("int16", "signed integer", 16)
int32 = DType("int32", "signed integer", 32)
int64 = DType("int64", "signed integer", 64)
uint8 = DType("uint8", "unsigned integer", 8)
uint16 = DType("uint16", "unsigned integer", 16)
uint32 = DType("uint32", "unsigned integer", 32)
uint64 = DType("uint64", "unsigned integer", 64)
float16 = DType("float16", "real floating", 16)
bfloat16 = DType("bfloat16", "real floating", 16)
float32 = DType("float32", "real floating", 32)
float64 = DType("float64", "real floating", 64)
complex64 = DType("complex64", "complex floating", 64)
complex128 = DType("complex128", "complex floating", 128)

_SIGNED = (int8, int16, int32, int64)
_UNSIGNED = (uint8, uint16, uint32, uint64)
_FLOATS = (float16, bfloat16, float32, float64)
_COMPLEXES = (complex64, complex128)
DTYPES = {
    dtype.name: dtype for dtype in (bool, *_SIGNED, *_UNSIGNED, *_FLOATS, *_COMPLEXES)
}
STANDARD = tuple(dtype for dtype in DTYPES.values() if dtype not in _FLOATS[:2])

BOOLEAN: frozenset[Kind] = frozenset({"bool"})
INTEGRAL: frozenset[Kind] = frozenset({"signed integer", "unsigned integer"})
REAL_FLOATING: frozenset[Kind] = frozenset({"real floating"})
COMPLEX: frozenset[Kind] = frozenset({"complex floating"})
BITS = BOOLEAN | INTEGRAL
REAL = INTEGRAL | REAL_FLOATING
FLOATING = REAL_FLOATING | COMPLEX
NUMERIC = REAL | COMPLEX
ANY = BOOLEAN | NUMERIC

_KIND_NAMES: dict[str, frozenset[Kind]] = {
    "bool": BOOLEAN,
    "signed integer": frozenset({"signed integer"}),
    "unsigned integer": frozenset({"unsigned integer"}),
    "integral": INTEGRAL,
    "real floating": REAL_FLOATING,
    "complex floating": COMPLEX,
    "numeric": NUMERIC,
}


def as_dtype(obj: object) -> DType:
    """The dtype that `obj` names: a `DType`, a name, or another library's dtype.

    NumPy dtypes and scalar types are understood by their names. Raises `DTypeError`.

    >>> as_dtype("float32")
    trivet.float32
    """
    if isinstance(obj, DType):
        return obj
    name = obj if isinstance(obj, str) else _name_of(obj)
    if name in DTYPES:
        return DTYPES[name]
    raise DTypeError(
        f"{obj!r} is not a dtype that Trivet knows. The dtypes are {', '.join(DTYPES)}."
    )


def _name_of(obj: object) -> str:
    if obj is int:
        return "int64"
    if obj is float:
        return "float64"
    if obj is complex:
        return "complex128"
    name = getattr(obj, "name", None) or getattr(obj, "__name__", None)
    return str(name if name is not None else obj).removeprefix("torch.")


def promote(first: DType, second: DType) -> DType:
    """The dtype that elements of both dtypes fit in, by the promotion table.

    Within a kind the wider wins; signed with unsigned gives the next wider signed
    (float64 past int64); an integer with a float needs a float that holds it exactly
    up to float64; a real with a complex joins. This is NumPy 2's table.

    >>> promote(int8, uint8), promote(int32, float32), promote(bool, float32)
    (trivet.int16, trivet.float64, trivet.float32)
    """
    if second in (first, bool):
        return first
    if first == bool:
        return second
    if first.kind == second.kind:
        return _wider(first, second)
    if first.kind in INTEGRAL and second.kind in INTEGRAL:
        return _join_integers(first, second)
    if first.kind in INTEGRAL:
        return _join_float(first, second)
    if second.kind in INTEGRAL:
        return _join_float(second, first)
    real, cplx = (first, second) if second.kind in COMPLEX else (second, first)
    return complex128 if real == float64 else cplx


def _wider(first: DType, second: DType) -> DType:
    if first.bits == second.bits:  # float16 with bfloat16: neither holds the other
        return float32
    return first if first.bits > second.bits else second


def _join_integers(first: DType, second: DType) -> DType:
    signed, unsigned = (first, second) if first in _SIGNED else (second, first)
    if signed.bits > unsigned.bits:
        return signed
    if unsigned == uint64:
        return float64
    return _SIGNED[_UNSIGNED.index(unsigned) + 1]


def _join_float(integer: DType, other: DType) -> DType:
    if integer.bits == 8:  # every float holds 8-bit integers exactly
        return other
    return promote(float32 if integer.bits == 16 else float64, other)


def weak_dtype(dtype: DType, scalar: Scalar) -> DType:
    """The result dtype of an array of `dtype` with the Python number `scalar`.

    >>> weak_dtype(float32, 2.5), weak_dtype(int8, 2), weak_dtype(int8, 2.5)
    (trivet.float32, trivet.int8, trivet.float64)
    """
    if isinstance(scalar, _bool) or dtype.kind in COMPLEX:
        return dtype
    if isinstance(scalar, int):
        return int64 if dtype == bool else dtype
    if isinstance(scalar, float):
        return dtype if dtype.kind in FLOATING else float64
    if dtype.kind in REAL_FLOATING:
        return complex128 if dtype == float64 else complex64
    return complex128


def can_cast(from_: DType, to: DType) -> _bool:
    """Whether every value of `from_` survives a cast to `to`, by the promotion table.

    >>> can_cast(float32, float64), can_cast(float64, float32)
    (True, False)
    """
    return promote(from_, to) == to


def isdtype(dtype: object, kind: object) -> _bool:
    """Whether `dtype` is of `kind`: a dtype, a kind's name, or a tuple of these.

    The names are the standard's: 'bool', 'signed integer', 'unsigned integer',
    'integral', 'real floating', 'complex floating', 'numeric'. Raises `DTypeError`.

    >>> isdtype(float32, "real floating"), isdtype(int8, ("bool", int16))
    (True, False)
    """
    own = as_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(own, part) for part in kind)
    if isinstance(kind, str) and kind in _KIND_NAMES:
        return own.kind in _KIND_NAMES[kind]
    if isinstance(kind, str) and kind not in DTYPES:
        raise DTypeError(
            f"{kind!r} is not a kind of dtype. The kinds are {', '.join(_KIND_NAMES)}."
        )
    return own == as_dtype(kind)


class FInfo(NamedTuple):
    """The machine limits of a floating dtype, as plain Python numbers."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IInfo(NamedTuple):
    """The limits of an integer dtype, as plain Python integers."""

    bits: int
    max: int
    min: int
    dtype: DType


# mantissa bits and largest exponent, from IEEE 754 (bfloat16: the top half of float32)
_PRECISION = {float16: (10, 15), bfloat16: (7, 127), float32: (23, 127)}
_PRECISION[float64] = (52, 1023)


def finfo(type: object, /) -> FInfo:  # the standard's name
    """Limits of a floating dtype, or of a tensor's dtype; complex gives its parts'.

    Raises `DTypeError` for any other dtype.

    >>> finfo(float32).max, finfo(float32).bits
    (3.4028234663852886e+38, 32)
    """
    dtype = as_dtype(getattr(type, "dtype", type))
    part = {complex64: float32, complex128: float64}.get(dtype, dtype)
    if part not in _PRECISION:
        raise DTypeError(f"finfo takes a floating dtype, not {dtype}; use iinfo.")
    mantissa, exponent = _PRECISION[part]
    largest = (2.0 - 2.0**-mantissa) * 2.0**exponent
    smallest = 2.0 ** (1 - exponent)
    return FInfo(part.bits, 2.0**-mantissa, largest, -largest, smallest, part)


def iinfo(type: object, /) -> IInfo:  # the standard's name
    """Limits of an integer dtype, or of a tensor's dtype. Raises `DTypeError`.

    >>> iinfo(int8).min, iinfo(uint8).max
    (-128, 255)
    """
    dtype = as_dtype(getattr(type, "dtype", type))
    if dtype.kind not in INTEGRAL:
        raise DTypeError(f"iinfo takes an integer dtype, not {dtype}; use finfo.")
    if dtype in _UNSIGNED:
        return IInfo(dtype.bits, 2**dtype.bits - 1, 0, dtype)
    half = 2 ** (dtype.bits - 1)
    return IInfo(dtype.bits, half - 1, -half, dtype)


def promote_all(dtypes: Iterable[DType]) -> DType:
    """`promote` over one or more dtypes, whose order is of no account.

    Floats come before integers, since each integer alone asks for less than all do.

    >>> promote_all([int8, uint16, float32])
    trivet.float32
    """
    first, *rest = sorted(dtypes, key=lambda dtype: dtype.kind in INTEGRAL)
    for dtype in rest:
        first = promote(first, dtype)
    return first
