"""A Trivet backend in pure Python: the smallest one that does everything.

`plugin` is what Trivet finds; `backend` is the backend itself, put together from one
module per family of ops. Read them in the order `grid`, `data`, `elementwise`; the
others are more of the same.
"""

from trivet_example.backend import Example
from trivet_example.grid import Grid

__all__ = ["Example", "Grid"]
