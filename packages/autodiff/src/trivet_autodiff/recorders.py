"""The functions that stand for ops: each computes, and records if need be.

They spell out cases that a loop would cover, because this is the price of every op.
What they record is in `tape`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.mode import PAUSES, is_paused
from trivet_autodiff.tape import (
    IN1,
    IN2,
    NOTHING,
    OUT,
    Binary,
    Pull,
    Var,
    flat,
    is_tracked_among,
    new_number,
    value_of,
)

__all__ = [
    "pick",
    "record_at_once",
    "record_binary",
    "record_general",
    "record_one",
    "record_several",
    "record_two",
    "record_unary",
    "unbroadcast",
]


def record_unary(
    kind: type[Var], function: Callable[[Any], Any], vjp: Pull, saves: str
) -> Callable[[Any], Any]:
    """The recording form of an elementwise function of one array."""
    record = {OUT: _saving_out, IN1: _saving_in, NOTHING: _saving_nothing}[saves]
    return record(kind, function, vjp)


def _saving_out(
    kind: type[Var], function: Callable[[Any], Any], vjp: Pull
) -> Callable[[Any], Any]:
    def op(x: Any, /) -> Any:
        if x.__class__ is not kind:
            return function(x)
        var = kind()
        out = var.value = function(x.value)
        if PAUSES and is_paused():
            return out
        var.shape = x.shape
        var.node = (new_number(), x.node, vjp, out)
        return var

    return op


def _saving_in(
    kind: type[Var], function: Callable[[Any], Any], vjp: Pull
) -> Callable[[Any], Any]:
    def op(x: Any, /) -> Any:
        if x.__class__ is not kind:
            return function(x)
        value = x.value
        var = kind()
        out = var.value = function(value)
        if PAUSES and is_paused():
            return out
        var.shape = x.shape
        var.node = (new_number(), x.node, vjp, value)
        return var

    return op


def _saving_nothing(
    kind: type[Var], function: Callable[[Any], Any], vjp: Pull
) -> Callable[[Any], Any]:
    def op(x: Any, /) -> Any:
        if x.__class__ is not kind:
            return function(x)
        var = kind()
        out = var.value = function(x.value)
        if PAUSES and is_paused():
            return out
        var.shape = x.shape
        var.node = (new_number(), x.node, vjp, None)
        return var

    return op


def record_binary(
    inner: Backend[Any],
    kind: type[Var],
    function: Callable[[Any, Any], Any],
    rule: Binary,
) -> Callable[[Any, Any], Any]:
    """The recording form of an elementwise function of two operands, which broadcast.

    Which cotangents are needed, and whether they must be summed back to a smaller
    shape, is known here; the backward pass does not ask again.
    """
    (vjp1, saves1), (vjp2, saves2) = rule
    wide1, wide2 = _summing(inner, vjp1), _summing(inner, vjp2)
    pick1, pick2 = _picker(saves1), _picker(saves2)
    other1, other2 = saves1 == IN2, saves2 == IN1

    def op(x1: Any, x2: Any, /) -> Any:
        if x1.__class__ is kind:
            a = x1.value
            if x2.__class__ is kind:
                b = x2.value
                var = kind()
                out = var.value = function(a, b)
                if PAUSES and is_paused():
                    return out
                saved1 = b if other1 else pick1 and pick1(a, b, out)
                saved2 = a if other2 else pick2 and pick2(a, b, out)
                shape1, shape2, node1, node2 = x1.shape, x2.shape, x1.node, x2.node
                if shape1 == shape2:
                    var.shape = shape1
                    var.node = (new_number(), node1, vjp1, saved1, node2, vjp2, saved2)
                    return var
                var.shape = shape = out.shape
                pull1, pull2 = vjp1, vjp2
                if shape1 != shape:
                    pull1, saved1 = wide1, (saved1, shape1)
                if shape2 != shape:
                    pull2, saved2 = wide2, (saved2, shape2)
                var.node = (new_number(), node1, pull1, saved1, node2, pull2, saved2)
                return var
            out = function(a, x2)
            if PAUSES and is_paused():
                return out
            saved = x2 if other1 else pick1 and pick1(a, x2, out)
            own, vjp, wide, node = x1.shape, vjp1, wide1, x1.node
        elif x2.__class__ is kind:
            b = x2.value
            out = function(x1, b)
            if PAUSES and is_paused():
                return out
            saved = x1 if other2 else pick2 and pick2(x1, b, out)
            own, vjp, wide, node = x2.shape, vjp2, wide2, x2.node
        else:
            return function(x1, x2)
        var = kind()
        var.value = out
        var.shape = shape = out.shape
        if own == shape:
            var.node = (new_number(), node, vjp, saved)
        else:
            var.node = (new_number(), node, wide, (saved, own))
        return var

    return op


_PICKERS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "x1": lambda a, b, out: a,
    "x2": lambda a, b, out: b,
    "out": lambda a, b, out: out,
    "x1 x2": lambda a, b, out: (a, b),
    "x1 out": lambda a, b, out: (a, out),
    "x2 out": lambda a, b, out: (b, out),
    "x1 x2 out": lambda a, b, out: (a, b, out),
}


def _picker(saves: str) -> Callable[[Any, Any, Any], Any] | None:
    """What is kept of operands and result; the commonest cases stand above."""
    return None if saves == NOTHING else _PICKERS[saves]


def pick(saves: str, a: Any, b: Any, out: Any) -> Any:
    """What a vjp that declares `saves` gets of the operands and the result."""
    return None if saves == NOTHING else _PICKERS[saves](a, b, out)


def _summing(inner: Backend[Any], vjp: Pull) -> Pull:
    """The vjp followed by a sum back to the operand's own shape."""
    if vjp is None:
        return lambda g, saved: unbroadcast(inner, g, saved[1])
    return lambda g, saved: unbroadcast(inner, vjp(g, saved[0]), saved[1])


