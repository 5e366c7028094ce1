"""Distributions of the generator: fixed seeds, limits of five standard errors."""

import copy
import math
import pickle

import numpy as np
import pytest
import scipy.stats

import trivet as tv
import trivet_ndarray
from trivet.contract import OPS
from trivet.errors import BackendMismatchError, DTypeError, ShapeError

N = 10_000


def generator(seed=0):
    return tv.random.Generator(seed)


DRAWS = {
    "gamma": (lambda g: g.gamma(2.5, N), scipy.stats.gamma(2.5)),
    "gamma of a small parameter": (lambda g: g.gamma(0.3, N), scipy.stats.gamma(0.3)),
    "scaled gamma": (lambda g: g.gamma(2.0, N, scale=3), scipy.stats.gamma(2, scale=3)),
    "beta": (lambda g: g.beta(2.0, 5.0, N), scipy.stats.beta(2, 5)),
    "exponential": (lambda g: g.exponential(N, scale=2), scipy.stats.expon(scale=2)),
}
TABLES = {
    "poisson": (lambda g: g.poisson(3.0, N), scipy.stats.poisson(3)),
    "poisson of a large mean": (lambda g: g.poisson(40.0, N), scipy.stats.poisson(40)),
    "bernoulli": (lambda g: g.bernoulli(0.3, N), scipy.stats.bernoulli(0.3)),
    "choice": (lambda g: g.choice(4, N), scipy.stats.randint(0, 4)),
}


@pytest.mark.parametrize("draw, law", DRAWS.values(), ids=list(DRAWS))
def test_numbers_follow_their_distribution_function(draw, law):
    numbers = draw(generator(5)).numpy().astype("float64")

    assert scipy.stats.kstest(numbers, law.cdf).statistic < 1.95 / math.sqrt(N)


@pytest.mark.parametrize("draw, law", TABLES.values(), ids=list(TABLES))
def test_integers_have_their_probabilities(draw, law):
    counts = np.bincount(draw(generator(6)).numpy())

    p = law.pmf(np.arange(len(counts)))
    assert (abs(counts - N * p) <= 5 * np.sqrt(N * p * (1 - p)) + 1).all()


@pytest.mark.parametrize("draw", [d for d, _ in (*DRAWS.values(), *TABLES.values())])
def test_same_seed_gives_the_same_numbers_and_the_next_draw_others(draw):
    one, other = generator(1), generator(1)

    first, second = draw(one).tolist(), draw(one).tolist()

    assert draw(other).tolist() == first
    assert first != second


def test_parameters_of_a_tensor_give_shape_and_dtype():
    a = tv.asarray([[0.5], [20.0]], dtype=tv.float64)

    assert generator().gamma(a).shape == (2, 1)
    assert generator().gamma(a, (2, 5)).dtype == tv.float64
    assert generator().beta(a, tv.ones(3)).shape == (2, 3)
    assert generator().gamma(1.5).dtype == tv.float32
    assert generator().poisson(a, (4, 2, 1)).shape == (4, 2, 1)
    assert generator().bernoulli(tv.asarray([0.0, 1.0])).tolist() == [False, True]


def test_parameters_without_a_distribution_give_nan():
    a = tv.asarray([0.0, -1.0, math.nan, 1.0])

    for drawn in (generator().gamma(a), generator().beta(a, 1.0)):
        assert [math.isnan(x) for x in drawn.tolist()] == [True, True, True, False]


def test_classes_are_drawn_by_their_weights():
    weights = tv.asarray([[1.0, 0.0, 6.0, 3.0], [0.0, 0.0, 0.0, 0.1]])

    drawn = generator(2).categorical(weights, N).numpy()

    assert drawn.shape == (N, 2)
    counts = np.bincount(drawn[:, 0], minlength=4)
    p = np.asarray([0.1, 0, 0.6, 0.3])
    assert (abs(counts - N * p) <= 5 * np.sqrt(N * p * (1 - p))).all()
    assert set(drawn[:, 1].tolist()) == {3}


