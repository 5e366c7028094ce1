"""What NumPy and SciPy say to linear algebra.

Factors are compared as products, since signs and order are the algorithm's.
"""

from itertools import pairwise

import numpy as np
from hypothesis import strategies as st
from references.case import Case
from references.values import (
    COMPLEX,
    FLOATS,
    INTS,
    NUMERIC,
    arrays,
    call,
    reduced,
    shapes,
)
from scipy import linalg as scipy_linalg
from scipy.spatial import distance

import trivet as tv

FLOATING = (*FLOATS, *COMPLEX)
TAME = {"low": -4.0, "high": 4.0, "special": False}
SIDE = st.integers(1, 4)
BATCH = shapes(0, 1, side=2)


def solved(reference, calls, **options):
    """To the rounding of a well-conditioned solution."""
    return Case(reference, calls, ulps=512, scale=64, **options)


@st.composite
def matrices(draw, dtypes=FLOATING, *, square=True, batch=True):
    """Matrices; the square ones have a dominant diagonal, so are far from singular."""
    rows = draw(SIDE)
    columns = rows if square else draw(SIDE)
    shape = (*(draw(BATCH) if batch else ()), rows, columns)
    x = draw(arrays(dtypes, shape, **TAME))
    return x + np.asarray(32 * np.eye(rows, columns), dtype=x.dtype)


@st.composite
def hermitian(draw, dtypes=FLOATING):
    x = draw(matrices(dtypes))
    return (x + np.conj(np.swapaxes(x, -1, -2))) / np.asarray(2, x.dtype)


def a(strategy, **keywords):
    return call(strategy, **keywords)


@st.composite
def systems(draw, *, square=True):
    x = draw(matrices(square=square, batch=square))
    right = (*x.shape[:-2], x.shape[-2], draw(st.integers(1, 3)))
    return (x, draw(arrays((x.dtype.name,), right, **TAME))), {}


@st.composite
def products(draw, dtypes=NUMERIC):
    """Operands of matmul: vectors, matrices, and stacks that broadcast."""
    dtype = (draw(st.sampled_from(dtypes)),)
    n, k, m = (draw(st.integers(0, 3)) for _ in range(3))
    left = draw(st.sampled_from([(k,), (n, k), (2, n, k), (1, n, k)]))
    right = draw(st.sampled_from([(k,), (k, m), (2, k, m)]))
    return tuple(draw(arrays(dtype, s, **TAME)) for s in (left, right)), {}


@st.composite
def pairs(draw, *sizes, dtypes=NUMERIC, **keywords):
    dtype = (draw(st.sampled_from(dtypes)),)
    operands = tuple(draw(arrays(dtype, size, **TAME)) for size in sizes)
    return operands, draw(st.fixed_dictionaries(keywords))


@st.composite
def chains(draw):
    sides = [draw(SIDE) for _ in range(4)]
    dtype = (draw(st.sampled_from(FLOATING)),)
    parts = [draw(arrays(dtype, s, **TAME)) for s in pairwise(sides)]
    return (parts,), {}


def sums(reference, calls):
    return Case(reference, calls, ulps=64, scale=256)


def adjoint(x):
    return tv.conj(tv.matrix_transpose(x))


def diagonal(x):
    return tv.expand_dims(x, -2)


def joined_qr(x, mode):
    q, r = tv.linalg.qr(x, mode=mode)
    return q @ r, adjoint(q) @ q


def joined_svd(x, full_matrices):
    u, s, vh = tv.linalg.svd(x, full_matrices=full_matrices)
    k = s.shape[-1]
    return (u[..., :k] * diagonal(s)) @ vh[..., :k, :], s, adjoint(u) @ u


def joined_eigh(x):
    values, vectors = tv.linalg.eigh(x)
    return (vectors * diagonal(values)) @ adjoint(vectors), values


def residual_eig(x):
    values, vectors = tv.linalg.eig(x)
    return x @ vectors - vectors * diagonal(values)


def joined_lu(x):
    p, lower, upper = tv.linalg.lu(x)
    return p @ lower @ upper


def identities(x, *, whole):
    side = x.shape[-2] if whole else min(x.shape[-2:])
    return np.broadcast_to(np.eye(side, dtype=x.dtype), (*x.shape[:-2], side, side))


def complex_zeros(x):
    return np.zeros(x.shape, np.result_type(x.dtype, np.complex64))


def sorted_values(function):
    """Eigenvalues in an order that both sides have."""

    def values(x):
        found = np.asarray(function(x))
        return np.take_along_axis(found, np.argsort(found.real + found.imag / 7), -1)

    return values


def ours_sorted(x):
    values = tv.linalg.eigvals(x)
    order = tv.argsort(tv.real(values) + tv.imag(values) / 7)
    return tv.take_along_axis(values, order)


def expm(x):
    return scipy_linalg.expm(x).astype(x.dtype)


def lstsq(x, y):
    return np.linalg.lstsq(x, y, rcond=None)[0]


def cosine(x, y):
    found = [1 - distance.cosine(p, q) for p, q in zip(x, y, strict=True)]
    return np.asarray(found, dtype=x.dtype)


@st.composite
def directions(draw):
    """Vectors that are not zero."""
    (x, y), _ = draw(pairs((3, 4), (3, 4), dtypes=FLOATS))
    first = np.asarray([16, 0, 0, 0], dtype=x.dtype)
    return (x + first, y + first), {}


