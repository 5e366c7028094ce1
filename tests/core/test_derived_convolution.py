"""The derived convolutions, against sums written out."""

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
NONE = ((0, 0),)
ONE = {"stride": (1,), "padding": NONE, "dilation": (1,)}
UNEVEN = {"stride": (2,), "padding": ((2, 1),), "dilation": (2,)}
LINE = [[[1, 2, 3, 4, 5, 6]]]

CASES = [
    (
        "sliding_windows",
        (LINE,),
        {"window": (3,), **UNEVEN},
        [[[[0, 1, 3], [1, 3, 5], [3, 5, 0]]]],
    ),
    ("sliding_windows", ([[[1.0, INF]]],), {"window": (1,), **ONE}, [[[[1.0, INF]]]]),
    (
        "sliding_windows",
        ([[[[1, 2], [3, 4]]]],),
        {
            "window": (2, 1),
            "stride": (1, 1),
            "padding": ((1, 0), (0, 0)),
            "dilation": (1, 1),
        },
        [[[[[[0, 0], [1, 2]]], [[[1, 2], [3, 4]]]]]],
    ),
    (
        "add_windows",
        ([[[[1, 2, 4], [8, 16, 32], [64, 128, 256]]]],),
        {"size": (6,), **UNEVEN},
        [[[2 + 8, 0, 4 + 16 + 64, 0, 32 + 128, 0]]],
    ),
    (
        "add_windows",
        ([[[[1, 2], [10, 20]]]],),
        {"size": (4,), **ONE},
        [[[1, 12, 20, 0]]],
    ),
    ("conv", (LINE, [[[1, -1, 2]]]), {**UNEVEN, "groups": 1}, [[[5, 8, -2]]]),
    (
        "conv",
        ([[[1.0, 2.0], [10.0, 20.0]]], [[[1.0, 1.0]], [[1.0, 0.0]]]),
        {**ONE, "groups": 2},
        [[[3.0], [10.0]]],
    ),
    (
        "conv",
        ([[[1.0, 2.0], [10.0, 20.0]]], [[[1.0], [1.0]], [[1.0], [0.0]]]),
        {**ONE, "groups": 1},
        [[[11.0, 22.0], [1.0, 2.0]]],
    ),
    (
        "conv",
        ([[[INF, 0.0, 1.0]]], [[[1.0]]]),
        {**ONE, "groups": 1},
        [[[INF, 0.0, 1.0]]],
    ),
    (
        "conv",
        ([[[NAN, 1.0, 1.0]]], [[[1.0, 1.0]]]),
        {**ONE, "groups": 1},
        [[[NAN, 2.0]]],
    ),
    (
        "conv",
        (([[[1.0, 2.0]]], "float32"), [[[3.0]]]),
        {**ONE, "groups": 1},
        [[[3.0, 6.0]]],
    ),
    (
        "conv",
        (([[[100, 100]]], "int8"), ([[[1, 1]]], "int8")),
        {**ONE, "groups": 1},
        ([[[-56]]], "int8"),
    ),
    (
        "conv_transpose",
        ([[[1, 2, 3]]], [[[1, 10]]]),
        {
            "stride": (2,),
            "padding": NONE,
            "dilation": (1,),
            "groups": 1,
            "output_padding": (1,),
        },
        [[[1, 10, 2, 20, 3, 30, 0]]],
    ),
    (
        "conv_transpose",
        ([[[1.0, 2.0], [10.0, 20.0]]], [[[1.0, 3.0]], [[1.0, 0.0]]]),
        {
            "stride": (1,),
            "padding": ((1, 0),),
            "dilation": (1,),
            "groups": 2,
            "output_padding": (0,),
        },
        [[[5.0, 6.0], [20.0, 0.0]]],
    ),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@st.composite
def planes(draw):
    """A plane, a window and its settings, such that the window fits."""
    small = st.integers(1, 2)
    window, stride, dilation = (tuple(draw(st.tuples(small, small))) for _ in "abc")
    padding = tuple((draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in "ab")
    size = tuple(
        d * (k - 1) + 1 + draw(st.integers(0, 2))
        for k, d in zip(window, dilation, strict=True)
    )
    numbers = st.integers(-9, 9)
    x = draw(st.lists(numbers, min_size=math.prod(size), max_size=math.prod(size)))
    return x, size, window, {"stride": stride, "padding": padding, "dilation": dilation}


def seen(x, size, window, statics):
    """{(element of the window, place): number}, by the definition."""
    steps, pads, apart = statics.values()
    counts = [
        (n + low + high - d * (k - 1) - 1) // s + 1
        for n, k, s, (low, high), d in zip(
            size, window, steps, pads, apart, strict=True
        )
    ]
    found = {}
    for tap, place in product(
        product(*map(range, window)), product(*map(range, counts))
    ):
        row, column = (
            p * s + t * d - low
            for p, s, t, d, (low, _) in zip(place, steps, tap, apart, pads, strict=True)
        )
        inside = 0 <= row < size[0] and 0 <= column < size[1]
        found[tap, place] = x[row * size[1] + column] if inside else 0
    return found


@settings(deadline=None, max_examples=50)
@given(planes())
def test_windows_see_what_the_definition_says(backend, grid, case):
    x, size, window, statics = case
    handle = backend.reshape(grid(x, "int64"), shape=(1, 1, *size))

    got = backend.sliding_windows(handle, window=window, **statics)

    assert got.data == list(seen(x, size, window, statics).values())


@settings(deadline=None, max_examples=50)
@given(planes())
def test_adding_windows_is_the_transpose_of_seeing_them(backend, grid, case):
    x, size, window, statics = case
    handle = backend.reshape(grid(x, "int64"), shape=(1, 1, *size))
    windows = backend.sliding_windows(handle, window=window, **statics)
    weights = list(range(1, len(windows.data) + 1))
    other = backend.reshape(grid(weights, "int64"), shape=windows.shape)

    added = backend.add_windows(other, size=size, **statics)

    left = sum(a * b for a, b in zip(windows.data, weights, strict=True))
    right = sum(a * b for a, b in zip(added.data, x, strict=True))
    assert left == right


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("convolution") == {case[0] for case in CASES}
