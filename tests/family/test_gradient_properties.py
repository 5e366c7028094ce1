"""Gradients of the tensor API on drawn arguments: both directions give one Jacobian J.

For any w and v the number w J v is found forward, by J v, and backward, by J^T w; and
likewise for the derivative of the gradient, which is symmetric. Values are those
without derivatives, and policies and regions change nothing.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from test_properties import STRANGERS, TABLE, found, is_held

import trivet as tv
from trivet.contract import OPS
from trivet.dtypes import DTYPES
from trivet.errors import TrivetError
from trivet_autodiff import checkpoint, jvp, vjp

# Of the differentiable ops, those whose calls here have no real floating arrays.
WITHOUT = {"astype", "imag", "real", "fft.hfft", "fft.irfft", "fft.irfftn", "scatter"}
NAMES = [
    name
    for name, case in TABLE.items()
    for op in [OPS.get(name.rpartition(".")[2])]
    if op and op.differentiable and case.ours is None and name not in WITHOUT
]
NARROW = {str(dtype) for dtype in DTYPES.values()} - {"float64", "complex128"}
SETTINGS = settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def floats(value):
    """The floating arrays in nested arguments, finite and in float64."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind != "f":
            return []
        fill = np.random.default_rng(0).normal(size=value.shape)
        return [np.where(np.isfinite(value), value, fill).astype("f8")]
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, list | tuple | type({}.values())):
        return [x for each in value for x in floats(each)]
    return []


def with_tensors(value, tensors):
    """The arguments with the next tensor in the place of each floating array."""
    if isinstance(value, np.ndarray):
        return next(tensors) if value.dtype.kind == "f" else tv.asarray(value)
    if isinstance(value, dict):
        return {k: with_tensors(v, tensors) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(with_tensors(each, tensors) for each in value)
    return value


def floating(result):
    """The floating tensors of a result in a tuple, of complex ones both parts."""
    if isinstance(result, tv.Tensor):
        if tv.isdtype(result.dtype, "complex floating"):
            return tv.real(result), tv.imag(result)
        return (result,) if tv.isdtype(result.dtype, "real floating") else ()
    if isinstance(result, list | tuple):
        return tuple(x for each in result for x in floating(each))
    return ()


def function_of_floats(name, call):
    """The function as one of its floating arrays alone, and these."""
    arguments, keywords = call
    values = [tv.asarray(x) for x in floats(call)]

    def function(*xs):
        tensors = iter(xs)
        given = with_tensors(arguments, tensors), with_tensors(keywords, tensors)
        return floating(found(name)(*given[0], **given[1]))

    return function, values


def drawn(likes, seed):
    """Random numbers like some tensors."""
    numbers = np.random.default_rng(seed)
    return tuple(tv.asarray(numbers.normal(size=x.shape), dtype=x.dtype) for x in likes)


def assert_equal_products(left, right):
    """Two lists of pairs have the same sum of products, to rounding."""
    terms = [
        np.concatenate([(a.numpy() * b.numpy()).ravel() for a, b in pairs])
        for pairs in (left, right)
    ]
    sums = [term.sum() for term in terms]
    if np.isfinite(sums).all():
        size = sum(abs(term).sum() for term in terms) + 1.0
        assert abs(sums[0] - sums[1]) < 1e-8 * size


def compare(function, xs):
    """Whether there was anything to compare; asserts what the module says."""
    plain = function(*xs)
    if not plain or any(y.dtype != tv.float64 for y in plain):
        return False
    ws, vs = drawn(plain, 1), drawn(xs, 2)
    values, pullback = vjp(function, *xs)
    gradients = pullback(ws)
    tangents = jvp(function, tuple(xs), vs)[1]

    for value, y in zip(values, plain, strict=True):
        np.testing.assert_allclose(value.numpy(), y.numpy(), rtol=1e-12)
    for gradient, x in zip(gradients, xs, strict=True):
        assert (gradient.shape, gradient.dtype) == (x.shape, x.dtype)
    assert_equal_products(
        zip(ws, tangents, strict=True), zip(gradients, vs, strict=True)
    )
    for same in (
        vjp(function, *xs, checkpoint=0)[1](ws),
        vjp(checkpoint(function), *xs)[1](ws),
    ):
        for a, b in zip(same, gradients, strict=True):
            np.testing.assert_array_equal(a.numpy(), b.numpy())
    compare_second(lambda *zs: vjp(function, *zs)[1](ws), xs, vs)
    return True


def compare_second(slopes, xs, vs):
    _, pullback = vjp(slopes, *xs)
    backward, forward = pullback(vs), jvp(slopes, tuple(xs), vs)[1]
    assert_equal_products(zip(vs, backward, strict=True), zip(vs, forward, strict=True))


def check(name, backend, examples):
    compared = []

    @settings(SETTINGS, max_examples=examples)
    @given(TABLE[name].calls.filter(floats))
    def agrees(call):
        with tv.using(backend) as chosen, np.errstate(all="ignore"):
            if not is_held(call, chosen) or call[1].get("dtype") in NARROW:
                return
            function, xs = function_of_floats(name, call)
            try:
                function(*xs)
            except TrivetError:  # float64 does not go with the other arguments
                return
            compared.append(bool(xs) and compare(function, xs))

    agrees()
    return any(compared)


@pytest.mark.parametrize("name", NAMES)
def test_both_directions_give_one_jacobian(name):
    assert check(name, "ndarray", 5)


def test_most_differentiable_functions_are_compared():
    assert len(NAMES) > 200


@pytest.mark.parametrize("backend", ["example", "autodiff(ndarray)"])
@pytest.mark.parametrize("name", sorted({*STRANGERS} & {*NAMES}))
def test_both_directions_give_one_jacobian_on_another_backend(name, backend):
    assert check(name, backend, 3)


# Floating results that do not follow the elements, and why.
CONSTANT = {
    "astype": "through integers",
    "broadcast_arrays": "each array by itself, constant ones too",
    "full_like": "the elements are replaced",
    "nextafter": "steps between floats",
    "histogram": "edges and counts are numbers on the host",
    "linalg.matrix_power": "the power 0 is the identity",
    "linalg.slogdet": "the sign",
    "linalg.vector_norm": "the order 0 counts",
    "empty_like": "as full_like",
    "ones_like": "as full_like",
    "zeros_like": "as full_like",
}


@pytest.mark.parametrize(
    "name",
    sorted(n for n, case in TABLE.items() if n not in CONSTANT and not case.ours),
)
def test_floating_result_of_tracked_arguments_is_tracked(name):
    level = tv.backend("autodiff(ndarray)")
    lost = []

    @settings(SETTINGS, max_examples=5)
    @given(TABLE[name].calls)
    def follows(call):
        xs = [tv.asarray(x).to_backend(level).require_grad() for x in floats(call)]
        tensors = iter(xs)
        given = with_tensors(call[0], tensors), with_tensors(call[1], tensors)
        try:
            with np.errstate(all="ignore"):
                result = found(name)(*given[0], **given[1])
        except (TrivetError, BufferError):  # as above, or it leaves the library
            return
        lost.extend(
            y.shape
            for y in floating(result)
            if xs and y.size and not level.is_tracked(y.handle)
        )

    follows()
    assert lost == []
