"""Rules for the triangles of matrices."""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("tril", linear=True)
def tril(b: Backend[Any]) -> Any:
    """The same triangle of the cotangent."""

    def pull(g: Any, k: int) -> Any:
        return b.tril(g, k=k)

    def record(out: Any, x: Any, *, k: int) -> Any:
        return ((pull, k),)

    return record


@rule("triu", linear=True)
def triu(b: Backend[Any]) -> Any:
    """The same triangle of the cotangent."""

    def pull(g: Any, k: int) -> Any:
        return b.triu(g, k=k)

    def record(out: Any, x: Any, *, k: int) -> Any:
        return ((pull, k),)

    return record
