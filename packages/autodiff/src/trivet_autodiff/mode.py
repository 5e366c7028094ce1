"""Switching recording off and on: `no_grad` and `enable_grad`.

The mode belongs to the current thread and async task. Ops look at `PAUSES` first: it
has an entry for each block that is open anywhere, and is empty in programs that use
none.
"""

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Self, TypeVar

__all__ = ["PAUSES", "enable_grad", "is_paused", "no_grad"]

F = TypeVar("F", bound=Callable[..., Any])

PAUSES: list[bool] = []  # appending and popping are atomic
# Whether recording is off in each block that is open here: so one block object may be
# entered by several threads and tasks at once.
_open: ContextVar[tuple[bool, ...]] = ContextVar("trivet_autodiff_open", default=())


def is_paused() -> bool:
    """Whether recording is off here."""
    blocks = _open.get()
    return bool(blocks) and blocks[-1]


class _Mode:
    """A block, or a decorator, in which recording is off or on."""

    _off: bool

    def __enter__(self) -> Self:
        _open.set((*_open.get(), self._off))
        if self._off:
            PAUSES.append(True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._off:
            PAUSES.pop()
        _open.set(_open.get()[:-1])

    def __call__(self, function: F) -> F:
        """Run every call of `function` in this mode; of a generator, every step.

        Raises `TypeError` for an asynchronous generator.
        """
        if inspect.isgeneratorfunction(function):
            return self._around_steps(function)
        if inspect.iscoroutinefunction(function):
            return self._around_awaits(function)
        if inspect.isasyncgenfunction(function):
            raise TypeError(
                f"{type(self).__name__}: {function.__qualname__} is an asynchronous "
                "generator, whose steps cannot have a mode of their own. Put the ops "
                "into a function that it calls, and decorate that."
            )

        @functools.wraps(function)
        def wrapped(*args: Any, **keywords: Any) -> Any:
            with type(self)():
                return function(*args, **keywords)

        return wrapped  # type: ignore[return-value]

    def _around_steps(self, function: F) -> F:
        @functools.wraps(function)
        def wrapped(*args: Any, **keywords: Any) -> Any:
            steps = function(*args, **keywords)
            advance, given = steps.send, None
            while True:
                with type(self)():
                    try:
                        item = advance(given)
                    except StopIteration as stop:
                        return stop.value
                try:
                    advance, given = steps.send, (yield item)
                except BaseException as error:  # noqa: BLE001  # the generator decides
                    advance, given = steps.throw, error

        return wrapped  # type: ignore[return-value]

    def _around_awaits(self, function: F) -> F:
        @functools.wraps(function)
        async def wrapped(*args: Any, **keywords: Any) -> Any:
            with type(self)():
                return await function(*args, **keywords)

        return wrapped  # type: ignore[return-value]


class no_grad(_Mode):  # noqa: N801  # a lower-case context manager, as users know it
    """A block in which ops record nothing, also as a decorator.

    A generator that pauses inside a plain `with no_grad():` leaves the mode off for
    its caller; use the decorator form, which sets the mode for each step.

    >>> import trivet as tv
    >>> x = tv.asarray([1.0], backend="autodiff(ndarray)").require_grad()
    >>> with no_grad():
    ...     y = x * 2
    >>> y
    Tensor([2.], dtype=float32, backend=autodiff(ndarray), device=cpu)
    """

    _off = True


class enable_grad(_Mode):  # noqa: N801  # as above
    """A block in which ops record, inside one in which they do not.

    >>> import trivet as tv
    >>> x = tv.asarray([1.0], backend="autodiff(ndarray)").require_grad()
    >>> with no_grad(), enable_grad():
    ...     y = x * x
    >>> y.backward()[x].tolist()
    [2.0]
    """

    _off = False
