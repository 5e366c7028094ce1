"""einsum is differentiated through its body."""

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv


def form(*operands, inputs, output, path=((0, 1),)):
    return on(operands, inputs=inputs, output=output, path=path)


CASES = {
    "einsum": [
        form(array(3, 3), inputs=((0, 0),), output=(), path=()),
        form(array(3, 3), inputs=((0, 0),), output=(0,), path=()),
        form(array(2, 3), inputs=((0, 1),), output=(1, 0), path=()),
        form(array(2, 3), array(3, 2), inputs=((0, 1), (1, 2)), output=(2, 0)),
        form(array(2, 3), array(2, 3), inputs=((0, 1), (0, 1)), output=(0,)),
        form(array(2), array(3), inputs=((0,), (1,)), output=(1, 0)),
        form(
            array(2, 2, 3),
            array(2, 3, 2),
            inputs=((0, 1, 2), (0, 2, 3)),
            output=(0, 1, 3),
        ),
        form(
            array(2, 3),
            array(3, 2),
            array(2),
            inputs=((0, 1), (1, 2), (2,)),
            output=(0,),
            path=((1, 2), (0, 1)),
        ),
        form(array(2, 0), array(0, 2), inputs=((0, 1), (1, 2)), output=(0, 2)),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_slope_of_a_trace_stands_on_the_diagonal(backend):
    found = slopes(
        backend, lambda x: 3.0 * tv.einsum("ii->", x), [[1.0, 2.0], [3.0, 4.0]]
    )

    assert found == [[[3.0, 0.0], [0.0, 3.0]]]


def test_slope_of_the_trace_of_a_tall_matrix_stays_on_the_diagonal(backend):
    found = slopes(backend, tv.linalg.trace, [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])

    assert found == [[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]]


def test_slope_of_a_broadcast_axis_is_summed(backend):
    w = tv.asarray([[1.0, 2.0], [3.0, 4.0]], dtype=tv.float64, backend=backend)

    found = slopes(backend, lambda x: tv.einsum("...i,...i->...", w, x), [10.0, 20.0])

    assert found == [[4.0, 6.0]]
