"""Special functions against SciPy; the bodies against mpmath, to the last digits."""

import math

import numpy as np
import pytest
import scipy.special

import trivet as tv
from trivet.errors import DTypeError
from trivet_ndarray import special

inf, nan = math.inf, math.nan
rng = np.random.default_rng(7)
REAL = np.concatenate([rng.normal(scale=3, size=40), 10.0 ** rng.uniform(-9, 1, 20)])
POSITIVE = np.concatenate([10.0 ** rng.uniform(-9, 4, 40), rng.uniform(0, 12, 40)])
UNIT = np.concatenate([rng.uniform(0, 1, 40), 10.0 ** rng.uniform(-12, -1, 20)])
UNARY = {
    "digamma": np.concatenate([POSITIVE, -rng.uniform(0, 9, 20)]),
    "entr": POSITIVE,
    "erf": REAL,
    "erfc": REAL,
    "erfinv": np.concatenate([UNIT, -UNIT]),
    "expit": REAL,
    "exprel": REAL,
    "gammaln": np.concatenate([POSITIVE + 2.1, -rng.uniform(0, 9, 20)]),
    "i0": REAL,
    "i0e": REAL,
    "i1": REAL,
    "i1e": REAL,
    "log_expit": REAL,
    "log_ndtr": REAL,
    "logit": UNIT,
    "ndtr": REAL,
    "ndtri": UNIT,
    "psi": POSITIVE,
    "sinc": REAL,
}
BINARY = ("beta", "betaln", "gammainc", "gammaincc", "kl_div", "rel_entr", "xlogy")
EDGES = np.asarray([-inf, -1.5, -1.0, -0.0, 0.0, 0.25, 0.5, 1.0, 2.0, 30.0, inf, nan])
# what SciPy gets wrong at an infinity: a Bessel function is infinite there, the
# logarithm of gamma too (as in C), and the others have no limit
NOT_SCIPYS = {"i0", "i1", "gammaln", "digamma"}
NAMED = {"expit": "sigmoid", "log_expit": "log_sigmoid", "psi": "digamma"}
LOOSE = {"float16": 4e-3, "float32": 2e-5, "float64": 3e-12}


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", LOOSE)
def test_function_of_one_operand_is_scipys(bodies, name, dtype):
    x = UNARY[name].astype(dtype)

    got = getattr(tv.special, name)(tv.asarray(x)).numpy()
    body = getattr(bodies, NAMED.get(name, name))(x)

    want = getattr(scipy.special, name)(x.astype("float64"))
    assert got.dtype == body.dtype == dtype
    small = 1e-7 if dtype == "float16" else 1e-15  # where it loses digits to underflow
    want = want.astype(dtype)
    np.testing.assert_allclose(got, want, rtol=LOOSE[dtype], atol=small)
    np.testing.assert_allclose(body, want, rtol=LOOSE[dtype], atol=small)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", sorted(set(UNARY) - NOT_SCIPYS))
def test_edges_of_one_operand_are_scipys(bodies, name):
    want = getattr(scipy.special, name)(EDGES)

    got = getattr(tv.special, name)(tv.asarray(EDGES)).numpy()
    body = getattr(bodies, NAMED.get(name, name))(EDGES)

    np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-16)
    np.testing.assert_allclose(body, want, rtol=1e-13, atol=1e-16)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", ["gammainc", "gammaincc", "xlogy", "xlog1py"])
def test_edges_of_two_operands_are_scipys(bodies, name):
    x1, x2 = np.meshgrid(EDGES, EDGES)
    want = getattr(scipy.special, name)(x1, x2)

    got = getattr(tv.special, name)(tv.asarray(x1), tv.asarray(x2)).numpy()

    np.testing.assert_allclose(got, want, rtol=1e-13)
    np.testing.assert_allclose(getattr(bodies, name)(x1, x2), want, rtol=1e-12)


@pytest.mark.usefixtures("quiet")
def test_edges_of_the_incomplete_beta_function_are_scipys(bodies):
    parameters, limits = np.asarray([-1, 0, 0.5, 2, inf, nan]), np.asarray([0, 0.3, 1])
    operands = np.meshgrid(parameters, parameters, np.append(limits, [-0.5, 1.5, nan]))
    want = scipy.special.betainc(*operands)

    got = tv.special.betainc(*map(tv.asarray, operands)).numpy()

    np.testing.assert_allclose(got, want, rtol=1e-13)
    np.testing.assert_allclose(bodies.betainc(*operands), want, rtol=1e-13)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", [*BINARY, "xlog1py"])
def test_function_of_two_operands_is_scipys(bodies, name):
    x1, x2 = POSITIVE[:30, None], POSITIVE[30:60]
    want = getattr(scipy.special, name)(x1, x2)

    got = getattr(tv.special, name)(tv.asarray(x1), tv.asarray(x2)).numpy()

    # SciPy loses digits where the arguments are large and far apart
    loose = {"rtol": 1e-8, "atol": 1e-11}
    np.testing.assert_allclose(getattr(bodies, name)(x1, x2), want, **loose)
    # for that reason betaln is the body: below it is compared with mpmath
    exact = loose if name == "betaln" else {"rtol": 1e-14}
    np.testing.assert_allclose(got, want, **exact)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", BINARY)
