"""The CuPy distributions that are installed, found without importing CuPy."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

__all__ = ["OLDEST", "Wheel", "importable", "installed"]

OLDEST = 14  # the first major version of CuPy that promotes dtypes as NumPy 2 does
_MAJORS = range(11, 20)
_NAMES = {"cupy": None} | {f"cupy-cuda{major}x": major for major in _MAJORS}


@dataclass(frozen=True, slots=True)
class Wheel:
    """One distribution; `cuda` is the CUDA major version that it is built for.

    `cuda` is `None` for a CuPy built from source or by conda.

    >>> str(Wheel("cupy-cuda13x", "14.2.0", 13))
    'cupy-cuda13x 14.2.0'
    """

    name: str
    version: str
    cuda: int | None

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def major(self) -> int:
        """The major version of CuPy itself."""
        return int(self.version.partition(".")[0])


def importable() -> bool:
    """Whether `import cupy` would find a module."""
    return find_spec("cupy") is not None


def installed() -> tuple[Wheel, ...]:
    """Every CuPy distribution whose metadata is there. More than one is a fault."""
    found = []
    for name, cuda in _NAMES.items():
        try:
            found.append(Wheel(name, version(name), cuda))
        except PackageNotFoundError:
            continue
    return tuple(found)
