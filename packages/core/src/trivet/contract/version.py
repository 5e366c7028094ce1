"""The contract's own version, apart from any release number.

The major number is part of the entry-point groups' names; a plugin of another major
is listed and never imported. A newer minor loads, with its additions ignored.
"""

from typing import NamedTuple

__all__ = ["BACKEND_GROUP", "CONTRACT_VERSION", "DECORATOR_GROUP", "ContractVersion"]


class ContractVersion(NamedTuple):
    """`(major, minor)`; printed as `1.0`.

    >>> print(ContractVersion(1, 0))
    1.0
    """

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


CONTRACT_VERSION = ContractVersion(1, 0)
BACKEND_GROUP = f"trivet.backends.v{CONTRACT_VERSION.major}"
DECORATOR_GROUP = f"trivet.decorators.v{CONTRACT_VERSION.major}"
