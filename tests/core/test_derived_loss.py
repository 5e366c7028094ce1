"""The derived losses, against hand calculation and sums over all paths."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
LN2 = math.log(2)
EACH, MEAN, SUM = ({"reduction": name} for name in ("none", "mean", "sum"))
PLAIN = EACH | {"ignore_index": None}
HARD = PLAIN | {"label_smoothing": 0.0}
EVEN = [[0.0, 0.0], [0.0, 0.0]]
FAR = [[0.0, 0.0], [1000.0, 0.0]]
SLOPES = [[-0.5, 0.5], [1.0, -1.0]]  # softmax, less 1 at the classes 0 and 1
GAPS = ([3.0, -1.0, 0.5], [1.0, 2.0, 0.5])
CTC = EACH | {"blank": 0, "zero_infinity": False}
HALVES = [[[-LN2, -LN2]], [[-LN2, -LN2]]]  # two times, one sample, two classes

CASES = [
    ("l1_loss", GAPS, EACH, [2.0, 3.0, 0.0]),
    ("l1_loss", GAPS, MEAN, (5 / 3, "float64")),
    ("l1_loss", GAPS, SUM, (5.0, "float64")),
    ("l1_loss", ([], []), MEAN, (NAN, "float64")),
    ("mse_loss", GAPS, EACH, [4.0, 9.0, 0.0]),
    ("mse_loss", GAPS, MEAN, (13 / 3, "float64")),
    ("mse_loss", (([2.0], "float32"), ([0.0], "float32")), SUM, (4.0, "float32")),
    ("mse_loss", (([2.0], "float32"), [0.0]), EACH, [4.0]),
    ("huber_loss", GAPS, EACH | {"delta": 2.0}, [2.0, 4.0, 0.0]),
    ("huber_loss", ([-INF, NAN], [0.0, 0.0]), EACH | {"delta": 1.0}, [INF, NAN]),
    ("huber_loss", GAPS, SUM | {"delta": 2.0}, (6.0, "float64")),
    ("smooth_l1_loss", GAPS, EACH | {"beta": 2.0}, [1.0, 2.0, 0.0]),
    ("smooth_l1_loss", GAPS, MEAN | {"beta": 2.0}, (1.0, "float64")),
    ("log_softmax_at", (FAR, [0, 1]), {}, [-LN2, -1000.0]),
    ("log_softmax_at", ([0.0, 0.0], (1, "int64")), {}, (-LN2, "float64")),
    ("cross_entropy_slope", (FAR, [0, 1]), EACH, [[LN2, 1000.0], SLOPES]),
    (
        "cross_entropy_slope",
        (FAR, [0, 1]),
        MEAN,
        [((LN2 + 1000) / 2, "float64"), [[-0.25, 0.25], [0.5, -0.5]]],
    ),
    (
        "cross_entropy_slope",
        ([0.0, 0.0], (1, "int64")),
        SUM,
        [(LN2, "float64"), [0.5, -0.5]],
    ),
    ("cross_entropy", (FAR, [0, 1], None), HARD, [LN2, 1000.0]),
    ("cross_entropy", ([0.0, 0.0], (1, "int64"), None), HARD, (LN2, "float64")),
    ("cross_entropy", ([[[0.0, 0.0]]], [[1]], None), HARD, [[LN2]]),
    ("cross_entropy", ([[0.0, 1000.0]], ([1], "uint8"), None), HARD, [-0.0]),
    ("cross_entropy", (FAR, [0, 1], None), HARD | MEAN, ((LN2 + 1000) / 2, "float64")),
    (
        "cross_entropy",
        (FAR, [0, 1], [2.0, 3.0]),
        HARD | MEAN,
        ((2 * LN2 + 3000) / 5, "float64"),
    ),
    (
        "cross_entropy",
        ([[0.0, 0.0], [NAN, INF]], [0, -100], None),
        HARD | {"ignore_index": -100},
        [LN2, 0.0],
    ),
    (
        "cross_entropy",
        ([[0.0, 0.0], [NAN, INF]], [0, -100], [4.0, 3.0]),
        HARD | MEAN | {"ignore_index": -100},
        (LN2, "float64"),
    ),
    (
        "cross_entropy",
        (FAR, [0, 1], None),
        HARD | {"label_smoothing": 0.5},
        [LN2, 750.0],
    ),
    (
        "cross_entropy",
        (FAR, [0, 1], [2.0, 4.0]),
        HARD | MEAN | {"label_smoothing": 0.5},
        ((LN2 + 1.5 * LN2 + 2000 + 1000) / 6, "float64"),
    ),
    (
        "cross_entropy",
        (FAR, [[0.5, 0.5], [0.25, 0.75]], [2.0, 4.0]),
        HARD,
        [3 * LN2, 3000.0],
    ),
    (
        "cross_entropy",
        ([[0.0, -INF]], [[1.0, 0.0]], None),
        HARD | MEAN,
        (0.0, "float64"),
    ),
    (
        "cross_entropy",
        ([[1000.0, 0.0]], [[1.0, 0.0]], None),
        HARD | {"label_smoothing": 0.5},
        [250.0],
    ),
    ("nll_loss", ([[-1.0, -2.0], [-3.0, -4.0]], [0, 1], None), PLAIN, [1.0, 4.0]),
    (
        "nll_loss",
        ([[-1.0, -2.0], [-3.0, -4.0]], [0, 1], [1.0, 3.0]),
        PLAIN | MEAN,
        (13 / 4, "float64"),
    ),
    (
        "nll_loss",
        ([[-1.0, -2.0], [NAN, -INF]], [1, 9], None),
        PLAIN | MEAN | {"ignore_index": 9},
        (2.0, "float64"),
    ),
    (
        "binary_cross_entropy_with_logits",
        ([0.0, 1000.0, -1000.0, INF, -INF], [0.25, 0.0, 0.5, 1.0, 0.0], None),
        EACH,
        [LN2, 1000.0, 500.0, 0.0, 0.0],
    ),
    (
        "binary_cross_entropy_with_logits",
        ([0.0, 0.0], [1.0, 0.0], [3.0, 5.0]),
        SUM,
        (4 * LN2, "float64"),
    ),
    (
        "binary_cross_entropy",
        ([0.5, 0.0, 1.0, 1.0, NAN], [0.25, 1.0, 0.0, 1.0, 1.0]),
        EACH,
        [LN2, 100.0, 100.0, -0.0, NAN],
    ),
    ("binary_cross_entropy", ([0.5, 0.5], [1.0, 0.0]), MEAN, (LN2, "float64")),
    (
        "kl_div_loss",
        ([-1.0, -INF, -3.0], [0.5, 0.0, 1.0]),
        EACH | {"log_target": False},
        [0.5 * (1 - LN2), 0.0, 3.0],
    ),
    (
        "kl_div_loss",
        ([-1.0, -INF, -3.0], [-LN2, -INF, 0.0]),
        SUM | {"log_target": True},
        (0.5 * (1 - LN2) + 3, "float64"),
    ),
    # of the four paths, 11, 1- and -1 spell the label 1
    ("ctc_loss", (HALVES, [[1]], [2], [1]), CTC, [-math.log(3 / 4)]),
    ("ctc_loss", (HALVES, [[1, 1]], [2], [2]), CTC, [INF]),
    ("ctc_loss", (HALVES, [[1, 1]], [2], [2]), CTC | {"zero_infinity": True}, [0.0]),
    ("ctc_loss", (HALVES, [[7]], [2], [0]), CTC, [2 * LN2]),
    ("ctc_loss", (HALVES, [[1]], ([1], "uint8"), [1]), CTC, [LN2]),
    ("ctc_loss", (HALVES, [[0, 9]], [2], [1]), CTC | {"blank": 1}, [-math.log(3 / 4)]),
    (
        "ctc_loss",
        ([[[-LN2] * 2] * 2], [[1], [1]], [1, 1], [1, 0]),
        CTC | SUM,
        (2 * LN2, "float64"),
    ),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


moderate = st.floats(-30, 30)
rows = st.lists(moderate, min_size=1, max_size=8)


@given(row=rows, data=st.data())
def test_cross_entropy_is_minus_the_logarithm_of_softmax(
    check, backend, grid, row, data
):
    target = data.draw(st.integers(0, len(row) - 1))
    share = backend.softmax(grid(row), axis=0).data[target]

    if share < 0.9:  # near one the logarithm of a rounded share cancels
        expected = (-math.log(share), "float64")
        check("cross_entropy", (row, (target, "int64"), None), HARD, expected, 1e-12)


@given(x=moderate, y=st.floats(0, 1))
def test_binary_cross_entropy_agrees_with_its_definition(check, x, y):
    p = 1 / (1 + math.exp(-x))
    loss = y * math.log1p(math.exp(-x)) + (1 - y) * math.log1p(math.exp(x))

    check("binary_cross_entropy_with_logits", ([x], [y], None), EACH, [loss], 1e-12)
    if 0.01 < p < 0.99:
        check("binary_cross_entropy", ([p], [y]), EACH, [loss], 1e-12)


def spelled(path):
    """The labels of a path: repeats count once, blanks (0) not at all."""
    kept = [c for i, c in enumerate(path) if i == 0 or c != path[i - 1]]
    return [c for c in kept if c]


@given(data=st.data())
def test_ctc_loss_sums_over_all_paths_that_spell_the_target(check, data):
    times = data.draw(st.integers(1, 4))
    target = data.draw(st.lists(st.integers(1, 2), max_size=3))
    weights = data.draw(
        st.lists(
            st.lists(st.floats(0.1, 1), min_size=3, max_size=3),
            min_size=times,
            max_size=times,
        )
    )
    total = math.fsum(
        math.prod(weights[t][c] for t, c in enumerate(path))
        for path in product(range(3), repeat=times)
        if spelled(path) == target
    )

    logp = [[[math.log(w) for w in row]] for row in weights]
    padded = [target + [2] * (3 - len(target))]
    operands = (logp, padded, [times], [len(target)])
    expected = -math.log(total) if total else INF
    if abs(expected) > 1e-3:  # near one the logarithm cancels
        check("ctc_loss", operands, CTC, [expected], 1e-11)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("loss") == {case[0] for case in CASES}