@pytest.mark.parametrize("bodies", [False, True])
@pytest.mark.parametrize("rows, draws", [((), N), ((3,), N), ((N,), 1), ((N,), 3)])
@pytest.mark.parametrize("classes", [1, 3, 100])
def test_classes_of_rows_have_their_probabilities(bodies, rows, draws, classes):
    p = np.linspace(1, 0, classes, endpoint=False) ** 2
    p[classes // 2 + 1 :: 3] = 0
    p /= p.sum()
    backend = trivet_ndarray.NdArray()
    if bodies:
        body = OPS["random_categorical"].function
        backend.bind(random_categorical=body.__get__(backend))
    g = tv.random.Generator(9, backend=backend)
    weights = tv.asarray(np.broadcast_to(5 * p, (*rows, classes)), backend=backend)

    drawn = g.categorical(weights, draws).numpy()

    assert drawn.shape == (draws, *rows)
    counts = np.bincount(drawn.ravel(), minlength=classes)
    assert len(counts) == classes
    n = drawn.size
    assert (abs(counts - n * p) <= 5 * np.sqrt(n * p * (1 - p)) + 1e-9).all()


def test_logits_are_logarithms_of_weights():
    drawn = generator(3).categorical(logits=tv.asarray([-math.inf, 1000.0]), shape=9)

    assert drawn.tolist() == [1] * 9


def test_permutation_of_a_tensor_moves_whole_slices():
    x = tv.asarray([[1, 2, 3], [4, 5, 6]])

    columns = generator(4).permutation(x, axis=-1).numpy()

    assert sorted(map(tuple, columns.T.tolist())) == [(1, 4), (2, 5), (3, 6)]
    assert generator(4).permutation(x).shape == (2, 3)


def test_choice_without_replacement_takes_nothing_twice():
    drawn = generator().choice(tv.arange(100), (5, 10), replace=False)

    assert drawn.shape == (5, 10)
    assert len(set(drawn.numpy().ravel().tolist())) == 50
    assert sorted(generator().choice(4, 4, replace=False).tolist()) == [0, 1, 2, 3]


@pytest.mark.parametrize("n, count", [(200, 3), (10**12, 1000), (500, 400)])
def test_few_of_many_are_different_and_spread_evenly(n, count):
    g = generator(8)
    draws = np.stack(
        [g.choice(n, count, replace=False).numpy() for _ in range(N // count)]
    )

    for row in draws:
        assert len(np.unique(row)) == count
    unit = (draws.ravel() + 0.5) / n
    assert scipy.stats.kstest(unit, "uniform").statistic < 1.95 / math.sqrt(unit.size)


def test_choice_of_slices_keeps_the_other_axes():
    x = tv.asarray([[1, 2, 3], [4, 5, 6]])

    assert generator().choice(x, (7, 1), axis=1).shape == (2, 7, 1)
    assert generator().choice(0, 0).shape == (0,)


OTHER = trivet_ndarray.NdArray(default_float="float64")
ERRORS = [
    (
        lambda: generator().bernoulli(1.5),
        ValueError,
        "bernoulli: p lies between 1.5 and 1.5, and must be from 0 to 1.",
    ),
    (
        lambda: generator().bernoulli(tv.asarray([0.5, math.nan])),
        ValueError,
        "bernoulli: p lies between nan and nan, and must be from 0 to 1.",
    ),
    (
        lambda: generator().poisson(-1.0),
        ValueError,
        (
            "poisson: mean lies between -1.0 and -1.0, and must be from 0 to "
            "1000000000.0."
        ),
    ),
    (
        lambda: generator().gamma(tv.asarray([1, 2])),
        DTypeError,
        "gamma: dtype=int64 is not a real floating dtype.",
    ),
    (
        lambda: generator().gamma(tv.ones(3), (2, 2)),
        ShapeError,
        (
            "gamma: the shapes (3,) and (2, 2) do not broadcast: axis -1 has the sizes "
            "2 and 3. Sizes must be equal or 1."
        ),
    ),
    (
        lambda: generator().gamma(tv.ones(3), ()),
        ShapeError,
        "gamma: parameters of shape (3,) do not fit shape=().",
    ),
    (
        lambda: generator().categorical(),
        ValueError,
        "categorical: give either probs or logits.",
    ),
    (
        lambda: generator().categorical(tv.ones((2, 0))),
        ShapeError,
        "categorical: the shape (2, 0) holds no classes.",
    ),
    (
        lambda: generator().categorical(tv.asarray([0.5, -0.5])),
        ValueError,
        "categorical: probs lies between -0.5 and 0.5, and must be from 0 to inf.",
    ),
    (
        lambda: generator().choice(3, 4, replace=False),
        ShapeError,
        "choice: 4 of 3 cannot be taken with replace=False.",
    ),
    (
        lambda: generator().choice(0, 1),
        ShapeError,
        "choice: 1 of 0 cannot be taken with replace=True.",
    ),
    (
        lambda: generator().gamma(tv.ones(2, backend=OTHER)),
        BackendMismatchError,
        (
            "gamma: float32() on ndarray/cpu and float64(2,) on ndarray/cpu are "
            "tensors of two backends. Nothing is moved silently: both backends are "
            "called 'ndarray' and are two objects. Make one and use it for both, or "
            "call x.to_backend(y.backend)."
        ),
    ),
]


@pytest.mark.parametrize("call, error, message", ERRORS)
def test_bad_input_is_explained(call, error, message):
    with pytest.raises(error) as caught:
        call()

    assert str(caught.value) == message


def test_weights_that_are_all_zero_are_refused():
    with pytest.raises(ValueError) as caught:
        generator().categorical(tv.asarray([0.0, 0.0]))

    assert str(caught.value).startswith(
        "categorical: sum(probs) lies between 0.0 and 0.0, and must be from 2.2"
    )


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copy_of_a_generator_goes_on_with_the_same_numbers(copied):
    generator = tv.random.Generator(5)
    generator.normal(3)
    other = copied(generator)

    assert other.normal(4).tolist() == generator.normal(4).tolist()
    assert other.device == generator.device
    assert other.backend is generator.backend


def test_copy_of_a_generator_keeps_a_backend_of_its_own():
    own = trivet_ndarray.NdArray(default_float="float64")
    generator = copy.deepcopy(tv.random.Generator(5, backend=own))

    assert generator.uniform(2).backend is own
