"""Linear layers, embeddings, attention and dropout against NumPy and PyTorch."""

import math

import numpy as np
import pytest
import scipy.special

import trivet as tv
from trivet.errors import DTypeError, ShapeError, TensorIndexError

inf, nan = math.inf, math.nan
CLOSE = {"float16": 5e-3, "float32": 5e-6, "float64": 1e-12}


def draw(*shape, dtype="float64", seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


@pytest.mark.parametrize("batch", [(), (7,), (2, 3), (2, 1, 3)])
@pytest.mark.parametrize("with_bias", [False, True])
def test_linear_is_a_product_and_a_sum(bodies, batch, with_bias):
    x, weight = draw(*batch, 4), draw(5, 4, seed=1)
    bias = draw(5, seed=2) if with_bias else None

    got = tv.nn.linear(
        *[None if a is None else tv.asarray(a) for a in (x, weight, bias)]
    )

    want = x @ weight.T + (0 if bias is None else bias)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12, atol=1e-12)
    body = bodies.linear(x, weight, bias)
    np.testing.assert_allclose(body, want, rtol=1e-12, atol=1e-12)


def test_linear_takes_integers_and_nothing():
    x, weight = tv.asarray([[1, 2]]), tv.asarray([[3, 4], [5, 6]])

    assert tv.nn.linear(x, weight).tolist() == [[11, 17]]
    assert tv.nn.linear(tv.zeros((0, 4)), tv.zeros((5, 4))).shape == (0, 5)
    assert tv.nn.linear(tv.zeros((2, 0)), tv.zeros((5, 0))).tolist() == [[0.0] * 5] * 2


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_embedding_reads_rows(bodies, dtype, shape):
    indices = np.random.default_rng(3).integers(0, 5, size=shape).astype(dtype)
    weight = draw(5, 4)

    got = tv.nn.embedding(tv.asarray(indices), tv.asarray(weight), padding_idx=-1)

    assert got.numpy().tolist() == weight[indices.astype(int)].tolist()
    body = bodies.embedding(np.asarray(indices), weight, padding_idx=None)
    assert body.tolist() == weight[indices.astype(int)].tolist()


def attention(query, key, value, allowed=True, bias=0.0):
    """The definition, in float64."""
    query, key, value = (x.astype("float64") for x in (query, key, value))
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1]) + bias
    scores = np.where(allowed, scores, -inf)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(scipy.special.softmax(scores, -1)) @ value


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_is_its_definition(bodies, dtype, batch, causal):
    query = draw(*batch, 5, 8, dtype=dtype)
    key, value = draw(*batch, 6, 8, dtype=dtype), draw(*batch, 6, 3, dtype=dtype)

    got = tv.nn.scaled_dot_product_attention(
        *map(tv.asarray, (query, key, value)), is_causal=causal
    )

    allowed = np.tri(5, 6, dtype=bool) if causal else True
    want = attention(query, key, value, allowed)
    close = {"rtol": CLOSE[dtype], "atol": CLOSE[dtype]}
    assert got.dtype == tv.dtypes.as_dtype(dtype)
    np.testing.assert_allclose(got.numpy(), want, **close)
    body = bodies.scaled_dot_product_attention(
        query, key, value, None, is_causal=causal, scale=1 / math.sqrt(8)
    )
    np.testing.assert_allclose(body, want, **close)


@pytest.mark.parametrize("shape", [(5, 6), (1, 6), (5, 1), (3, 1, 6), (2, 1, 5, 6), ()])
@pytest.mark.parametrize("additive", [False, True])
def test_masks_broadcast_to_the_scores(bodies, shape, additive):
    query, key, value = draw(2, 3, 5, 4), draw(3, 6, 4), draw(2, 1, 6, 2)
    allowed = np.random.default_rng(5).random(shape) < 0.6
    mask = np.where(allowed, draw(*shape), -inf) if additive else np.asarray(allowed)

    got = tv.nn.scaled_dot_product_attention(
        *map(tv.asarray, (query, key, value, mask))
    )

    bias = np.where(allowed, mask, 0) if additive else 0.0
    want = attention(query, key, value, allowed, bias)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12, atol=1e-12)
    body = bodies.scaled_dot_product_attention(
        query, key, value, mask, is_causal=False, scale=0.5
    )
    np.testing.assert_allclose(body, want, rtol=1e-12, atol=1e-12)


def test_attention_agrees_with_pytorch():
    torch = pytest.importorskip("torch")
    arrays = [draw(2, 4, 16, 8, seed=i) for i in range(3)]

    for causal in (False, True):
        got = tv.nn.scaled_dot_product_attention(
            *map(tv.asarray, arrays), is_causal=causal, scale=0.3
        )

        want = torch.nn.functional.scaled_dot_product_attention(
            *map(torch.from_numpy, arrays), is_causal=causal, scale=0.3
        )
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-10, atol=1e-12)


def test_queries_without_keys_give_zeros():
    x = tv.ones((2, 2))
    mask = tv.asarray([[False, False], [True, True]])

    got = tv.nn.scaled_dot_product_attention(x, x, x, mask)
    empty = tv.nn.scaled_dot_product_attention(x, tv.zeros((0, 2)), tv.zeros((0, 3)))

    assert got.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert empty.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_long_attention_is_computed_in_parts():
    query, key = draw(700, 8, dtype="float32"), draw(900, 8, dtype="float32", seed=1)
    value = draw(900, 4, dtype="float32", seed=2)
    mask = np.random.default_rng(5).random((700, 900)) < 0.5

    got = tv.nn.scaled_dot_product_attention(
        *map(tv.asarray, (query, key, value, mask)), is_causal=True
    )

    want = attention(query, key, value, mask & np.tri(700, 900, dtype=bool))
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-4, atol=1e-5)


