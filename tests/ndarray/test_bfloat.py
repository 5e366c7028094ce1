"""bfloat16 on NumPy: its rounding, its sums in float32, its dtype through every op."""

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trivet as tv
from trivet_ndarray import NdArray

ml_dtypes = pytest.importorskip("ml_dtypes")


def rounded(number):
    """The nearest bfloat16: the upper half of a float32, ties to an even last bit."""
    (bits,) = struct.unpack("<I", struct.pack("<f", number))
    bits += 0x7FFF + (bits >> 16 & 1)
    (value,) = struct.unpack("<f", struct.pack("<I", bits >> 16 << 16))
    return value


MIDDLING = st.floats(-(2.0**50), 2.0**50, width=32)


def tensor(values):
    return tv.asarray(values, dtype=tv.bfloat16)


@given(st.floats(-(2.0**99), 2.0**99, width=32))
def test_conversion_rounds_to_nearest_with_ties_to_even(number):
    assert tensor(number).item() == rounded(number)


@given(MIDDLING, MIDDLING)
def test_arithmetic_rounds_the_exact_result(a, b):
    x, y = tensor([a]), tensor([b])
    exact_a, exact_b = np.float32(rounded(a)), np.float32(rounded(b))

    assert (x + y).tolist() == [rounded(exact_a + exact_b)]
    assert (x * y).tolist() == [rounded(exact_a * exact_b)]
    assert (x + y).dtype == tv.bfloat16


@pytest.mark.parametrize("number", [2, 2.5, 0.0, -0.0, True, np.float64(2.5)])
def test_numbers_beside_it_take_its_dtype_on_both_sides(number):
    x = tensor([1.0, 2.0])

    for result in (x + number, number + x, x * number, tv.maximum(x, number)):
        assert result.dtype == tv.bfloat16
    assert (x + number).tolist() == [1.0 + number, 2.0 + number]
    assert tv.where(x > 1, x, float(number)).dtype == tv.bfloat16
    assert tv.where(x > 1, float(number), x).dtype == tv.bfloat16


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_sums_of_ten_thousand_ones_accumulate_in_float32(dtype):
    x = tv.ones((100, 100), dtype=dtype)
    whole = 10_000 if dtype == "float16" else rounded(10_000)

    assert x.sum().item() == whole
    assert tv.cumulative_sum(tv.reshape(x, -1))[-1].item() == whole
    assert tv.mean(x).item() == 1
    assert tv.std(x).item() == 0
    assert (tv.reshape(x, -1) @ tv.reshape(x, -1)).item() == whole
    assert tv.linalg.vector_norm(x).item() == 100
    assert tv.sum(x).dtype == tv.dtypes.as_dtype(dtype)


@pytest.mark.parametrize(
    "op",
    [
        tv.nn.softmax,
        tv.nn.gelu,
        tv.nn.relu,
        tv.special.erf,
        tv.exp,
        tv.tanh,
        tv.sort,
        tv.median,
        lambda x: tv.linalg.solve(tv.eye(3, dtype=tv.bfloat16) * 2, x),
        lambda x: tv.einsum("i,i->", x, x),
        lambda x: tv.nn.layer_norm(x, 3),
    ],
)
def test_op_gives_what_float32_gives_rounded_once(op):
    x = tensor([1.0, 2.5, -3.0])

    found = op(x)

    assert found.dtype == tv.bfloat16
    wide = np.float32(op(x.astype(tv.float32)).tolist())
    # an elementwise function may be half a unit off, one in 2**8
    assert np.allclose(found.tolist(), wide, rtol=2**-8, atol=0)


def test_another_float_beside_it_decides_the_result():
    x, w = tensor([[1.0, 2.0]]), tv.asarray([[3.0], [4.0]])

    assert (x @ w).dtype == tv.float32
    assert (x @ w).tolist() == [[11.0]]
    assert tv.linalg.vecdot(x, x, axis=-1).dtype == tv.bfloat16


def test_special_numbers_and_limits():
    x = tensor([math.inf, -math.inf, math.nan, 1e39, -0.0])

    assert x.tolist()[:2] == [math.inf, -math.inf]
    assert tv.isnan(x).tolist() == [False, False, True, False, False]
    assert x[3].item() == math.inf
    assert math.copysign(1, x[4].item()) == -1
    assert tensor(tv.finfo(tv.bfloat16).max).item() == tv.finfo(tv.bfloat16).max


