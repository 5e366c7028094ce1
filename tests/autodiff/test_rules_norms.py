"""Rules for norms, and their slopes at zero."""

from math import inf

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

ORDS = [2.0, 1.0, 3.0, 1.5, -1.0, -2.0, inf, -inf]
MATRIX_ORDS = ["fro", "nuc", 1, -1, 2, -2, inf, -inf]
ALL = {"axis": None, "keepdims": False}
CASES = {
    "vector_norm": [
        *(on(array(4), **ALL, ord=ord) for ord in ORDS),
        on(array(2, 3), axis=(1,), keepdims=True, ord=2.0),
        on(array(2, 3), axis=(0,), keepdims=False, ord=3.0),
        on(array(2, 2, 2), axis=(0, 2), keepdims=False, ord=2.0),
        on(array(2, 3), axis=(1,), keepdims=False, ord=inf),
        on(array(3), **ALL, ord=0.0),
        on(array(), **ALL, ord=2.0),
        on(array(0, 3), axis=(1,), keepdims=False, ord=2.0),
        on(array(2, 0), axis=(1,), keepdims=False, ord=2.0),
    ],
    "matrix_norm": [
        *(on(array(3, 3), keepdims=False, ord=ord) for ord in MATRIX_ORDS),
        on(array(2, 2, 3), keepdims=True, ord="fro"),
        on(array(2, 2, 3), keepdims=False, ord="nuc"),
        on(array(0, 2, 2), keepdims=False, ord=1),
    ],
    "cond": [
        on(array(3, 3), p=2),
        on(array(2, 3), p=-2),
        on(array(3, 3), p="fro"),
        on(array(2, 2, 2), p=1),
        on(array(2, 2), p="nuc"),
    ],
    "cosine_similarity": [
        on(array(3), array(3, low=0), axis=-1, eps=1e-8),
        on(array(2, 3), array(3), axis=-1, eps=1e-8),
        on(array(2, 2, 1), array(2, 2), axis=-2, eps=1e-8),
        on(array(2), array(2, low=1), axis=-1, eps=9.0),
        on(array(0, 2), array(2), axis=-1, eps=1e-8),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


@pytest.mark.parametrize("ord", ORDS)
def test_norm_of_zeros_has_slope_zero(backend, ord):
    found = slopes(backend, lambda x: tv.linalg.vector_norm(x, ord=ord), [0.0, 0.0])

    assert found == [[0.0, 0.0]]


@pytest.mark.parametrize("ord", [2.0, 3.0, 1.5, 0.5])
def test_a_row_of_zeros_leaves_the_others_alone(backend, ord):
    found = slopes(
        backend,
        lambda x: tv.linalg.vector_norm(x, axis=1, ord=ord),
        [[0.0, 0.0], [0.0, -2.0]],
    )[0]

    assert found[0] == [0.0, 0.0]
    assert found[1] == pytest.approx([0.0, -1.0])


def test_elements_of_one_size_share_the_slope_of_the_largest(backend):
    found = slopes(
        backend, lambda x: tv.linalg.vector_norm(x, ord=inf), [2.0, -2.0, 1.0]
    )

    assert found == [[0.5, -0.5, 0.0]]


def test_slope_of_a_large_norm_does_not_overflow(backend):
    found = slopes(backend, tv.linalg.vector_norm, [3e200, 4e200])[0]

    assert found == pytest.approx([0.6, 0.8])
