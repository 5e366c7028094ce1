"""Gradients of padding, diagonals and windows."""

import pytest
from numeric import array, check, listed, on


def by(mode, *width):
    return {"width": width, "mode": mode, "value": 0}


CASES = {
    "pad": [
        on(array(3), **by("constant", (2, 1))),
        on(array(2, 3), **by("constant", (1, 0), (0, 2))),
        on(array(3), **by("edge", (2, 1))),
        on(array(3), **by("reflect", (4, 3))),
        on(array(2, 2), **by("circular", (1, 1), (3, 0))),
        on(array(), **by("constant")),
        on(array(0), **by("constant", (1, 1))),
    ],
    "diag": [
        on(array(2, 3), k=0),
        on(array(3, 2), k=-1),
        on(array(2, 3), k=1),
        on(array(3), k=0),
        on(array(2), k=2),
        on(array(2), k=-1),
    ],
    "repeat": [
        on(array(3), [2, 0, 1], axis=0, total=3),
        on(array(2, 3), [1, 2], axis=0, total=3),
        on(array(2, 3), [2], axis=1, total=6),
        on(array(0, 3), [2], axis=0, total=0),
    ],
    "unfold_axis": [
        on(array(5), axis=0, size=3, step=1),
        on(array(5), axis=0, size=2, step=3),
        on(array(3, 4), axis=1, size=2, step=2),
        on(array(3, 2), axis=0, size=2, step=1),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
