"""The tests of autodiff run on `trivet-example`, a backend that is not one of ours.

Where trivet-ndarray is installed too, every test that takes `backend` runs on it again.
No test here needs NumPy.
"""

from importlib.util import find_spec
from typing import Any

import pytest

import trivet as tv
from trivet_autodiff import Autodiff

NAMES = ["example", *(["ndarray"] if find_spec("trivet_ndarray") else [])]


@pytest.fixture(params=NAMES, scope="session")
def backend(request: pytest.FixtureRequest) -> Any:
    """A backend to wrap."""
    return tv.backend(request.param)


@pytest.fixture(scope="session")
def ad(backend: Any) -> Autodiff[Any]:
    """The backend, wrapped."""
    return Autodiff(backend)
