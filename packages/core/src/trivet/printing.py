"""The repr of tensors: values, dtype, backend and device, cut short when large.

`set_printoptions` says how from then on, `printoptions` inside a block.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from trivet.arguments import integer
from trivet.contract import tracker_of
from trivet.dispatch import wrap
from trivet.errors import ArgumentError

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = [
    "PrintOptions",
    "formatted",
    "get_printoptions",
    "printoptions",
    "represent",
    "set_printoptions",
]

_HEAD = "Tensor("


class PrintOptions(NamedTuple):
    """How tensors are printed.

    >>> import trivet as tv
    >>> tv.get_printoptions()._replace(precision=3)
    PrintOptions(precision=3, threshold=1000, edgeitems=3, linewidth=88)
    """

    precision: int = 8  # significant digits of floats
    threshold: int = 1000  # the most elements that are printed in full
    edgeitems: int = 3  # of larger tensors, those kept at each end of an axis
    linewidth: int = 88  # characters, after which a row goes on in the next line


_OPTIONS: ContextVar[PrintOptions] = ContextVar(
    "trivet_printoptions",
    default=PrintOptions(),  # noqa: B039  # it is immutable
)


def get_printoptions() -> PrintOptions:
    """The options in force.

    >>> import trivet as tv
    >>> tv.get_printoptions().precision
    8
    """
    return _OPTIONS.get()


def set_printoptions(
    *,
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
) -> None:
    """Set how tensors are printed, in this thread or asyncio task; `None` keeps.

    `precision` counts significant digits; a tensor of more than `threshold` elements
    shows the first and last `edgeitems` along each axis; rows break after `linewidth`
    characters. Raises `ValueError` for a number that is too small.

    >>> import trivet as tv
    >>> before = tv.get_printoptions()
    >>> tv.set_printoptions(precision=3)
    >>> tv.asarray([0.123456])
    Tensor([0.123], dtype=float32, backend=ndarray, device=cpu)
    >>> tv.set_printoptions(**before._asdict())
    """
    asked = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    for name, value in given.items():
        integer("set_printoptions", name, value)
        least = 0 if name == "threshold" else 1
        if value < least:
            raise ArgumentError(
                f"set_printoptions: {name}={value} is less than {least}, the least "
                "that it can be."
            )
    _OPTIONS.set(_OPTIONS.get()._replace(**given))


@contextmanager
def printoptions(**options: int) -> Iterator[PrintOptions]:
    """`set_printoptions` inside a `with` block.

    >>> import trivet as tv
    >>> with tv.printoptions(precision=3):
    ...     print(tv.asarray([1 / 3]))
    Tensor([0.333], dtype=float32, backend=ndarray, device=cpu)
    """
    token = _OPTIONS.set(_OPTIONS.get())
    try:
        set_printoptions(**options)
        yield get_printoptions()
    finally:
        _OPTIONS.reset(token)


def represent(x: "Tensor[Any]") -> str:
    """The tensor as text; a large one shows the ends of each axis.

    >>> import trivet as tv
    >>> tv.arange(3)
    Tensor([0, 1, 2], dtype=int64, backend=ndarray, device=cpu)
    """
    facts = [f"dtype={x.dtype}", f"backend={x.backend.name}", f"device={x.device}"]
    if tracker_of(x.backend, x.handle):
        facts.append("tracked")
    if not x.size:
        facts.insert(0, f"shape={x.shape}")
    return f"{_HEAD}{_values(x, _OPTIONS.get())}, {', '.join(facts)})"


def formatted(x: "Tensor[Any]", spec: str) -> str:
    """What `f"{x:spec}"` gives: a 0-d tensor is formatted as its number.

    Raises `TypeError` for a format of more than one number.

    >>> import trivet as tv
    >>> f"{tv.asarray(1 / 3):.3f}"
    '0.333'
    """
    if not spec:
        return str(x)
    if x.shape:
        raise ArgumentError(
            f"the format {spec!r} is for one number, and the tensor has the shape "
            f"{x.shape}. Use tv.printoptions(precision=...) around str(x)."
        )
    return format(x.item(), spec)


def _values(x: "Tensor[Any]", options: PrintOptions) -> str:
    if not x.size:
        return "[]"
    shortened = x.size > options.threshold
    cut = [shortened and n > 2 * options.edgeitems for n in x.shape]
    shown = _ends(x, cut, options.edgeitems) if shortened else x
    kind = x.dtype.kind
    texts = [_text(value, kind, options.precision) for value in _flat(shown)]
    width = max(map(len, texts)) if shown.ndim else 0
    texts = [text.rjust(width) for text in texts]
    return _rows(texts, shown.shape, cut, len(_HEAD), options)


def _flat(x: "Tensor[Any]") -> list[Any]:
    from trivet.convert import elements

    return elements(x)


def _ends(x: "Tensor[Any]", cut: list[bool], edge: int) -> "Tensor[Any]":
    """The first and last elements of each long axis, so that few are transferred."""
    backend, handle = x.backend, x.handle
    for axis, n in enumerate(x.shape):
        if cut[axis]:
            parts = (
                backend.part(handle, axis, 0, edge),
                backend.part(handle, axis, n - edge, n),
            )
            handle = backend.concat(parts, axis=axis)
    return wrap(handle, backend)


def _text(value: Any, kind: str, digits: int) -> str:
    if isinstance(value, complex):
        return f"{value.real:.{digits}g}{value.imag:+.{digits}g}j"
    if kind != "real floating":
        return str(value)
    text = f"{value:.{digits}g}"
    return text if any(mark in text for mark in ".en") else f"{text}."


def _rows(
    texts: list[str],
    shape: tuple[int, ...],
    cut: list[bool],
    indent: int,
    options: PrintOptions,
) -> str:
    if not shape:
        return texts[0]
    size = len(texts) // shape[0]
    rows = [
        _rows(texts[i * size : (i + 1) * size], shape[1:], cut[1:], indent + 1, options)
        for i in range(shape[0])
    ]
    if cut[0]:
        rows.insert(options.edgeitems, "...")
    if len(shape) == 1:
        return f"[{_line(rows, indent + 1, options.linewidth)}]"
    gap = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
    return f"[{gap.join(rows)}]"


def _line(texts: list[str], indent: int, width: int) -> str:
    """The elements of a row, on as many lines as they need."""
    lines = [""]
    for text in texts:
        longer = f"{lines[-1]}, {text}" if lines[-1] else text
        if lines[-1] and indent + len(longer) + 1 > width:  # 1 for what follows
            lines.append(text)
        else:
            lines[-1] = longer
    return (",\n" + " " * indent).join(lines)
