"""What SciPy says to special functions. float32 is compared with float64, rounded."""

import numpy as np
from hypothesis import strategies as st
from references.case import Case
from references.values import FLOATS, arrays, one, reduced, shapes, two
from scipy import special

REAL = {"low": -8.0, "high": 8.0}
POSITIVE = {"low": 0.0625, "high": 16.0, "special": False}
UNIT = {"low": 0.0, "high": 1.0}


def rounded(function):
    """Computed in float64, and rounded to the dtype of the operands."""

    def reference(*arguments, **keywords):
        floats = [x for x in arguments if isinstance(x, np.ndarray)]
        wide = [x.astype(float) if isinstance(x, np.ndarray) else x for x in arguments]
        return np.asarray(function(*wide, **keywords)).astype(np.result_type(*floats))

    return reference


def near(function, calls, ulps=64, scale=1.0):
    return Case(rounded(function), calls, ulps=ulps, scale=scale)


@st.composite
def softened(draw):
    x = draw(arrays(FLOATS, shapes(1, empty=False), low=-16, high=16, special=False))
    return (x,), {"axis": draw(st.sampled_from([None, 0, -1]))}


@st.composite
def weighted(draw):
    (x,), kw = draw(
        reduced(FLOATS, least=1, empty=False, low=-16, high=16, special=False)
    )
    if draw(st.booleans()):
        kw["b"] = draw(arrays((x.dtype.name,), x.shape, **POSITIVE))
    return (x,), kw


@st.composite
def thirds(draw):
    """Two positive parameters and a place between 0 and 1."""
    dtype = (draw(st.sampled_from(FLOATS)),)
    a, b = (draw(arrays(dtype, (4,), **POSITIVE)) for _ in range(2))
    return (a, b, draw(arrays(dtype, (4,), special=False, **UNIT))), {}


@st.composite
def gammas(draw):
    dtype = (draw(st.sampled_from(FLOATS)),)
    return tuple(draw(arrays(dtype, (4,), **POSITIVE)) for _ in range(2)), {}


@st.composite
def derivatives(draw):
    x = draw(arrays(FLOATS, low=0.5, high=16.0, special=False))
    return (draw(st.integers(0, 3)), x), {}


def entropies():
    return two(("float32",), low=0.0, high=8.0)


TABLE = {
    "special.beta": near(special.beta, gammas(), ulps=256),
    "special.betainc": near(special.betainc, thirds(), ulps=256),
    "special.betaln": near(special.betaln, gammas(), ulps=256),
    "special.digamma": near(special.digamma, one(FLOATS, **POSITIVE)),
    "special.entr": near(special.entr, one(FLOATS, low=-1.0, high=8.0)),
    "special.erf": near(special.erf, one(FLOATS, **REAL), scale=0),
    "special.erfc": near(special.erfc, one(FLOATS, **REAL), ulps=256, scale=1e-30),
    "special.erfinv": near(special.erfinv, one(FLOATS, low=-1.0, high=1.0)),
    "special.expit": near(special.expit, one(FLOATS, **REAL), scale=0),
    "special.exprel": near(special.exprel, one(FLOATS, **REAL), scale=0),
    "special.gammainc": near(special.gammainc, gammas(), ulps=256),
    "special.gammaincc": near(special.gammaincc, gammas(), ulps=256),
    "special.gammaln": near(special.gammaln, one(FLOATS, **POSITIVE)),
    "special.i0": near(special.i0, one(FLOATS, special=False, **REAL), scale=0),
    "special.i0e": near(special.i0e, one(FLOATS, **REAL), scale=0),
    "special.i1": near(special.i1, one(FLOATS, special=False, **REAL), scale=1e-30),
    "special.i1e": near(special.i1e, one(FLOATS, **REAL), scale=1e-30),
    "special.kl_div": near(special.kl_div, entropies(), scale=8),
    "special.log_expit": near(special.log_expit, one(FLOATS, **REAL), scale=1e-30),
    "special.log_ndtr": near(special.log_ndtr, one(FLOATS, **REAL), scale=1e-30),
    "special.log_softmax": near(special.log_softmax, softened(), scale=16),
    "special.logit": near(special.logit, one(FLOATS, **UNIT)),
    "special.logsumexp": near(special.logsumexp, weighted(), scale=16),
    "special.ndtr": near(special.ndtr, one(FLOATS, **REAL), ulps=256, scale=1e-30),
    "special.ndtri": near(special.ndtri, one(FLOATS, **UNIT)),
    "special.polygamma": near(special.polygamma, derivatives(), ulps=256),
    "special.psi": near(special.psi, one(FLOATS, **POSITIVE)),
    "special.rel_entr": near(special.rel_entr, entropies(), scale=8),
    "special.sinc": near(np.sinc, one(FLOATS, **REAL)),
    "special.softmax": near(special.softmax, softened()),
    "special.xlog1py": near(
        special.xlog1py, two(("float64",), low=0.0, high=8.0), scale=1e-30
    ),
    "special.xlogy": near(
        special.xlogy, two(("float64",), low=0.0, high=8.0), scale=1e-30
    ),
}
