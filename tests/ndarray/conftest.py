"""`bodies`: the NumPy backend with the contract's own bodies in place of NumPy's."""

from collections.abc import Iterator

import numpy as np
import pytest

import trivet_ndarray
from trivet.contract import OPS

# How data enters and leaves is NumPy's; new arrays and random ones are not compared.
KEPT = {"data", "creation", "random"}

MATRICES = {"linalg", "decomposition", "norms", "einsum"}


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


class MatrixBodies(trivet_ndarray.NdArray):
    """The bodies of linear algebra over NumPy's elementwise ops, complex ones too."""

    name = "matrix bodies"

    def __init__(self) -> None:
        super().__init__()
        for op in OPS.values():
            if op.tier == "derived" and op.family in MATRICES:
                self.bind(**{op.name: op.function.__get__(self)})


@pytest.fixture(scope="session")
def matrix_bodies() -> MatrixBodies:
    return MatrixBodies()


@pytest.fixture
def quiet() -> Iterator[None]:
    """NumPy says nothing of infinities, NaN and overflow, which are the subject."""
    with np.errstate(all="ignore"):
        yield
