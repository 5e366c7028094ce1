"""Rules for reading and writing by position."""

import pytest
from numeric import array, check, listed, on

SET, ADD = {"mode": "set"}, {"mode": "add"}
CASES = {
    "take": [
        on(array(4), [0, 2, 0, 0], axis=0),
        on(array(3, 2), [2, -1, 2], axis=0),
        on(array(2, 3), [1, 1], axis=1),
        on(array(2, 3, 2), [0, 2, 2], axis=1),
        on(array(0, 3), [1, 1], axis=1),
    ],
    "index_update": [
        on(array(4), [0, 2], array(2), **SET),
        on(array(4), [2, 0, 2, -2], array(4, low=0), **SET),
        on(array(3, 2), [1, 1], array(2, 2), **SET),
        on(array(4), [2, 0, 2, -2], array(4, low=0), **ADD),
        on(array(3, 2), [1, 1], array(2, 2), **ADD),
        on(array(0, 3), [], array(0, 3, low=0), **ADD),
    ],
    "getitem": [
        on(array(5), key=(slice(None, None, -2),)),
        on(array(5), key=(slice(-1, -4, -1),)),
        on(array(5), key=(-1,)),
        on(array(3, 4), key=(slice(None), slice(3, 0, -2))),
        on(array(3, 4), key=(1, None, slice(1, None, 2))),
        on(array(2, 3, 2), key=(..., 0)),
        on(array(2, 3), key=(slice(5, 2), ...)),
        on(array(), key=()),
        on(array(), key=(None, ...)),
        on(array(0, 3), key=(..., 1)),
    ],
    "setitem": [
        on(array(5), array(3), key=(slice(None, None, -2),)),
        on(array(5), array(), key=(slice(1, 3),)),
        on(array(3, 4), array(4), key=(slice(0, 2),)),
        on(array(3, 4), array(2, 1), key=(slice(0, 2), slice(1, 3))),
        on(array(3, 4), array(), key=(1, -1)),
        on(array(2, 3), array(3), key=(..., slice(5, 2), slice(None))),
        on(array(), array(low=0), key=()),
    ],
    "getitem_arrays": [
        on(array(4), ([0, 2, 0, -1],)),
        on(array(3, 2), ([2, 2, -1],)),
        on(array(3, 4), ([0, 2, 0], [1, 1, 1])),
        on(array(3, 4), ([[0], [2]], [1, -1])),
        on(array(3, 2, 2), ([[0, 1], [1, 1]],)),
        on(array(2, 0), ([0, 1, 1],)),
    ],
    "setitem_arrays": [
        on(array(4), ([0, 2],), array(2), **SET),
        on(array(4), ([2, 0, 2],), array(3), **SET),
        on(array(4), ([2, 0, 2],), array(3), **ADD),
        on(array(3, 2), ([0, 0],), array(2), **ADD),
        on(array(3, 2), ([0, 0],), array(), **ADD),
        on(array(3, 4), ([[0], [2]], [1, -1]), array(2, 2), **ADD),
        on(array(3, 4), ([0, 0], [1, 1]), array(2), **SET),
    ],
    "take_along_axis": [
        on(array(2, 3), [[0, 0], [2, -1]], axis=1),
        on(array(2, 3), [[0, 1, 0]], axis=0),
        on(array(3), [2, 2, 0], axis=0),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
