"""Mixed precision: which op computes in which dtype, and what gradients become."""

import math

import pytest

import trivet as tv
from trivet.contract import OPS
from trivet.errors import DTypeError, NotRecordingError
from trivet_autodiff import Autocast, Autodiff, GradientScaler, autocast, grad
from trivet_autodiff.casting import PARTS, PRODUCTS, WIDE, WIDE_FAMILIES

THIRD = 1365 / 4096  # the float16 next to 1/3
ORDERS = ("autodiff(autocast({}))", "autocast(autodiff({}))")


@pytest.fixture
def backend(backend):
    """A backend with 16-bit floats."""
    if tv.float16 not in backend.dtypes(backend.default_device):
        pytest.skip(f"{backend.name} has no float16")
    return backend


@pytest.fixture(params=ORDERS)
def mixed(request, backend):
    """A backend that casts and records, in either order."""
    return tv.backend(request.param.format(backend.name))


@pytest.fixture
def ac(backend):
    """A backend that casts."""
    return autocast(backend)


def tensor(values, backend, dtype=tv.float32):
    return tv.tensor(values, dtype=dtype, backend=backend)


def test_policy_names_ops_of_the_contract():
    assert OPS.keys() >= PRODUCTS | PARTS | WIDE
    assert {op.family for op in OPS.values()} >= WIDE_FAMILIES


def test_backend_without_the_dtype_is_refused():
    with pytest.raises(DTypeError) as caught:
        autocast(tv.backend("example"))

    assert str(caught.value) == (
        "autocast: the backend example has no float16 on example:0. Choose another "
        "dtype with compute=."
    )


def test_backend_is_wrapped_once_for_each_dtype(backend):
    assert autocast(backend) is Autocast(backend)
    assert autocast(backend) is tv.backend(f"autocast({backend.name})")


def test_product_rounds_its_operands_to_float16(ac):
    x, one = tensor([[1 / 3]], ac), tensor([[1.0]], ac)

    assert (x @ one).dtype == tv.float16
    assert (x @ one).tolist() == [[THIRD]]


def test_product_rounds_its_operands_to_bfloat16(backend):
    if tv.bfloat16 not in backend.dtypes(backend.default_device):
        pytest.skip(f"{backend.name} has no bfloat16")
    ac = autocast(backend, "bfloat16")
    x, one = tensor([[1 / 3]], ac), tensor([[1.0]], ac)

    assert (x @ one).dtype == tv.bfloat16
    assert (x @ one).tolist() == [[171 / 512]]  # 8 bits: 0.333984375


def test_product_with_float64_is_left_alone(ac):
    x = tensor([[1 / 3]], ac, tv.float64)

    assert (x @ x).dtype == tv.float64
    assert (x @ x).tolist() == [[(1 / 3) * (1 / 3)]]


def test_product_of_integers_stays_one(ac):
    x = tensor([[3]], ac, tv.int64)

    assert (x @ x).dtype == tv.int64


def test_convolution_computes_in_float16(ac):
    x, weight = tensor([[[1 / 3, 1.0]]], ac), tensor([[[1.0]]], ac)

    found = tv.nn.conv1d(x, weight)

    assert found.dtype == tv.float16
    assert found.tolist() == [[[THIRD, 1.0]]]


def test_linear_computes_in_float16_with_and_without_bias(ac):
    x, weight, bias = tensor([[1 / 3]], ac), tensor([[1.0]], ac), tensor([0.0], ac)

    assert tv.nn.linear(x, weight).dtype == tv.float16
    assert tv.nn.linear(x, weight, bias).tolist() == [[THIRD]]


def test_sum_of_float16_does_not_overflow(ac):
    x = tensor([60000.0, 60000.0], ac, tv.float16)

    assert x.sum().dtype == tv.float32
    assert x.sum().item() == 120_000.0


def test_exponential_of_float16_does_not_overflow(ac):
    x = tensor([20.0], ac, tv.float16)

    assert tv.exp(x).item() == pytest.approx(math.exp(20), rel=1e-6)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "softmin"])
def test_softmax_of_float16_is_float32(ac, name):
    x = tensor([0.0, 0.0], ac, tv.float16)

    assert getattr(tv.nn, name)(x).dtype == tv.float32


def test_loss_of_float16_is_float32(ac):
    x = tensor([300.0], ac, tv.float16)

    found = tv.nn.mse_loss(x, tensor([0.0], ac, tv.float16))

    assert (found.dtype, found.item()) == (tv.float32, 90_000.0)


def test_other_ops_promote(ac):
    half, single = tensor([1.0], ac, tv.float16), tensor([1.0], ac)

    assert (half + half).dtype == tv.float16
    assert (half + single).dtype == tv.float32
    assert tv.maximum(half, single).dtype == tv.float32


def test_einsum_multiplies_in_float16(ac):
    x, one = tensor([[1 / 3]], ac), tensor([[1.0]], ac)

    assert tv.einsum("ij,jk->ik", x, one).tolist() == [[THIRD]]


def test_attention_keeps_the_dtype_of_its_query(ac):
    x = tensor([[1 / 3]], ac)

    found = tv.nn.scaled_dot_product_attention(x, x, x)

    assert (found.dtype, found.tolist()) == (tv.float32, [[THIRD]])


def test_float_beside_float16_is_not_rounded_to_it(ac):
    x = tensor([2.0], ac, tv.float16)

    assert (x**0.1).item() == pytest.approx(2**0.1, rel=1e-7)


