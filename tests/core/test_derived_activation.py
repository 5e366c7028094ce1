"""The derived activations, against their definitions and limits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
ENDS = [-INF, -1000.0, 1000.0, INF, NAN]
FEW = [-2.0, -0.5, -0.0, 0.5, 2.0]
LAST = {"axis": 1}
ALPHA, SCALE = 1.6732632423543772, 1.0507009873554805
NONE, TANH = {"approximate": "none"}, {"approximate": "tanh"}


def logistic(x):
    return 1 / (1 + math.exp(-x))


ONES = [1.0] * 5  # for ENDS

CASES = [
    ("relu6", (ENDS,), {}, [0.0, 0.0, 6.0, 6.0, NAN]),
    ("relu6", ([-0.0, 0.0, 2.5, 6.0, 6.5],), {}, [0.0, 0.0, 2.5, 6.0, 6.0]),
    ("hardtanh", (ENDS,), {"min_val": -2, "max_val": 3}, [-2.0, -2.0, 3.0, 3.0, NAN]),
    (
        "hardtanh",
        (FEW,),
        {"min_val": -1.0, "max_val": 1.0},
        [-1.0, -0.5, -0.0, 0.5, 1.0],
    ),
    ("hard_sigmoid", (ENDS,), {"alpha": 0.25, "beta": 0.5}, [0.0, 0.0, 1.0, 1.0, NAN]),
    (
        "hard_sigmoid",
        (FEW,),
        {"alpha": 0.25, "beta": 0.5},
        [0.0, 0.375, 0.5, 0.625, 1.0],
    ),
    ("hard_swish", (ENDS,), {}, [-0.0, -0.0, 1000.0, INF, NAN]),
    ("hard_swish", ([-3.0, -1.5, 0.0, 1.5, 3.0],), {}, [-0.0, -0.375, 0.0, 1.125, 3.0]),
    ("leaky_relu", (ENDS,), {"negative_slope": 0.5}, [-INF, -500.0, 1000.0, INF, NAN]),
    ("leaky_relu", (FEW,), {"negative_slope": 0.5}, [-1.0, -0.25, -0.0, 0.5, 2.0]),
    ("prelu", (ENDS, (0.5, "float64")), {}, [-INF, -500.0, 1000.0, INF, NAN]),
    ("prelu", ([[-2.0, -2.0]], [0.5, -3.0]), {}, [[-1.0, 6.0]]),
    ("prelu", ([INF], [0.0]), {}, [INF]),
    (
        "threshold",
        (ENDS,),
        {"threshold": 1.0, "value": 7.0},
        [7.0, 7.0, 1000.0, INF, NAN],
    ),
    (
        "threshold",
        ([0.5, 1.0, 1.5],),
        {"threshold": 1.0, "value": 7.0},
        [7.0, 7.0, 1.5],
    ),
    ("thresholded_relu", (ENDS,), {"alpha": 1.0}, [0.0, 0.0, 1000.0, INF, NAN]),
    ("thresholded_relu", ([0.5, 1.0, 1.5],), {"alpha": 1.0}, [0.0, 0.0, 1.5]),
    ("gelu", (ENDS,), NONE, [0.0, -0.0, 1000.0, INF, NAN]),
    (
        "gelu",
        ([0.0, 1.0, -1.0],),
        NONE,
        [0.0, 0.8413447460685429, -0.15865525393145705],
    ),
    ("gelu", (ENDS,), TANH, [0.0, -0.0, 1000.0, INF, NAN]),
    ("gelu_pulled", (ONES, ENDS, None), NONE, [0.0, 0.0, 1.0, 1.0, NAN]),
    ("gelu_pulled", (ONES, ENDS, None), TANH, [-0.0, -0.0, 1.0, 1.0, NAN]),
    # ndtr(1) and the density at 1; at 0 both slopes are 1/2
    (
        "gelu_pulled",
        ([2.0, 3.0, 3.0], [0.0, 1.0, -1.0], None),
        NONE,
        [
            1.0,
            3 * (0.8413447460685429 + 0.24197072451914337),
            3 * (0.15865525393145705 - 0.24197072451914337),
        ],
    ),
    ("gelu_pulled", ([2.0], [0.0], None), TANH, [1.0]),
    ("silu_pulled", (ONES, ENDS, None), {}, [-0.0, -0.0, 1.0, 1.0, NAN]),
    (
        "silu_pulled",
        ([2.0, 3.0], [0.0, 1.0], None),
        {},
        [1.0, 3 * logistic(1) * (2 - logistic(1))],
    ),
    ("mish_pulled", (ONES, ENDS, None), {}, [0.0, 0.0, 1.0, 1.0, NAN]),
    ("mish_pulled", ([2.0], [0.0], None), {}, [1.2]),  # tanh(log(2)) is 3/5
    ("silu", (ENDS,), {}, [0.0, -0.0, 1000.0, INF, NAN]),
    ("silu", ([0.0, 1.0],), {}, [0.0, logistic(1)]),
    ("silu", ([-700.0],), {}, [-700 * math.exp(-700)]),
    ("mish", (ENDS,), {}, [0.0, -0.0, 1000.0, INF, NAN]),
    ("mish", ([0.0, 1.0],), {}, [0.0, math.tanh(math.log(1 + math.e))]),
    ("mish", ([-700.0],), {}, [-700 * math.exp(-700)]),
    ("softsign", (ENDS,), {}, [-1.0, -1000 / 1001, 1000 / 1001, 1.0, NAN]),
    ("softsign", ([-1.0, -0.0, 3.0],), {}, [-0.5, -0.0, 0.75]),
    ("elu", (ENDS,), {"alpha": 2.0}, [-2.0, -2.0, 1000.0, INF, NAN]),
    ("elu", ([-1.0, 0.0, 1.0],), {"alpha": 2.0}, [2 * math.expm1(-1), 0.0, 1.0]),
    ("celu", (ENDS,), {"alpha": 2.0}, [-2.0, -2.0, 1000.0, INF, NAN]),
    ("celu", ([-1.0, 0.0, 1.0],), {"alpha": 2.0}, [2 * math.expm1(-0.5), 0.0, 1.0]),
    ("selu", (ENDS,), {}, [-ALPHA * SCALE, -ALPHA * SCALE, 1000 * SCALE, INF, NAN]),
    ("selu", ([-1.0, 0.0],), {}, [ALPHA * SCALE * math.expm1(-1), 0.0]),
    ("glu", ([4.0, 6.0, 0.0, 1000.0],), {"axis": 0}, [2.0, 6.0]),
    ("glu", ([[4.0, 1.0], [2.0, -1000.0]],), LAST, [[4 * logistic(1)], [0.0]]),
    ("glu", ([[4.0], [0.0]],), {"axis": 0}, [[2.0]]),
    ("glu", ([[], []],), LAST, [[], []]),
    ("tanhshrink", (ENDS,), {}, [-INF, -999.0, 999.0, INF, NAN]),
    ("tanhshrink", ([-0.0, 1.0],), {}, [0.0, 1 - math.tanh(1)]),
    (
        "shrink",
        (ENDS,),
        {"lambd": 1.0, "bias": 0.25},
        [-INF, -999.75, 999.75, INF, NAN],
    ),
    ("shrink", (FEW,), {"lambd": 0.5, "bias": 1.0}, [-1.0, 0.0, 0.0, 0.0, 1.0]),
    ("hard_shrink", (ENDS,), {"lambd": 1.0}, [-INF, -1000.0, 1000.0, INF, NAN]),
    ("hard_shrink", (FEW,), {"lambd": 0.5}, [-2.0, 0.0, 0.0, 0.0, 2.0]),
    ("soft_shrink", (ENDS,), {"lambd": 1.0}, [-INF, -999.0, 999.0, INF, NAN]),
    ("soft_shrink", (FEW,), {"lambd": 0.5}, [-1.5, 0.0, 0.0, 0.0, 1.5]),
    ("softmin", ([[0.0, 0.0], [-1000.0, 0.0]],), LAST, [[0.5, 0.5], [1.0, 0.0]]),
    ("softmin", ([[INF, INF], [INF, 1.0]],), LAST, [[0.0, 0.0], [0.0, 1.0]]),
    ("quiet_softmax", ([[0.0, 0.0]],), LAST, [[1 / 3, 1 / 3]]),
    ("quiet_softmax", ([[1000.0, 1000.0]],), LAST, [[0.5, 0.5]]),
    ("quiet_softmax", ([[-INF, -INF], [-INF, 0.0]],), LAST, [[0.0, 0.0], [0.0, 0.5]]),
    ("quiet_softmax", ([-1000.0],), {"axis": 0}, [0.0]),
    ("quiet_softmax", ([-700.0],), {"axis": 0}, [math.exp(-700)]),
    ("quiet_softmax", ([[NAN, 1.0]],), LAST, [[NAN, NAN]]),
    ("quiet_softmax", ([[], []],), LAST, [[], []]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


moderate = st.floats(-25, 25)


@given(x=moderate)
def test_gelu_is_x_times_the_share_of_the_normal_distribution_below_x(check, x):
    share = math.erfc(-x / math.sqrt(2)) / 2

    check("gelu", ([x],), NONE, [x * share], 1e-13)


@given(x=st.floats(-5, 15))
def test_gelu_by_tanh_agrees_with_its_definition(check, x):
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)

    check("gelu", ([x],), TANH, [x * (1 + math.tanh(inner)) / 2], 1e-9)


@given(x=moderate)
def test_smooth_activations_agree_with_their_definitions(check, x):
    check("silu", ([x],), {}, [x * logistic(x)], 1e-13)
    check("mish", ([x],), {}, [x * math.tanh(math.log1p(math.exp(x)))], 1e-13)
    check("softsign", ([x],), {}, [x / (1 + abs(x))], 1e-13)
    check("elu", ([x],), {"alpha": 0.7}, [x if x > 0 else 0.7 * math.expm1(x)], 1e-13)


@given(row=st.lists(moderate, min_size=1, max_size=8))
def test_quiet_softmax_agrees_with_exact_sums_of_exponentials(check, row):
    total = 1 + math.fsum(map(math.exp, row))

    expected = [math.exp(x) / total for x in row]
    check("quiet_softmax", (row,), {"axis": 0}, expected, 1e-13)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("activation") == {case[0] for case in CASES}
