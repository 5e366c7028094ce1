"""einsum against NumPy's, native and derived, in every form of its subscripts."""

import sys
from importlib import import_module

import numpy as np
import pytest

import trivet as tv
from trivet.errors import DTypeError, ShapeError

module = import_module("trivet.functions.einsum")  # the function has its name
SIZES = {"i": 2, "j": 3, "k": 4, "l": 5, "a": 2, "b": 3}
PLAIN = [
    "i->i",
    "i->",
    "ij->ji",
    "ij",
    "ji",
    "ij,jk->ik",
    "ij,jk",
    "ij,jk->ki",
    "ij,kj->ik",
    "ji,jk->ik",
    "ij,ij->",
    "ij,ij->i",
    "ij,ij->ji",
    "ij,k->kij",
    "i,i",
    "i,j->ij",
    "ia,ja->ij",
    "aij,ajk->aik",
    "aij,ajk->ik",
    "aij,bjk->abik",
    "ij,jk,kl->il",
    "ij,jk,kl,l->i",
    "ij,jk,ik->",
    "i,i,i->i",
    "i,j,k->kji",
    "ab,cb->ac",
    " i j , j k -> i k ",
    "Ij,jK->KI",
]
OF_TWO = ", and the operand has the shape (2, 3)."
ONE_SIZE = " Axes of one letter must have one size."
GRAMMAR = " They are letters, one '...' for each operand, commas and one '->'."


@pytest.fixture(params=["native", "derived"])
def backend(request, matrix_bodies):
    return tv.backend("ndarray") if request.param == "native" else matrix_bodies


def operands(subscripts, seed=0, dtype="float64"):
    draw = np.random.default_rng(seed)
    parts = subscripts.replace(" ", "").split("->")[0].split(",")
    shapes = [[SIZES.get(c, 3) for c in part] for part in parts]
    return [draw.integers(-9, 10, shape).astype(dtype) for shape in shapes]


def einsum(backend, subscripts, *arrays, **keywords):
    tensors = [tv.asarray(x, backend=backend) for x in arrays]
    return tv.einsum(subscripts, *tensors, **keywords)


@pytest.mark.parametrize("dtype", ["float64", "int64", "int8", "complex128"])
@pytest.mark.parametrize("subscripts", PLAIN)
def test_einsum_is_numpys(backend, subscripts, dtype):
    arrays = operands(subscripts, dtype=dtype)

    found = einsum(backend, subscripts, *arrays)

    want = np.einsum(subscripts, *arrays)
    assert str(found.dtype) == dtype
    assert found.shape == want.shape
    np.testing.assert_array_equal(found.numpy(), want)


@pytest.mark.parametrize(
    "subscripts, shapes",
    [
        ("ii->", [(3, 3)]),
        ("ii->i", [(3, 3)]),
        ("ii", [(3, 3)]),
        ("iij->ij", [(3, 3, 2)]),
        ("iji->j", [(3, 2, 3)]),
        ("iii->i", [(3, 3, 3)]),
        ("iijj->ij", [(3, 3, 2, 2)]),
        ("ii,i->i", [(3, 3), (3,)]),
        ("ii,jj->ij", [(3, 3), (2, 2)]),
        ("...i->...", [(2, 4, 3)]),
        ("...ij,...jk->...ik", [(5, 2, 3), (5, 3, 4)]),
        ("...ij,...jk->...ik", [(5, 2, 3), (3, 4)]),
        ("...ij,...jk->...ik", [(6, 1, 2, 3), (5, 3, 4)]),
        ("i...,i...", [(3, 2), (3, 2)]),
        ("...ii->...i", [(2, 3, 3)]),
        ("i...->...i", [(2, 3, 4)]),
        ("...,...", [(2, 3), (3,)]),
        ("...,...->...", [(), (3,)]),
        ("ij...->j...", [(2, 3)]),
        ("ij,jk->ik", [(2, 1), (3, 4)]),
        ("ij,ij->ij", [(2, 1), (1, 3)]),
        ("i,i->", [(1,), (4,)]),
        ("ij,jk->ik", [(2, 0), (0, 3)]),
        ("ij->i", [(2, 0)]),
        ("ij,jk->ik", [(0, 2), (2, 3)]),
        ("ii->i", [(0, 0)]),
        (",->", [(), ()]),
        (",i->i", [(), (3,)]),
    ],
)
def test_einsum_takes_repeated_letters_ellipses_and_nothing(
    backend, subscripts, shapes
):
    draw = np.random.default_rng(1)
    arrays = [draw.integers(-9, 10, shape).astype("float64") for shape in shapes]

    found = einsum(backend, subscripts, *arrays)

    want = np.einsum(subscripts, *arrays)
    assert found.shape == want.shape
    np.testing.assert_array_equal(found.numpy(), want)


