"""What is carried forward: values with tangents, and the functions that make them.

A handle of `Forward` that depends on a direction is a `Dual`: the inner handle, its
tangent, and its shape. As with `Var`, each `Forward` has a class of its own, so that
nested levels are told apart. The makers below turn a rule, which is written for
cotangents, into an op that computes value and tangent together.
"""

from collections.abc import Callable
from typing import Any

from trivet.contract import Backend, Recorder
from trivet_autodiff import mode
from trivet_autodiff.backward import pull_back
from trivet_autodiff.tape import (
    IN1,
    OUT,
    Binary,
    Pull,
    flat,
    is_tracked_among,
    pick,
    value_of,
)

__all__ = [
    "Dual",
    "new_dual",
    "push_binary",
    "push_general",
    "push_several",
    "push_unary",
]


class Dual:
    """A value and its tangent; derived once for each `Forward`."""

    __slots__ = ("__weakref__", "shape", "tangent", "value")
    value: Any
    tangent: Any
    shape: tuple[int, ...]

    @property
    def dtype(self) -> Any:
        """The inner handle's own dtype object, by which `Backend.floats` is keyed."""
        return self.value.dtype


def new_dual(kind: type[Dual], value: Any, tangent: Any) -> Dual:
    """A value with a tangent of the same shape, dtype and device."""
    dual = kind()
    dual.value = value
    dual.tangent = tangent
    dual.shape = tuple(value.shape)
    return dual


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
        if mode.pauses and mode.is_paused():
            return out
        if vjp is not None:
            tangent = vjp(tangent, {OUT: out, IN1: value}.get(saves))
        return new_dual(kind, out, tangent)

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
        if mode.pauses and mode.is_paused():
            return out
        total = None
        for x, (vjp, saves) in zip((x1, x2), rule, strict=True):
            if x.__class__ is kind:
                part = _fitted(inner, x.tangent, out)
                if vjp is not None:
                    part = vjp(part, pick(saves, *values, out))
                total = part if total is None else inner.add(total, part)
        return new_dual(kind, out, total)

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
        if mode.pauses and mode.is_paused():
            return out
        pairs = record(out, *values, **statics)
        return _with_tangent(recording, kind, out, arrays, pairs)

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
        if mode.pauses and mode.is_paused():
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
    total = None
    for array, pair in zip(flat(arrays), pairs, strict=False):
        if array.__class__ is kind and pair is not None:
            part = _transposed(recording, out, pair, array.tangent)
            total = part if total is None else recording.inner.add(total, part)
    return out if total is None else new_dual(kind, out, total)


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
    dtype = inner.dtype(pulled.value)
    if inner.dtype(tangent) != dtype:
        tangent = inner.astype(tangent, dtype=dtype)
    return pull_back(inner, pulled.node, tangent)[leaf.node[0]]
