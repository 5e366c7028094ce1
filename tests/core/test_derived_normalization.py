"""The derived norms, against hand calculation and their invariants."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
EXACT = {"eps": 0.0}
LAST = {"axis": (1,), "eps": 0.0}
LARGE = 2.0**40  # its square and that of its neighbours are the same float64
PAIRS = [[1.0, 3.0], [LARGE, LARGE + 4]]
SIGNS = [[-1.0, 1.0], [-1.0, 1.0]]

CASES = [
    (
        "batch_norm",
        (PAIRS, [1.0, 3.0], [4.0, 0.25], None, None),
        EXACT,
        [[0.0, 0.0], [(LARGE - 1) / 2, (LARGE + 1) * 2]],
    ),
    (
        "batch_norm",
        ([[[5.0, 9.0]]], [1.0], [3.0], [10.0], [0.5]),
        {"eps": 1.0},
        [[[20.5, 40.5]]],
    ),
    (
        "batch_norm",
        (([[3.0]], "float32"), [1.0], [4.0], [3.0], [0.5]),
        EXACT,
        ([[3.5]], "float32"),
    ),
    (
        "channel_affine",
        (PAIRS, [1.0, LARGE], [2.0, 0.5], [10.0, 0.0]),
        {},
        [[10.0, (3 - LARGE) / 2], [2 * LARGE + 8, 2.0]],
    ),
    ("channel_affine", ([[[5.0, 9.0]]], [1.0], [3.0], None), {}, [[[12.0, 24.0]]]),
    # 10 (1 - 1) + 20 (3 - 1), and 1 (2 - 2) + 3 (6 - 2)
    (
        "channel_products",
        (
            [[[10.0, 20.0], [1.0, 3.0]]],
            [[[1.0, 3.0], [2.0, 6.0]]],
            [1.0, 2.0],
        ),
        {},
        [40.0, 12.0],
    ),
    ("layer_norm", (PAIRS, None, None), LAST, SIGNS),
    ("layer_norm", (PAIRS, [10.0, 20.0], [0.5, 0.0]), LAST, [[-9.5, 20.0]] * 2),
    ("layer_norm", ([2.0, 2.0], None, None), {"axis": (0,), "eps": 1.0}, [0.0, 0.0]),
    ("layer_norm", ([0.0, 6.0], None, None), {"axis": (0,), "eps": 16.0}, [-0.6, 0.6]),
    (
        "layer_norm",
        ([[1.0, 1.0], [3.0, 3.0]], None, None),
        {"axis": (0, 1), "eps": 0.0},
        [[-1.0, -1.0], [1.0, 1.0]],
    ),
    ("layer_norm", ([[NAN, 1.0]], None, None), LAST, [[NAN, NAN]]),
    # deviation 2 and y = (-0.5, 0.5): (h - mean(h) - y mean(h y)) / 2
    (
        "layer_norm_pulled",
        ([1.0, 0.0], [-1.0, 1.0], None),
        {"axis": (0,), "eps": 3.0},
        [0.1875, -0.1875],
    ),
    (
        "layer_norm_pulled",
        ([1.0, 4.0], [-1.0, 1.0], [8.0, 1.0]),
        {"axis": (0,), "eps": 3.0},
        [0.75, -0.75],
    ),
    # y = (-1, 1) in both rows
    (
        "layer_norm_weight_pulled",
        ([[2.0, 3.0], [5.0, 7.0]], PAIRS),
        LAST,
        [-7.0, 10.0],
    ),
    ("rms_norm", ([[1.0, 7.0]], None), LAST, [[0.2, 1.4]]),
    ("rms_norm", ([[1.0, 7.0]], [5.0, 10.0]), LAST, [[1.0, 14.0]]),
    ("rms_norm", ([0.0, 0.0], None), {"axis": (0,), "eps": 1.0}, [0.0, 0.0]),
    ("rms_norm", ([3.0], None), {"axis": (0,), "eps": 16.0}, [0.6]),
    # the root is 5 and y = (0.2, 1.4): (h - y mean(h y)) / 5
    (
        "rms_norm_pulled",
        ([5.0, 0.0], [1.0, 7.0], None),
        {"axis": (0,), "eps": 0.0},
        [0.98, -0.14],
    ),
    (
        "rms_norm_pulled",
        ([1.0, 0.0], [1.0, 7.0], [5.0, 9.0]),
        {"axis": (0,), "eps": 0.0},
        [0.98, -0.14],
    ),
    (
        "rms_norm_weight_pulled",
        ([[5.0, 10.0], [1.0, 1.0]], [[1.0, 7.0], [7.0, 1.0]]),
        LAST,
        [2.4, 14.2],
    ),
    (
        "group_norm",
        ([[1.0, 3.0, 10.0, 30.0]], None, None),
        {"num_groups": 2, "eps": 0.0},
        [[-1.0, 1.0, -1.0, 1.0]],
    ),
    (
        "group_norm",
        ([[[1.0, 1.0], [3.0, 3.0]]], [2.0, 3.0], [0.0, 1.0]),
        {"num_groups": 1, "eps": 0.0},
        [[[-2.0, -2.0], [4.0, 4.0]]],
    ),
    # y = (-1, 1) in both groups: h is (6, 10), less its mean (-2, 2), less y mean(h y)
    (
        "group_norm_pulled",
        ([[3.0, 5.0, 1.0, 0.0]], [[1.0, 3.0, 10.0, 30.0]], [2.0, 2.0, 1.0, 7.0]),
        {"num_groups": 2, "eps": 0.0},
        [[0.0, 0.0, 0.0, 0.0]],
    ),
    # deviation 2 and y = (-0.5, 0.5), as for layer_norm_pulled
    (
        "group_norm_pulled",
        ([[1.0, 0.0]], [[-1.0, 1.0]], None),
        {"num_groups": 1, "eps": 3.0},
        [[0.1875, -0.1875]],
    ),
    (
        "group_norm_weight_pulled",
        ([[2.0, 3.0, 5.0, 7.0]], [[1.0, 3.0, 10.0, 30.0]]),
        {"num_groups": 2, "eps": 0.0},
        [-2.0, 3.0, -5.0, 7.0],
    ),
    ("instance_norm", ([PAIRS], None, None), EXACT, [SIGNS]),
    (
        "instance_norm",
        ([PAIRS], [2.0, 3.0], [0.0, 1.0]),
        EXACT,
        [[[-2.0, 2.0], [-2.0, 4.0]]],
    ),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


whole = st.integers(-50, 50)


@given(row=st.lists(whole, min_size=2, max_size=6), by=st.integers(-(2**30), 2**30))
def test_layer_norm_does_not_see_a_shift_of_the_row(backend, grid, row, by):
    statics = {"axis": (0,), "eps": 1.0}
    here = grid([float(x) for x in row])
    there = grid([float(x + by) for x in row])

    found = backend.layer_norm(there, None, None, **statics).data

    expected = backend.layer_norm(here, None, None, **statics).data
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


@given(row=st.lists(whole.filter(bool), min_size=1, max_size=6))
def test_rms_norm_gives_rows_of_mean_square_one(backend, grid, row):
    x = grid([float(value) for value in row])

    found = backend.rms_norm(x, None, axis=(0,), eps=0.0).data

    assert math.fsum(y * y for y in found) == pytest.approx(len(row), rel=1e-12)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("normalization") == {case[0] for case in CASES}