def test_axes_of_an_ellipsis_that_the_output_leaves_out_are_summed(backend):
    x = np.arange(24.0).reshape(2, 4, 3)

    found = einsum(backend, "...i->i", x)

    np.testing.assert_array_equal(found.numpy(), x.sum((0, 1)))


def test_einsum_promotes():
    found = tv.einsum("i,i->i", tv.asarray([1], dtype="int8"), tv.asarray([2.5]))

    assert found.dtype == tv.float32
    assert found.tolist() == [2.5]


@pytest.mark.parametrize("optimize", [False, True])
def test_order_does_not_change_the_result(backend, optimize):
    arrays = operands("ij,jk,kl,lab,b->ia")

    found = einsum(backend, "ij,jk,kl,lab,b->ia", *arrays, optimize=optimize)

    np.testing.assert_array_equal(
        found.numpy(), np.einsum("ij,jk,kl,lab,b->ia", *arrays)
    )


def test_order_is_opt_einsums_where_it_is_installed():
    opt_einsum = pytest.importorskip("opt_einsum")
    shapes = [(2, 50), (50, 60), (60, 3)]

    path = module._path(
        ((0, 1), (1, 2), (2, 3)), (0, 3), {0: 2, 1: 50, 2: 60, 3: 3}, optimize=True
    )

    want, _ = opt_einsum.contract_path("ab,bc,cd->ad", *shapes, shapes=True)
    assert path == tuple(tuple(sorted(step)) for step in want)


def test_order_is_from_left_to_right_without_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "opt_einsum", None)
    module._opt_einsum.cache_clear()
    module._plan.cache_clear()
    arrays = operands("ij,jk,kl,l->i")

    found = einsum("ndarray", "ij,jk,kl,l->i", *arrays)
    path = module._path(
        ((0, 1), (1, 2), (2, 3), (3,)), (0,), dict.fromkeys(range(4), 2), optimize=True
    )

    module._opt_einsum.cache_clear()
    module._plan.cache_clear()
    np.testing.assert_array_equal(found.numpy(), np.einsum("ij,jk,kl,l->i", *arrays))
    assert path == ((0, 1), (0, 2), (0, 1))


@pytest.mark.parametrize(
    "subscripts, shapes, message",
    [
        (
            "ij,jk->ik",
            [(2, 3), (4, 5)],
            "einsum: in 'ij,jk->ik' the axes 'j' have the sizes 3 and 4." + ONE_SIZE,
        ),
        (
            "ii->i",
            [(2, 3)],
            "einsum: in 'ii->i' the axes 'i' have the sizes 2 and 3." + ONE_SIZE,
        ),
        (
            "...i,...i->...",
            [(2, 3), (4, 3)],
            "einsum: in '...i,...i->...' the axes '...' have the sizes 2 and 4."
            + ONE_SIZE,
        ),
        (
            "ijk->i",
            [(2, 3)],
            "einsum: in 'ijk->i' the subscripts 'ijk' name 3 axes" + OF_TWO,
        ),
        (
            "i->i",
            [(2, 3)],
            "einsum: in 'i->i' the subscripts 'i' name 1 axes" + OF_TWO,
        ),
    ],
)
def test_shapes_that_do_not_fit_are_refused(subscripts, shapes, message):
    with pytest.raises(ShapeError) as caught:
        tv.einsum(subscripts, *map(tv.zeros, shapes))

    assert str(caught.value) == message


@pytest.mark.parametrize(
    "subscripts, message",
    [
        (
            "ij->ik",
            "einsum: in 'ij->ik' the output has the letter 'k', which no operand has.",
        ),
        ("ij->ii", "einsum: in 'ij->ii' the output has the letter 'i' twice."),
        (
            "ij,jk",
            "einsum: the subscripts 'ij,jk' are for 2 operands, and 1 was given.",
        ),
        (
            "i1->i",
            "einsum: the subscripts 'i1->i' hold '1'." + GRAMMAR,
        ),
        (
            "ij->i->j",
            "einsum: the subscripts 'ij->i->j' hold '-'." + GRAMMAR,
        ),
        (
            "i.j",
            "einsum: the subscripts 'i.j' hold '.'." + GRAMMAR,
        ),
    ],
)
def test_subscripts_that_do_not_parse_are_refused(subscripts, message):
    with pytest.raises(ValueError) as caught:
        tv.einsum(subscripts, tv.zeros((2, 3)))

    assert str(caught.value) == message


def test_operands_that_are_no_numbers_are_refused():
    with pytest.raises(DTypeError):
        tv.einsum("i->", tv.asarray([True]))
    with pytest.raises(TypeError):
        tv.einsum("i->", [1.0])
