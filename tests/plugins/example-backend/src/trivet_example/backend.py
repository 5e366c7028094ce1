"""`Example`: the backend, put together from its families."""

from trivet_example.bitwise import Bitwise
from trivet_example.comparison import Comparison
from trivet_example.creation import Creation
from trivet_example.indexing import Indexing
from trivet_example.linalg import Linalg
from trivet_example.sorting import Sorting
from trivet_example.trigonometric import Trigonometric

__all__ = ["Example"]


class Example(Linalg, Sorting, Indexing, Creation, Bitwise, Trigonometric, Comparison):
    """Implements what the contract requires and leaves the rest to its derived bodies.

    >>> backend = Example()
    >>> backend.support("add"), backend.support("maximum")
    ('native', 'derived')
    """

    name = "example"
