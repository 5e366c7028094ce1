"""The namespace of `autodiff(ndarray)` as a module, for a suite that imports one."""

import sys

import trivet as tv

sys.modules[__name__] = tv.namespace("autodiff(ndarray)")  # type: ignore[assignment]
