"""`bodies`: the NumPy backend with the contract's own bodies in place of NumPy's."""

from collections.abc import Iterator

import numpy as np
import pytest

import trivet_ndarray
from trivet.contract import OPS

# How data enters and leaves is NumPy's; new arrays and random ones are not compared.
KEPT = {"data", "creation", "random"}


class Bodies(trivet_ndarray.NdArray):
    """Derived ops stand on one another, down to the required ones."""

    name = "bodies"

    def __init__(self) -> None:
        super().__init__()
        for op in OPS.values():
            if op.tier == "derived" and op.family not in KEPT:
                self.bind(**{op.name: op.function.__get__(self)})


@pytest.fixture(scope="session")
def bodies() -> Bodies:
    return Bodies()


@pytest.fixture
def quiet() -> Iterator[None]:
    """NumPy says nothing of infinities, NaN and overflow, which are the subject."""
    with np.errstate(all="ignore"):
        yield
