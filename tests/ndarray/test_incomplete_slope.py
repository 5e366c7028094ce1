"""The slopes of the incomplete gamma and beta functions by parameters: mpmath's.

The derivatives are differences of mpmath's own functions or of series, to 40 digits.
"""

import math

import numpy as np
import pytest

mpmath = pytest.importorskip("mpmath")

pytestmark = pytest.mark.usefixtures("quiet")
rng = np.random.default_rng(11)
WHOLE = [(a, x) for a in (1, 2, 10, 12, 100) for x in (1e-5, 0.5, 1.2, 10, 12, 100)]
FAR = [(1e-3, 1e-300), (1e-3, 40.0), (1e4, 8e3), (1e4, 1.2e4), (30.0, 400.0)]
LARGE = [(1e6, 1e6), (1e6, 1e6 - 3e3), (1e6, 1e6 + 4e3), (1e4, 1e4 * (1 + 1e-9))]
DRAWN = [(a, a * 10 ** rng.uniform(-1, 1)) for a in 10.0 ** rng.uniform(-3, 4, size=60)]
CLOSE = [
    (a, abs(a + 4 * rng.normal() * math.sqrt(a)))
    for a in 10.0 ** rng.uniform(-1, 4, size=60)
]
GAMMAS = np.asarray([*WHOLE, *FAR, *LARGE, *DRAWN, *CLOSE])
SMALLEST = 1e-290  # below, the functions lose digits themselves


def gamma_slope(a, x):
    """By a of P(a, x); in the upper tail of Q, whose digits count there."""
    a, x = mpmath.mpf(float(a)), mpmath.mpf(float(x))
    if x > a:
        return -mpmath.diff(lambda t: mpmath.gammainc(t, x, regularized=True), a)
    return mpmath.diff(lambda t: mpmath.gammainc(t, 0, x, regularized=True), a)


def agree(found, want, digits):
    """Assert that the relative errors are below `digits`."""
    kept = [(f, w) for f, w in zip(found, want, strict=True) if abs(w) > SMALLEST]
    assert len(kept) > 100
    assert max(abs(float((f - w) / w)) for f, w in kept) < digits


def test_gamma_slope_has_the_digits_of_the_function(bodies):
    found = bodies.gammainc_slope(GAMMAS[:, 0], GAMMAS[:, 1])

    with mpmath.workdps(40):
        want = [gamma_slope(a, x) for a, x in GAMMAS]
        agree([mpmath.mpf(float(f)) for f in found], want, 1e-12)


def test_gamma_slope_of_float32_is_rounded_once(bodies):
    narrow = GAMMAS[GAMMAS[:, 1] > 1e-30].astype("float32")

    found = bodies.gammainc_slope(narrow[:, 0], narrow[:, 1])

    assert found.dtype == "float32"
    wide = narrow.astype("float64")
    want = bodies.gammainc_slope(wide[:, 0], wide[:, 1]).astype("float32")
    np.testing.assert_array_equal(found, want)


ENDS = [
    (a, b, x) for a in (1, 2, 10, 300) for b in (1, 3, 10) for x in (0.01, 0.5, 0.9)
]
TAILS = [(1e-3, 1e-3, 0.3), (1e-3, 50.0, 0.9), (200.0, 1e-3, 0.99), (2.0, 3.0, 1e-90)]
SPREAD = [(a, b, rng.uniform()) for a, b in 10.0 ** rng.uniform(-3, 2.5, size=(60, 2))]
MEANS = [
    (a, b, a / (a + b) + 2 * rng.normal() * math.sqrt(a * b / (a + b)) / (a + b))
    for a, b in 10.0 ** rng.uniform(-1, 3, size=(60, 2))
]
BETAS = np.asarray([r for r in [*ENDS, *TAILS, *SPREAD, *MEANS] if 0 < r[2] < 1])


def beta_part(a, b, x):
    """I_x(a, b) by the series DLMF 8.17.8, whose terms are positive."""
    term = total = mpmath.mpf(1)
    n = 0
    while term > total * mpmath.mpf(10) ** -(mpmath.mp.dps + 2):
        term *= (a + b + n) / (a + 1 + n) * x
        total, n = total + term, n + 1
    powers = x**a * (1 - x) ** b
    return powers * total / (a * mpmath.beta(a, b))


def beta_slope(a, b, x, place):
    """By a or b of I_x(a, b), from the end below the mean."""
    a, b, x = (mpmath.mpf(float(y)) for y in (a, b, x))
    if x > (a + 1) / (a + b + 2):
        return -beta_slope_below(b, a, 1 - x, 1 - place)
    return beta_slope_below(a, b, x, place)


def beta_slope_below(a, b, x, place):
    if place == 0:
        return mpmath.diff(lambda t: beta_part(t, b, x), a)
    return mpmath.diff(lambda t: beta_part(a, t, x), b)


@pytest.mark.parametrize("place", [0, 1])
def test_beta_slope_has_the_digits_of_the_function(bodies, place):
    found = bodies.betainc_slope(*BETAS.T, place=place)

    with mpmath.workdps(40):
        want = [beta_slope(*row, place) for row in BETAS]
        agree([mpmath.mpf(float(f)) for f in found], want, 2e-12)


def test_beta_slope_of_float32_is_rounded_once(bodies):
    narrow = BETAS[BETAS[:, 2] > 1e-30].astype("float32")

    found = bodies.betainc_slope(*narrow.T, place=0)

    assert found.dtype == "float32"
    want = bodies.betainc_slope(*narrow.T.astype("float64"), place=0)
    np.testing.assert_array_equal(found, want.astype("float32"))


@pytest.mark.parametrize(
    "op", ["gammainc", "gammaincc", "gammainc_slope", "betainc", "betainc_slope"]
)
def test_loop_ends_for_many_elements_too(bodies, op, monkeypatch):
    """Rounding moves the last factors by more than one unit, somewhere."""
    looks, read = [], type(bodies).read_int
    monkeypatch.setattr(
        type(bodies), "read_int", lambda self, x: looks.append(1) or read(self, x)
    )
    a, b = 10.0 ** rng.uniform(-2, 2, size=(2, 10_000))
    x = rng.uniform(0, 1, size=10_000)
    operands = (a, b, x) if op.startswith("betainc") else (a, 2 * a * x)

    getattr(bodies, op)(*operands, **({"place": 0} if op == "betainc_slope" else {}))

    assert 0 < len(looks) < 60  # there may be 512
