"""Random tensors from an explicit generator: `tv.random.Generator(seed)`.

There is no global generator and no hidden seed. A generator deals keys; each draw is
a pure function of its key, so the same seed gives the same numbers on the same
backend, whatever other generators do.
"""

from collections.abc import Sequence
from itertools import count
from typing import Any, SupportsIndex

from trivet import dtypes
from trivet.contract import Device
from trivet.convert import supported
from trivet.dispatch import wrap
from trivet.dtypes import as_dtype
from trivet.errors import DTypeError
from trivet.plugins import device_of, resolve
from trivet.shapes import as_shape
from trivet.tensor import Tensor

__all__ = ["Generator"]

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
ShapeLike = SupportsIndex | Sequence[SupportsIndex]


class Generator:
    """Random numbers on a device of a backend, reproducible from `seed`.

    `seed` is any int of 0 to 2**64 - 1. Draws come in the order in which they are
    asked for; threads that need reproducible numbers have a generator each.

    >>> import trivet as tv
    >>> a, b = tv.random.Generator(7), tv.random.Generator(7)
    >>> a.uniform(3).tolist() == b.uniform(3).tolist()
    True
    """

    def __init__(
        self, seed: int, *, backend: Any = None, device: Device | str | None = None
    ) -> None:
        if not 0 <= seed <= _MASK:
            raise ValueError(f"Generator: seed={seed} is not within 0 to 2**64 - 1.")
        self.seed = seed
        self.backend = resolve(backend)
        self.device = device_of(self.backend, device)
        self._count = count()

    def __repr__(self) -> str:
        return (
            f"Generator({self.seed}, backend={self.backend.name}, device={self.device})"
        )

    def key(self) -> int:
        """The next key: SplitMix64 of the seed and the number of keys before."""
        z = (self.seed + (next(self._count) + 1) * _GOLDEN) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def uniform(
        self,
        shape: ShapeLike = (),
        *,
        low: float = 0,
        high: float = 1,
        dtype: Any = None,
    ) -> Tensor[Any]:
        """Numbers evenly spread over [low, high).

        >>> import trivet as tv
        >>> tv.random.Generator(0).uniform((2, 3)).shape
        (2, 3)
        """
        unit = self._draw("random_uniform", "uniform", shape, dtype)
        return unit if (low, high) == (0, 1) else unit * (high - low) + low

    def normal(
        self,
        shape: ShapeLike = (),
        *,
        mean: float = 0,
        std: float = 1,
        dtype: Any = None,
    ) -> Tensor[Any]:
        """Normally distributed numbers with a mean and a standard deviation.

        >>> import trivet as tv
        >>> abs(float(tv.mean(tv.random.Generator(0).normal(10_000)))) < 0.05
        True
        """
        standard = self._draw("random_normal", "normal", shape, dtype)
        return standard if (mean, std) == (0, 1) else standard * std + mean

    def _draw(self, op: str, name: str, shape: ShapeLike, dtype: Any) -> Tensor[Any]:
        default = self.backend.default_dtypes(self.device).real_floating
        wanted = default if dtype is None else as_dtype(dtype)
        if wanted.kind not in dtypes.REAL_FLOATING:
            raise DTypeError(f"{name}: dtype={wanted} is not a real floating dtype.")
        handle = getattr(self.backend, op)(
            key=self.key(),
            shape=as_shape(name, shape),
            dtype=supported(self.backend, self.device, wanted),
            device=self.device,
        )
        return wrap(handle, self.backend)

    def integers(
        self, low: int, high: int, shape: ShapeLike = (), *, dtype: Any = None
    ) -> Tensor[Any]:
        """Integers evenly spread from `low` up to, not including, `high`.

        Raises `ValueError` unless `low < high`.

        >>> import trivet as tv
        >>> set(tv.random.Generator(0).integers(1, 4, 100).tolist())
        {1, 2, 3}
        """
        if low >= high:
            raise ValueError(f"integers: low={low} is not below high={high}.")
        default = self.backend.default_dtypes(self.device).integral
        wanted = default if dtype is None else as_dtype(dtype)
        limits = dtypes.iinfo(wanted)
        if low < limits.min or high - 1 > limits.max:
            raise DTypeError(
                f"integers: {low} to {high - 1} does not fit {wanted}, which holds "
                f"{limits.min} to {limits.max}."
            )
        handle = self.backend.random_integers(
            key=self.key(),
            low=low,
            high=high,
            shape=as_shape("integers", shape),
            dtype=supported(self.backend, self.device, wanted),
            device=self.device,
        )
        return wrap(handle, self.backend)

    def permutation(self, n: int) -> Tensor[Any]:
        """The integers below `n` in random order.

        >>> import trivet as tv
        >>> sorted(tv.random.Generator(0).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        (size,) = as_shape("permutation", n)
        handle = self.backend.random_permutation(
            key=self.key(), n=size, device=self.device
        )
        return wrap(handle, self.backend)