def test_function_takes_a_number_on_either_side(bodies, name):
    x = np.asarray([0.5, 2.0], dtype="float32")

    left = getattr(tv.special, name)(1.5, tv.asarray(x)).numpy()
    right = getattr(tv.special, name)(tv.asarray(x), 2).numpy()

    assert left.dtype == right.dtype == "float32"
    function = getattr(scipy.special, name)
    np.testing.assert_allclose(left, function(1.5, x.astype(float)), rtol=1e-5)
    np.testing.assert_allclose(right, function(x.astype(float), 2), rtol=1e-5)
    body = getattr(bodies, name)(1.5, x)
    assert body.dtype == "float32"
    np.testing.assert_allclose(body, left, rtol=1e-5)


def test_integers_join_floats():
    counts, p = tv.asarray([0, 3]), tv.asarray([0.0, 0.5], dtype=tv.float64)

    found = tv.special.xlogy(counts, p)

    assert found.dtype == tv.float64
    assert found.tolist() == [0.0, 3 * math.log(0.5)]


@pytest.mark.parametrize("n", [0, 1, 2, 5, 30])
def test_polygamma_is_scipys(bodies, n):
    x = POSITIVE[POSITIVE > 1e-3]
    want = scipy.special.polygamma(n, x)

    got = tv.special.polygamma(n, tv.asarray(x)).numpy()

    np.testing.assert_allclose(got, want, rtol=1e-14)
    np.testing.assert_allclose(bodies.polygamma(x, n=n), want, rtol=1e-12)


def test_incomplete_beta_is_scipys(bodies):
    a, b = 10.0 ** rng.uniform(-2, 4, (2, 300))
    x = rng.beta(a, b).clip(1e-12, 1 - 1e-12)
    want = scipy.special.betainc(a, b, x)

    got = tv.special.betainc(*map(tv.asarray, (a, b, x))).numpy()

    np.testing.assert_allclose(got, want, rtol=1e-14)
    np.testing.assert_allclose(bodies.betainc(a, b, x), want, rtol=1e-7, atol=1e-12)


@pytest.mark.usefixtures("quiet")
def test_infinite_arguments_have_their_limits(bodies):
    x = np.asarray([-inf, inf])

    for backend in (tv.backend("ndarray"), bodies):
        assert backend.i0(x).tolist() == [inf, inf]
        assert backend.i1(x).tolist() == [-inf, inf]
        assert backend.gammaln(x)[1] == inf
        assert backend.digamma(x)[1] == inf


EXACT = {  # the relative errors that the contract states, in units of 1e-16
    "erf": (REAL, lambda m, x: m.erf(x), 4),
    "erfc": (REAL, lambda m, x: m.erfc(x), 20),
    "erfinv": (UNIT, lambda m, x: m.erfinv(x), 10),
    "log_ndtr": (REAL, lambda m, x: m.log(m.ncdf(x)), 100),
    "gammaln": (POSITIVE, lambda m, x: m.loggamma(x).real, 20),
    "digamma": (POSITIVE, lambda m, x: m.psi(0, x), 40),
    "i0e": (REAL, lambda m, x: m.besseli(0, x) * m.exp(-abs(x)), 20),
    "i1e": (REAL, lambda m, x: m.besseli(1, x) * m.exp(-abs(x)), 20),
}


@pytest.mark.parametrize("name", EXACT)
def test_body_is_as_exact_as_the_contract_says(bodies, name):
    mpmath = pytest.importorskip("mpmath")
    x, function, digits = EXACT[name]

    found = getattr(bodies, name)(x)

    with mpmath.workdps(40):
        want = [function(mpmath, mpmath.mpf(number)) for number in x]
        errors = [abs(f - w) / abs(w) for f, w in zip(found, want, strict=True)]
    assert max(errors) < digits * 1e-16


def test_bodies_keep_the_digits_next_to_zeros(bodies):
    mpmath = pytest.importorskip("mpmath")
    steps = np.concatenate([10.0 ** rng.uniform(-12, -2, 20), [-1e-9, -1e-3]])

    for name, root in (
        ("gammaln", 1.0),
        ("gammaln", 2.0),
        ("digamma", 1.46163214496836),
    ):
        x = root + steps
        found = getattr(bodies, name)(x)

        with mpmath.workdps(40):
            function = EXACT[name][1]
            want = [float(function(mpmath, mpmath.mpf(number))) for number in x]
        np.testing.assert_allclose(found, want, rtol=2e-15)


