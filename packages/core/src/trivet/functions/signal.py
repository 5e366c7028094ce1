"""Windows, and Fourier transforms of a signal's pieces.

Users reach them as `tv.fft.<name>`. Windows are symmetric, for filters; `sym=False`
gives those for spectra, which leave out the last element of one that is longer by one.
"""

from typing import Any, Literal, SupportsIndex, TypeVar

from trivet.arguments import integer, real
from trivet.contract import Backend, Device
from trivet.dispatch import call, require_kind, require_tensor, wrap
from trivet.dtypes import COMPLEX, FLOATING, REAL_FLOATING
from trivet.errors import ArgumentError, DTypeError, ShapeError
from trivet.functions.creation import chosen_floating
from trivet.functions.rearrangement import pad
from trivet.shapes import as_shape
from trivet.tensor import Tensor

__all__ = [
    "bartlett",
    "blackman",
    "hamming",
    "hann",
    "istft",
    "kaiser",
    "stft",
]

B = TypeVar("B", bound=Backend[Any])
PadMode = Literal["reflect", "constant", "edge", "circular"]
Place = Device | str | None
_LEAST_ENVELOPE = 1e-11  # of the summed squares of the windows over a place


def hann(
    n: SupportsIndex,
    /,
    *,
    sym: bool = True,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """The Hann window of `n` elements: 0.5 - 0.5 cos(2 pi i / (n - 1)).

    Raises `ShapeError` for a negative n, `DTypeError` unless `dtype` is real floating.

    >>> import trivet as tv
    >>> tv.fft.hann(3).tolist(), tv.fft.hann(4, sym=False).tolist()
    ([0.0, 1.0, 0.0], [0.0, 0.5, 1.0, 0.5])
    """
    where = dtype, device, backend
    return _window(
        "hann", "general_cosine", n, where, symmetric=sym, coefficients=(0.5, 0.5)
    )


def hamming(
    n: SupportsIndex,
    /,
    *,
    sym: bool = True,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """The Hamming window: 0.54 - 0.46 cos(2 pi i / (n - 1)). Errors as for `hann`.

    >>> import trivet as tv
    >>> tv.fft.hamming(1).tolist()
    [1.0]
    """
    where = dtype, device, backend
    return _window(
        "hamming", "general_cosine", n, where, symmetric=sym, coefficients=(0.54, 0.46)
    )


def blackman(
    n: SupportsIndex,
    /,
    *,
    sym: bool = True,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """The Blackman window: 0.42 - 0.5 cos(t) + 0.08 cos(2 t), t = 2 pi i / (n - 1).

    Errors as for `hann`.

    >>> import trivet as tv
    >>> tv.fft.blackman(1).tolist()
    [1.0]
    """
    where = dtype, device, backend
    return _window(
        "blackman",
        "general_cosine",
        n,
        where,
        symmetric=sym,
        coefficients=(0.42, 0.5, 0.08),
    )


def bartlett(
    n: SupportsIndex,
    /,
    *,
    sym: bool = True,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """The triangular window from 0 to 1 and back. Errors as for `hann`.

    >>> import trivet as tv
    >>> tv.fft.bartlett(5).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    where = dtype, device, backend
    return _window("bartlett", "bartlett", n, where, symmetric=sym)


def kaiser(
    n: SupportsIndex,
    beta: float,
    /,
    *,
    sym: bool = True,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """The Kaiser window: i0(beta sqrt(1 - t**2)) / i0(beta), t from -1 to 1.

    The larger `beta`, the narrower. Errors as for `hann`.

    >>> import trivet as tv
    >>> tv.fft.kaiser(3, 0.0).tolist()
    [1.0, 1.0, 1.0]
    """
    where = dtype, device, backend
    return _window(
        "kaiser", "kaiser", n, where, symmetric=sym, beta=real("kaiser", "beta", beta)
    )


def _window(
    name: str,
    op: str,
    n: SupportsIndex,
    where: tuple[Any, Place, Any],
    *,
    symmetric: bool,
    **parts: Any,
) -> Tensor[Any]:
    dtype, device, backend = where
    found, place, wanted = chosen_floating(name, dtype, device, backend)
    size = integer(name, "n", n)
    if size < 0:
        raise ShapeError(f"{name}: n={size} is negative.")
    as_shape(name, size)
    handle = getattr(found, op)(
        n=size, symmetric=symmetric, dtype=wanted, device=place, **parts
    )
    return wrap(handle, found)


def stft(
    x: Tensor[B],
    /,
    n_fft: SupportsIndex,
    *,
    hop_length: SupportsIndex | None = None,
    window: Tensor[Any] | None = None,
    center: bool = True,
    pad_mode: PadMode = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
) -> Tensor[B]:
    """The short-time Fourier transform along the last axis.

    Pieces of `n_fft` elements, each `hop_length` after the one before (n_fft // 4 by
    default), are multiplied by `window` (ones by default; a shorter one stands in the
    middle of zeros) and transformed. `center=True` first pads by n_fft // 2 at both
    ends, so that piece k has its middle at x[k hop_length]. `normalized` divides by
    sqrt(n_fft). Real input gives the n_fft // 2 + 1 frequencies of `rfft`, unless
    `onesided=False`. The result has shape (..., frequencies, pieces).

    Raises `ShapeError`, `DTypeError` unless floating.

    >>> import trivet as tv
    >>> tv.fft.stft(tv.ones(8), 4, hop_length=2, center=False).tolist()
    [[(4+0j), (4+0j), (4+0j)], [0j, 0j, 0j], [0j, 0j, 0j]]
    """
    require_kind("stft", x)
    size, hop = _sizes("stft", n_fft, hop_length)
    padded = _signal(x, size, size // 2 if center else 0, pad_mode)
    return call(
        "stft",
        padded,
        _full_window("stft", x, size, window),
        hop_length=hop,
        onesided=_is_onesided(x, onesided=onesided),
        norm="ortho" if normalized else "backward",
    )


def _is_onesided(x: Tensor[Any], *, onesided: bool | None) -> bool:
    is_complex = x.dtype.kind in COMPLEX
    if onesided and is_complex:
        raise DTypeError(
            f"stft: the transform of {x.dtype} has no second half to leave out; pass "
            "onesided=False."
        )
    return not is_complex if onesided is None else onesided


def _signal(x: Tensor[B], size: int, edges: int, mode: PadMode) -> Tensor[B]:
    """The signal with its edges, at least one piece long."""
    if not x.ndim:
        raise ShapeError("stft: a tensor of rank 0 has no axis to take pieces of.")
    padded = _padded(x, edges, mode)
    if padded.shape[-1] < size:
        raise ShapeError(
            f"stft: n_fft={size} is longer than the {padded.shape[-1]} elements along "
            "the last axis."
        )
    return padded


def istft(
    x: Tensor[B],
    /,
    n_fft: SupportsIndex,
    *,
    hop_length: SupportsIndex | None = None,
    window: Tensor[Any] | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool = True,
    length: SupportsIndex | None = None,
) -> Tensor[B]:
    """The inverse of `stft`, given the same arguments.

    The pieces are multiplied by the window once more, added where they overlap, and
    divided by the sum of the squared windows there: the signal of least squared
    distance (Griffin and Lim, 1984). `length` is that of the signal, by default up to
    the middle of the last piece (without `center`, its end).

    Raises `ShapeError`, `DTypeError` unless floating, `ValueError` where the windows
    leave a place out.

    >>> import trivet as tv
    >>> x = tv.asarray([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    >>> y = tv.fft.stft(x, 4, window=tv.fft.hann(4, sym=False))
    >>> tv.round(tv.fft.istft(y, 4, window=tv.fft.hann(4, sym=False))).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    """
    require_tensor("istft", x)
    size, hop = _sizes("istft", n_fft, hop_length)
    _check_pieces(x, size, onesided=onesided)
    norm = "ortho" if normalized else "backward"
    inverse = "irfft" if onesided else "ifft"
    turned = call("matrix_transpose", x)
    pieces = call(inverse, turned, n=size, axis=x.ndim - 1, norm=norm)
    whole = _full_window("istft", pieces, size, window)
    summed = call("overlap_add", call("multiply", pieces, whole), hop_length=hop)
    squares = call("broadcast_to", call("square", whole), shape=(x.shape[-1], size))
    envelope = call("overlap_add", squares, hop_length=hop)
    start = size // 2 if center else 0
    total = size + hop * (x.shape[-1] - 1)
    stop = total - start
    if length is not None:
        (count,) = as_shape("istft", integer("istft", "length", length))
        stop = start + count
    return _divided(summed, envelope, start, stop, total)


def _check_pieces(x: Tensor[Any], size: int, *, onesided: bool) -> None:
    if x.dtype.kind not in FLOATING:
        raise DTypeError(
            f"istft: the dtype {x.dtype} is not floating. Cast with .astype(...)."
        )
    rows = size // 2 + 1 if onesided else size
    if x.ndim < 2 or x.shape[-2] != rows or not x.shape[-1]:
        raise ShapeError(
            f"istft: the shape {x.shape} is not (..., {rows}, pieces), as "
            f"n_fft={size} and onesided={onesided} ask for."
        )


def _divided(
    summed: Tensor[B], envelope: Tensor[Any], start: int, stop: int, total: int
) -> Tensor[B]:
    """The signal from `start` on; zeros past the last piece."""
    last = max(min(stop, total), start)
    part = call("getitem", envelope, key=(slice(start, last),))
    if part.size:
        least = call("min", part, axis=None, keepdims=False).item()
        if not float(least.real) > _LEAST_ENVELOPE:
            raise ArgumentError(
                f"istft: the squares of the windows over a place sum up to {least}, so "
                "that the signal there is lost. Use a window and a hop_length that "
                "leave nothing out, or center=True."
            )
    signal = call("getitem", summed, key=(..., slice(start, last)))
    signal = call("divide", signal, part)
    return _padded(signal, 0, "constant", after=stop - last)


def _padded(
    x: Tensor[B], edges: int, mode: PadMode, *, after: int | None = None
) -> Tensor[B]:
    behind = edges if after is None else after
    if not edges and not behind:
        return x
    widths = [(0, 0)] * (x.ndim - 1) + [(edges, behind)]
    return pad(x, widths, mode=mode)


def _sizes(
    op: str, n_fft: SupportsIndex, hop_length: SupportsIndex | None
) -> tuple[int, int]:
    size = integer(op, "n_fft", n_fft)
    hop = (
        max(size // 4, 1)
        if hop_length is None
        else integer(op, "hop_length", hop_length)
    )
    for name, number in (("n_fft", size), ("hop_length", hop)):
        if number < 1:
            raise ShapeError(f"{op}: {name}={number} is not at least 1.")
    return size, hop


def _full_window(
    op: str, x: Tensor[Any], size: int, window: Tensor[Any] | None
) -> Tensor[Any]:
    """The window with zeros on both sides up to `size`, in the width of `x`."""
    if window is None:
        part = call("real", x) if x.dtype.kind in COMPLEX else x
        handle = x.backend.full(
            shape=(size,), fill_value=1, dtype=part.dtype, device=x.device
        )
        return wrap(handle, x.backend)
    require_tensor(op, window)
    if window.dtype.kind not in REAL_FLOATING:
        raise DTypeError(
            f"{op}: the window has the dtype {window.dtype}, not a real floating one. "
            "Cast it with .astype(...)."
        )
    if window.ndim != 1 or window.shape[0] > size:
        raise ShapeError(
            f"{op}: the window has the shape {window.shape}, and must be one axis of "
            f"at most n_fft={size} elements."
        )
    before = (size - window.shape[0]) // 2
    return _padded(window, before, "constant", after=size - window.shape[0] - before)
