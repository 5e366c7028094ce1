"""Gradients of 16-bit floats over more elements than these can count."""

import pytest

import trivet as tv
from trivet_autodiff import Autodiff

MANY = 80_000  # beyond the largest float16
# Half a unit in the last place: relative, and of float16 absolute below 6.1e-5.
PRECISION = {tv.float16: (2**-11, 2**-25), tv.bfloat16: (2**-9, 0.0)}


@pytest.fixture(params=PRECISION, ids=str)
def dtype(request, backend):
    """A 16-bit dtype that the backend has."""
    if request.param not in backend.dtypes(backend.default_device):
        pytest.skip(f"{backend.name} has no {request.param}")
    return request.param


def slope(backend, dtype, function, x):
    """The gradient of the sum of a function at the elements of `x`."""
    ad = Autodiff(backend)
    variable = tv.tensor(x, dtype=dtype, backend=ad).require_grad()
    gradient = function(variable).backward()[variable]
    assert gradient.dtype == dtype
    return gradient.astype(tv.float32).tolist()


def near(dtype, expected, roundings=2):
    relative, absolute = PRECISION[dtype]
    return pytest.approx(expected, rel=roundings * relative, abs=absolute * roundings)


def test_mean_gives_each_element_its_part(backend, dtype):
    found = slope(backend, dtype, tv.mean, [1.0] * MANY)

    assert found[0] == found[-1] == near(dtype, 1 / MANY)


def test_scaled_mean_loses_nothing_on_the_way(backend, dtype):
    found = slope(backend, dtype, lambda x: tv.mean(x) * 4096.0, [1.0] * MANY)

    assert found[0] == near(dtype, 4096 / MANY)


@pytest.mark.parametrize("scale", [1.0, 1024.0])
def test_variance_and_deviation_of_many(backend, dtype, scale):
    x = [1.0, -1.0] * (MANY // 2)  # their mean is 0, their variance n / (n - 1)

    var = slope(backend, dtype, lambda x: tv.var(x, correction=1) * scale, x)
    std = slope(backend, dtype, lambda x: tv.std(x, correction=1) * scale, x)

    assert var[:2] == near(dtype, [2 * scale / (MANY - 1), -2 * scale / (MANY - 1)], 3)
    assert std[:2] == near(dtype, [scale / (MANY - 1), -scale / (MANY - 1)], 4)


def test_elements_of_the_largest_size_share_evenly(backend, dtype):
    norm = slope(
        backend, dtype, lambda x: tv.linalg.vector_norm(x, ord=tv.inf), [1.0] * MANY
    )
    largest = slope(backend, dtype, tv.max, [1.0] * MANY)

    assert norm[0] == largest[0] == near(dtype, 1 / MANY)


@pytest.mark.parametrize(
    "read",
    [
        lambda x, i: x[i],
        tv.take,
        lambda x, i: tv.take_along_axis(x, i, axis=0),
        lambda x, i: tv.broadcast_to(x, (5000,)),
        lambda x, i: tv.nn.embedding(i, tv.reshape(x, (1, 1))),
    ],
    ids=["getitem", "take", "take_along_axis", "broadcast_to", "embedding"],
)
def test_element_that_is_read_often_gets_all_cotangents(backend, dtype, read):
    index = tv.zeros(5000, dtype=tv.int64, backend=backend)

    found = slope(backend, dtype, lambda x: tv.sum(read(x, index)), [1.0])

    assert found == near(dtype, [5000.0])


def test_rows_are_added_and_multiplied_in_32_bits(backend, dtype):
    index = tv.zeros(5000, dtype=tv.int64, backend=backend)
    ones = tv.ones(1, dtype=dtype, backend=backend)

    added = tv.at(ones, index).add(1.0)
    multiplied = tv.at(ones, index[:100]).multiply(1 + 2**-7)  # 1 + 1/128 fits both

    assert added.astype(tv.float32).tolist() == near(dtype, [5001.0], 1)
    assert multiplied.astype(tv.float32).tolist() == near(dtype, [(1 + 2**-7) ** 100])


def of_two_classes(loss):
    """A loss of rows of two logits, or log-probabilities, of which the first is due."""

    def over(x):
        rows = tv.reshape(x, (MANY // 2, 2))
        return loss(rows, tv.zeros(MANY // 2, dtype=tv.int64, backend=x.backend))

    return over


LOSSES = {  # the predictions, and the slope of one
    "mse_loss": (1.0, 2.0),
    "l1_loss": (1.0, 1.0),
    "huber_loss": (2.0, 1.0),
    "smooth_l1_loss": (2.0, 1.0),
    "binary_cross_entropy_with_logits": (0.0, 0.5),
    "binary_cross_entropy": (0.5, 2.0),
}


@pytest.mark.parametrize("scale", [1.0, 4096.0])
@pytest.mark.parametrize("name", LOSSES)
def test_scaled_mean_of_losses_loses_nothing_on_the_way(backend, dtype, name, scale):
    at, each = LOSSES[name]
    loss = getattr(tv.nn, name)

    found = slope(
        backend, dtype, lambda x: loss(x, tv.zeros_like(x)) * scale, [at] * MANY
    )

    assert found[0] == found[-1] == near(dtype, scale * each / MANY)


@pytest.mark.parametrize("scale", [1.0, 4096.0])
@pytest.mark.parametrize("name", ["cross_entropy", "nll_loss"])
def test_scaled_loss_of_classes_loses_nothing_on_the_way(backend, dtype, name, scale):
    loss = of_two_classes(getattr(tv.nn, name))

    found = slope(backend, dtype, lambda x: loss(x) * scale, [0.0] * MANY)

    slopes = [-0.5, 0.5] if name == "cross_entropy" else [-1.0, 0.0]
    assert found[:2] == near(dtype, [s * scale / (MANY // 2) for s in slopes])


@pytest.mark.parametrize(
    "norm",
    [
        lambda x, w, b: tv.nn.layer_norm(x, (2,), w, b, eps=1e-5),
        lambda x, w, b: tv.nn.group_norm(x, 1, w, b, eps=1e-5),
        lambda x, w, b: tv.nn.batch_norm(x, None, None, w, b, eps=1e-5),
    ],
    ids=["layer_norm", "group_norm", "batch_norm"],
)
def test_wide_parameters_of_a_narrow_norm_have_wide_gradients(backend, dtype, norm):
    x = tv.asarray([[1.0, -1.0]] * 35_000 + [[-1.0, 1.0]] * 35_000, backend=backend)
    one, zero = (tv.full(2, n, backend=Autodiff(backend)) for n in (1.0, 0.0))
    weight, bias = one.require_grad(), zero.require_grad()

    total = norm(x.astype(dtype), weight, bias).astype(tv.float32).sum()

    found = total.backward()
    assert found[bias].tolist() == [70_000.0] * 2  # past the largest float16
    assert found[weight].tolist() == pytest.approx([0.0, 0.0], abs=1.0)
