"""Turns what went wrong inside a backend into an error that names op and operands.

Runs only after a failure, so it may look at everything again: the operands' types,
shapes and dtypes, in the order in which a user would check them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from trivet.arguments import flag, integer, real
from trivet.contract import OPS, Backend
from trivet.dtypes import DType, promote_all, weak_dtype
from trivet.errors import (
    ArgumentError,
    BackendMismatchError,
    DTypeError,
    ShapeError,
    TensorIndexError,
    TrivetError,
    UnsupportedOpError,
)
from trivet.shapes import basic_region, broadcast

__all__ = [
    "changed",
    "describe",
    "fail",
    "mismatch",
    "not_a_tensor",
    "require_dynamic",
    "wrong_dtype",
]

_BROADCASTING = {
    "bitwise",
    "closeness",
    "comparison",
    "elementwise",
    "special",
    "trigonometric",
}
_TYPES = {bool: flag, float: real, int: integer}


def describe(operand: Any) -> str:
    """An operand in a few words: `float32(2, 3) on ndarray/cpu`, or its type.

    >>> describe(2.0)
    'the number 2.0'
    """
    backend = getattr(operand, "backend", None)
    if isinstance(backend, Backend):
        where = f"{backend.name}/{operand.device}"
        return f"{operand.dtype}{operand.shape} on {where}"
    if isinstance(operand, int | float | complex):
        return f"the number {operand!r}"
    return f"a {type(operand).__module__}.{type(operand).__qualname__}"


def not_a_tensor(op: str, place: int, operand: Any) -> ArgumentError:
    """The error for an operand that is neither a tensor nor a number."""
    number = ("first", "second", "third")[place] if place < 3 else f"{place + 1}th"
    return ArgumentError(
        f"{op}: the {number} operand is {describe(operand)}, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


def mismatch(
    op: str, backend: Backend[Any], operand: Any, operands: Sequence[Any]
) -> BackendMismatchError:
    """The error for tensors of two backends, neither of which wraps the other."""
    first = next(x for x in operands if getattr(x, "backend", None) is backend)
    return BackendMismatchError(
        f"{op}: {describe(first)} and {describe(operand)} are tensors of two backends. "
        f"Nothing is moved silently: {_meeting(backend.name, operand.backend.name)}"
    )


def _meeting(first: str, second: str) -> str:
    """What to do about tensors of two backends, which may be two of one name."""
    if first == second:
        return (
            f"both backends are called {first!r} and are two objects. Make one and use "
            "it for both, or call x.to_backend(y.backend)."
        )
    return (
        f"call .to_backend({first!r}) on the one or .to_backend({second!r}) on the "
        "other."
    )


def wrong_dtype(op: str, dtype: DType) -> DTypeError:
    """The error for a dtype of a kind that the op does not take."""
    kinds = " or ".join(sorted(OPS[op].kinds))
    return DTypeError(
        f"{op}: the dtype {dtype} is not one that this op takes; it takes {kinds}. "
        "Cast with .astype(...)."
    )


def changed(op: str, x: Any, result: Any) -> TrivetError:
    """The error for an in-place operator that would change its tensor."""
    instead = f"write x = tv.{op}(x, y) for the result as it is"
    if result.dtype is not x.dtype:
        return DTypeError(
            f"{op}: in place, {describe(x)} would become {result.dtype}. An in-place "
            f"operator keeps the dtype: {instead}, or cast the other operand with "
            ".astype(...)."
        )
    return ShapeError(
        f"{op}: in place, {describe(x)} would get the shape {result.shape}. An "
        f"in-place operator keeps the shape: {instead}."
    )


def require_dynamic(op: str, x: Any, instead: str) -> None:
    """Raise `UnsupportedOpError` where a shape may not depend on the values of `x`."""
    if not x.backend.data_dependent_shapes:
        raise UnsupportedOpError(
            f"{op}: the shape of the result would depend on the values of "
            f"{describe(x)}, and this backend's shapes may not. {instead}, or move the "
            "tensor to another backend: .to_backend(...)."
        )


def fail(
    op: str, error: Exception, operands: Sequence[Any], statics: Mapping[str, Any]
) -> NoReturn:
    """Raise what explains `error` best: a Trivet error, or `error` with a note."""
    if isinstance(error, TrivetError):
        raise error
    tensors = [x for x in operands if isinstance(getattr(x, "backend", None), Backend)]
    if len(tensors) < len(operands):
        _check_operands(op, operands)
    _check_key(error, tensors, statics)
    _check_shapes(op, error, operands)
    _check_dtypes(op, error, operands, tensors)
    _check_together(op, error, operands, tensors)
    _check_statics(op, error, statics)
    _check_support(op, error, tensors)
    if isinstance(error, IndexError):
        raise TensorIndexError(f"{op}: {error}") from error
    listed = ", ".join(describe(x) for x in operands)
    given = "".join(f", {name}={value!r}" for name, value in statics.items())
    note = f"in the op {op} of {listed}{given}"
    if error.__class__ in {ValueError, TypeError}:  # a library's words name no op
        named = ArgumentError(f"{op}: {error}")
        named.add_note(note)
        raise named from error
    error.add_note(note)
    raise error


def _check_operands(op: str, operands: Sequence[Any]) -> None:
    for place, operand in enumerate(operands):
        tensor = isinstance(getattr(operand, "backend", None), Backend)
        if not tensor and not isinstance(operand, int | float | complex):
            raise not_a_tensor(op, place, operand)


def _check_key(
    error: Exception, tensors: Sequence[Any], statics: Mapping[str, Any]
) -> None:
    if "key" in statics and tensors:
        try:
            basic_region(tensors[0].shape, statics["key"])
        except TensorIndexError as better:
            raise better from error


def _check_shapes(op: str, error: Exception, operands: Sequence[Any]) -> None:
    shapes = [getattr(x, "shape", ()) for x in operands]
    if op in OPS and OPS[op].family in _BROADCASTING:
        try:
            broadcast(op, *filter(None, shapes))
        except ShapeError as better:
            raise better from error
    if op == "matmul":
        _check_matmul(error, *shapes)


def _check_matmul(
    error: Exception, left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    if not left or not right:
        raise ShapeError(
            f"matmul: the shapes are {left} and {right}, and neither may be (). "
            "Multiply by a number with *."
        ) from error
    rows = right[-2] if len(right) > 1 else right[-1]
    if left[-1] != rows:
        raise ShapeError(
            f"matmul: the shapes {left} and {right} do not fit: the last axis of the "
            f"first has {left[-1]} elements, and the second needs {rows} there."
        ) from error
    try:
        broadcast("matmul", left[:-2], right[:-2])
    except ShapeError as better:
        raise better from error


def _check_dtypes(
    op: str, error: Exception, operands: Sequence[Any], tensors: Sequence[Any]
) -> None:
    if op in OPS:
        for tensor in tensors:
            if tensor.dtype.kind not in OPS[op].kinds:
                raise wrong_dtype(op, tensor.dtype) from error
    if isinstance(error, OverflowError) and tensors:
        number = next((x for x in operands if isinstance(x, int)), None)
        raise DTypeError(
            f"{op}: the number {number} does not fit the dtype {tensors[0].dtype}. A "
            "Python number takes the tensor's dtype: cast the tensor with "
            ".astype(...) first."
        ) from error


def _check_together(
    op: str, error: Exception, operands: Sequence[Any], tensors: Sequence[Any]
) -> None:
    """Refuse dtypes that the op takes one by one, but not what they promote to."""
    if op not in OPS or OPS[op].family not in _BROADCASTING or len(operands) < 2:
        return
    joined = promote_all(x.dtype for x in tensors)
    for number in (x for x in operands if isinstance(x, int | float | complex)):
        joined = weak_dtype(joined, number)
    if joined.kind not in OPS[op].kinds:
        listed = " and ".join(describe(x) for x in operands)
        kinds = " or ".join(sorted(OPS[op].kinds))
        raise DTypeError(
            f"{op}: {listed} come together as {joined}, which this op does not take; "
            f"it takes {kinds}. Cast one of them with .astype(...)."
        ) from error


def _check_statics(op: str, error: Exception, statics: Mapping[str, Any]) -> None:
    """Refuse a static that is not of the type that the contract says."""
    if op not in OPS:
        return
    parameters = OPS[op].signature.parameters
    try:
        for name, value in statics.items():
            check = _TYPES.get(parameters[name].annotation)
            if check is not None:
                check(op, name, value)
    except ArgumentError as better:
        raise better from error


def _check_support(op: str, error: Exception, tensors: Sequence[Any]) -> None:
    if not tensors or op not in OPS or not isinstance(error, NotImplementedError):
        return
    backend = tensors[0].backend
    if backend.support(op) == "missing":
        raise UnsupportedOpError(
            f"the backend {backend.name} has no op {op}. Move the tensors to a backend "
            "that has it: .to_backend(...)."
        ) from error
