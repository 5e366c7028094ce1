"""array-api-compat and array-api-extra find our namespace and compute with it."""

import array_api_compat
import array_api_extra as xpx

import trivet as tv


def test_compat_finds_our_namespace_itself(place, V):
    assert array_api_compat.array_namespace(V, 1.0, None) is place.xp


def test_compat_tells_two_instances_of_one_backend_apart():
    first, second = (type(tv.backend("ndarray"))() for _ in range(2))
    x, y = tv.ones(2, backend=first), tv.ones(2, backend=second)

    names = {tv.namespace(first).__name__, tv.namespace(second).__name__}

    assert len(names) == 2
    assert array_api_compat.array_namespace(x) is tv.namespace(first)
    assert array_api_compat.array_namespace(y) is tv.namespace(second)


def test_compat_reads_device_and_size_and_moves(place, V):
    assert array_api_compat.device(V) == place.device
    assert array_api_compat.size(V) == 6
    assert array_api_compat.to_device(V, place.device) is V
    assert array_api_compat.is_array_api_obj(V)
    assert array_api_compat.is_writeable_array(V)


def test_extra_computes_a_covariance(place, X):
    place.has(xpx.cov(X.T), [[6.66667, 6.83333], [6.83333, 7.0625]])


def test_extra_writes_where_a_mask_says(place, V):
    place.has(xpx.at(V, V > 4).set(0.0), [1, 4, 2, 0, 0, 0])


def test_extra_takes_the_difference_of_sets(place):
    x, y = place.tensor([1, 2, 3, 2], tv.int64), place.tensor([2], tv.int64)

    place.has(xpx.setdiff1d(x, y), [1, 3])
