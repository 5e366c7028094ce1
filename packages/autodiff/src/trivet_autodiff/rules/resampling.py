"""Rules for interpolation, which is linear: each op has the other as its transpose."""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("interpolate", linear=True)
def interpolate(b: Backend[Any]) -> Any:
    """Every cotangent is added, weighted, where its element came from."""

    def pull(g: Any, saved: Any) -> Any:
        size, statics = saved
        return b.interpolate_transpose(g, size=size, **statics)

    def record(out: Any, x: Any, *, size: Any, **statics: Any) -> Any:
        return ((pull, (tuple(x.shape[2:]), statics)),)

    return record


@rule("interpolate_transpose", linear=True)
def interpolate_transpose(b: Backend[Any]) -> Any:
    """The cotangent, interpolated."""

    def pull(g: Any, saved: Any) -> Any:
        size, statics = saved
        return b.interpolate(g, size=size, **statics)

    def record(out: Any, x: Any, *, size: Any, **statics: Any) -> Any:
        return ((pull, (tuple(x.shape[2:]), statics)),)

    return record
