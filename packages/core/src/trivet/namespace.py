"""The array API namespace of a backend: `tv.namespace(b)`, `x.__array_namespace__()`.

There is one per backend, so that functions that create arrays create them there. The
module `trivet` itself is the namespace of the default backend.
"""

import math
from collections import Counter
from collections.abc import Mapping
from functools import partial
from threading import Lock
from types import ModuleType
from typing import Any

from trivet import dtypes, fft, linalg, nn, special
from trivet.contract import Backend, Device
from trivet.dtypes import DType
from trivet.errors import ArgumentError
from trivet.functions import TOP_LEVEL
from trivet.plugins import device_of, resolve

__all__ = ["CONSTANTS", "VERSION", "Namespace", "NamespaceInfo", "namespace"]

VERSION = "2025.12"  # of the standard
CONSTANTS: Mapping[str, Any] = {
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "newaxis": None,
    "pi": math.pi,
}
_making = Lock()
_names: Counter[str] = Counter()


def namespace(backend: Any = None, *, api_version: str | None = None) -> "Namespace":
    """The namespace of a backend, the same object every time.

    Raises `ValueError` for a version of the standard later than 2025.12.

    >>> import trivet as tv
    >>> xp = tv.namespace("ndarray")
    >>> xp is tv.zeros(2).__array_namespace__()
    True
    """
    if api_version is not None and not isinstance(api_version, str):
        raise ArgumentError(
            f'namespace: api_version={api_version!r} is not a text such as "{VERSION}".'
        )
    if api_version is not None and api_version > VERSION:
        raise ArgumentError(
            f"api_version={api_version!r} is later than {VERSION}, the one that "
            "Trivet follows."
        )
    found = resolve(backend)
    with _making:
        if "_namespace" not in found.__dict__:
            found.__dict__["_namespace"] = Namespace(found)
    return found.__dict__["_namespace"]  # type: ignore[no-any-return]


class Namespace:
    """Functions, dtypes and constants, with `backend` as the place of new arrays.

    >>> import trivet as tv
    >>> xp = tv.namespace("autodiff(ndarray)")
    >>> xp.zeros(2).backend.name
    'autodiff(ndarray)'
    """

    __array_api_version__ = VERSION

    def __init__(self, backend: Backend[Any]) -> None:
        self.__name__ = _unique(f"trivet.{backend.name}")
        self.backend = backend
        self.fft, self.linalg = Part(fft, self), Part(linalg, self)
        self.nn, self.special = Part(nn, self), Part(special, self)
        members = {**dtypes.DTYPES, **CONSTANTS}
        members |= {
            name: getattr(dtypes, name) for name in ("finfo", "iinfo", "isdtype")
        }
        members |= {
            name: _bound(function, backend) for name, function in TOP_LEVEL.items()
        }
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the namespace {self.__name__} has no {name!r}")

    def __array_namespace_info__(self) -> "NamespaceInfo":
        return NamespaceInfo(self.backend)

    def __reduce__(self) -> Any:
        return namespace, (self.backend.name,)

    def __copy__(self) -> "Namespace":
        return self  # libraries compare namespaces by identity

    def __deepcopy__(self, memo: Any) -> "Namespace":
        return self

    def __repr__(self) -> str:
        return f"<namespace {self.__name__}>"


class Part:
    """A sub-namespace such as `linalg`, with the namespace's backend."""

    def __init__(self, module: ModuleType, whole: Namespace) -> None:
        self.__name__ = f"{whole.__name__}.{module.__name__.rpartition('.')[-1]}"
        self.__dict__.update(
            {name: _bound(getattr(module, name), whole.backend) for name in _of(module)}
        )

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the namespace {self.__name__} has no {name!r}")

    def __repr__(self) -> str:
        return f"<namespace {self.__name__}>"


def _of(module: ModuleType) -> list[str]:
    return list(module.__dict__["__all__"])


def _unique(name: str) -> str:
    """The name, numbered from the second instance of a backend on.

    Libraries take two namespaces of one name for the same.
    """
    _names[name] += 1
    return name if _names[name] == 1 else f"{name}-{_names[name]}"


def _bound(function: Any, backend: Backend[Any]) -> Any:
    """Functions that choose a backend choose this one; the rest are as they are."""
    code = function.__code__
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return partial(function, backend=backend) if "backend" in arguments else function


class NamespaceInfo:
    """The standard's inspection of a namespace."""

    def __init__(self, backend: Backend[Any]) -> None:
        self._backend = backend

    def capabilities(self) -> dict[str, Any]:
        """What arrays may do that some libraries cannot."""
        dynamic = self._backend.data_dependent_shapes
        return {
            "boolean indexing": dynamic,
            "data-dependent shapes": dynamic,
            "max dimensions": self._backend.max_dimensions,
        }

    def default_device(self) -> Device:
        """The device of new arrays."""
        return self._backend.default_device

    def devices(self) -> tuple[Device, ...]:
        """The devices of the backend."""
        return self._backend.devices()

    def default_dtypes(self, *, device: Device | str | None = None) -> dict[str, DType]:
        """The dtypes used when none is given."""
        defaults = self._backend.default_dtypes(device_of(self._backend, device))
        return {
            "real floating": defaults.real_floating,
            "complex floating": defaults.complex_floating,
            "integral": defaults.integral,
            "indexing": defaults.indexing,
        }

    def dtypes(
        self,
        *,
        device: Device | str | None = None,
        kind: str | tuple[str, ...] | None = None,
    ) -> dict[str, DType]:
        """The standard's dtypes that the device has, of one kind or of all."""
        known = self._backend.dtypes(device_of(self._backend, device))
        return {
            dtype.name: dtype
            for dtype in dtypes.STANDARD
            if dtype in known and (kind is None or dtypes.isdtype(dtype, kind))
        }
