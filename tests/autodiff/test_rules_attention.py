"""Slopes of linear layers, embeddings, attention and dropout."""

from math import inf

import pytest
from numeric import array, check, fixed, listed, on, slopes

import trivet as tv

CASES = {
    "linear": [
        on(array(3), array(2, 3), array(2)),
        on(array(4, 3), array(2, 3), array(2)),
        on(array(2, 2, 3), array(2, 3), array(2)),
        on(array(2, 2, 3), array(1, 3), None),
        on(array(0, 3), array(2, 3), array(2)),
    ],
    "embedding": [
        on([1, 0, 1], array(3, 2), padding_idx=None),
        on([[2, -1], [0, 2]], array(3, 2), padding_idx=None),
        on(fixed(1), array(3, 2), padding_idx=None),
        on([], array(3, 2), padding_idx=None),
    ],
    "scaled_dot_product_attention": [
        on(array(2, 3), array(4, 3), array(4, 2), None, is_causal=False, scale=0.5),
        on(array(3, 2), array(3, 2), array(3, 2), None, is_causal=True, scale=1.0),
        on(
            array(2, 2, 3),
            array(2, 2, 3),
            array(2, 2, 1),
            [[True, False], [False, False]],
            is_causal=False,
            scale=1.0,
        ),
        on(
            array(2, 2),
            array(2, 2),
            array(2, 2),
            array(2, 2),
            is_causal=False,
            scale=2.0,
        ),
        on(array(0, 2), array(2, 2), array(2, 2), None, is_causal=False, scale=1.0),
    ],
    "dropout": [
        on(array(3, 4), p=0.5, key=7),
        on(array(3), p=0.0, key=7),
        on(array(0, 3), p=0.5, key=7),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


@pytest.mark.parametrize("padding", [1, -2])
def test_padding_gets_no_gradient(backend, padding):
    indices = tv.asarray([1, 0, -2, 2, 2], backend=backend)

    found = slopes(
        backend,
        lambda weight: tv.nn.embedding(indices, weight, padding_idx=padding),
        [[1.0], [2.0], [3.0]],
    )

    assert found == [[[1.0], [0.0], [2.0]]]


@pytest.mark.parametrize("dtype, rows", [("int8", 128), ("uint8", 256)])
def test_padding_gets_no_gradient_when_the_indices_have_no_room_for_more(
    backend, dtype, rows
):
    indices = tv.asarray([3, rows - 1, 0, rows - 1], dtype=dtype, backend=backend)

    [found] = slopes(
        backend,
        lambda weight: tv.nn.embedding(indices, weight, padding_idx=3),
        [[1.0]] * rows,
    )

    assert found == [[1.0], *[[0.0]] * (rows - 2), [2.0]]


@pytest.mark.parametrize("additive", [False, True])
def test_query_without_keys_has_finite_slopes(backend, additive):
    rows = [[True, False], [False, False]]
    mask = tv.asarray(rows, backend=backend)
    if additive:
        mask = tv.where(mask, tv.zeros_like(mask, dtype=tv.float64), -inf)
    x = [[1.0, 2.0], [3.0, 4.0]]

    def attention(query, key, value):
        return tv.nn.scaled_dot_product_attention(query, key, value, mask)

    query, key, value = slopes(backend, attention, x, x, x)

    assert query == [[0.0, 0.0], [0.0, 0.0]]
    assert key == [[0.0, 0.0], [0.0, 0.0]]
    assert value == [[1.0, 1.0], [0.0, 0.0]]


def test_dropped_elements_have_slope_zero(backend):
    generator = tv.random.Generator(3, backend=backend)

    found = slopes(
        backend, lambda x: tv.nn.dropout(x, 0.75, generator=generator), [1.0] * 64
    )[0]

    assert set(found) == {0.0, 4.0}
