"""Rules for the triangles of matrices."""

import pytest
from numeric import array, check, listed, on

MATRICES = [
    on(array(3, 3), k=0),
    on(array(2, 4), k=1),
    on(array(4, 2), k=-1),
    on(array(2, 2, 3), k=0),
    on(array(2, 2), k=5),
    on(array(0, 3), k=0),
]
CASES = {"tril": MATRICES, "triu": MATRICES}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