@pytest.mark.parametrize("a", [0.009, 0.5, 3.0, 9.9, 10.0, 25.0, 4e3])
def test_betaln_keeps_its_digits_where_one_operand_is_large(bodies, a):
    mpmath = pytest.importorskip("mpmath")
    b = np.asarray([0.3, 9.99, 10.0, 4529.77, 1e4, 1e5, 1e8])

    with mpmath.workdps(40):
        large = [mpmath.log(mpmath.beta(mpmath.mpf(a), mpmath.mpf(y))) for y in b]
    want = np.asarray(large, dtype="float64")
    for backend in (tv.backend("ndarray"), bodies):
        for found in (backend.betaln(a, b), backend.betaln(b, a)):
            assert (abs(found - want) < 1e-14 * (1 + abs(want))).all()


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("a", [0.3, 11.9, 12.0, 300.0, 1e4, 1e6])
def test_incomplete_gamma_body_is_exact_for_large_parameters(bodies, a):
    mpmath = pytest.importorskip("mpmath")
    x = a + math.sqrt(a) * np.asarray([-5.0, -1.0, 0.0, 1.0, 5.0]).clip(
        -0.5 * math.sqrt(a)
    )

    lower, upper = bodies.gammainc(a, x), bodies.gammaincc(a, x)

    with mpmath.workdps(40):
        want = [_lower_gamma(mpmath, a, number) for number in x]
        np.testing.assert_allclose(lower, [float(p) for p in want], rtol=1e-12)
        np.testing.assert_allclose(upper, [float(1 - p) for p in want], rtol=1e-12)


def _lower_gamma(mpmath, a, x):
    """The series DLMF 8.7.1, which converges everywhere."""
    a, x = mpmath.mpf(a), mpmath.mpf(float(x))
    term = total = mpmath.mpf(1)
    n = 0
    while term > total * mpmath.mpf(10) ** -35:
        n += 1
        term *= x / (a + n)
        total += term
    return total * mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a + 1))


@pytest.fixture
def without_scipy(monkeypatch):
    """The backend as it is where SciPy is not installed."""
    monkeypatch.setattr(special, "scipy_special", lambda: None)


@pytest.mark.usefixtures("without_scipy")
@pytest.mark.parametrize("name", sorted(set(UNARY) - {"expit", "log_expit", "sinc"}))
def test_body_takes_over_silently_where_scipy_is_missing(name):
    x = tv.asarray(EDGES)

    found = getattr(tv.special, name)(x).numpy()

    with np.errstate(all="ignore"):
        want = getattr(scipy.special, name)(EDGES)
    if name not in NOT_SCIPYS:
        np.testing.assert_allclose(found, want, rtol=1e-13, atol=1e-16)


@pytest.mark.usefixtures("without_scipy")
def test_polygamma_takes_over_silently_where_scipy_is_missing():
    found = tv.special.polygamma(1, tv.asarray([0.0, 1.0], dtype=tv.float64))

    assert found.tolist() == pytest.approx([inf, math.pi**2 / 6], rel=1e-14)


ROWS = np.asarray([[1.0, -2.0, 3.0], [0.5, 700.0, -inf]])


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_softmax_has_scipys_default_axis(axis):
    x = tv.asarray(ROWS)

    for name in ("softmax", "log_softmax"):
        got = getattr(tv.special, name)(x, axis=axis).numpy()
        want = getattr(scipy.special, name)(ROWS, axis=axis)
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-300)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_weighted_logsumexp_is_scipys(axis, keepdims):
    weights = np.asarray([[1.0, 0.0, 2.0], [0.5, -0.25, 3.0]])

    for b in (None, 2.0, weights, weights[0]):
        own = tv.asarray(b) if isinstance(b, np.ndarray) else b
        got = tv.special.logsumexp(tv.asarray(ROWS), axis, own, keepdims=keepdims)
        want = scipy.special.logsumexp(ROWS, axis=axis, b=b, keepdims=keepdims)
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-13)


def test_element_of_weight_zero_counts_for_nothing():
    x = tv.asarray([inf, nan, 0.0], dtype=tv.float64)
    weights = tv.asarray([0.0, 0.0, 2.0], dtype=tv.float64)

    assert tv.special.logsumexp(x, b=weights).item() == math.log(2)


ERRORS = [
    (
        lambda: tv.special.erf(tv.asarray([1, 2])),
        DTypeError,
        (
            "erf: the dtype int64 is not one that this op takes; it takes real "
            "floating. Cast with .astype(...)."
        ),
    ),
    (
        lambda: tv.special.beta(tv.asarray([1, 2]), 0.5),
        DTypeError,
        (
            "beta: the dtype int64 is not one that this op takes; it takes real "
            "floating. Cast with .astype(...)."
        ),
    ),
    (
        lambda: tv.special.gammainc(1.0, 2.0),
        TypeError,
        (
            "gammainc: the first operand is the number 1.0, not a tensor. Nothing is "
            "converted silently: call tv.asarray(...) on it first."
        ),
    ),
    (
        lambda: tv.special.polygamma(101, tv.ones(2)),
        ValueError,
        "polygamma: n=101 is not from 0 to 100.",
    ),
    (
        lambda: tv.special.polygamma(-1, tv.ones(2)),
        ValueError,
        "polygamma: n=-1 is not from 0 to 100.",
    ),
]


@pytest.mark.parametrize("call, error, message", ERRORS)
def test_bad_input_is_explained(call, error, message):
    with pytest.raises(error) as caught:
        call()

    assert str(caught.value) == message
