"""What is carried forward: values with tangents, and the functions that make them.

A handle of `Forward` that depends on a direction is a `Dual`: the inner handle, its
tangent, and its shape. As with `Var`, each `Forward` has a class of its own, so that
nested levels are told apart. And each direction has a mark: duals of two directions
never meet, whatever a function has kept or handed to a thread. The makers below turn a
rule, which is written for cotangents, into an op that computes value and tangent
together.
"""

from collections.abc import Callable, Iterable
from typing import Any

from trivet.contract import Backend, Recorder
from trivet.dtypes import COMPLEX, FLOATING
from trivet.errors import DeviceMismatchError, GradientError, TangentError
from trivet_autodiff.backward import pull_back
from trivet_autodiff.complexes import cast
from trivet_autodiff.mode import PAUSES, is_paused
from trivet_autodiff.recorders import pick
from trivet_autodiff.tape import (
    IN1,
    OUT,
    Binary,
    Pull,
    flat,
    is_tracked_among,
    value_of,
)

__all__ = [
    "Dual",
    "new_dual",
    "push_binary",
    "push_general",
    "push_linear",
    "push_several",
    "push_unary",
    "stray",
]


class Dual:
    """A value and its tangent; derived once for each `Forward`."""

    __slots__ = ("__weakref__", "mark", "shape", "tangent", "value")
    value: Any
    tangent: Any
    mark: object
    shape: tuple[int, ...]

    @property
    def dtype(self) -> Any:
        """The inner handle's own dtype object, by which `Backend.floats` is keyed."""
        return self.value.dtype


def new_dual(kind: type[Dual], value: Any, tangent: Any, mark: object) -> Dual:
    """A value with a tangent of the same shape, dtype and device."""
    dual = kind()
    dual.value = value
    dual.tangent = tangent
    dual.mark = mark
    dual.shape = tuple(value.shape)
    return dual


def cast_tangent(inner: Backend[Any], x: Any, tangent: Any) -> Any:
    """A tangent in the dtype of the handle `x`, both of the inner backend.

    Raises `TangentError` unless both are floating and of one shape, and for a complex
    one of a real tensor; and `DeviceMismatchError` for two devices.
    """
    dtype, own = inner.dtype(x), inner.dtype(tangent)
    for what, found in (("tensor", dtype), ("tangent", own)):
        if found.kind not in FLOATING:
            raise TangentError(
                f"forward: the {what} has dtype {found}, and only floating dtypes have "
                "derivatives. Cast it, for example with .astype(tv.float32)."
            )
    if own.kind in COMPLEX and dtype.kind not in COMPLEX:
        raise TangentError(
            f"forward: the tangent has dtype {own}, and one of a tensor of dtype "
            f"{dtype} is real floating. Take its real part with tv.real(...)."
        )
    shape, given = tuple(x.shape), tuple(tangent.shape)
    if shape != given:
        raise TangentError(
            f"forward: the tangent has shape {given}, and the tensor has {shape}. They "
            "must be the same."
        )
    here, there = inner.device(x), inner.device(tangent)
    if here != there:
        raise DeviceMismatchError(
            f"forward: the tensor is on {here} and the tangent on {there}. Nothing is "
            f'moved silently: call .to_device("{here}") on the tangent.'
        )
    return tangent if own == dtype else inner.astype(tangent, dtype=dtype)


def _mark_of(kind: type[Dual], arrays: Iterable[Any]) -> object:
    """The mark that the duals among the arrays share. Raises `GradientError`."""
    marks = {id(x.mark): x.mark for x in arrays if x.__class__ is kind}
    if len(marks) > 1:
        raise stray()
    return next(iter(marks.values()))


def stray() -> GradientError:
    """The error for a dual where another direction is followed."""
    return GradientError(
        "jvp: a tensor of another direction is used here. It was kept from an earlier "
        "run, or handed to a thread that does not share the context. Use "
        "stop_gradient on it if it should count as a constant."
    )


def push_unary(
    kind: type[Dual], function: Callable[[Any], Any], vjp: Pull, saves: str
) -> Callable[[Any], Any]:
    """The form of an elementwise function of one array that carries tangents along.

    Its Jacobian is diagonal and so its own transpose: the vjp takes tangents too.
    """

    def op(x: Any, /) -> Any:
        if x.__class__ is not kind:
            return function(x)
        value, tangent = x.value, x.tangent
        out = function(value)
        if PAUSES and is_paused():
            return out
        if vjp is not None:
            tangent = vjp(tangent, {OUT: out, IN1: value}.get(saves))
        return new_dual(kind, out, tangent, x.mark)

    return op


