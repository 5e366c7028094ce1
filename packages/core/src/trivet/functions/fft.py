"""Discrete Fourier transforms, as the standard's extension has them.

Users reach them as `tv.fft.<name>`. `n` (of several axes `s`) is the length of the
transform: longer input is cut, shorter filled up with zeros. `norm` says which
direction is scaled by 1 / n: "backward" the inverse one, "forward" the other; "ortho"
scales both by 1 / sqrt(n). float32 gives complex64, float64 complex128.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import integer, items, option, real
from trivet.contract import Backend, Device, Norm
from trivet.dispatch import call, require_kind, require_tensor, wrap
from trivet.errors import ShapeError
from trivet.functions.creation import chosen_floating
from trivet.shapes import as_shape, normalize_axes, normalize_axis, sequence
from trivet.tensor import Tensor

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

B = TypeVar("B", bound=Backend[Any])
Lengths = Sequence[SupportsIndex] | None
Axes = SupportsIndex | Sequence[SupportsIndex] | None


def fft(
    x: Tensor[B],
    /,
    *,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: Norm = "backward",
) -> Tensor[B]:
    """The discrete Fourier transform along `axis`: sum of x[j] exp(-2 pi i j k / n).

    Raises `DTypeError` unless floating, `AxisError`, `ShapeError` for a length below
    1, `ValueError` for another norm.

    >>> import trivet as tv
    >>> tv.fft.fft(tv.asarray([1.0, 0.0, 0.0])).tolist()
    [(1+0j), (1+0j), (1+0j)]
    """
    return _along_one("fft", x, n, axis, norm)


def ifft(
    x: Tensor[B],
    /,
    *,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: Norm = "backward",
) -> Tensor[B]:
    """The inverse of `fft`. Errors as for `fft`.

    >>> import trivet as tv
    >>> tv.fft.ifft(tv.asarray([4.0, 0.0, 0.0, 0.0])).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return _along_one("ifft", x, n, axis, norm)


def rfft(
    x: Tensor[B],
    /,
    *,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: Norm = "backward",
) -> Tensor[B]:
    """The transform of real numbers: the first n // 2 + 1 elements of `fft`.

    The others are their conjugates. Raises `DTypeError` unless real floating, and as
    `fft`.

    >>> import trivet as tv
    >>> tv.fft.rfft(tv.asarray([1.0, 2.0, 3.0, 4.0])).tolist()
    [(10+0j), (-2+2j), (-2+0j)]
    """
    return _along_one("rfft", x, n, axis, norm)


