"""What it means that two NumPy arrays are the same, or nearly."""

import numpy as np


def assert_same(got, want, *, ulps=0):
    """Assert equal dtypes and shapes, and floats within `ulps` of the last place.

    The signs of zeros count.
    """
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want)
        return
    np.testing.assert_array_max_ulp(got, want, ulps)
    zero = want == 0
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


def assert_close(got, want, tolerance=1e-12):
    """Assert equal shapes, and elements equal to a relative or absolute tolerance."""
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
