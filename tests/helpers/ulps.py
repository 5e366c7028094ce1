"""`assert_same`: NumPy arrays that agree to the last bits, signs of zeros included."""

import numpy as np


def assert_same(got, want, *, ulps=0):
    """Assert equal dtypes and shapes, and floats within `ulps` of the last place."""
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want)
        return
    np.testing.assert_array_max_ulp(got, want, ulps)
    zero = want == 0
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))