def test_tensors_leave_as_arrays_of_ml_dtypes_and_come_back():
    x = tensor([1.0, 2.5])

    array = x.numpy()

    assert array.dtype == ml_dtypes.bfloat16
    assert tv.asarray(array).dtype == tv.bfloat16
    assert tv.asarray(array).tolist() == [1.0, 2.5]


def test_gradients_keep_the_dtype():
    w = tv.asarray([1.0, 2.0], dtype=tv.bfloat16)
    ad = pytest.importorskip("trivet_autodiff")

    gradient = ad.grad(lambda x: tv.sum(x * x * 0.5 + 1.5))(w)

    assert gradient.dtype == tv.bfloat16
    assert gradient.tolist() == [1.0, 2.0]


def test_it_can_be_the_default_float_of_an_instance():
    narrow = NdArray(default_float="bfloat16")

    assert tv.zeros(2, backend=narrow).dtype == tv.bfloat16
    assert tv.asarray([0.5], backend=narrow).dtype == tv.bfloat16


def test_without_ml_dtypes_the_backend_says_that_it_lacks_the_dtype(site):
    out = site.run(
        """
        import sys
        sys.modules["ml_dtypes"] = None
        import trivet as tv
        try:
            tv.zeros(2, dtype=tv.bfloat16)
        except tv.errors.DTypeError as error:
            print(error)
        """,
        whole=True,
    )

    assert out.startswith(
        "the backend ndarray has no dtype bfloat16 on cpu. It has bool"
    )


CLASSES = tv.asarray([0, 2, 1, 4])
OF_A_FIRST = {  # the result has the dtype of `x`, whatever that of its parameters
    "layer_norm": lambda x, w: tv.nn.layer_norm(x, (6,), w, w),
    "rms_norm": lambda x, w: tv.nn.rms_norm(x, (6,), w, eps=1e-5),
    "batch_norm": lambda x, w: tv.nn.batch_norm(x, w, abs(w), w, w),
    "batch_norm of a batch": lambda x, w: tv.nn.batch_norm(x, None, None, w, w),
    "group_norm": lambda x, w: tv.nn.group_norm(x, 2, w, w),
    "instance_norm": lambda x, w: tv.nn.instance_norm(x[:, :, None] * PAIR, w, w),
    "cross_entropy": lambda x, w: tv.nn.cross_entropy(x, CLASSES, abs(w)),
    "nll_loss": lambda x, w: tv.nn.nll_loss(x, CLASSES, abs(w)),
    "binary_cross_entropy_with_logits": lambda x, w: (
        tv.nn.binary_cross_entropy_with_logits(x, tv.zeros_like(x), abs(w))
    ),
}
PAIR = tensor([1.0, 2.0])
OF_BOTH = ["mse_loss", "l1_loss", "huber_loss", "smooth_l1_loss"]
OTHERS = ["float16", "bfloat16", "float32", "float64"]


def drawn(seed, *shape):
    return tensor(np.random.default_rng(seed).normal(size=shape).tolist())


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", OF_A_FIRST)
def test_norms_and_losses_keep_the_dtype_beside_other_parameters(name, other):
    function, x, w = OF_A_FIRST[name], drawn(1, 4, 6), drawn(2, 6).astype(other)

    found = function(x, w)

    assert found.dtype == tv.bfloat16
    wide = function(x.astype("float32"), w.astype("float32")).astype(tv.bfloat16)
    assert tv.allclose(found, wide, rtol=2**-7, atol=2**-7)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", OF_BOTH)
def test_losses_promote_predictions_and_targets(name, other):
    loss, x, y = getattr(tv.nn, name), drawn(1, 4, 6), drawn(2, 4, 6).astype(other)
    wide = loss(x.astype("float64"), y.astype("float64")).item()

    for found in (loss(x, y), loss(y, x)):
        assert found.dtype == tv.result_type(x, y)
        near = tv.finfo(found.dtype).eps if found.dtype == x.dtype else 1e-5
        assert found.item() == pytest.approx(wide, rel=near)
