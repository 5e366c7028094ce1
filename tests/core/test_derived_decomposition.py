"""The derived factorisations, against matrices whose factors are known."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivet.errors import SingularMatrixError

INF, NAN = math.inf, math.nan
LN2 = math.log(2)
SWAP = [[0.0, 1.0], [1.0, 0.0]]
EYE = [[1.0, 0.0], [0.0, 1.0]]
A = [[2.0, 1.0], [4.0, 8.0]]
FLAT = [[1.0, 2.0], [2.0, 4.0]]
TALL = [[3.0, 0.0], [4.0, 5.0], [0.0, 0.0]]
NOTHING = ([], "float64")
SYMMETRIC = [[2.0, 1.0], [1.0, 2.0]]
LOWER = [[2.0, 99.0], [1.0, 2.0]]
HALF = 0.5**0.5


def one(value):
    return (value, "float64")


CASES = [
    ("lu", (A,), {}, [[1, 0], [[1.0, 0.0], [0.5, 1.0]], [[4.0, 8.0], [0.0, -3.0]]]),
    (
        "lu",
        ([[3.0, 0.0], [4.0, 5.0], [2.0, 5.0]],),
        {},
        [
            [1, 0, 2],
            [[1.0, 0.0], [0.75, 1.0], [0.5, -2 / 3]],
            [[4.0, 5.0], [0.0, -3.75]],
        ],
    ),
    ("lu", ([[0.0, 2.0]],), {}, [[0], [[1.0]], [[0.0, 2.0]]]),
    ("lu", ([SWAP, EYE],), {}, [[[1, 0], [0, 1]], [EYE, EYE], [EYE, EYE]]),
    ("det", (A,), {}, one(12.0)),
    ("det", ([SWAP, FLAT],), {}, [-1.0, 0.0]),
    ("det", ([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],), {}, one(1.0)),
    ("det", ([[NAN, 1.0], [1.0, 1.0]],), {}, one(NAN)),
    ("det", (([[2.0]], "float32"),), {}, (2.0, "float32")),
    ("slogdet", (A,), {}, [one(1.0), one(math.log(12))]),
    ("slogdet", ([SWAP, FLAT],), {}, [[-1.0, 0.0], [0.0, -INF]]),
    (
        "slogdet",
        ([[1e200, 0.0], [0.0, -1e200]],),
        {},
        [one(-1.0), one(400 * math.log(10))],
    ),
    ("inv", (A,), {}, [[8 / 12, -1 / 12], [-4 / 12, 2 / 12]]),
    ("inv", ([SWAP, EYE],), {}, [SWAP, EYE]),
    ("inv", ([EYE, FLAT],), {}, SingularMatrixError),
    ("solve", (A, [[3.0], [12.0]]), {}, [[1.0], [1.0]]),
    ("solve", ([SWAP, EYE], [[1.0], [2.0]]), {}, [[[2.0], [1.0]], [[1.0], [2.0]]]),
    (
        "solve",
        (SWAP, [[[1.0], [2.0]], [[3.0], [4.0]]]),
        {},
        [[[2.0], [1.0]], [[4.0], [3.0]]],
    ),
    ("solve", (FLAT, [[1.0], [2.0]]), {}, SingularMatrixError),
    (
        "cholesky",
        ([[4.0, 2.0], [2.0, 5.0]],),
        {"upper": False},
        [[2.0, 0.0], [1.0, 2.0]],
    ),
    (
        "cholesky",
        ([[4.0, 2.0], [2.0, 5.0]],),
        {"upper": True},
        [[2.0, 1.0], [0.0, 2.0]],
    ),
    ("cholesky", ([[[4.0]], [[9.0]]],), {"upper": False}, [[[2.0]], [[3.0]]]),
    ("cholesky", (FLAT,), {"upper": False}, SingularMatrixError),
    ("cholesky", ([[NAN]],), {"upper": False}, SingularMatrixError),
    (
        "qr",
        (TALL,),
        {"complete": False},
        [[[-0.6, -0.8], [-0.8, 0.6], [0.0, 0.0]], [[-5.0, -4.0], [0.0, 3.0]]],
    ),
    (
        "qr",
        ([[3.0], [4.0]],),
        {"complete": True},
        [[[-0.6, -0.8], [-0.8, 0.6]], [[-5.0], [0.0]]],
    ),
    ("qr", ([EYE, EYE],), {"complete": False}, [[EYE, EYE], [EYE, EYE]]),
    ("qr", ([[0.0, 2.0]],), {"complete": False}, [[[1.0]], [[0.0, 2.0]]]),
    ("svd", ([[2.0], [0.0]],), {"full_matrices": True}, [EYE, [2.0], [[1.0]]]),
    ("svd", ([[2.0, 0.0]],), {"full_matrices": True}, [[[1.0]], [2.0], EYE]),
    (
        "svd",
        ([[0.0, 0.0], [0.0, 0.0]],),
        {"full_matrices": True},
        [EYE, [0.0, 0.0], EYE],
    ),
    ("svdvals", ([[3.0, 0.0], [4.0, 5.0]],), {}, [45**0.5, 5**0.5]),
    ("svdvals", ([FLAT, EYE],), {}, [[5.0, 0.0], [1.0, 1.0]]),
    ("svdvals", (([[2.0]], "float32"),), {}, ([2.0], "float32")),
    ("svdvals", ([[1e200, 0.0], [0.0, 1e-100]],), {}, [1e200, 1e-100]),
    ("svdvals", ([[3e300, 0.0], [4e300, 0.0]],), {}, [5e300, 0.0]),
    ("svdvals", ([[NAN, 0.0], [0.0, 1.0]],), {}, [NAN, NAN]),
    ("eigh", ([[2.0, 0.0], [0.0, 1.0]],), {}, [[1.0, 2.0], SWAP]),
    ("eigvalsh", (SYMMETRIC,), {}, [1.0, 3.0]),
    (
        "eigvalsh",
        ([LOWER, [[-1.0, 0.0], [0.0, -4.0]]],),
        {},
        [[1.0, 3.0], [-4.0, -1.0]],
    ),
    ("pinv", ([[2.0, 0.0], [0.0, 0.0]], 1e-10), {}, [[0.5, 0.0], [0.0, 0.0]]),
    ("pinv", ([[3.0], [4.0]], 1e-10), {}, [[3 / 25, 4 / 25]]),
    ("pinv", ([[[2.0]], [[4.0]]], [0.5, 2.0]), {}, [[[0.5]], [[0.0]]]),
    ("matrix_rank", ([FLAT, EYE], 1e-10), {}, [1, 2]),
    ("matrix_rank", ([EYE, EYE], [0.5, 1.0]), {}, [2, 0]),
    (
        "lstsq",
        ([[1.0], [1.0]], [[1.0], [3.0]], 1e-10),
        {},
        [[[2.0]], (1, "int64"), [2**0.5]],
    ),
    (
        "lstsq",
        ([[[2.0]], [[0.0]]], [[4.0]], 1e-10),
        {},
        [[[[2.0]], [[0.0]]], [1, 0], [[2.0], [0.0]]],
    ),
    ("expm", ([[0.0, 1.0], [0.0, 0.0]],), {}, [[1.0, 1.0], [0.0, 1.0]]),
    (
        "expm",
        ([[[0.0]], [[-LN2]], [[10.0]]],),
        {},
        [[[1.0]], [[0.5]], [[math.exp(10)]]],
    ),
    ("matrix_power", ([[1, 1], [1, 0]],), {"n": 10}, [[89, 55], [55, 34]]),
    ("matrix_power", ([[1, 1], [1, 0]],), {"n": 0}, [[1, 0], [0, 1]]),
    (
        "matrix_power",
        ([[2.0, 0.0], [0.0, 4.0]],),
        {"n": -2},
        [[0.25, 0.0], [0.0, 0.0625]],
    ),
    ("matrix_power", ([EYE, FLAT],), {"n": 2}, [EYE, [[5.0, 10.0], [10.0, 20.0]]]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected, 1e-13)


squares = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.floats(-9, 9), min_size=n, max_size=n), min_size=n, max_size=n
    )
)


def product(backend, first, *others):
    for other in others:
        first = backend.matmul(first, other)
    return first


def near(found, expected, scale=1.0):
    assert found.shape == expected.shape
    assert found.data == pytest.approx(
        expected.data, rel=1e-12, abs=1e-13 * max(scale, 1)
    )


@settings(max_examples=50, deadline=None)
@given(rows=squares)
def test_factors_multiply_to_the_matrix(backend, grid, rows):
    x = grid(rows)
    size = max(map(abs, x.data))

    order, lower, upper = backend.lu(x)
    q, r = backend.qr(x, complete=True)
    u, s, vh = backend.svd(x, full_matrices=True)

    moved = backend.take(x, order, axis=0)
    near(product(backend, lower, upper), moved, size)
    near(product(backend, q, r), x, size)
    near(product(backend, backend.multiply(u, s), vh), x, size)
    eye = backend.eye(
        n_rows=len(rows),
        n_cols=len(rows),
        k=0,
        dtype=backend.dtype(x),
        device=backend.device(x),
    )
    for one in (q, u, vh):
        near(product(backend, backend.matrix_transpose(one), one), eye)
    assert s.data == sorted(s.data, reverse=True)


@settings(max_examples=50, deadline=None)
@given(rows=squares)
def test_eigenvectors_diagonalise_the_symmetric_part(backend, grid, rows):
    x = grid(rows)
    x = backend.add(x, backend.matrix_transpose(x))

    values, vectors = backend.eigh(x)

    back = product(
        backend, backend.multiply(vectors, values), backend.matrix_transpose(vectors)
    )
    near(back, x, 10 * max(map(abs, x.data)))
    assert values.data == sorted(values.data)


def test_matrices_without_rows_have_factors(backend, device):
    from trivet.dtypes import float64

    x = backend.zeros(shape=(2, 0, 0), dtype=float64, device=device)
    flat = backend.zeros(shape=(0, 3), dtype=float64, device=device)

    assert backend.det(x).data == [1.0, 1.0]
    assert backend.slogdet(x)[1].data == [0.0, 0.0]
    assert backend.inv(x).shape == (2, 0, 0)
    assert backend.cholesky(x, upper=False).shape == (2, 0, 0)
    assert [part.shape for part in backend.eigh(x)] == [(2, 0), (2, 0, 0)]
    assert backend.expm(x).shape == (2, 0, 0)
    assert [part.shape for part in backend.lu(flat)] == [(0,), (0, 0), (0, 3)]
    assert [part.shape for part in backend.qr(flat, complete=True)] == [(0, 0), (0, 3)]
    parts = backend.svd(flat, full_matrices=True)
    assert [part.shape for part in parts] == [(0, 0), (0,), (3, 3)]
    assert backend.pinv(flat, 0.1).shape == (3, 0)
    assert backend.matrix_rank(flat, 0.1).data == [0]


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("decomposition") == {case[0] for case in CASES}