def irfft(
    x: Tensor[B],
    /,
    *,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: Norm = "backward",
) -> Tensor[B]:
    """The inverse of `rfft`: `n` real numbers, 2 (m - 1) of m elements by default.

    Give `n` where it is odd. Errors as for `fft`.

    >>> import trivet as tv
    >>> tv.fft.irfft(tv.asarray([10.0, -2.0 + 2.0j, -2.0])).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return _along_one("irfft", x, n, axis, norm)


def hfft(
    x: Tensor[B],
    /,
    *,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: Norm = "backward",
) -> Tensor[B]:
    """`fft` of a signal with a real spectrum, given its first half.

    `n` real numbers, 2 (m - 1) of m elements by default. Errors as for `fft`.

    >>> import trivet as tv
    >>> tv.fft.hfft(tv.asarray([1.0, 2.0, 3.0])).tolist()
    [8.0, -2.0, 0.0, -2.0]
    """
    return _along_one("hfft", x, n, axis, norm)


def ihfft(
    x: Tensor[B],
    /,
    *,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: Norm = "backward",
) -> Tensor[B]:
    """The inverse of `hfft`: the first half of the signal of a real spectrum.

    Raises `DTypeError` unless real floating, and as `fft`.

    >>> import trivet as tv
    >>> tv.real(tv.fft.ihfft(tv.asarray([8.0, -2.0, 0.0, -2.0]))).tolist()
    [1.0, 2.0, 3.0]
    """
    return _along_one("ihfft", x, n, axis, norm)


def fftn(
    x: Tensor[B],
    /,
    *,
    s: Lengths = None,
    axes: Axes = None,
    norm: Norm = "backward",
) -> Tensor[B]:
    """`fft` along each of `axes`, all by default.

    `s` has a length for each axis, -1 for that of the input; it needs `axes`. Raises
    `ShapeError` if not, and as `fft`.

    >>> import trivet as tv
    >>> tv.fft.fftn(tv.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return _along_many("fftn", x, s, axes, norm)


def ifftn(
    x: Tensor[B],
    /,
    *,
    s: Lengths = None,
    axes: Axes = None,
    norm: Norm = "backward",
) -> Tensor[B]:
    """The inverse of `fftn`. Errors as for `fftn`.

    >>> import trivet as tv
    >>> tv.fft.ifftn(tv.asarray([[4.0, 0.0], [0.0, 0.0]])).tolist()
    [[(1+0j), (1+0j)], [(1+0j), (1+0j)]]
    """
    return _along_many("ifftn", x, s, axes, norm)


def rfftn(
    x: Tensor[B],
    /,
    *,
    s: Lengths = None,
    axes: Axes = None,
    norm: Norm = "backward",
) -> Tensor[B]:
    """`rfft` along the last of `axes`, `fft` along the others.

    Raises `DTypeError` unless real floating, and as `fftn`.

    >>> import trivet as tv
    >>> tv.fft.rfftn(tv.ones((2, 4))).shape
    (2, 3)
    """
    return _along_many("rfftn", x, s, axes, norm)


def irfftn(
    x: Tensor[B],
    /,
    *,
    s: Lengths = None,
    axes: Axes = None,
    norm: Norm = "backward",
) -> Tensor[B]:
    """The inverse of `rfftn`. By default the last axis becomes 2 (m - 1) long.

    Errors as for `fftn`.

    >>> import trivet as tv
    >>> tv.fft.irfftn(tv.fft.rfftn(tv.ones((2, 4)))).tolist()
    [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]
    """
    return _along_many("irfftn", x, s, axes, norm)


def fftfreq(
    n: SupportsIndex,
    /,
    *,
    d: float = 1.0,
    dtype: Any = None,
    device: Device | str | None = None,
    backend: Any = None,
) -> Tensor[Any]:
    """The frequencies of `fft`'s elements, in cycles per unit of `d`, the spacing.

    `dtype` is the default float. Raises `ShapeError` unless n is 1 or more,
    `DTypeError` unless `dtype` is real floating.

    >>> import trivet as tv
    >>> tv.fft.fftfreq(4, d=0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    return _frequencies("fftfreq", n, d, dtype, device, backend)


def rfftfreq(
    n: SupportsIndex,
    /,
    *,
    d: float = 1.0,
    dtype: Any = None,
    device: Device | str | None = None,
    backend: Any = None,
) -> Tensor[Any]:
    """The frequencies of `rfft`'s elements. Errors as for `fftfreq`.

    >>> import trivet as tv
    >>> tv.fft.rfftfreq(4, d=0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    return _frequencies("rfftfreq", n, d, dtype, device, backend)


def fftshift(x: Tensor[B], /, *, axes: Axes = None) -> Tensor[B]:
    """The elements rolled so that the zero frequency is in the middle of `axes`.

    All axes by default. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.fft.fftshift(tv.asarray([0, 1, 2, -2, -1])).tolist()
    [-2, -1, 0, 1, 2]
    """
    return call("fftshift", x, axes=_some_axes("fftshift", x, axes))


def ifftshift(x: Tensor[B], /, *, axes: Axes = None) -> Tensor[B]:
    """The inverse of `fftshift`. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.fft.ifftshift(tv.asarray([-2, -1, 0, 1, 2])).tolist()
    [0, 1, 2, -2, -1]
    """
    return call("ifftshift", x, axes=_some_axes("ifftshift", x, axes))


def _along_one(
    op: str, x: Tensor[B], n: SupportsIndex | None, axis: SupportsIndex, norm: Norm
) -> Tensor[B]:
    require_kind(op, x)
    _check_norm(op, norm)
    along = normalize_axis(op, axis, x.ndim)
    size = _own_length(op, x.shape[along]) if n is None else integer(op, "n", n)
    _check_lengths(op, x, (size,), (along,))
    return call(op, x, n=size, axis=along, norm=norm)


def _along_many(op: str, x: Tensor[B], s: Lengths, axes: Axes, norm: Norm) -> Tensor[B]:
    require_kind(op, x)
    _check_norm(op, norm)
    along = _some_axes(op, x, axes)
    if not along:
        raise ShapeError(f"{op}: there is no axis to transform along.")
    sizes = _lengths(op, x, s, along, named=axes is not None)
    _check_lengths(op, x, sizes, along)
    return call(op, x, s=sizes, axes=along, norm=norm)


def _some_axes(op: str, x: Tensor[Any], axes: Axes) -> tuple[int, ...]:
    require_tensor(op, x)
    found = normalize_axes(op, axes, x.ndim)
    return tuple(range(x.ndim)) if found is None else found


def _own_length(op: str, size: int) -> int:
    """The length of a transform of the whole axis."""
    return 2 * (size - 1) if op in {"irfft", "hfft", "irfftn"} else size


def _lengths(
    op: str, x: Tensor[Any], s: Lengths, along: tuple[int, ...], *, named: bool
) -> tuple[int, ...]:
    own = [x.shape[i] for i in along]
    own[-1] = _own_length(op, own[-1])
    if s is None:
        return tuple(own)
    given = [integer(op, "s", size) for size in items(op, "s", sequence(s))]
    if not named:
        raise ShapeError(
            f"{op}: s={tuple(given)} needs axes, to say which axis each length is for."
        )
    if len(given) != len(along):
        raise ShapeError(
            f"{op}: s={tuple(given)} has {len(given)} lengths for {len(along)} axes."
        )
    # -1 is the whole axis as it is, also the last one of irfftn: so says the standard
    return tuple(
        x.shape[i] if n == -1 else n for n, i in zip(given, along, strict=True)
    )


def _check_lengths(
    op: str, x: Tensor[Any], sizes: tuple[int, ...], along: tuple[int, ...]
) -> None:
    for size, axis in zip(sizes, along, strict=True):
        if size < 1:
            raise ShapeError(
                f"{op}: the length of the transform is {size} along axis {axis} of "
                f"the shape {x.shape}, and must be at least 1."
            )


def _check_norm(op: str, norm: str) -> None:
    option(op, "norm", norm, ("backward", "ortho", "forward"))


def _frequencies(
    op: str,
    n: SupportsIndex,
    d: float,
    dtype: Any,
    device: Device | str | None,
    backend: Any,
) -> Tensor[Any]:
    found, place, wanted = chosen_floating(op, dtype, device, backend)
    size = integer(op, "n", n)
    if size < 1:
        raise ShapeError(f"{op}: n={size} is not at least 1.")
    as_shape(op, size)
    handle = getattr(found, op)(n=size, d=real(op, "d", d), dtype=wanted, device=place)
    return wrap(handle, found)
