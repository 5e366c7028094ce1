"""What tests of programs and plugins need: comparing tensors with what is expected.

>>> import trivet as tv
>>> from trivet.testing import assert_close
>>> assert_close(tv.asarray([0.1]) * 3, [0.3])
"""

from trivet.testing.closeness import assert_close

__all__ = ["assert_close"]


def __dir__() -> list[str]:
    return __all__
