"""Sets, statistics, scattering, padding: the contract's bodies on CuPy's functions."""

import numpy as np
import pytest

import trivet as tv

NAN, INF = float("nan"), float("inf")

CASES = {
    "unique_all": (
        lambda make: tv.unique_all(make([3.0, 1.0, 3.0])),
        [[1.0, 3.0], [1, 0], [1, 0, 1], [1, 2]],
    ),
    "unique_counts": (
        lambda make: tv.unique_counts(make([1j, 1.0, 1j], tv.complex64)),
        [[1j, 1.0], [2, 1]],
    ),
    "isin": (
        lambda make: tv.isin(make([1, 2, 5], tv.int64), make([5, 1], tv.int64)),
        [True, False, True],
    ),
    "median": (
        lambda make: tv.median(make([[3.0, 1.0, 2.0], [1.0, NAN, 2.0]]), axis=1),
        [2.0, NAN],
    ),
    "quantile": (lambda make: tv.quantile(make([1.0, 3.0]), [0.5, 1.0]), [2.0, 3.0]),
    "cov": (lambda make: tv.cov(make([[1.0, 3.0], [3.0, 1.0]])), [[2, -2], [-2, 2]]),
    "bincount": (lambda make: tv.bincount(make([0, 2, 2], tv.int64)), [1, 0, 2]),
    "histogram": (
        lambda make: tv.histogram(make([0.0, 0.1, 0.6, 1.0]), 2),
        [[2, 2], [0.0, 0.5, 1.0]],
    ),
    "cumulative_max": (
        lambda make: tv.cumulative_max(make([1.0, 3.0, 2.0])),
        [1, 3, 3],
    ),
    "logcumsumexp": (lambda make: tv.logcumsumexp(make([0.0, -INF])), [0.0, 0.0]),
    "nanmean": (lambda make: tv.nanmean(make([1.0, NAN, 2.0])), 1.5),
    "nanstd": (lambda make: tv.nanstd(make([1.0, NAN, 3.0])), 1.0),
    "nanmax": (
        lambda make: tv.nanmax(make([[1.0, NAN], [NAN, NAN]]), axis=1),
        [1, NAN],
    ),
    "nanargmin": (lambda make: tv.nanargmin(make([NAN, 2.0, 1.0])), 2),
    "nanmedian": (lambda make: tv.nanmedian(make([NAN, 2.0, 1.0])), 1.5),
    "isclose": (
        lambda make: tv.isclose(make([1.0, INF]), make([1.0, INF])),
        [True, True],
    ),
    "nan_to_num": (
        lambda make: tv.nan_to_num(make([NAN, INF]), posinf=1.0),
        [0.0, 1.0],
    ),
    "topk": (lambda make: tv.topk(make([1.0, 9.0, 5.0]), 2), [[9.0, 5.0], [1, 2]]),
    "scatter": (
        lambda make: tv.scatter(
            make([1.0, 2.0]), make([0, 0], tv.int64), make([3.0, 4.0]), mode="multiply"
        ),
        [12.0, 2.0],
    ),
    "scatter_nd": (
        lambda make: tv.scatter_nd(
            make([1.0, 2.0]),
            make([[1], [1]], tv.int64),
            make([3.0, NAN]),
            mode="maximum",
        ),
        [1.0, NAN],
    ),
    "at": (
        lambda make: tv.at(make([[1.0, 5.0], [7.0, 2.0]]), make([0, 0], tv.int64)).min(
            3.0
        ),
        [[1.0, 3.0], [7.0, 2.0]],
    ),
    "pad": (
        lambda make: tv.pad(make([1.0, 2.0, 3.0]), (1, 2), mode="reflect"),
        [2, 1, 2, 3, 2, 1],
    ),
    "diag": (lambda make: tv.diag(make([1.0, 2.0]), k=-1)[1:], [[1, 0, 0], [0, 2, 0]]),
    "unfold": (lambda make: tv.unfold(make([1.0, 2.0, 3.0]), 0, 2), [[1, 2], [2, 3]]),
}


@pytest.mark.parametrize("case", CASES)
def test_body_gives_the_right_values(cuda, case):
    compute, expected = CASES[case]

    found = compute(
        lambda values, dtype=tv.float64: tv.asarray(values, dtype=dtype, backend=cuda)
    )

    parts = found if isinstance(found, tuple) else [found]
    wanted = expected if isinstance(found, tuple) else [expected]
    for part, want in zip(parts, wanted, strict=True):
        assert part.backend is cuda
        assert part.shape == np.shape(want)
        np.testing.assert_allclose(part.tolist(), want, rtol=1e-15)