def test_float16_attention_does_not_overflow_on_the_way():
    x = tv.full((2, 64), 40.0, dtype="float16")  # products add up to 102400

    got = tv.nn.scaled_dot_product_attention(x, x, x, scale=1.0)

    assert got.dtype == tv.float16
    assert set(got.numpy().flat) == {40.0}


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("dtype", CLOSE)
def test_dropout_drops_that_share_and_scales_the_rest(bodies, p, dtype):
    x = tv.ones((100, 400), dtype=dtype)

    got = tv.nn.dropout(x, p, generator=tv.random.Generator(11)).numpy()

    assert got.dtype == dtype
    assert set(got.flat) == {0.0, np.asarray(1 / (1 - p), dtype)[()]}
    deviation = math.sqrt(p * (1 - p) / got.size)
    assert abs((got == 0).mean() - p) < 5 * deviation
    assert set(bodies.dropout(x.numpy(), p=p, key=3).flat) == set(got.flat)


def test_dropout_of_all_or_nothing():
    x, generator = tv.asarray([1.0, inf, nan]), tv.random.Generator(0)

    assert tv.nn.dropout(x, 1.0, generator=generator).tolist() == [0.0, 0.0, 0.0]
    assert tv.nn.dropout(x, 0.0, generator=generator).tolist()[:2] == [1.0, inf]


def test_dropped_infinities_are_zeros():
    x = tv.full((1000,), inf)

    got = tv.nn.dropout(x, 0.5, generator=tv.random.Generator(0)).tolist()

    assert set(got) == {0.0, inf}


def test_the_same_seed_drops_the_same():
    x = tv.ones(100)
    one, other = (tv.random.Generator(4) for _ in range(2))

    first = tv.nn.dropout(x, 0.5, generator=one).tolist()

    assert tv.nn.dropout(x, 0.5, generator=other).tolist() == first
    assert tv.nn.dropout(x, 0.5, generator=one).tolist() != first


def test_shapes_of_linear_layers_are_checked():
    x, weight = tv.zeros((2, 3)), tv.zeros((5, 4))
    with pytest.raises(ShapeError) as inputs:
        tv.nn.linear(x, weight)
    with pytest.raises(ShapeError) as bias:
        tv.nn.linear(tv.zeros((2, 4)), weight, tv.zeros(4))

    assert str(inputs.value) == (
        "linear: a tensor of shape (2, 3) and a weight of shape (5, 4) do not fit. The "
        "weight has the shape (outputs, inputs), and the last axis of the tensor the "
        "inputs."
    )
    assert str(bias.value) == (
        "linear: the bias has the shape (4,), and for a weight of shape (5, 4) it must "
        "be (5,)."
    )


def test_embeddings_are_checked():
    weight = tv.zeros((3, 2))
    with pytest.raises(DTypeError) as dtype:
        tv.nn.embedding(tv.zeros(2), weight)
    with pytest.raises(ShapeError) as shape:
        tv.nn.embedding(tv.asarray([1]), tv.zeros(3))
    with pytest.raises(TensorIndexError) as padding:
        tv.nn.embedding(tv.asarray([1]), weight, padding_idx=3)
    with pytest.raises(TensorIndexError):
        tv.nn.embedding(tv.asarray([3]), weight)

    assert str(dtype.value) == (
        "embedding: the indices have the dtype float32 and must be integers. Cast with "
        ".astype(...)."
    )
    assert str(shape.value) == (
        "embedding: the weight has the shape (3,) and must be (rows, width)."
    )
    assert str(padding.value) == (
        "embedding: padding_idx=3 is no row of the weight, which has 3."
    )


def test_attention_is_checked():
    x = tv.zeros((2, 3))
    with pytest.raises(ShapeError) as shapes:
        tv.nn.scaled_dot_product_attention(x, tv.zeros((2, 4)), x)
    with pytest.raises(ShapeError) as mask:
        tv.nn.scaled_dot_product_attention(x, x, x, tv.zeros((5, 2, 2)))
    with pytest.raises(DTypeError) as dtypes:
        tv.nn.scaled_dot_product_attention(x, x, tv.zeros((2, 3), dtype="float64"))
    with pytest.raises(DTypeError):
        tv.nn.scaled_dot_product_attention(x, x, x, tv.asarray([[0, 1], [1, 0]]))

    assert str(shapes.value) == (
        "scaled_dot_product_attention: the query has the shape (2, 3), the key (2, 4) "
        "and the value (2, 3). They must be (..., L, E), (..., S, E) and (..., S, V)."
    )
    assert str(mask.value) == (
        "scaled_dot_product_attention: the mask has the shape (5, 2, 2), which does "
        "not broadcast to the scores, (2, 2)."
    )
    assert str(dtypes.value) == (
        "scaled_dot_product_attention: query, key and value have the dtypes float32, "
        "float32 and float64, and must have one. Cast with .astype(...)."
    )


def test_dropout_is_checked():
    x = tv.zeros(2)
    with pytest.raises(ValueError) as p:
        tv.nn.dropout(x, 1.5, generator=tv.random.Generator(0))
    with pytest.raises(TypeError) as generator:
        tv.nn.dropout(x, 0.5, generator=7)
    with pytest.raises(DTypeError):
        tv.nn.dropout(tv.asarray([1]), 0.5, generator=tv.random.Generator(0))

    assert str(p.value) == "dropout: p=1.5 is not a probability, within 0 to 1."
    assert str(generator.value) == (
        "dropout: generator=7 deals no random keys. Pass tv.random.Generator(seed)."
    )
