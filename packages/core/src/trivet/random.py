"""Random tensors from an explicit generator: `tv.random.Generator(seed)`.

There is no global generator and no hidden seed. A generator deals keys; each draw is
a pure function of its key, so the same seed gives the same numbers on the same
backend, whatever other generators do. Numbers drawn are constants: no gradient flows
to the parameters of their distribution.
"""

import math
from typing import Any, SupportsIndex

from trivet import dtypes
from trivet.arguments import integer
from trivet.contract import Device
from trivet.convert import supported
from trivet.dispatch import call, wrap
from trivet.dtypes import as_dtype
from trivet.errors import ArgumentError, DTypeError, ShapeError
from trivet.keys import Keys, noted_keys, same_keys
from trivet.parameters import Parameter, Parameters, ShapeLike, require_within
from trivet.plugins import device_of, resolve
from trivet.shapes import as_shape, normalize_axis
from trivet.tensor import Tensor

__all__ = ["Generator", "noted_keys", "same_keys"]


def __dir__() -> list[str]:
    return __all__


_MASK = 2**64 - 1


class Generator:
    """Random numbers on a device of a backend, reproducible from `seed`.

    `seed` is any int of 0 to 2**64 - 1. Draws come in the order in which they are
    asked for; threads that need reproducible numbers have a generator each. A copy, or
    what comes back from pickle, goes on with the same numbers.

    >>> import trivet as tv
    >>> a, b = tv.random.Generator(7), tv.random.Generator(7)
    >>> a.uniform(3).tolist() == b.uniform(3).tolist()
    True
    """

    def __init__(
        self, seed: int, *, backend: Any = None, device: Device | str | None = None
    ) -> None:
        if not 0 <= integer("Generator", "seed", seed) <= _MASK:
            raise ArgumentError(f"Generator: seed={seed} is not within 0 to 2**64 - 1.")
        self.seed = seed
        self.backend = resolve(backend)
        self.device = device_of(self.backend, device)
        self._keys = Keys(seed)
        self._parameters = Parameters(self.backend, self.device)

    def __repr__(self) -> str:
        return (
            f"Generator({self.seed}, backend={self.backend.name}, device={self.device})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _resumed, (self.seed, self.backend.name, str(self.device), self._keys)

    def __copy__(self) -> "Generator":
        from copy import copy  # `import trivet` need not pay for it

        return _resumed(self.seed, self.backend, self.device, copy(self._keys))

    def __deepcopy__(self, memo: object) -> "Generator":
        return self.__copy__()

    def key(self) -> int:
        """The next key: what a draw of one's own makes its numbers from.

        >>> import trivet as tv
        >>> tv.random.Generator(0).key() == tv.random.Generator(0).key()
        True
        """
        return self._keys.next()

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

        Raises `ValueError` unless `low < high`, `DTypeError` where a bound does not fit
        `dtype`.

        >>> import trivet as tv
        >>> set(tv.random.Generator(0).integers(1, 4, 100).tolist())
        {1, 2, 3}
        """
        low, high = (
            integer("integers", name, value)
            for name, value in (("low", low), ("high", high))
        )
        if low >= high:
            raise ArgumentError(f"integers: low={low} is not below high={high}.")
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

    def permutation(
        self, x: SupportsIndex | Tensor[Any], /, *, axis: SupportsIndex = 0
    ) -> Tensor[Any]:
        """The integers below `x` in random order, or a tensor's slices along `axis`.

        Raises `AxisError`.

        >>> import trivet as tv
        >>> sorted(tv.random.Generator(0).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        if not isinstance(x, Tensor):
            (size,) = as_shape("permutation", x)
            return self._order(size)
        along = normalize_axis("permutation", axis, x.ndim)
        return call("take", x, self._order(x.shape[along]), axis=along)

    def _order(self, n: int) -> Tensor[Any]:
        handle = self.backend.random_permutation(
            key=self.key(), n=n, device=self.device
        )
        return wrap(handle, self.backend)

    def choice(
        self,
        x: SupportsIndex | Tensor[Any],
        shape: ShapeLike = (),
        /,
        *,
        replace: bool = True,
        axis: SupportsIndex = 0,
    ) -> Tensor[Any]:
        """Some of the integers below `x`, or of a tensor's slices along `axis`.

        With `replace=False` none is taken twice. Raises `ShapeError` for more than
        there are, `AxisError`.

        >>> import trivet as tv
        >>> tv.random.Generator(0).choice(3, (2, 2)).shape
        (2, 2)
        """
        sizes = as_shape("choice", shape)
        if isinstance(x, Tensor):
            along = normalize_axis("choice", axis, x.ndim)
            picked = self._picked(x.shape[along], sizes, replace=replace)
            flat = call("reshape", picked, shape=(picked.size,))
            taken = call("take", x, flat, axis=along)
            whole = (*x.shape[:along], *sizes, *x.shape[along + 1 :])
            return call("reshape", taken, shape=whole)
        return self._picked(integer("choice", "x", x), sizes, replace=replace)

    def _picked(self, n: int, sizes: tuple[int, ...], *, replace: bool) -> Tensor[Any]:
        count = math.prod(sizes)
        if count > n and not (replace and n):
            raise ShapeError(
                f"choice: {count} of {n} cannot be taken with replace={replace}."
            )
        if replace:
            index = self.backend.default_dtypes(self.device).indexing
            return self.integers(0, max(n, 1), sizes, dtype=index)
        handle = self.backend.random_choice(
            key=self.key(), n=n, count=count, device=self.device
        )
        return call("reshape", wrap(handle, self.backend), shape=sizes)

    def bernoulli(
        self, p: Parameter = 0.5, /, shape: ShapeLike | None = None
    ) -> Tensor[Any]:
        """True with probability `p`, a number or a tensor, otherwise False.

        `shape` is that of the parameters unless given. Raises `ValueError` for a
        probability outside [0, 1], `ShapeError` where they do not broadcast.

        >>> import trivet as tv
        >>> tv.random.Generator(0).bernoulli(1.0, 3).tolist()
        [True, True, True]
        """
        (own,), sizes = self._parameters.together("bernoulli", shape, p)
        require_within("bernoulli", "p", own, 0, 1)
        unit = self._draw("random_uniform", "bernoulli", sizes, own.dtype)
        return call("less", unit, own)

    def exponential(
        self, shape: ShapeLike = (), *, scale: float = 1, dtype: Any = None
    ) -> Tensor[Any]:
        """Exponentially distributed numbers with the mean `scale`.

        >>> import trivet as tv
        >>> abs(float(tv.mean(tv.random.Generator(0).exponential(10_000))) - 1) < 0.05
        True
        """
        unit = self._draw("random_uniform", "exponential", shape, dtype)
        return call("log1p", -unit) * -scale

    def gamma(
        self, a: Parameter, /, shape: ShapeLike | None = None, *, scale: float = 1
    ) -> Tensor[Any]:
        """Gamma distributed numbers with the shape parameter `a` and a scale.

        `a` is a number or a tensor, which gives the dtype; NaN where it is not
        positive. Raises `ShapeError` where `shape` does not fit.

        >>> import trivet as tv
        >>> abs(float(tv.mean(tv.random.Generator(0).gamma(4.0, 10_000))) - 4) < 0.1
        True
        """
        (own,), sizes = self._parameters.together("gamma", shape, a)
        drawn = call("random_gamma", own, key=self.key(), shape=sizes)
        return drawn if scale == 1 else drawn * scale

    def beta(
        self, a: Parameter, b: Parameter, /, shape: ShapeLike | None = None
    ) -> Tensor[Any]:
        """Beta distributed numbers between 0 and 1; parameters as for `gamma`.

        >>> import trivet as tv
        >>> share = tv.random.Generator(0).beta(1.0, 3.0, 10_000)
        >>> abs(float(tv.mean(share)) - 0.25) < 0.01
        True
        """
        (first, second), sizes = self._parameters.together("beta", shape, a, b)
        return call("random_beta", first, second, key=self.key(), shape=sizes)

    def poisson(
        self, mean: Parameter, /, shape: ShapeLike | None = None, *, dtype: Any = None
    ) -> Tensor[Any]:
        """Poisson distributed integers, of the default integer dtype unless given.

        `mean` is a number or a tensor. Raises `ValueError` unless 0 <= mean <= 1e9.

        >>> import trivet as tv
        >>> tv.random.Generator(0).poisson(0.0, 3).tolist()
        [0, 0, 0]
        """
        default = self.backend.default_dtypes(self.device).integral
        wanted = default if dtype is None else as_dtype(dtype)
        (own,), sizes = self._parameters.together("poisson", shape, mean)
        require_within("poisson", "mean", own, 0, min(1e9, dtypes.finfo(own).max))
        return call(
            "random_poisson",
            own,
            key=self.key(),
            shape=sizes,
            dtype=supported(self.backend, self.device, wanted),
        )

    def categorical(
        self,
        probs: Tensor[Any] | None = None,
        shape: ShapeLike = (),
        *,
        logits: Tensor[Any] | None = None,
    ) -> Tensor[Any]:
        """Class numbers drawn by weights `probs` along the last axis, or by `logits`.

        The weights need not sum up to 1. The result has `shape` in front of the other
        axes of the weights. Raises `ValueError` unless one of the two is given, or for
        weights that are negative or all 0.

        >>> import trivet as tv
        >>> tv.random.Generator(0).categorical(tv.asarray([0.0, 1.0]), 3).tolist()
        [1, 1, 1]
        """
        given = [x for x in (probs, logits) if x is not None]
        if len(given) != 1:
            raise ArgumentError("categorical: give either probs or logits.")
        (own,), _ = self._parameters.together("categorical", None, given[0])
        if not own.ndim or not own.shape[-1]:
            raise ShapeError(f"categorical: the shape {own.shape} holds no classes.")
        if logits is not None:
            own = call("softmax", own, axis=own.ndim - 1)
        return self._by_weight(own, as_shape("categorical", shape))

    def _by_weight(self, weights: Tensor[Any], sizes: tuple[int, ...]) -> Tensor[Any]:
        """Class numbers from the distribution functions that the weights make."""
        known = self.backend.dtypes(self.device)
        wide = dtypes.float64 if dtypes.float64 in known else weights.dtype
        weights = self._parameters.tensor(weights, wide)
        require_within("categorical", "probs", weights, 0, math.inf)
        last = weights.ndim - 1
        running = call(
            "cumulative_sum", weights, axis=last, dtype=None, include_initial=False
        )
        total = call("getitem", running, key=(..., slice(-1, None)))
        limits = dtypes.finfo(total)
        lowest, highest = limits.smallest_normal, limits.max
        require_within("categorical", "sum(probs)", total, lowest, highest)
        steps = call("divide", running, total)
        return call("random_categorical", steps, key=self.key(), shape=sizes)


def _resumed(seed: int, backend: Any, device: Any, keys: Keys) -> Generator:
    """A generator that goes on where another one, or its pickle, stands."""
    generator = Generator(seed, backend=backend, device=device)
    generator._keys = keys  # noqa: SLF001  # of the class above
    return generator
