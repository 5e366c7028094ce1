"""`parts`: the plugins that a backend string is made of. Both commands ask it."""

from collections.abc import Iterator

from trivet.plugins.grammar import Spec
from trivet.plugins.states import Kind

__all__ = ["parts"]


def parts(text: str) -> Iterator[tuple[Kind, Spec]]:
    """Each name in `text`, the outermost first, with the kind it has to be.

    Raises `BackendSpecError`.

    >>> [(kind, spec.name) for kind, spec in parts("autodiff(ndarray)")]
    [('decorator', 'autodiff'), ('backend', 'ndarray')]
    """
    spec: Spec | None = Spec.parse(text)
    while spec is not None:
        yield ("backend" if spec.inner is None else "decorator"), spec
        spec = spec.inner
