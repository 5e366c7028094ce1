"""`Gradients`: what a backward pass returns, by the variables it differentiated."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn, Self

from trivet import Tensor
from trivet.contract import Recorder
from trivet.dispatch import wrap
from trivet.errors import ConversionError, NoPathError

__all__ = ["Gradients"]


class Gradients:
    """An immutable mapping from variables to their gradients.

    `grads[x]` is a tensor on the backend that x's backend wraps, with the shape, dtype
    and device of `x`. It raises `NoPathError` where the result does not depend on
    `x`; `grads.get(x)` then gives `None` or a default.

    >>> import trivet as tv
    >>> x = tv.asarray([3.0], backend="autodiff(ndarray)").require_grad()
    >>> (x * x).backward()[x].tolist()
    [6.0]
    """

    __slots__ = ("_backend", "_found")
    # without it Python would ask for grads[0], grads[1], ...
    __iter__: ClassVar[None] = None

    def __init__(self, backend: Recorder[Any], found: Mapping[int, Any]) -> None:
        self._backend = backend
        self._found = found

    def __getitem__(self, x: Tensor[Any], /) -> Tensor[Any]:
        backend = self._backend
        if x.__class__ is Tensor and backend.is_tracked(x.handle):
            found = self._found.get(x.handle.node[0])
            if found is not None:
                return wrap(found, backend.inner)
        raise NoPathError(f"{self._problem(x)} Use grads.get(x, default) to allow it.")

    def get(self, x: Tensor[Any], default: Any = None, /) -> Any:
        """The gradient of `x`, or `default` where the result does not depend on it."""
        return self[x] if x in self else default  # noqa: SIM401  # this is get

    def __contains__(self, x: object, /) -> bool:
        return self._number(x) in self._found

    def __len__(self) -> int:
        return len(self._found)

    def tensors(self) -> list[Tensor[Any]]:
        """The gradients alone, in no particular order.

        >>> import trivet as tv
        >>> x = tv.asarray([3.0], backend="autodiff(ndarray)").require_grad()
        >>> [g.tolist() for g in (x * x).backward().tensors()]
        [[6.0]]
        """
        inner = self._backend.inner
        return [wrap(handle, inner) for handle in self._found.values()]

    def mapped(self, function: Callable[[Tensor[Any]], Tensor[Any]], /) -> "Gradients":
        """The same mapping with a function of each gradient in its place.

        >>> import trivet as tv
        >>> x = tv.asarray([3.0], backend="autodiff(ndarray)").require_grad()
        >>> (x * x).backward().mapped(lambda g: g / 2)[x].tolist()
        [3.0]
        """
        found = zip(self._found, map(function, self.tensors()), strict=True)
        return Gradients(self._backend, {number: g.handle for number, g in found})

    def __copy__(self) -> Self:
        """Itself: nothing changes it."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Itself, as above."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refused with `ConversionError`: elsewhere there are other variables."""
        raise ConversionError(
            "pickle: gradients belong to the variables of this process. Pickle the "
            "tensors, as in [grads[x] for x in variables]."
        )

    def __repr__(self) -> str:
        return f"<gradients of {len(self)} variables on {self._backend.inner.name}>"

    def _number(self, x: Any) -> int:
        if x.__class__ is Tensor and self._backend.is_tracked(x.handle):
            return x.handle.node[0]  # type: ignore[no-any-return]
        return 0

    def _problem(self, x: Any) -> str:
        number = self._number(x)
        if number > 0:
            return "grads[x]: the result does not depend on this variable."
        if number < 0:
            return (
                "grads[x]: x is a result of an op, not a variable; only what "
                ".require_grad() returned has a gradient here."
            )
        return (
            "grads[x]: x is not tracked by this backend. Ask with the tensor that "
            ".require_grad() returned, not the one that it was called on."
        )
