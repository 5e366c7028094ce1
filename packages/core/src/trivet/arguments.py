"""Arguments that are Python values: integers, numbers and words.

Functions of tensors pass each through here before they compute with it, so that a
wrong one is named, whatever its type. Axes and shapes have checks of their own, in
`shapes`.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import index
from typing import Any

from trivet.errors import ArgumentError, GradientError

__all__ = ["flag", "integer", "items", "option", "real", "scalar"]


def flag(op: str, name: str, value: Any) -> bool:
    """The truth value that an argument is. Raises `ArgumentError` for another value.

    >>> flag("sum", "keepdims", 1)
    True
    """
    if getattr(value, "shape", ()) == () and value in (True, False):
        return bool(value)
    raise ArgumentError(f"{op}: {name}={value!r} is neither True nor False.")


def integer(op: str, name: str, value: Any) -> int:
    """The int that an argument is. Raises `ArgumentError` for what is no integer.

    >>> integer("eye", "k", True)
    1
    """
    if value.__class__ is int:
        return value
    try:
        return index(value)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{op}: {name}={value!r} is not an integer.") from error


def real(op: str, name: str, value: Any) -> float:
    """The number that an argument is, as an int or a float.

    Tensors and arrays of one element count as the number that they hold. Raises
    `ArgumentError` for what is no real number, complex numbers and texts too, and
    `GradientError` for a tracked tensor.

    >>> real("elu", "alpha", 2)
    2
    """
    if value.__class__ is float or value.__class__ is int:
        return value
    _refuse_tracked(op, name, value)
    if not isinstance(value, str | bytes):  # of which float() reads some
        with suppress(TypeError, ValueError):
            return float(value)
    raise ArgumentError(f"{op}: {name}={value!r} is not a number.")


def scalar(op: str, name: str, value: Any) -> Any:
    """The number that an argument is, complex ones too. Raises `ArgumentError`.

    Tensors and arrays of no dimensions count as the number that they hold.

    >>> scalar("full", "fill_value", 1j)
    1j
    """
    if isinstance(value, int | float | complex):
        return value
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        _refuse_tracked(op, name, value)
        return value.item()
    raise ArgumentError(f"{op}: {name}={value!r} is not a number.")


def _refuse_tracked(op: str, name: str, value: Any) -> None:
    """Raise `GradientError` for a tensor whose gradient would be lost unnoticed."""
    if any(level.is_tracked(value.handle) for level in _trackers(value)):
        raise GradientError(
            f"{op}: {name} is a tracked tensor, and no gradient flows to this "
            "argument. Call .item() on it for the number alone."
        )


def _trackers(value: Any) -> Iterator[Any]:
    """The backends around each other that may track the value, if it is a tensor."""
    backend = getattr(value, "backend", None)
    while backend is not None:
        if hasattr(backend, "is_tracked"):
            yield backend
        backend = getattr(backend, "inner", None)


def option(op: str, name: str, value: Any, options: Iterable[str]) -> None:
    """Refuse a word that is not among the options. Raises `ArgumentError`.

    >>> option("qr", "mode", "reduced", ("reduced", "complete"))
    """
    words = tuple(options)
    if isinstance(value, str) and value in words:
        return
    quoted = [repr(word) for word in words]
    listed = f"{', '.join(quoted[:-1])} and {quoted[-1]}"
    raise ArgumentError(f"{op}: {name}={value!r} is not one of {listed}.")


def items(op: str, name: str, value: Any) -> list[Any]:
    """What a sequence holds. Raises `ArgumentError` for what holds nothing.

    >>> items("permute_dims", "axes", (1, 0))
    [1, 0]
    """
    try:
        return list(value)
    except TypeError as error:
        raise ArgumentError(
            f"{op}: {name}={value!r} is not a sequence; give a list or tuple."
        ) from error
