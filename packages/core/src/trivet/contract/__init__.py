"""The backend contract: all that a plugin imports.

Write a backend by deriving from `Backend`, or from `ArrayApiBackend` where the array
library follows the array API standard; write a decorator by deriving from
`Decorator`. A plugin's light module says what it offers through the hooks.
"""

from typing import TYPE_CHECKING, Any

from trivet.contract.backend import Backend, Support
from trivet.contract.custom import CustomOp, custom_op
from trivet.contract.data import DefaultDTypes, Usage
from trivet.contract.decorator import (
    Decorator,
    Recorder,
    Tracker,
    contains,
    tracker_of,
)
from trivet.contract.device import CPU, Device
from trivet.contract.fft import Norm
from trivet.contract.guard import prepare
from trivet.contract.indexing import UpdateMode
from trivet.contract.table import OPS, Op, Tier, derived, optional, required
from trivet.contract.version import (
    BACKEND_GROUP,
    CONTRACT_VERSION,
    DECORATOR_GROUP,
    ContractVersion,
)
from trivet.shapes import Axes, BasicKey

if TYPE_CHECKING:
    from trivet.contract.adapter import ArrayApiBackend
    from trivet.contract.adapter_fft import NumPyFft
    from trivet.contract.adapter_linalg import NumPyLinalg
    from trivet.contract.hooks import hookimpl
    from trivet.contract.spec import Availability, BackendSpec, DecoratorSpec

__all__ = [
    "BACKEND_GROUP",
    "CONTRACT_VERSION",
    "CPU",
    "DECORATOR_GROUP",
    "OPS",
    "ArrayApiBackend",
    "Availability",
    "Axes",
    "Backend",
    "BackendSpec",
    "BasicKey",
    "ContractVersion",
    "CustomOp",
    "Decorator",
    "DecoratorSpec",
    "DefaultDTypes",
    "Device",
    "Norm",
    "NumPyFft",
    "NumPyLinalg",
    "Op",
    "Recorder",
    "Support",
    "Tier",
    "Tracker",
    "UpdateMode",
    "Usage",
    "contains",
    "custom_op",
    "derived",
    "hookimpl",
    "optional",
    "prepare",
    "required",
    "tracker_of",
]


def __dir__() -> list[str]:
    return __all__


# What plugins need and programs do not: `import trivet` goes without these modules.
_LATE = {
    "ArrayApiBackend": "adapter",
    "Availability": "spec",
    "BackendSpec": "spec",
    "DecoratorSpec": "spec",
    "NumPyFft": "adapter_fft",
    "NumPyLinalg": "adapter_linalg",
    "hookimpl": "hooks",
}


def __getattr__(name: str) -> Any:
    """A name that is imported when it is first asked for."""
    if name in _LATE:
        from importlib import import_module

        return getattr(import_module(f"trivet.contract.{_LATE[name]}"), name)
    raise AttributeError(f"module 'trivet.contract' has no attribute {name!r}")