def test_gradients_have_the_dtype_of_their_variables(mixed):
    x = tensor([[1 / 3, 2.0]], mixed).require_grad()
    w = tensor([[1.0], [0.5]], mixed, tv.float16).require_grad()

    gradients = (x @ w).sum().backward()

    assert (gradients[x].dtype, gradients[w].dtype) == (tv.float32, tv.float16)
    assert gradients[x].tolist() == [[1.0, 0.5]]
    assert gradients[w].tolist() == [[THIRD], [2.0]]


def test_gradient_of_a_network_is_near_that_in_float32(mixed, backend):
    x = tensor([[0.5, -1.0], [2.0, 0.25]], backend)
    targets = tv.asarray([0, 1], backend=backend)

    def loss(w, b):
        return tv.nn.cross_entropy(tv.nn.relu(x @ w + b) @ w, targets)

    w0, b0 = tensor([[1.0, 0.5], [-0.5, 2.0]], backend), tensor([0.5, 0.25], backend)
    w, b = (v.to_backend(mixed).require_grad() for v in (w0, b0))
    gradients = loss(w, b).backward()

    for variable, exact in zip((w, b), grad(loss, (0, 1))(w0, b0), strict=True):
        assert gradients[variable].dtype == tv.float32
        tv.testing.assert_close(gradients[variable], exact, rtol=5e-3, atol=5e-3)


def test_third_part_of_a_gradient_and_later_ones_are_added_in_float32(mixed):
    x = tensor([[1.0]], mixed).require_grad()
    parts = [tensor([[v]], mixed) for v in (40000.0, 40000.0, 1.0, 1.0)]

    total = sum((x @ part).sum() for part in parts)

    assert total.backward()[x].item() == 80_002.0  # past the largest float16


def test_grad_wraps_what_casts(ac):
    slope = grad(lambda w: (w @ w).sum())(tensor([[1 / 3]], ac))

    assert slope.dtype == tv.float32
    assert slope.item() == pytest.approx(2 / 3, rel=1e-3)


def test_second_derivative_passes_through_casts(ac):
    second = grad(grad(lambda w: (w @ w).sum()))(tensor([[1.5]], ac))

    assert (second.dtype, second.item()) == (tv.float32, 2.0)


def test_variable_of_the_recorder_inside_is_one_outside_too(backend):
    inside = Autodiff(backend)
    outside = autocast(inside)
    w = tensor([[3.0]], inside).require_grad()

    gradients = (w.to_backend(outside) @ w).sum().backward()

    assert gradients[w].item() == 6.0
    assert gradients[w.to_backend(outside)].item() == 6.0


def test_detached_tensor_stays_on_its_backend(backend):
    outside = autocast(Autodiff(backend))
    w = tensor([3.0], outside).require_grad()

    assert w.detach().backend is outside
    assert not outside.is_tracked(w.detach().handle)


def test_backward_is_refused_when_nothing_inside_records(ac):
    name = ac.inner.name
    with pytest.raises(NotRecordingError) as caught:
        tensor([1.0], ac).require_grad()

    assert str(caught.value) == (
        f"require_grad: autocast({name}) casts and records nothing. Use "
        f'"autocast(autodiff({name}))" or "autodiff(autocast({name}))".'
    )


def test_dtype_that_is_not_of_16_bits_is_refused(backend):
    with pytest.raises(DTypeError) as caught:
        autocast(backend, tv.float32)

    assert str(caught.value) == (
        "autocast: compute=float32 is no 16-bit float. Choose float16, with a "
        "GradientScaler, or bfloat16, which has the range of float32."
    )


def test_scaler_saves_a_gradient_that_float16_would_lose(backend):
    ad = tv.backend(f"autodiff(autocast({backend.name}))")
    w = tensor([[1.0]], ad).require_grad()
    tiny = tensor([[2.0**-30]], ad)

    def loss():
        return (w @ tensor([[1.0]], ad) * tiny).sum()

    scaler = GradientScaler(scale=2.0**16)
    lost = loss().backward()[w]
    kept = scaler.unscale(scaler.scaled(loss()).backward())[w]

    assert lost.item() == 0.0
    assert kept.item() == 2.0**-30


@pytest.mark.parametrize("bad", [math.inf, -math.inf, math.nan])
def test_scaler_skips_a_step_and_halves_its_scale_when_a_gradient_is_not_finite(
    backend, bad
):
    scaler = GradientScaler(scale=8.0, steps=1)
    gradients = {"w": tensor([1.0], backend), "b": [tensor([0.0, bad], backend)]}

    assert scaler.unscale(gradients) is None
    assert scaler == GradientScaler(scale=4.0, steps=0)


def test_scaler_grows_after_enough_finite_steps(backend):
    scaler = GradientScaler(scale=8.0, interval=2)
    gradients = (tensor([8.0], backend),)

    scales = []
    for _ in range(4):
        scaler.unscale(gradients)
        scales.append(scaler.scale)

    assert scales == [8.0, 16.0, 16.0, 32.0]


def test_scaler_divides_nested_gradients_by_the_scale_of_the_loss(backend):
    scaler = GradientScaler(scale=8.0, interval=1)

    found = scaler.unscale({"w": [tensor([8.0, 4.0], backend)]})

    assert found["w"][0].tolist() == [1.0, 0.5]


@pytest.mark.parametrize("gradient, limit", [(math.inf, 2.0**-126), (1.0, 2.0**127)])
def test_scale_stays_within_what_float32_holds(backend, gradient, limit):
    scaler = GradientScaler(interval=1)
    gradients = [tv.asarray([gradient], dtype=tv.float64, backend=backend)]

    for _ in range(200):
        scaler.unscale(gradients)

    assert scaler.scale == limit
    assert scaler.unscale([tv.asarray([0.0], backend=backend)])[0].tolist() == [0.0]