def unbroadcast(inner: Backend[Any], g: Any, shape: tuple[int, ...]) -> Any:
    """A cotangent summed over the axes along which its operand was repeated."""
    wide = tuple(g.shape)
    if wide == shape:
        return g
    extra = len(wide) - len(shape)
    if wide[extra:] == shape:  # as when a row was added to a matrix
        axes = tuple(range(extra))
        return inner.sum(g, axis=axes, dtype=None, keepdims=False)
    axes = tuple(range(extra)) + tuple(
        i + extra for i, n in enumerate(shape) if n == 1 and wide[i + extra] != 1
    )
    total = inner.sum(g, axis=axes, dtype=None, keepdims=False)
    return total if tuple(total.shape) == shape else inner.reshape(total, shape=shape)


def record_one(
    kind: type[Var],
    function: Callable[..., Any],
    record: Callable[..., Any],
) -> Callable[..., Any]:
    """The recording form of an op of one array and what else it needs.

    `record(out, x, **statics)` is called with inner handles when the array is tracked.
    It returns the pair `(vjp, saved)`, or `None` where no gradient flows, in a tuple.
    """

    def op(x: Any, /, **statics: Any) -> Any:
        if x.__class__ is not kind:
            return function(x, **statics)
        value = x.value
        out = function(value, **statics)
        if PAUSES and is_paused():
            return out
        (pair,) = record(out, value, **statics)
        if pair is None:
            return out
        var = kind()
        var.value = out
        var.shape = tuple(out.shape)
        var.node = (new_number(), x.node, *pair)
        return var

    return op


