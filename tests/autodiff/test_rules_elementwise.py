"""Rules for arithmetic, exponentials, rounding, signs and selection."""

import pytest
from numeric import Array, array, check, listed, on

PLUS = {"low": 0.3, "high": 2.5}
A, B = array(2, 3), array(2, 3, **PLUS)
UNARY = [on(array(2, 3)), on(array()), on(array(0, 3))]
POSITIVE = [on(array(2, 3, **PLUS)), on(array(**PLUS)), on(array(0, 3, **PLUS))]
# both sides of one shape, each side broadcast, 0-d, nothing, and a Python number
BINARY = [
    on(A, B),
    on(array(2, 1), array(1, 3, **PLUS)),
    on(array(3), array(2, 3, **PLUS)),
    on(array(2, 3), array(1, **PLUS)),
    on(array(), array(2, **PLUS)),
    on(array(2), array(**PLUS)),
    on(array(), array(**PLUS)),
    on(array(0, 3), array(3, **PLUS)),
    on(array(1, 1), array(0, 3, **PLUS)),
    on(array(3), 1.5),
    on(array(3), 2),
    on(-0.5, array(3, **PLUS)),
    on(3, array(3, **PLUS)),
]
POWERS = [
    *(on(array(2, 3, **PLUS), array(2, 3)), on(array(2, 1, **PLUS), array(1, 3))),
    *(on(array(3, **PLUS), array()), on(array(0, 2, **PLUS), array(2))),
    *(on(array(3), exponent) for exponent in (0, 1, 2, 3, -1, 2.0)),
    *(on(array(3, **PLUS), exponent) for exponent in (0.5, -1.5, 0.0)),
    *(on(base, array(3)) for base in (2, 0.5, 1)),
]
CASES = {
    "add": BINARY,
    "subtract": BINARY,
    "multiply": BINARY,
    "divide": BINARY,
    "floor_divide": BINARY,
    "remainder": BINARY,
    "pow": POWERS,
    "exp": UNARY,
    "log": POSITIVE,
    "sqrt": POSITIVE,
    "floor": UNARY,
    "negative": UNARY,
    "positive": UNARY,
    "abs": UNARY,
    "sign": UNARY,
    "square": UNARY,
    "reciprocal": POSITIVE,
    "maximum": BINARY,
    "minimum": BINARY,
    "clip": [
        on(array(7), -0.5, 0.5),
        on(array(7), None, 0.5),
        on(array(7), -0.5),
        on(array(7), -0.5, None),
        on(array(2, 4), array(4, low=-1, high=0), array(2, 1, low=0, high=1)),
        on(array(2, 4), array(), array(4, low=-1, high=1)),
        on(array(), array(low=-1, high=0), 0.5),
        on(array(0, 3), array(3), None),
        on(array(4), 1.0, -1.0),
    ],
    "ceil": UNARY,
    "trunc": UNARY,
    "round": UNARY,
    "copysign": [*BINARY, on(array(3), array(3)), on(array(3), -1.0)],
    "hypot": BINARY,
    "expm1": UNARY,
    "log1p": POSITIVE,
    "log2": POSITIVE,
    "log10": POSITIVE,
    "logaddexp": [
        *BINARY,
        on(Array((2,), (1.0, 800.0)), Array((2,), (1.0, 800.0))),
        on(Array((2,), (-800.0, 800.0)), 0),
    ],
    "imag": [],  # tracked tensors are real: the op refuses them
    "conj": UNARY,
    "real": UNARY,
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
