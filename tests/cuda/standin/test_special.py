"""Special functions through CuPy's interface, and those that are not CuPy's."""

import math

import numpy as np
import pytest

import trivet as tv

scipy = pytest.importorskip("scipy.special", reason="the stand-in takes SciPy's values")
AROUND, POSITIVE, INSIDE = [-1.5, 0.0, 0.5, 2.0], [0.25, 1.0, 3.5], [0.125, 0.5, 0.75]
UNARY = {
    "digamma": POSITIVE,
    "entr": POSITIVE,
    "erf": AROUND,
    "erfc": AROUND,
    "erfinv": INSIDE,
    "exprel": AROUND,
    "gammaln": POSITIVE,
    "i0": AROUND,
    "i1": AROUND,
    "log_ndtr": AROUND,
    "ndtr": AROUND,
    "ndtri": INSIDE,
    "sinc": AROUND,
}
BINARY = ["beta", "betaln", "gammainc", "gammaincc", "xlogy"]
DERIVED = {
    "i0e": "CuPy's is exp(-|x|) times i0, infinity times 0 from x = 710 on",
    "i1e": "CuPy's is exp(-|x|) times i1, infinity times 0 from x = 710 on",
    "logit": "CuPy's is log(x / (1 - x)), with few digits near 1/2",
    "kl_div": "CuPy's has few digits where x is near y",
    "rel_entr": "CuPy's has few digits where x is near y, and x / y overflows",
    "xlog1py": "CuPy's gives 0 for 0 and NaN (`~isnan` is true of everything)",
    "polygamma": "CuPy's counts up to 9 from x, which takes forever from -1e9",
}
TOLERANCES = {"float16": 2e-3, "float32": 1e-5, "float64": 1e-12}


@pytest.fixture
def put(cuda):
    def made(values, dtype="float64"):
        return tv.asarray(values, dtype=getattr(tv, dtype), backend=cuda)

    return made


@pytest.mark.parametrize("op", [*UNARY, *BINARY, "betainc"])
def test_function_is_cupys(cuda, op):
    assert cuda.support(op) == "native"


@pytest.mark.parametrize("op", DERIVED)
def test_function_stays_derived_where_cupys_breaks_the_contract(cuda, op):
    assert cuda.support(op) == "derived", DERIVED[op]


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("op", UNARY)
def test_function_of_one_operand_keeps_its_dtype(put, op, dtype):
    found = getattr(tv.special, op)(put(UNARY[op], dtype))

    assert str(found.dtype) == dtype
    want = getattr(scipy, op)(np.asarray(UNARY[op]))
    near = TOLERANCES[dtype]
    np.testing.assert_allclose(found.tolist(), want, rtol=near, atol=near / 100)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("op", BINARY)
def test_function_of_two_operands_takes_a_number_on_either_side(put, op, dtype):
    x = put([0.5, 2.0], dtype)

    left, right = getattr(tv.special, op)(1.5, x), getattr(tv.special, op)(x, 2)

    assert str(left.dtype) == str(right.dtype) == dtype
    wide, near = np.asarray([0.5, 2.0]), {"rtol": TOLERANCES[dtype]}
    np.testing.assert_allclose(left.tolist(), getattr(scipy, op)(1.5, wide), **near)
    np.testing.assert_allclose(right.tolist(), getattr(scipy, op)(wide, 2), **near)


def test_incomplete_beta_broadcasts_and_promotes(put):
    found = tv.special.betainc(put([[0.5], [2.0]], "float32"), 3.0, put([0.25, 0.5]))

    assert found.dtype == tv.float64
    want = scipy.betainc([[0.5], [2.0]], 3.0, [0.25, 0.5])
    np.testing.assert_allclose(found.tolist(), want)


def test_integers_join_floats(put):
    found = tv.special.xlogy(put([0, 3], "int64"), put([0.0, 0.5], "float32"))

    np.testing.assert_allclose(found.tolist(), [0.0, 3 * math.log(0.5)], rtol=1e-6)


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_infinities_are_right_where_cupys_are_not(put, dtype):
    x = put([-math.inf, math.inf], dtype)

    assert tv.special.exprel(x).tolist() == [0.0, math.inf]
    assert tv.special.gammaln(x).tolist() == [math.inf, math.inf]


def test_standin_is_wrong_at_infinity_as_cupy_is(put, standin):
    from cupyx.scipy import special

    x = put([-math.inf, math.inf]).handle

    np.testing.assert_array_equal(special.exprel(x).get(), [0.0, math.nan])
    np.testing.assert_array_equal(special.gammaln(x).get(), [-math.inf, math.inf])
