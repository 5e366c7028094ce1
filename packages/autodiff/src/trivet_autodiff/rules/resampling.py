"""Rules for resampling, which is linear: each op has others as its transposes."""

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


@rule("weighted_rows", linear=True)
def weighted_rows(b: Backend[Any]) -> Any:
    """The cotangent, weighted, at its rows; its products with the rows."""

    def pull_x(g: Any, saved: Any) -> Any:
        indices, weights, size = saved
        return b.weighted_rows_transpose(g, indices, weights, size=size)

    def pull_weights(g: Any, saved: Any) -> Any:
        x, indices = saved
        return b.row_products(g, x, indices)

    def record(out: Any, x: Any, indices: Any, weights: Any) -> Any:
        saved = (indices, weights, x.shape[0])
        return (pull_x, saved), None, (pull_weights, (x, indices))

    return record


@rule("weighted_rows_transpose", linear=True)
def weighted_rows_transpose(b: Backend[Any]) -> Any:
    """The rows of the cotangent, weighted; their products with those of `x`."""

    def pull_x(g: Any, saved: Any) -> Any:
        indices, weights = saved
        return b.weighted_rows(g, indices, weights)

    def pull_weights(g: Any, saved: Any) -> Any:
        x, indices = saved
        return b.row_products(x, g, indices)

    def record(out: Any, x: Any, indices: Any, weights: Any, *, size: int) -> Any:
        return (pull_x, (indices, weights)), None, (pull_weights, (x, indices))

    return record


@rule("row_products", linear=True)
def row_products(b: Backend[Any]) -> Any:
    """Each side's rows, weighted by the cotangent."""

    def pull_first(g: Any, saved: Any) -> Any:
        second, indices = saved
        return b.weighted_rows(second, indices, g)

    def pull_second(g: Any, saved: Any) -> Any:
        first, indices, size = saved
        return b.weighted_rows_transpose(first, indices, g, size=size)

    def record(out: Any, first: Any, second: Any, indices: Any) -> Any:
        saved = (first, indices, second.shape[0])
        return (pull_first, (second, indices)), (pull_second, saved), None

    return record
