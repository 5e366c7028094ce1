"""The derived random numbers: published values, then distributions.

The statistical tests have fixed keys, so they do not pass or fail by chance. Their
limits are five standard errors.
"""

import itertools
import math
import statistics

import pytest

from trivet.contract import Device
from trivet.dtypes import DTYPES, float32, float64, iinfo, int64, uint64

WHERE = {"device": Device("example", 0)}
N = 4000


def test_bits_for_key_0_are_the_published_numbers_of_splitmix64(backend):
    bits = backend.random_bits(key=0, shape=(2, 2), **WHERE)

    # the reference implementation, https://prng.di.unimi.it/splitmix64.c, from state 0
    expected = [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
        0xF88BB8A8724C81EC,
    ]
    assert bits.dtype == uint64
    assert bits.shape == (2, 2)
    assert bits.data == expected


def test_bits_for_key_1234567_are_the_published_numbers_of_splitmix64(backend):
    bits = backend.random_bits(key=1234567, shape=(3,), **WHERE)

    # https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert bits.data == expected


def test_bits_take_the_largest_key(backend):
    bits = backend.random_bits(key=2**64 - 1, shape=(8,), **WHERE)

    assert len(set(bits.data)) == 8


@pytest.mark.parametrize("dtype, digits", [(float64, 53), (float32, 24)])
def test_uniform_is_the_top_bits_scaled(backend, dtype, digits):
    bits = backend.random_bits(key=7, shape=(50,), **WHERE)

    numbers = backend.random_uniform(key=7, shape=(50,), dtype=dtype, **WHERE)

    assert numbers.dtype == dtype
    assert numbers.data == [(b >> (64 - digits)) / 2**digits for b in bits.data]


def test_uniform_has_the_moments_of_its_distribution(backend):
    numbers = backend.random_uniform(key=1, shape=(N,), dtype=float64, **WHERE).data

    assert all(0 <= number < 1 for number in numbers)
    assert abs(statistics.fmean(numbers) - 1 / 2) < 5 * math.sqrt(1 / 12 / N)
    variance = statistics.pvariance(numbers)
    assert abs(variance - 1 / 12) < 5 * math.sqrt(1 / 180 / N)


