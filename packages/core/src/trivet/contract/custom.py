"""`custom_op`: an op that a package outside Trivet declares.

It joins `OPS` in the family "custom". So plugins can offer a native kernel for it,
decorators forward it, and tensors find it on whatever backend they are.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from trivet.contract.backend import Backend
from trivet.contract.table import OPS, READY, Op
from trivet.dtypes import ANY, Kind

__all__ = ["CustomOp", "custom_op"]


class CustomOp:
    """An op that can be called on tensors; `on(backend)` is the one for handles."""

    # the layer that knows tensors sets it
    on_tensors: ClassVar[Callable[[str, tuple[Any, ...], dict[str, Any]], Any]]

    def __init__(self, op: Op) -> None:
        self.op = op
        self.name = self.__name__ = op.name
        self.__doc__ = op.function.__doc__
        self.__wrapped__ = op.function  # inspect and doctest read it

    def __call__(self, *operands: Any, **statics: Any) -> Any:
        """The op on tensors, numbers, sequences of tensors, or `None`."""
        return type(self).on_tensors(self.name, operands, statics)

    def on(self, backend: Any) -> Callable[..., Any]:
        """The function of handles that the backend has for this op."""
        return getattr(backend, self.name)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<custom op {self.name}>"


def custom_op(
    kinds: frozenset[Kind] = ANY, *, constant: str = ""
) -> Callable[[Callable[..., Any]], CustomOp]:
    """Declare an op by its derived body, a function of a backend and its handles.

    Arrays are positional, everything else is by keyword, as in the contract. A backend
    with a method of the op's name, or a function bound to it, uses that; every other
    one runs the body. `kinds` are the dtype kinds that it takes; `constant` says why no
    gradient flows through it, where none does.

    Raises `ValueError` if the contract, another module or `Backend` has that name, and
    `TypeError` for a signature of another sort.

    >>> import trivet as tv
    >>> from trivet.dtypes import REAL_FLOATING
    >>> @custom_op(REAL_FLOATING)
    ... def soft_limit(backend, x, /, *, limit):
    ...     return backend.multiply(backend.tanh(backend.divide(x, limit)), limit)
    >>> soft_limit(tv.asarray([0.0, 1e6]), limit=30.0).tolist()
    [0.0, 30.0]
    """

    def declare(function: Callable[..., Any]) -> CustomOp:
        name = function.__name__
        _check_name(name, function)
        _check(function)
        for backend in READY.pop(name, ()):  # what is declared again is new
            vars(backend).pop(name, None)
        OPS[name] = Op(name, "custom", "derived", kinds, constant, function)
        setattr(Backend, name, _OnFirstUse(name))
        return CustomOp(OPS[name])

    return declare


class _OnFirstUse:
    """In the class `Backend` for a custom op: a backend binds it when first asked.

    The bound function then stands before this one. (A `__getattr__` would do the same
    and slow down every op.)
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(
        self, backend: Backend[Any] | None, owner: type[Backend[Any]]
    ) -> Callable[..., Any]:
        op = OPS.get(self.name)
        if backend is None or op is None:
            raise AttributeError(f"{owner.__name__!r} has no attribute {self.name!r}")
        from weakref import WeakSet  # `import trivet` need not pay for it

        function = backend.ready(op)
        backend.bind(**{self.name: function})
        READY.setdefault(self.name, WeakSet()).add(backend)
        return function


def _check_name(name: str, function: Callable[..., Any]) -> None:
    known = OPS.get(name)
    if known is not None and not _is_again(known, function):
        raise ValueError(
            f"custom_op: there is an op {name} already, in the family {known.family}. "
            "Choose another name, for example with a prefix."
        )
    if known is None and hasattr(Backend, name):
        raise ValueError(
            f"custom_op: backends have an attribute {name}, which is no op. Choose "
            "another name, for example with a prefix."
        )


def _is_again(known: Op, function: Callable[..., Any]) -> bool:
    """Whether a module that is run again declares its own op again."""
    return known.family == "custom" and (
        (known.function.__module__, known.function.__qualname__)
        == (function.__module__, function.__qualname__)
    )


def _check(function: Callable[..., Any]) -> None:
    import inspect  # as in `table`

    found = inspect.signature(function)
    kinds = [p.kind for p in found.parameters.values()]
    wanted = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY}
    if (
        not kinds
        or kinds[0] is not inspect.Parameter.POSITIONAL_ONLY
        or {*kinds} - wanted
    ):
        raise TypeError(
            f"custom_op: {function.__name__}{found} has another form than an op. Its "
            "backend and its arrays come before a /, and its keywords after a *."
        )
