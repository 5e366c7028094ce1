"""SciPy computes with our tensors, told so by SCIPY_ARRAY_API=1."""

import pytest
from scipy import cluster, differentiate, fft, integrate, signal, special, stats
from scipy.optimize import elementwise
from scipy.spatial.transform import Rotation

import trivet as tv


def test_logsumexp(place, X):
    place.has(special.logsumexp(X, axis=1), [2.31326, 4.31326, 6.70141, 8.31326])


def test_zscore(place, V):
    place.has(stats.zscore(V), [-1.4, -0.2, -1, 1.4, 0.2, 1])


def test_quantile(place, V):
    place.has(stats.quantile(V, place.tensor([0.25, 0.5])), [2.5, 4.5])


def test_rfft(place, V):
    place.has(fft.rfft(V), [27, -5 + 5.19615j, 0, -11])


def test_irfft_of_rfft_is_the_signal(place, V):
    place.has(fft.irfft(fft.rfft(V), n=6), V.tolist())


def test_fftconvolve(place, V):
    edges = signal.fftconvolve(V, place.tensor([1, 0, -1]), mode="same")

    place.has(edges, [4, 1, 4, 3, -1, -5])


def test_hilbert(place, V):
    place.has(
        place.xp.abs(signal.hilbert(V)),
        [2, 4.04145, 3.05505, 8.18535, 5.03322, 7.37111],
    )


def test_trapezoid(place, V):
    place.has(integrate.trapezoid(V, dx=0.5), 11.5)


def test_cumulative_simpson(place, V):
    place.has(
        integrate.cumulative_simpson(V, dx=1.0),
        [2.91667, 6.33333, 12.08333, 19.33333, 24.91667],
    )


def test_find_root(place):
    bracket = (place.tensor(0.0), place.tensor(3.0))

    found = elementwise.find_root(lambda x: x**3 - 2.0, bracket)

    place.has(found.x, 1.259921)


def test_derivative(place):
    found = differentiate.derivative(lambda x: x**3, place.tensor([1, 2]))

    place.has(found.df, [3, 12])


def test_rotation(place):
    quarter = Rotation.from_quat(place.tensor([0, 0, 1, 1]))

    place.has(quarter.apply(place.tensor([1, 0, 0])), [0, 1, 0])


def test_whiten(place, X):
    place.has(cluster.vq.whiten(X)[0, :], [0.44721, 0.86900])


def test_ttest_ind(place, V, W):
    found = stats.ttest_ind(V, W)

    place.has(found.statistic, 0.417938)
    place.has(found.pvalue, 0.684825)


def test_pearsonr(place, V, W):
    found = stats.pearsonr(V, W)

    place.has(found.statistic, 0.851658)
    place.has(found.pvalue, 0.031376)


def test_chisquare(place):
    found = stats.chisquare(place.tensor([16, 18, 16, 14, 12, 12]))

    place.has(found.statistic, 2.0)
    place.has(found.pvalue, 0.849145)


def test_rank_correlation_of_device_tensors_is_refused(device):
    """Never a silent NaN: without `__array__` NumPy would make object arrays."""
    t = device.tensor([1, 4, 2, 8, 5, 7])

    with pytest.raises(TypeError, match="on fake does not become a NumPy array"):
        stats.spearmanr(t, t)


def test_inverse_by_scipy_of_a_device_tensor_is_refused(device):
    from scipy import linalg

    with pytest.raises(TypeError, match="on fake does not become a NumPy array"):
        linalg.inv(device.tensor([[2, 0], [0, 4]]))


def test_numpy_arrays_and_tensors_are_not_mixed(place, V):
    with pytest.raises(TypeError, match="namespaces"):
        stats.ttest_ind(V, tv.ones(6).numpy())
