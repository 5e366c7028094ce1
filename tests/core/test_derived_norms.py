"""The derived norms, against their definitions."""

import math

import pytest

INF, NAN = math.inf, math.nan
A = [[1.0, -2.0], [3.0, 4.0]]
TURN = [[0.0, -2.0], [3.0, 0.0]]


def vector(ord, axis=None, *, keepdims=False):
    return {"ord": ord, "axis": axis, "keepdims": keepdims}


def matrix(ord, *, keepdims=False):
    return {"ord": ord, "keepdims": keepdims}


def similar(eps=1e-8):
    return {"axis": -1, "eps": eps}


def one(value):
    return (value, "float64")


CASES = [
    ("vector_norm", ([3.0, -4.0],), vector(2.0), one(5.0)),
    ("vector_norm", ([3.0, -4.0],), vector(1.0), one(7.0)),
    ("vector_norm", ([3.0, -4.0, 0.0],), vector(0.0), one(2.0)),
    ("vector_norm", ([3.0, -4.0],), vector(INF), one(4.0)),
    ("vector_norm", ([3.0, -4.0],), vector(-INF), one(3.0)),
    ("vector_norm", ([1.0, -2.0, 2.0],), vector(3.0), one(17 ** (1 / 3))),
    ("vector_norm", ([2.0, -2.0],), vector(-1.0), one(1.0)),
    ("vector_norm", ([2.0, 0.0],), vector(-1.0), one(0.0)),
    ("vector_norm", ([3e200, 4e200],), vector(2.0), one(5e200)),
    ("vector_norm", ([3e-200, 4e-200],), vector(2.0), one(5e-200)),
    ("vector_norm", ([INF, 1.0],), vector(2.0), one(INF)),
    ("vector_norm", ([NAN, 1.0],), vector(2.0), one(NAN)),
    ("vector_norm", ([0.0, -0.0],), vector(2.0), one(0.0)),
    ("vector_norm", ([],), vector(2.0), one(0.0)),
    ("vector_norm", ([],), vector(-INF), one(INF)),
    ("vector_norm", ((-2.0, "float64"),), vector(2.0), one(2.0)),
    ("vector_norm", (A,), vector(1.0, (0,)), [4.0, 6.0]),
    ("vector_norm", (A,), vector(1.0, (1,), keepdims=True), [[3.0], [7.0]]),
    ("vector_norm", (A,), vector(2.0, ()), [[1.0, 2.0], [3.0, 4.0]]),
    ("vector_norm", (([3.0, 4.0], "float32"),), vector(2.0), (5.0, "float32")),
    ("matrix_norm", (A,), matrix("fro"), one(30**0.5)),
    ("matrix_norm", (A,), matrix(1), one(6.0)),
    ("matrix_norm", (A,), matrix(-1), one(4.0)),
    ("matrix_norm", (A,), matrix(INF), one(7.0)),
    ("matrix_norm", (A,), matrix(-INF), one(3.0)),
    ("matrix_norm", (TURN,), matrix(2), one(3.0)),
    ("matrix_norm", (TURN,), matrix(-2), one(2.0)),
    ("matrix_norm", (TURN,), matrix("nuc"), one(5.0)),
    ("matrix_norm", ([A, A],), matrix(1, keepdims=True), [[[6.0]], [[6.0]]]),
    ("matrix_norm", ([[], []],), matrix("nuc"), one(0.0)),
    ("cond", (TURN,), {"p": 2}, one(1.5)),
    ("cond", (TURN,), {"p": -2}, one(2 / 3)),
    ("cond", (TURN,), {"p": 1}, one(1.5)),
    ("cond", (TURN,), {"p": "fro"}, one(13**0.5 * (13 / 36) ** 0.5)),
    ("cond", ([[[1.0, 2.0], [2.0, 4.0]], TURN],), {"p": INF}, [INF, 1.5]),
    ("cond", ([[1.0, 0.0], [0.0, 0.0]],), {"p": 2}, one(INF)),
    ("cosine_similarity", ([3.0, 4.0], [0.0, 2.0]), similar(), one(0.8)),
    ("cosine_similarity", ([3.0, 4.0], [-6.0, -8.0]), similar(), one(-1.0)),
    ("cosine_similarity", ([0.0, 0.0], [1.0, 2.0]), similar(), one(0.0)),
    (
        "cosine_similarity",
        ([[1.0, 0.0], [1.0, 1.0]], [2.0, 0.0]),
        similar(),
        [1.0, 0.5**0.5],
    ),
    ("cosine_similarity", ([2.0], [2.0]), similar(4.0), one(0.25)),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("norms") == {case[0] for case in CASES}