@st.composite
def norms(draw):
    (x,), kw = draw(reduced(FLOATS, many=True, empty=False, **TAME))
    return (x,), kw | {"ord": draw(st.sampled_from([1, 2, 3, np.inf, -np.inf, 0]))}


def vector_norm(x, axis, keepdims, ord):
    return np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)


ORDERS = st.sampled_from(["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
CONDITIONS = st.sampled_from([None, "fro", 1, -1, 2, -2, np.inf])
TABLE = {
    "linalg.cholesky": solved(np.linalg.cholesky, a(hermitian(), upper=st.booleans())),
    "linalg.cond": solved(np.linalg.cond, a(matrices(FLOATS), p=CONDITIONS)),
    "linalg.cosine_similarity": sums(cosine, directions()),
    "linalg.cross": sums(np.cross, pairs((2, 3), (1, 3), dtypes=FLOATING)),
    "linalg.det": Case(np.linalg.det, a(matrices()), ulps=512, scale=1),
    "linalg.eig": Case(
        complex_zeros, a(matrices()), ulps=512, scale=512, ours=residual_eig
    ),
    "linalg.eigh": solved(
        lambda x: (x, np.linalg.eigvalsh(x)), a(hermitian()), ours=joined_eigh
    ),
    "linalg.eigvals": solved(
        sorted_values(
            lambda x: np.linalg.eigvals(x).astype(np.result_type(x, np.complex64))
        ),
        a(hermitian(FLOATS)),
        ours=ours_sorted,
    ),
    "linalg.eigvalsh": solved(np.linalg.eigvalsh, a(hermitian())),
    "linalg.expm": Case(
        expm,
        a(arrays(("float64", "complex128"), (3, 3), low=-2.0, high=2.0, special=False)),
        ulps=4096,
        scale=8,
    ),
    "linalg.inv": solved(np.linalg.inv, a(matrices())),
    "linalg.kron": Case(np.kron, pairs((2, 3), (2, 2))),
    "linalg.lstsq": solved(
        lstsq, systems(square=False), ours=lambda x, y: tv.linalg.lstsq(x, y).solution
    ),
    "linalg.lu": solved(lambda x: x, a(matrices()), ours=joined_lu),
    "linalg.matmul": sums(np.matmul, products()),
    "linalg.matrix_norm": solved(
        lambda x, ord, keepdims: np.linalg.matrix_norm(x, ord=ord, keepdims=keepdims),
        a(matrices(FLOATS, square=False), ord=ORDERS, keepdims=st.booleans()),
    ),
    "linalg.matrix_power": solved(
        np.linalg.matrix_power, call(matrices(("float64",)), st.integers(-2, 3))
    ),
    "linalg.matrix_rank": Case(
        lambda x: np.asarray(np.linalg.matrix_rank(x)),
        a(matrices(FLOATS, square=False)),
    ),
    "linalg.multi_dot": Case(np.linalg.multi_dot, chains(), ulps=256, scale=4096),
    "linalg.norm": solved(
        np.linalg.norm,
        a(
            matrices(FLOATS, square=False, batch=False),
            ord=st.sampled_from([None, "fro", "nuc", 1, 2, np.inf]),
        ),
    ),
    "linalg.outer": Case(np.outer, pairs((3,), (2,))),
    "linalg.pinv": solved(np.linalg.pinv, a(matrices(square=False))),
    "linalg.qr": solved(
        lambda x, mode: (x, identities(x, whole=mode == "complete")),
        a(matrices(square=False), mode=st.sampled_from(["reduced", "complete"])),
        ours=joined_qr,
    ),
    "linalg.slogdet": solved(np.linalg.slogdet, a(matrices())),
    "linalg.solve": solved(np.linalg.solve, systems()),
    "linalg.svd": solved(
        lambda x, full_matrices: (
            x,
            np.linalg.svdvals(x),
            identities(x, whole=full_matrices),
        ),
        a(matrices(square=False), full_matrices=st.booleans()),
        ours=joined_svd,
    ),
    "linalg.svdvals": solved(np.linalg.svdvals, a(matrices(square=False))),
    "linalg.tensordot": sums(
        np.tensordot,
        pairs((2, 3), (3, 2), dtypes=(*INTS, *FLOATS), axes=st.sampled_from([0, 1])),
    ),
    "linalg.trace": Case(
        lambda x, offset: np.linalg.trace(x, offset=offset),
        a(arrays(NUMERIC, shapes(2), **TAME), offset=st.integers(-3, 3)),
        ulps=16,
        scale=16,
    ),
    "linalg.vecdot": sums(np.vecdot, pairs((2, 3), (3,))),
    "linalg.vector_norm": sums(vector_norm, norms()),
    "einsum": sums(
        np.einsum,
        st.one_of(
            st.builds(
                lambda spec, c: ((spec, *c[0]), {}),
                st.sampled_from(["ij,jk->ik", "ij,jk", "ij,jk->", "...j,jk->k..."]),
                pairs((2, 3), (3, 4)),
            ),
            st.builds(
                lambda spec, c: ((spec, *c[0]), {}),
                st.sampled_from(["ii->i", "ii", "ij->ji", "i...->...i"]),
                pairs((3, 3)),
            ),
        ),
    ),
}
