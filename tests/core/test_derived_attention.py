"""The derived layers of transformers, against hand calculation."""

import math

import pytest

INF = math.inf
E = math.e
PLAIN = {"is_causal": False, "scale": 1.0}
CAUSAL = {"is_causal": True, "scale": 1.0}
ONES = [[1.0], [1.0]]
VALUES = [[2.0], [4.0]]

CASES = [
    ("linear", ([3.0, 4.0], [[1.0, 0.0], [1.0, 1.0]], None), {}, [3.0, 7.0]),
    ("linear", ([[3.0, 4.0]], [[1.0, 1.0]], [0.5]), {}, [[7.5]]),
    (
        "linear",
        ([[[1], [2]], [[3], [4]]], [[2], [3]], None),
        {},
        [[[2, 3], [4, 6]], [[6, 9], [8, 12]]],
    ),
    ("linear", ([[], []], [[]], [0.5]), {}, [[0.5], [0.5]]),
    (
        "embedding",
        ([[1, 0], [-1, 1]], [[1.0, 2.0], [3.0, 4.0]]),
        {"padding_idx": 0},
        [[[3.0, 4.0], [1.0, 2.0]], [[3.0, 4.0], [3.0, 4.0]]],
    ),
    ("embedding", ((1, "uint8"), [[1, 2], [3, 4]]), {"padding_idx": None}, [3, 4]),
    (
        "scaled_dot_product_attention",
        ([[0.0]], ONES, VALUES, None),
        PLAIN,
        [[3.0]],
    ),
    (
        "scaled_dot_product_attention",
        ([[2.0]], [[0.0], [1.0]], VALUES, None),
        {"is_causal": False, "scale": 0.5},
        [[(2 + 4 * E) / (1 + E)]],
    ),
    (
        "scaled_dot_product_attention",
        (ONES, ONES, VALUES, None),
        CAUSAL,
        [[2.0], [3.0]],
    ),
    (
        "scaled_dot_product_attention",
        (ONES, ONES, VALUES, [[False, True], [False, False]]),
        PLAIN,
        [[4.0], [0.0]],
    ),
    (
        "scaled_dot_product_attention",
        (ONES, ONES, VALUES, [[0.0, 1.0], [-INF, -INF]]),
        PLAIN,
        [[(2 + 4 * E) / (1 + E)], [0.0]],
    ),
    (
        "scaled_dot_product_attention",
        (ONES, ONES, VALUES, [[False, True]]),
        CAUSAL,
        [[0.0], [4.0]],
    ),
    (
        "scaled_dot_product_attention",
        (
            [ONES, [[INF], [0.0]]],
            ONES,
            VALUES,
            [[[True, True]] * 2, [[False, False]] * 2],
        ),
        PLAIN,
        [[[3.0], [3.0]], [[0.0], [0.0]]],
    ),
    ("dropout", ([2.0, -3.0, INF],), {"p": 0.0, "key": 1}, [2.0, -3.0, INF]),
    ("dropout", ([2.0, -3.0, INF],), {"p": 1.0, "key": 1}, [0.0, 0.0, 0.0]),
    ("dropout", ([[], []],), {"p": 0.5, "key": 1}, [[], []]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


def test_dropout_keeps_the_mean_and_is_the_same_for_the_same_key(backend, grid):
    ones = grid([1.0] * 20_000)

    dropped = backend.dropout(ones, p=0.2, key=5).data

    assert set(dropped) == {0.0, 1.25}
    share = dropped.count(0.0) / len(dropped)
    deviation = math.sqrt(0.2 * 0.8 / len(dropped))
    assert abs(share - 0.2) < 5 * deviation
    assert dropped == backend.dropout(ones, p=0.2, key=5).data
    assert dropped != backend.dropout(ones, p=0.2, key=6).data


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("attention") == {case[0] for case in CASES}
