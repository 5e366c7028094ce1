"""Two places for the tensors that other libraries are given: the host and a device.

The device is NumPy in disguise: what would leave it for the host without being asked is
refused, as on a GPU. Tolerances are those of the table's six digits.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import trivet as tv
from trivet_ndarray import NdArray

CPU, DEVICE = tv.Device("cpu"), tv.Device("fake")
HOST = (1, 0)  # DLPack's kDLCPU
EXTENSION = (12, 0)  # DLPack's kDLExtDev: a consumer must ask for the host


class Fake(NdArray):
    """Computes on the device `fake`, from which only an explicit copy leads."""

    name = "fake"

    def devices(self) -> tuple[tv.Device, ...]:
        return (DEVICE,)

    def device(self, x: Any, /) -> tv.Device:
        return DEVICE

    def adopt(self, obj: Any, /) -> None:
        return None  # host memory is not this device's

    def dlpack_device(self, x: Any, /) -> tuple[int, int]:
        return EXTENSION

    def to_dlpack(
        self, x: Any, /, *, stream: Any, max_version: Any, dl_device: Any, copy: Any
    ) -> Any:
        if dl_device != HOST or copy is False:
            raise BufferError("the device fake is left by a copy to the host alone")
        return super().to_dlpack(
            x, stream=stream, max_version=max_version, dl_device=HOST, copy=True
        )


@dataclass(frozen=True)
class Place:
    """Where a test's tensors are, and the namespace that is theirs."""

    name: str
    device: tv.Device

    @property
    def xp(self) -> Any:
        return tv.namespace(self.name)

    def tensor(self, values: Any, dtype: Any = tv.float64) -> tv.Tensor[Any]:
        return tv.tensor(values, dtype=dtype, backend=self.name)

    def has(self, found: Any, expected: Any, atol: float = 1e-5) -> None:
        """Assert that `found` is a tensor here with the expected values."""
        assert type(found) is tv.Tensor, f"a {type(found)}, not a tensor"
        assert found.backend is tv.backend(self.name)
        assert found.device == self.device
        assert found.tolist() == (
            pytest.approx(expected, abs=atol)
            if found.ndim < 2
            else [pytest.approx(row, abs=atol) for row in expected]
        )


PLACES = {
    "ndarray": CPU,
    "autodiff(ndarray)": CPU,
    "fake": DEVICE,
    "autodiff(fake)": DEVICE,
}


@pytest.fixture(scope="session", autouse=True)
def fake() -> Iterator[None]:
    """Registers the device; SciPy must have been told before it was imported."""
    assert os.environ.get("SCIPY_ARRAY_API") == "1"
    with tv.register_backend(Fake):
        yield


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, fake: None) -> Place:
    """The host, then the device."""
    return Place(request.param, PLACES[request.param])


@pytest.fixture
def device(fake: None) -> Place:
    """The device alone."""
    return Place("fake", DEVICE)


def named(name: str, values: Any, dtype: Any = tv.float64) -> Any:
    """A fixture that gives a tensor of the table, at the test's place."""

    def made(place: Place) -> tv.Tensor[Any]:
        return place.tensor(values, dtype)

    return pytest.fixture(name=name)(made)


X = named("X", [[1, 2], [3, 4], [5, 6.5], [7, 8]])
Y = named("Y", [1, 2, 3, 4.5])
L = named("L", [0, 0, 1, 1], tv.int64)
P = named("P", [0.1, 0.4, 0.35, 0.8])
V = named("V", [1, 4, 2, 8, 5, 7])
W = named("W", [2, 3, 1, 9, 4, 4])
