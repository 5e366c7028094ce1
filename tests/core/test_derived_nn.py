"""The derived functions of networks, against their definitions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.dtypes import float32, int64

NAN, INF = math.nan, math.inf
MASKED = [[1.0, -INF], [-INF, -INF]]
LN2 = math.log(2)
ALL = {"axis": None, "keepdims": False}
LAST = {"axis": 1}

CASES = [
    ("relu", ([-1.5, -0.0, 2.5, INF, -INF, NAN],), {}, [0.0, 0.0, 2.5, INF, 0.0, NAN]),
    ("sigmoid", ([0.0, INF, -INF, NAN],), {}, [0.5, 1.0, 0.0, NAN]),
    ("sigmoid", ([-745.0, 745.0],), {}, [math.exp(-745), 1.0]),
    (
        "softplus",
        ([0.0, 1000.0, -1000.0, INF, -INF],),
        {},
        [LN2, 1000.0, 0.0, INF, 0.0],
    ),
    ("softplus", ([-40.0, NAN],), {}, [math.exp(-40), NAN]),
    ("log_sigmoid", ([0.0, -1000.0, INF, -INF],), {}, [-LN2, -1000.0, -0.0, -INF]),
    ("log_sigmoid", ([40.0],), {}, [-math.exp(-40)]),
    ("logsumexp", ([1000.0, 1000.0],), ALL, (1000 + LN2, "float64")),
    ("logsumexp", ([-INF, -INF],), ALL, (-INF, "float64")),
    ("logsumexp", ([INF, 1.0],), ALL, (INF, "float64")),
    ("logsumexp", ([NAN, 1.0],), ALL, (NAN, "float64")),
    ("logsumexp", (MASKED,), {"axis": (1,), "keepdims": True}, [[1.0], [-INF]]),
    (
        "logsumexp",
        ([[0.0, 0.0]],),
        {"axis": (0, 1), "keepdims": False},
        (LN2, "float64"),
    ),
    ("logsumexp", ((2.0, "float64"),), ALL, (2.0, "float64")),
    ("softmax", ([[0.0, 0.0], [1000.0, 0.0]],), LAST, [[0.5, 0.5], [1.0, 0.0]]),
    ("softmax", (MASKED,), LAST, [[1.0, 0.0], [0.0, 0.0]]),
    ("softmax", ([[NAN, 1.0]],), LAST, [[NAN, NAN]]),
    ("softmax", ([[0.0], [0.0]],), {"axis": 0}, [[0.5], [0.5]]),
    (
        "relu_pulled",
        ([3.0, INF, NAN, 4.0], [2.0, 0.0, -0.0, NAN]),
        {},
        [3.0, 0.0, 0.0, 4.0],
    ),
    # out (g - sum(g out)), and the cotangent of a masked element counts nothing
    (
        "softmax_pulled",
        ([[3.0, 7.0], [8.0, 2.0]], [[0.25, 0.75], [0.0, 0.0]]),
        LAST,
        [[-0.75, 0.75], [0.0, 0.0]],
    ),
    ("softmax_pulled", ([[3.0], [7.0]], [[0.5], [0.5]]), {"axis": 0}, [[-1.0], [1.0]]),
    # g - exp(out) sum(g)
    (
        "log_softmax_pulled",
        ([[3.0, 7.0], [8.0, 2.0]], [[-LN2, -LN2], [0.0, -INF]]),
        LAST,
        [[-2.0, 2.0], [-2.0, 2.0]],
    ),
    (
        "log_softmax",
        ([[0.0, 0.0], [0.0, -1000.0]],),
        LAST,
        [[-LN2, -LN2], [0.0, -1000.0]],
    ),
    ("log_softmax", (MASKED,), LAST, [[0.0, -INF], [-INF, -INF]]),
    ("one_hot", ([2, 0],), {"num_classes": 3, "dtype": int64}, [[0, 0, 1], [1, 0, 0]]),
    (
        "one_hot",
        ((1, "uint8"),),
        {"num_classes": 2, "dtype": float32},
        ([0.0, 1.0], "float32"),
    ),
    ("one_hot", ([5],), {"num_classes": 2, "dtype": int64}, [[0, 0]]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


moderate = st.floats(-30, 30)
rows = st.lists(moderate, min_size=1, max_size=8)


@given(x=moderate)
def test_sigmoid_and_its_logarithms_agree_with_their_definitions(check, x):
    check("sigmoid", ([x],), {}, [1 / (1 + math.exp(-x))])
    check("softplus", ([x],), {}, [math.log1p(math.exp(x))], 1e-13)
    check("log_sigmoid", ([x],), {}, [-math.log1p(math.exp(-x))], 1e-13)


@given(row=rows)
def test_softmax_agrees_with_exact_sums_of_exponentials(check, row):
    total = math.fsum(map(math.exp, row))

    check("softmax", (row,), {"axis": 0}, [math.exp(x) / total for x in row], 1e-13)
    if abs(math.log(total)) > 0.1:  # near zero the logarithm of any sum cancels
        check("logsumexp", (row,), ALL, (math.log(total), "float64"), 1e-12)


@given(row=rows, by=st.floats(-1e6, 1e6))
def test_softmax_does_not_see_a_shift_of_all_logits(backend, grid, row, by):
    here = backend.softmax(grid([math.floor(x) + 0.0 for x in row]), axis=0).data
    there = backend.softmax(
        grid([math.floor(x) + 0.0 + math.floor(by) for x in row]), axis=0
    ).data

    assert there == pytest.approx(here, rel=1e-12)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("nn") == {case[0] for case in CASES}