@pytest.mark.parametrize("dtype", [float64, float32])
def test_normal_has_the_moments_of_its_distribution(backend, dtype):
    made = backend.random_normal(key=2, shape=(N // 4, 4), dtype=dtype, **WHERE)

    assert (made.dtype, made.shape) == (dtype, (N // 4, 4))
    moments = [statistics.fmean(x**k for x in made.data) for k in (1, 2, 3, 4)]
    # the k-th moment's variance is (E x^2k - (E x^k)^2) / N
    for moment, mean, variance in zip(
        moments, (0, 1, 0, 3), (1, 2, 15, 96), strict=True
    ):
        assert abs(moment - mean) < 5 * math.sqrt(variance / N)


def test_normal_follows_the_normal_distribution_function(backend):
    numbers = backend.random_normal(key=3, shape=(N,), dtype=float64, **WHERE).data
    normal = statistics.NormalDist()

    gaps = [abs((i + 0.5) / N - normal.cdf(x)) for i, x in enumerate(sorted(numbers))]

    assert max(gaps) < 1.95 / math.sqrt(
        N
    )  # Kolmogorov's statistic at one in a thousand


@pytest.mark.parametrize("name", [name for name in DTYPES if "int" in name])
def test_integers_cover_the_whole_range_of_every_dtype(backend, name):
    low, high = iinfo(name).min, iinfo(name).max + 1

    made = backend.random_integers(
        key=4, low=low, high=high, shape=(N,), dtype=DTYPES[name], **WHERE
    )

    assert made.dtype == DTYPES[name]
    assert all(low <= number < high for number in made.data)
    middle, spread = (low + high) / 2, (high - low) / math.sqrt(12)
    assert abs(statistics.fmean(made.data) - middle) < 5 * spread / math.sqrt(N)


def test_integers_stay_within_a_range_of_half_the_numbers(backend):
    made = backend.random_integers(
        key=4, low=-5, high=2**63 - 5, shape=(100,), dtype=int64, **WHERE
    )

    assert all(-5 <= number < 2**63 - 5 for number in made.data)


def test_integers_are_even_over_a_small_range(backend):
    made = backend.random_integers(
        key=5, low=-2, high=3, shape=(N,), dtype=int64, **WHERE
    )

    counts = [made.data.count(number) for number in range(-2, 3)]

    assert sum(counts) == N
    for count in counts:
        assert abs(count - N / 5) < 5 * math.sqrt(N * 0.2 * 0.8)


def test_permutation_holds_every_number_once_in_another_order(backend):
    made = backend.random_permutation(key=6, n=100, **WHERE)

    assert made.dtype == int64
    assert sorted(made.data) == list(range(100))
    assert made.data != list(range(100))


@pytest.mark.parametrize("n", [0, 1])
def test_permutation_of_next_to_nothing_is_that(backend, n):
    assert backend.random_permutation(key=6, n=n, **WHERE).data == list(range(n))


@pytest.mark.parametrize("n, count", [(5, 5), (7, 3), (8, 2), (1000, 9), (3, 0)])
def test_choice_holds_different_numbers_below_the_limit(backend, n, count):
    made = backend.random_choice(key=6, n=n, count=count, **WHERE)

    assert made.dtype == int64
    assert made.shape == (count,)
    assert len(set(made.data)) == count
    assert set(made.data) <= set(range(n))


@pytest.mark.parametrize("n", [4, 8])  # by a permutation, and by repeated draws
def test_choice_takes_every_pair_in_every_order_equally_often(backend, n):
    pairs = [
        tuple(backend.random_choice(key=key, n=n, count=2, **WHERE).data)
        for key in range(N // 2)
    ]

    likely = 1 / (n * (n - 1))
    for pair in itertools.permutations(range(n), 2):
        error = math.sqrt(len(pairs) * likely * (1 - likely))
        assert abs(pairs.count(pair) - len(pairs) * likely) < 5 * error


def test_choice_starts_again_when_a_draw_repeats_too_much(backend, monkeypatch):
    same = backend.full(shape=(4,), fill_value=7, dtype=int64, **WHERE)
    others = backend.add(
        same, backend.arange(start=0, stop=4, step=1, dtype=int64, **WHERE)
    )
    draws = iter([same, others])
    monkeypatch.setattr(backend, "random_integers", lambda **_: next(draws))

    assert backend.random_choice(key=0, n=99, count=2, **WHERE).data == [7, 8]


def test_choice_takes_the_first_of_equal_draws_in_their_order(
    backend, monkeypatch, grid
):
    drawn = grid([5, 2, 5, 5, 2, 9, 1, 0])
    monkeypatch.setattr(backend, "random_integers", lambda **_: drawn)

    assert backend.random_choice(key=0, n=99, count=4, **WHERE).data == [5, 2, 9, 1]


@pytest.mark.parametrize("classes", [1, 2, 3, 4, 7])
def test_class_is_the_number_of_steps_that_are_not_above(backend, grid, classes):
    steps = [[(i + 1) / classes for i in range(classes)], [0.0] * classes]
    steps[1][-1] = 1.0

    made = backend.random_categorical(grid(steps), key=4, shape=(3, 5))
    unit = backend.random_uniform(key=4, shape=(15, 2), dtype=float64, **WHERE)

    assert made.dtype == int64
    assert made.shape == (3, 5, 2)
    assert made.data == [
        sum(step <= number for step in steps[i % 2])
        for i, number in enumerate(unit.data)
    ]


def test_same_key_gives_the_same_numbers_and_another_key_others(backend):
    def draw(key):
        return backend.random_normal(key=key, shape=(9,), dtype=float64, **WHERE).data

    assert draw(8) == draw(8)
    assert not set(draw(8)) & set(draw(9))


def test_numbers_are_drawn_on_the_device_asked_for(backend):
    second = Device("example", 1)

    made = backend.random_uniform(key=1, shape=(), dtype=float64, device=second)

    assert made.device == second
    assert made.shape == ()


def kolmogorov(numbers, distribution):
    """The largest gap to a distribution function, in its own unit."""
    n = len(numbers)
    gaps = [abs((i + 0.5) / n - distribution(x)) for i, x in enumerate(sorted(numbers))]
    return max(gaps) * math.sqrt(n)


def gamma_distribution(a):
    """P(a, x) of an integer: DLMF 8.4.9."""
    return lambda x: (
        1 - math.exp(-x) * math.fsum(x**k / math.factorial(k) for k in range(a))
    )


def draws(backend, grid, op, *parameters, **statics):
    """A thousand numbers of one distribution."""
    handles = [grid(parameter, "float64") for parameter in parameters]
    return getattr(backend, op)(*handles, key=11, shape=(N // 4,), **statics)


@pytest.mark.parametrize("a", [1, 3, 20])
def test_gamma_follows_the_distribution_function_of_an_integer(backend, grid, a):
    numbers = draws(backend, grid, "random_gamma", float(a)).data

    assert kolmogorov(numbers, gamma_distribution(a)) < 1.95


def test_gamma_of_a_half_follows_half_the_square_of_a_normal_number(backend, grid):
    numbers = draws(backend, grid, "random_gamma", 0.5).data

    assert kolmogorov(numbers, lambda x: math.erf(math.sqrt(x))) < 1.95


def test_beta_follows_the_distribution_functions_that_are_closed(backend, grid):
    power = draws(backend, grid, "random_beta", 3.0, 1.0).data
    arcsine = draws(backend, grid, "random_beta", 0.5, 0.5).data

    assert kolmogorov(power, lambda x: x**3) < 1.95
    assert kolmogorov(arcsine, lambda x: 2 / math.pi * math.asin(math.sqrt(x))) < 1.95


def test_beta_of_tiny_parameters_is_near_0_or_1_and_never_nan(backend, grid):
    numbers = draws(backend, grid, "random_beta", 1e-4, 1e-4).data

    assert all(0 <= number <= 1 for number in numbers)
    assert abs(statistics.fmean(numbers) - 0.5) < 5 * 0.5 / math.sqrt(N // 4)


@pytest.mark.parametrize("mean", [0.5, 8.0, 10.0, 40.0, 1e6])
def test_poisson_has_the_moments_of_its_distribution(backend, grid, mean):
    made = draws(backend, grid, "random_poisson", mean, dtype=int64)

    count = N // 4
    assert made.dtype == int64
    assert abs(statistics.fmean(made.data) - mean) < 5 * math.sqrt(mean / count)
    # the variance of the variance is (mu4 - sigma**4) / N with mu4 = mean + 3 mean**2
    bound = 5 * math.sqrt((mean + 2 * mean**2) / count)
    assert abs(statistics.pvariance(made.data) - mean) < bound


def test_poisson_of_3_has_its_probabilities(backend, grid):
    made = draws(backend, grid, "random_poisson", 3.0, dtype=int64)

    count = N // 4
    for k in range(8):
        p = math.exp(-3) * 3**k / math.factorial(k)
        bound = 5 * math.sqrt(count * p * (1 - p))
        assert abs(made.data.count(k) - count * p) < bound


def test_poisson_of_0_is_0(backend, grid):
    assert set(draws(backend, grid, "random_poisson", 0.0, dtype=int64).data) == {0}


def test_parameters_broadcast_and_keep_their_dtype(backend, grid):
    made = backend.random_gamma(grid([[1.0], [-1.0]], "float32"), key=1, shape=(2, 3))

    assert (made.dtype, made.shape) == (float32, (2, 3))
    assert all(number > 0 for number in made.data[:3])
    assert all(math.isnan(number) for number in made.data[3:])


def test_every_derived_op_of_the_family_is_tested_here(derived_ops):
    bits = ("bits", "uniform", "normal", "integers", "permutation", "choice")
    laws = ("gamma", "beta", "poisson", "categorical")
    assert derived_ops("random") == {f"random_{kind}" for kind in (*bits, *laws)}
