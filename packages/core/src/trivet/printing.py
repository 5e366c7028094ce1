"""The repr of tensors: values, dtype, backend and device, cut short when large."""

from typing import TYPE_CHECKING, Any

from trivet.contract import Recorder
from trivet.dispatch import wrap

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = ["represent"]

_MOST = 1000  # elements printed in full
_EDGE = 3  # elements kept at each end of an axis otherwise
_DIGITS = 8
_HEAD = "Tensor("


def represent(x: "Tensor[Any]") -> str:
    """The tensor as text; a large one shows the ends of each axis.

    >>> import trivet as tv
    >>> tv.arange(3)
    Tensor([0, 1, 2], dtype=int64, backend=ndarray, device=cpu)
    """
    facts = [f"dtype={x.dtype}", f"backend={x.backend.name}", f"device={x.device}"]
    if isinstance(x.backend, Recorder) and x.backend.is_tracked(x.handle):
        facts.append("tracked")
    if not x.size:
        facts.insert(0, f"shape={x.shape}")
    return f"{_HEAD}{_values(x)}, {', '.join(facts)})"


def _values(x: "Tensor[Any]") -> str:
    if not x.size:
        return "[]"
    shortened = x.size > _MOST
    shown = _ends(x) if shortened else x
    texts = [_text(value, x.dtype.kind) for value in _flat(shown)]
    width = max(map(len, texts)) if shown.ndim else 0
    cut = [shortened and n > 2 * _EDGE for n in x.shape]
    return _rows([text.rjust(width) for text in texts], shown.shape, cut, len(_HEAD))


def _flat(x: "Tensor[Any]") -> list[Any]:
    from trivet.convert import elements

    return elements(x)


def _ends(x: "Tensor[Any]") -> "Tensor[Any]":
    """The first and last elements of each long axis, so that few are transferred."""
    backend, handle = x.backend, x.handle
    for axis, n in enumerate(x.shape):
        if n > 2 * _EDGE:
            parts = (
                backend.part(handle, axis, 0, _EDGE),
                backend.part(handle, axis, n - _EDGE, n),
            )
            handle = backend.concat(parts, axis=axis)
    return wrap(handle, backend)


def _text(value: Any, kind: str) -> str:
    if isinstance(value, complex):
        return f"{value.real:.{_DIGITS}g}{value.imag:+.{_DIGITS}g}j"
    if kind != "real floating":
        return str(value)
    text = f"{value:.{_DIGITS}g}"
    return text if any(mark in text for mark in ".en") else f"{text}."


def _rows(
    texts: list[str], shape: tuple[int, ...], cut: list[bool], indent: int
) -> str:
    if not shape:
        return texts[0]
    size = len(texts) // shape[0]
    rows = [
        _rows(texts[i * size : (i + 1) * size], shape[1:], cut[1:], indent + 1)
        for i in range(shape[0])
    ]
    if cut[0]:
        rows.insert(_EDGE, "...")
    gap = (
        ", " if len(shape) == 1 else "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
    )
    return f"[{gap.join(rows)}]"