def record_two(
    kind: type[Var],
    function: Callable[..., Any],
    record: Callable[..., Any],
) -> Callable[..., Any]:
    """`record_one` for an op of two arrays; `record` returns one pair for each."""

    def op(x1: Any, x2: Any, /, **statics: Any) -> Any:
        tracked1, tracked2 = x1.__class__ is kind, x2.__class__ is kind
        if not (tracked1 or tracked2):
            return function(x1, x2, **statics)
        a, b = x1.value if tracked1 else x1, x2.value if tracked2 else x2
        out = function(a, b, **statics)
        if PAUSES and is_paused():
            return out
        pair1, pair2 = record(out, a, b, **statics)
        if not tracked1 or pair1 is None:
            if not tracked2 or pair2 is None:
                return out
            node = (new_number(), x2.node, *pair2)
        elif not tracked2 or pair2 is None:
            node = (new_number(), x1.node, *pair1)
        else:
            node = (new_number(), x1.node, *pair1, x2.node, *pair2)
        var = kind()
        var.value = out
        var.shape = tuple(out.shape)
        var.node = node
        return var

    return op


def record_general(
    kind: type[Var],
    function: Callable[..., Any],
    record: Callable[..., Any],
) -> Callable[..., Any]:
    """The same for any op: of more arrays, or of a sequence of them.

    Of a sequence `record` returns a pair for each member. Where there are fewer pairs
    than arrays, the others get no gradient.
    """

    def op(*arrays: Any, **statics: Any) -> Any:
        inner = _inner(kind, arrays)
        if inner is None:
            return function(*arrays, **statics)
        out = function(*inner, **statics)
        if PAUSES and is_paused():
            return out
        return _with_node(kind, out, arrays, record(out, *inner, **statics))

    return op


def _inner(kind: type[Var], arrays: Sequence[Any]) -> list[Any] | None:
    """The inner handles of the arguments, or `None` where no argument is tracked."""
    found, tracked = [], False
    for x in arrays:
        own = x.__class__
        if own is kind:
            tracked = True
            found.append(x.value)
        elif own in (list, tuple):
            tracked = tracked or is_tracked_among(kind, x)
            found.append(value_of(kind, x))
        else:
            found.append(x)
    return found if tracked else None


def record_at_once(
    kind: type[Var],
    otherwise: Callable[..., Any],
    run: Callable[..., Any],
) -> Callable[..., Any]:
    """The recording form of an op whose derivative comes with its result.

    `run(*arrays, **statics)` is called with inner handles when an array is tracked. It
    returns the result and what the `record` of `record_general` would; or `None` where
    the op is to be run `otherwise`.
    """

    def op(*arrays: Any, **statics: Any) -> Any:
        inner = _inner(kind, arrays)
        if inner is None or (PAUSES and is_paused()):
            return otherwise(*arrays, **statics)
        found = run(*inner, **statics)
        if found is None:
            return otherwise(*arrays, **statics)
        out, pairs = found
        return _with_node(kind, out, arrays, pairs)

    return op


def record_several(
    kind: type[Var],
    function: Callable[..., Any],
    record: Callable[..., Any],
) -> Callable[..., Any]:
    """The recording form of an op with several results.

    `record(outs, *arrays, **statics)` returns, for each result, what it would return
    for an op with that result alone, or `()` where no gradient flows. The results
    have nodes of their own: a vjp is linear, so their cotangents meet in the arrays.
    """

    def op(*arrays: Any, **statics: Any) -> Any:
        inner = _inner(kind, arrays)
        if inner is None:
            return function(*arrays, **statics)
        outs = function(*inner, **statics)
        if PAUSES and is_paused():
            return outs
        rows = record(outs, *inner, **statics)
        return tuple(
            _with_node(kind, out, arrays, pairs)
            for out, pairs in zip(outs, rows, strict=True)
        )

    return op


def _with_node(kind: type[Var], out: Any, arrays: Sequence[Any], pairs: Any) -> Any:
    node: list[Any] = [new_number()]
    for x, pair in zip(flat(arrays), pairs, strict=False):  # others get nothing
        if pair is not None and x.__class__ is kind:
            node += (x.node, *pair)
    if len(node) == 1:
        return out
    var = kind()
    var.value = out
    var.shape = tuple(out.shape)
    var.node = tuple(node)
    return var
