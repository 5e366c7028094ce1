"""Random numbers, each draw a pure function of its key.

There is no hidden state: the same key gives the same numbers on the same backend, in
any thread, and again when a computation is repeated. `trivet.random.Generator` deals
the keys.
"""

import math
from typing import TypeVar

from trivet.contract.device import Device
from trivet.contract.linalg import Linalg
from trivet.contract.table import derived
from trivet.dtypes import INTEGRAL, REAL_FLOATING, DType, float64, uint64

__all__ = ["Random"]

H = TypeVar("H")
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_BRANCH = 0xD1B54A32D192ED03  # odd, and not the step between a key's own numbers
_MANY = 4  # times as many as are taken
_GAMMA_ROUNDS = 16  # of which each accepts at least 95 %
_POISSON_ROUNDS = 64  # of which each accepts at least 70 %
_FEW = 10.0  # below this mean, Poisson numbers are found by inversion
_STEPS = 60  # beyond which such a number has no probability in 64 bits
_STIRLING = (1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)


class Random(Linalg[H], family="random"):
    """The bodies need uint64 arithmetic; a backend without it overrides them."""

    @derived(INTEGRAL, constant="random draw")
    def random_bits(self, *, key: int, shape: tuple[int, ...], device: Device) -> H:
        """Independent uniform uint64 values.

        SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the finalizer of key + i *
        golden ratio, for the i-th element in C order.
        """
        n = math.prod(shape)
        i = self.arange(start=0, stop=n, step=1, dtype=uint64, device=device)
        z = self.add(self.multiply(i, _GOLDEN), (key + _GOLDEN) & _MASK)
        z = self.multiply(self._shift_xor(z, 30), 0xBF58476D1CE4E5B9)
        z = self.multiply(self._shift_xor(z, 27), 0x94D049BB133111EB)
        return self.reshape(self._shift_xor(z, 31), shape=shape)

    def _shift_xor(self, z: H, count: int) -> H:
        return self.bitwise_xor(z, self.floor_divide(z, 2**count))

    @derived(REAL_FLOATING, constant="random draw")
    def random_uniform(
        self, *, key: int, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> H:
        """Uniform over [0, 1): the top 24 or 53 random bits, scaled exactly."""
        bits = self.random_bits(key=key, shape=shape, device=device)
        keep = 53 if dtype == float64 else 24 if dtype.bits == 32 else 8
        top = self.astype(self.floor_divide(bits, 2 ** (64 - keep)), dtype=dtype)
        return self.multiply(top, 2.0**-keep)

    @derived(REAL_FLOATING, constant="random draw")
    def random_normal(
        self, *, key: int, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> H:
        """Standard normal numbers (Box and Muller, 1958)."""
        pair = self.random_uniform(
            key=key, shape=(2, *shape), dtype=dtype, device=device
        )
        u, v = self.getitem(pair, key=(0,)), self.getitem(pair, key=(1,))
        radius = self.sqrt(self.multiply(self.log(self.subtract(1, u)), -2))
        return self.multiply(radius, self.cos(self.multiply(v, 2 * math.pi)))

    @derived(INTEGRAL, constant="random draw")
    def random_integers(
        self,
        *,
        key: int,
        low: int,
        high: int,
        shape: tuple[int, ...],
        dtype: DType,
        device: Device,
    ) -> H:
        """Uniform integers from `low` up to, not including, `high`.

        64 random bits modulo the range: the bias is below range / 2**64.
        """
        within = self.random_bits(key=key, shape=shape, device=device)
        if high - low < 2**64:
            within = self.remainder(within, high - low)
        return self.add(self.astype(within, dtype=dtype), low)

    @derived(INTEGRAL, constant="random draw")
    def random_permutation(self, *, key: int, n: int, device: Device) -> H:
        """The integers below `n` in random order, in the index dtype."""
        bits = self.random_bits(key=key, shape=(n,), device=device)
        return self.argsort(bits, axis=0, descending=False, stable=True)

    @derived(INTEGRAL, constant="random draw")
    def random_choice(self, *, key: int, n: int, count: int, device: Device) -> H:
        """`count` different integers below `n`, all in random order; index dtype.

        Of few they are the first of all in random order. Of many they are the first
        different ones of a longer draw with repetitions: which these are follows from
        what is equal, so their values are as likely as any other. How many there are
        is read back to the host.
        """
        if not count:
            dtype = self.default_dtypes(device).indexing
            return self.zeros(shape=(0,), dtype=dtype, device=device)
        if n < _MANY * count:
            order = self.random_permutation(key=key, n=n, device=device)
            return self.part(order, 0, 0, count)
        dtype = self.default_dtypes(device).indexing
        drawn = self.random_integers(
            key=key, low=0, high=n, shape=(2 * count,), dtype=dtype, device=device
        )
        places, found = self._first_places(drawn)
        if found < count:  # hardly ever, and again whatever the values are
            return self.random_choice(
                key=_branch(key, -1), n=n, count=count, device=device
            )
        return self.take(drawn, self.part(places, 0, 0, count), axis=0)

    def _first_places(self, x: H) -> tuple[H, int]:
        """The places of the 1-D `x`, those of the first of equal elements in front.

        And how many these are, read back to the host.
        """
        n = self.size(x)
        order = self.argsort(x, axis=0, descending=False, stable=True)
        ranked = self.take(x, order, axis=0)
        dtype = self.dtype(order)
        again = self.equal(self.part(ranked, 0, 1, n), self.part(ranked, 0, 0, n - 1))
        first = self.filled_like(order, 0, (1,))
        again = self.concat((first, self.astype(again, dtype=dtype)), axis=0)
        blank = self.filled_like(order, 0, (n,))
        again = self.index_update(blank, order, again, mode="set")
        places = self.argsort(again, axis=0, descending=False, stable=True)
        return places, n - self.read_int(
            self.sum(again, axis=None, dtype=dtype, keepdims=False)
        )

    @derived(REAL_FLOATING, constant="random draw")
    def random_gamma(self, x: H, /, *, key: int, shape: tuple[int, ...]) -> H:
        """Gamma distributed numbers with scale 1; the shape parameters `x` broadcast.

        NaN where the parameter is not positive.
        """
        wide, dtype = self.widened(x)
        return self.cast(self.exp(self._log_gammas(wide, key, shape)), dtype)

    @derived(REAL_FLOATING, constant="random draw")
    def random_beta(self, x1: H, x2: H, /, *, key: int, shape: tuple[int, ...]) -> H:
        """Beta distributed numbers: the share of one gamma number in the sum of two.

        By their logarithms: small parameters would make both 0.
        """
        (first, dtype), (second, _) = self.widened(x1), self.widened(x2)
        left = self._log_gammas(first, _branch(key, -1), shape)
        right = self._log_gammas(second, _branch(key, -2), shape)
        share = self.divide(1, self.add(self.exp(self.subtract(right, left)), 1))
        return self.cast(share, dtype)

    def _log_gammas(self, a: H, key: int, shape: tuple[int, ...]) -> H:
        """Logarithms of gamma numbers, by rejection.

        Marsaglia and Tsang, A simple method for generating gamma variables (ACM
        Transactions on Mathematical Software 26, 2000).
        """
        a = self.broadcast_to(a, shape=shape)
        low = self.less(a, 1)
        d = self.subtract(self.where(low, self.add(a, 1), a), 1 / 3)
        found = self.filled_like(a, math.nan, shape)
        for i in range(_GAMMA_ROUNDS):
            accepted, value = self._gamma_round(d, _branch(key, 2 * i))
            fresh = self.logical_and(accepted, self.isnan(found))
            found = self.where(fresh, value, found)
            if self._is_complete(found, self.less(0, a)):
                break
        lowered = self.divide(self._log_uniform(a, _branch(key, 1)), a)
        found = self.add(found, self.where(low, lowered, 0))
        return self.where(self.less(0, a), found, math.nan)

    def _is_complete(self, found: H, wanted: H) -> bool:
        missing = self.logical_and(self.isnan(found), wanted)
        return not self.read_int(self.any(missing, axis=None, keepdims=False))

    def _gamma_round(self, d: H, key: int) -> tuple[H, H]:
        """Which elements are accepted, and log(d v) of each."""
        normal = self.random_normal(
            key=key, shape=self.shape(d), dtype=self.dtype(d), device=self.device(d)
        )
        c = self.reciprocal(self.sqrt(self.multiply(d, 9)))
        t = self.add(self.multiply(normal, c), 1)
        positive = self.less(0, t)
        t = self.where(positive, t, 1)
        log_v, v = self.multiply(self.log(t), 3), self.multiply(self.square(t), t)
        bound = self.add(self.multiply(self.square(normal), 0.5), d)
        gain = self.multiply(d, self.subtract(log_v, v))
        below = self.less(self._log_uniform(d, key ^ _GOLDEN), self.add(bound, gain))
        return self.logical_and(positive, below), self.add(self.log(d), log_v)

    def _log_uniform(self, x: H, key: int) -> H:
        """Logarithms of numbers over (0, 1], of the shape and dtype of `x`."""
        u = self._uniform_like(x, key)
        return self.log(self.subtract(1, u))

    @derived(REAL_FLOATING, constant="random draw")
    def random_categorical(self, x: H, /, *, key: int, shape: tuple[int, ...]) -> H:
        """Class numbers from distribution functions along the last axis of `x`.

        These rise to 1; a class is how many of their values a uniform number is not
        below. The result has `shape` in front of the other axes, and the index dtype.
        """
        *lead, classes = self.shape(x)
        rows = math.prod(lead)
        unit = self.random_uniform(
            key=key,
            shape=(math.prod(shape), rows),
            dtype=self.dtype(x),
            device=self.device(x),
        )
        steps = self.reshape(x, shape=(rows * classes,))
        start = self.multiply(self.counting(x, rows), classes)

        def is_passed(places: H) -> H:
            flat = self.reshape(self.add(places, start), shape=(self.size(unit),))
            found = self.reshape(self.take(steps, flat, axis=0), shape=self.shape(unit))
            return self.less_equal(found, unit)

        found = self.bisected(is_passed, unit, classes)
        return self.reshape(found, shape=(*shape, *lead))

    @derived(REAL_FLOATING, constant="random draw")
    def random_poisson(
        self, x: H, /, *, key: int, shape: tuple[int, ...], dtype: DType
    ) -> H:
        """Poisson distributed integers; the means `x`, not negative, broadcast.

        By inversion for means below 10, otherwise by transformed rejection: Hormann,
        The transformed rejection method for generating Poisson random variables
        (Insurance: Mathematics and Economics 12, 1993).
        """
        device = self.device(x)
        wide = self._widest_float(self.dtype(x), device)
        mean = self.broadcast_to(self.cast(x, wide), shape=shape)
        few = self._few_events(self.minimum(mean, _FEW), _branch(key, -1))
        many = self._many_events(self.maximum(mean, _FEW), key)
        return self.astype(self.where(self.less(mean, _FEW), few, many), dtype=dtype)

    def _uniform_like(self, x: H, key: int) -> H:
        return self.random_uniform(
            key=key, shape=self.shape(x), dtype=self.dtype(x), device=self.device(x)
        )

    def _few_events(self, mean: H, key: int) -> H:
        """How many values of the distribution function a uniform number passes."""
        u = self._uniform_like(mean, key)
        term = total = self.exp(self.negative(mean))
        count = self.multiply(mean, 0)
        for i in range(1, _STEPS):
            passed = self.less_equal(total, u)
            count = self.add(count, self.astype(passed, dtype=self.dtype(mean)))
            term = self.multiply(term, self.divide(mean, i))
            total = self.add(total, term)
        return count

    def _many_events(self, mean: H, key: int) -> H:
        found = self.filled_like(mean, math.nan, self.shape(mean))
        for i in range(_POISSON_ROUNDS):
            accepted, value = self._poisson_round(mean, _branch(key, i))
            fresh = self.logical_and(accepted, self.isnan(found))
            found = self.where(fresh, value, found)
            if self._is_complete(found, self.equal(mean, mean)):
                break
        return found

    def _poisson_round(self, mean: H, key: int) -> tuple[H, H]:
        b = self.add(self.multiply(self.sqrt(mean), 2.53), 0.931)
        a = self.subtract(self.multiply(b, 0.02483), 0.059)
        u = self.subtract(self._uniform_like(mean, key), 0.5)
        edge = self.subtract(0.5, self.abs(u))
        inside = self.less(0, edge)
        edge = self.where(inside, edge, 0.5)
        slope = self.add(self.divide(self.multiply(a, 2), edge), b)
        k = self.floor(self.add(self.multiply(slope, u), self.add(mean, 0.43)))
        inside = self.logical_and(inside, self.less_equal(0, k))
        k = self.maximum(k, 0)
        hat = self.add(self.divide(a, self.square(edge)), b)
        scale = self.add(self.divide(1.1328, self.subtract(b, 3.4)), 1.1239)
        left = self.log(self.divide(scale, hat))
        left = self.add(left, self._log_uniform(mean, key ^ _GOLDEN))
        right = self.subtract(self.multiply(k, self.log(mean)), mean)
        right = self.subtract(right, self._log_factorial(k))
        return self.logical_and(inside, self.less_equal(left, right)), k

    def _log_factorial(self, k: H) -> H:
        """log(k!) by Stirling's series at k + 9."""
        product, z = self.add(k, 1), self.add(k, 9)
        for i in range(2, 9):
            product = self.multiply(product, self.add(k, i))
        inverse = self.reciprocal(z)
        square, tail = self.square(inverse), self.multiply(inverse, 0)
        for c in _STIRLING:
            tail = self.add(self.multiply(tail, square), c)
        main = self.multiply(self.subtract(z, 0.5), self.subtract(self.log(z), 1))
        main = self.add(main, 0.5 * math.log(2 * math.pi) - 0.5)
        rest = self.subtract(self.multiply(tail, inverse), self.log(product))
        return self.add(main, rest)


def _branch(key: int, number: int) -> int:
    """A key of its own for each part of a draw that needs several."""
    z = (key + (number + 5) * _BRANCH) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)
