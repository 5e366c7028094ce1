"""Convolutions with a window for each channel, and their gradients, as defined."""

import random

import numpy as np
import pytest

import trivet as tv
from trivet.errors import TrivetError

DIMENSIONS = [1, 2, 3]


def gradients(x, weight, g, ndim, **statics):
    """What x and weight get, and the convolution itself."""
    leaves = [
        tv.asarray(a, backend="autodiff(ndarray)").require_grad() for a in (x, weight)
    ]
    out = getattr(tv.nn, f"conv{ndim}d")(*leaves, groups=len(weight), **statics)
    grads = out.backward(tv.asarray(g(out.shape)))
    return [out.inner().numpy(), *(grads[leaf].numpy() for leaf in leaves)]


def defined(x, weight, g, *, padding=0, dilation=1, stride=1):
    """The sums of the definition in float64, one place of the window after another."""
    x, weight = x.astype(float), weight.astype(float)
    sides = [(0, 0)] * 2 + [(padding, padding)] * (x.ndim - 2)
    wide, window = np.pad(x, sides), weight.shape[2:]
    sizes = [
        (n - dilation * (k - 1) - 1) // stride + 1
        for n, k in zip(wide.shape[2:], window, strict=True)
    ]
    places = {
        at: (
            ...,
            *(
                slice(dilation * i, dilation * i + stride * (n - 1) + 1, stride)
                for i, n in zip(at, sizes, strict=True)
            ),
        )
        for at in np.ndindex(*window)
    }
    columns = {at: weight[(slice(None), 0, *at)] for at in places}
    shape = (1, len(weight), *(1 for _ in sizes))
    out = sum(columns[at].reshape(shape) * wide[seen] for at, seen in places.items())
    cotangent = g(out.shape).astype(float)
    gx, gw = np.zeros_like(wide), np.zeros_like(weight)
    others = (0, *range(2, x.ndim))
    for at, seen in places.items():
        gx[seen] += columns[at].reshape(shape) * cotangent
        gw[(slice(None), 0, *at)] = (wide[seen] * cotangent).sum(axis=others)
    inside = (..., *(slice(padding, padding + n) for n in x.shape[2:]))
    return [out, gx[inside], gw]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("ndim", DIMENSIONS)
@pytest.mark.parametrize("seed", range(8))
def test_depthwise_convolution_and_its_gradients_are_the_sums_of_the_definition(
    ndim, seed, dtype
):
    draw, rng = random.Random(f"{ndim} {seed}").randint, np.random.default_rng(seed)
    window = [draw(1, 3) for _ in range(ndim)]
    size = [draw(5, 9) for _ in range(ndim)]
    x = rng.normal(size=(draw(1, 3), 4, *size)).astype(dtype)
    weight = rng.normal(size=(4, 1, *window)).astype(dtype)
    statics = {
        "padding": draw(0, 2),
        "dilation": draw(1, 2),
        "stride": draw(1, 2),
    }

    def g(shape):
        return np.random.default_rng(1).normal(size=shape).astype(dtype)

    found = gradients(x, weight, g, ndim, **statics)

    wanted = defined(x, weight, g, **statics)
    for got, want in zip(found, wanted, strict=True):
        assert got.dtype == dtype
        atol = 100 * float(np.finfo(dtype).eps) * np.abs(want).max()
        np.testing.assert_allclose(got, want, 0, atol)


def test_large_arrays_go_in_parts():
    rng = np.random.default_rng(0)
    x, weight = rng.normal(size=(5, 24, 40, 40)), rng.normal(size=(24, 1, 5, 3))

    def g(shape):
        return np.random.default_rng(1).normal(size=shape)

    found = gradients(x, weight, g, 2, padding=1)

    wanted = defined(x, weight, g, padding=1)
    for got, want in zip(found, wanted, strict=True):
        np.testing.assert_allclose(got, want, 0, 1e-12 * np.abs(want).max())


def test_infinities_reach_no_window_that_does_not_see_them():
    x, weight = np.ones((1, 2, 6, 6)), np.ones((2, 1, 3, 3))
    x[0, 0, 2, 5] = np.inf

    out, _, own = gradients(x, weight, np.ones, 2)

    where = np.zeros((4, 4), bool)
    where[0:3, 3] = True
    np.testing.assert_array_equal(out[0, 0] == np.inf, where)
    assert (out[0, 1] == 9).all()
    # every element of the last column of the window passes the place
    np.testing.assert_array_equal(own[0, 0], [[16, 16, np.inf]] * 3)
    np.testing.assert_array_equal(own[1, 0], np.full((3, 3), 16.0))


def test_windows_that_do_not_fit_are_refused():
    x, weight = tv.ones((1, 2, 2, 2)), tv.ones((2, 1, 3, 3))

    with pytest.raises(TrivetError, match="conv2d"):
        tv.nn.conv2d(x, weight, groups=2)
