"""Rules for ops that rearrange elements: each rearranges the cotangent back."""

from collections.abc import Sequence
from typing import Any

from trivet.contract import Axes, Backend
from trivet_autodiff.recorders import unbroadcast
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


def _reshape_back(b: Backend[Any]) -> Any:
    def pull(g: Any, shape: tuple[int, ...]) -> Any:
        return b.reshape(g, shape=shape)

    def record(out: Any, x: Any, **statics: Any) -> Any:
        return ((pull, tuple(x.shape)),)

    return record


@rule("reshape", linear=True)
def reshape(b: Backend[Any]) -> Any:
    """The old shape."""
    return _reshape_back(b)


@rule("squeeze", linear=True)
def squeeze(b: Backend[Any]) -> Any:
    """The old shape."""
    return _reshape_back(b)


@rule("expand_dims", linear=True)
def expand_dims(b: Backend[Any]) -> Any:
    """The old shape."""
    return _reshape_back(b)


@rule("permute_dims", linear=True)
def permute_dims(b: Backend[Any]) -> Any:
    """The inverse permutation."""

    def pull(g: Any, axes: tuple[int, ...]) -> Any:
        return b.permute_dims(g, axes=axes)

    def record(out: Any, x: Any, *, axes: tuple[int, ...]) -> Any:
        back = tuple(axes.index(i) for i in range(len(axes)))
        return ((pull, back),)

    return record


@rule("matrix_transpose", linear=True)
def matrix_transpose(b: Backend[Any]) -> Any:
    """Its own inverse."""

    def pull(g: Any, _: None) -> Any:
        return b.matrix_transpose(g)

    def record(out: Any, x: Any) -> Any:
        return ((pull, None),)

    return record


@rule("broadcast_to", linear=True)
def broadcast_to(b: Backend[Any]) -> Any:
    """The sum over what was repeated."""

    def pull(g: Any, shape: tuple[int, ...]) -> Any:
        return unbroadcast(b, g, shape)

    def record(out: Any, x: Any, *, shape: tuple[int, ...]) -> Any:
        return ((pull, tuple(x.shape)),)

    return record


@rule("concat")
def concat(b: Backend[Any]) -> Any:
    """Each array gets its part."""

    def pull(g: Any, saved: tuple[int, int, int]) -> Any:
        axis, start, stop = saved
        return b.part(g, axis, start, stop)

    def record(out: Any, arrays: Sequence[Any], *, axis: int) -> Any:
        pairs, start = [], 0
        for x in arrays:
            stop = start + x.shape[axis]
            pairs.append((pull, (axis, start, stop)))
            start = stop
        return pairs

    return record


@rule("stack")
def stack(b: Backend[Any]) -> Any:
    """Each array gets its slice."""

    def pull(g: Any, key: tuple[Any, ...]) -> Any:
        return b.getitem(g, key=key)

    def record(out: Any, arrays: Sequence[Any], *, axis: int) -> Any:
        before = (slice(None),) * axis
        return [(pull, (*before, i)) for i in range(len(arrays))]

    return record


@rule("strided_slice", linear=True)
def strided_slice(b: Backend[Any]) -> Any:
    """Zeros with the cotangent where the elements came from."""

    def pull(g: Any, saved: Any) -> Any:
        shape, key = saved
        return b.setitem(b.filled_like(g, 0, shape), g, key=key)

    def record(out: Any, x: Any, *, start: Any, size: Any, step: Any) -> Any:
        ends = (s + n * by for s, n, by in zip(start, size, step, strict=True))
        key = tuple(
            slice(s, end if end >= 0 else None, by)
            for s, end, by in zip(start, ends, step, strict=True)
        )
        return ((pull, (tuple(x.shape), key)),)

    return record


@rule("flip", linear=True)
def flip(b: Backend[Any]) -> Any:
    """Its own inverse."""

    def pull(g: Any, axis: Axes) -> Any:
        return b.flip(g, axis=axis)

    def record(out: Any, x: Any, *, axis: Axes) -> Any:
        return ((pull, axis),)

    return record


@rule("roll", linear=True)
def roll(b: Backend[Any]) -> Any:
    """Rolled the other way."""

    def pull(g: Any, saved: Any) -> Any:
        shift, axis = saved
        return b.roll(g, shift=shift, axis=axis)

    def record(out: Any, x: Any, *, shift: tuple[int, ...], axis: Axes) -> Any:
        return ((pull, (tuple(-n for n in shift), axis)),)

    return record


@rule("tile", linear=True)
def tile(b: Backend[Any]) -> Any:
    """The sum over the copies."""

    def pull(g: Any, saved: Any) -> Any:
        shape, repetitions = saved
        pairs = zip(repetitions, shape, strict=True)
        apart = b.reshape(g, shape=tuple(n for pair in pairs for n in pair))
        copies = tuple(range(0, 2 * len(shape), 2))
        return b.sum(apart, axis=copies, dtype=None, keepdims=False)

    def record(out: Any, x: Any, *, repetitions: tuple[int, ...]) -> Any:
        return ((pull, (tuple(x.shape), repetitions)),)

    return record