def push_binary(
    inner: Backend[Any],
    kind: type[Dual],
    function: Callable[[Any, Any], Any],
    rule: Binary,
) -> Callable[[Any, Any], Any]:
    """The same for two operands, which broadcast: their contributions are added."""

    def op(x1: Any, x2: Any, /) -> Any:
        if x1.__class__ is not kind and x2.__class__ is not kind:
            return function(x1, x2)
        values = value_of(kind, x1), value_of(kind, x2)
        out = function(*values)
        if PAUSES and is_paused():
            return out
        mark, total = _mark_of(kind, (x1, x2)), None
        for x, (vjp, saves) in zip((x1, x2), rule, strict=True):
            if x.__class__ is kind:
                part = _fitted(inner, x.tangent, out)
                if vjp is not None:
                    part = vjp(part, pick(saves, *values, out))
                total = part if total is None else inner.add(total, part)
        return new_dual(kind, out, total, mark)

    return op


def _fitted(inner: Backend[Any], tangent: Any, out: Any) -> Any:
    """The tangent of an operand, repeated and cast as the operand itself was."""
    dtype, shape = inner.dtype(out), tuple(out.shape)
    if inner.dtype(tangent) != dtype:
        tangent = inner.astype(tangent, dtype=dtype)
    if tuple(tangent.shape) != shape:
        tangent = inner.broadcast_to(tangent, shape=shape)
    return tangent


def push_general(
    recording: Recorder[Any],
    kind: type[Dual],
    function: Callable[..., Any],
    record: Callable[..., Any],
) -> Callable[..., Any]:
    """The same for any other op, by transposing its vjps.

    `record` is that of `record_general`, with vjps that run on `recording`, which wraps
    the backend of the values. A vjp is linear in its cotangent, so its own pullback is
    the Jacobian, whatever the cotangent at which it was recorded.
    """

    def op(*arrays: Any, **statics: Any) -> Any:
        if not is_tracked_among(kind, arrays):
            return function(*arrays, **statics)
        values = [value_of(kind, array) for array in arrays]
        out = function(*values, **statics)
        if PAUSES and is_paused():
            return out
        pairs = record(out, *values, **statics)
        return _with_tangent(recording, kind, out, arrays, pairs)

    return op


def push_linear(
    inner: Backend[Any],
    kind: type[Dual],
    function: Callable[..., Any],
    record: Callable[..., Any],
) -> Callable[..., Any]:
    """The same for an op that is linear in each array: the op itself takes tangents.

    `record` tells by which arrays it is differentiated.
    """

    def op(*arrays: Any, **statics: Any) -> Any:
        if not is_tracked_among(kind, arrays):
            return function(*arrays, **statics)
        values = [value_of(kind, array) for array in arrays]
        out = function(*values, **statics)
        if PAUSES and is_paused():
            return out
        pairs = record(out, *values, **statics)
        mark, total = _mark_of(kind, arrays), None
        for at, (array, pair) in enumerate(zip(arrays, pairs, strict=False)):
            if array.__class__ is kind and pair is not None:
                moved = (*values[:at], array.tangent, *values[at + 1 :])
                part = function(*moved, **statics)
                total = part if total is None else inner.add(total, part)
        return out if total is None else new_dual(kind, out, total, mark)

    return op


def push_several(
    recording: Recorder[Any],
    kind: type[Dual],
    function: Callable[..., Any],
    record: Callable[..., Any],
) -> Callable[..., Any]:
    """The same for an op with several results; `record` is that of `record_several`."""

    def op(*arrays: Any, **statics: Any) -> Any:
        if not is_tracked_among(kind, arrays):
            return function(*arrays, **statics)
        values = [value_of(kind, array) for array in arrays]
        outs = function(*values, **statics)
        if PAUSES and is_paused():
            return outs
        rows = record(outs, *values, **statics)
        return tuple(
            _with_tangent(recording, kind, out, arrays, pairs)
            for out, pairs in zip(outs, rows, strict=True)
        )

    return op


def _with_tangent(
    recording: Recorder[Any],
    kind: type[Dual],
    out: Any,
    arrays: tuple[Any, ...],
    pairs: Any,
) -> Any:
    members = flat(arrays)
    mark, total = _mark_of(kind, members), None
    for array, pair in zip(members, pairs, strict=False):
        if array.__class__ is kind and pair is not None:
            part = _transposed(recording, out, pair, array.tangent)
            total = part if total is None else recording.inner.add(total, part)
    return out if total is None else new_dual(kind, out, total, mark)


def _transposed(
    recording: Recorder[Any], out: Any, pair: tuple[Pull, Any], tangent: Any
) -> Any:
    """The Jacobian times the tangent of one array: the pullback of the vjp."""
    vjp, saved = pair
    if vjp is None:
        return tangent
    inner, shape = recording.inner, tuple(out.shape)
    leaf = recording.require_grad(inner.filled_like(out, 0, shape))
    pulled = vjp(leaf, saved)
    if not recording.is_tracked(pulled):
        return inner.filled_like(out, 0, shape)
    tangent = cast(inner, tangent, inner.dtype(pulled.value))
    found = pull_back(inner, pulled.node, tangent, transposed=True)
    return found[leaf.node[0]]
