"""`Backend`: the contract, whole.

A backend author derives from it, or from `ArrayApiBackend`, and implements the required
ops; the rest is derived.
"""

from collections.abc import Callable
from types import MethodType
from typing import Any, ClassVar, Literal, Self, TypeVar

from trivet.contract.activation import Activation
from trivet.contract.attention import Attention
from trivet.contract.decomposition import Decomposition
from trivet.contract.einsum import Einsum
from trivet.contract.guard import guarded
from trivet.contract.loss import Loss
from trivet.contract.normalization import Normalization
from trivet.contract.norms import Norms
from trivet.contract.pooling import Pooling
from trivet.contract.rearrangement import Rearrangement
from trivet.contract.resampling import Resampling
from trivet.contract.scatter import Scatter
from trivet.contract.selection import Selection
from trivet.contract.sets import Sets
from trivet.contract.signal import Signal
from trivet.contract.statistics import Statistics
from trivet.contract.table import OPS, Op

__all__ = ["Backend", "Support"]

H = TypeVar("H")
Support = Literal["native", "derived", "missing"]


class Backend(
    Sets[H],
    Statistics[H],
    Selection[H],
    Scatter[H],
    Rearrangement[H],
    Norms[H],
    Decomposition[H],
    Einsum[H],
    Signal[H],
    Activation[H],
    Pooling[H],
    Resampling[H],
    Normalization[H],
    Attention[H],
    Loss[H],
):
    """Computes on handles of type `H`.

    The families are one chain of classes, each building on those before: data,
    comparison, elementwise, trigonometric, bitwise, shape, creation, indexing,
    reduction, sorting, linalg, random, nn. Array arguments are positional, everything
    else is by keyword and already checked and normalised by the caller.
    """

    name = "unnamed"
    # the layer that finds plugins sets it
    by_name: ClassVar[Callable[[str], "Backend[Any]"]]

    def __copy__(self) -> Self:
        """Itself: a backend is one object for the whole process."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Itself, as above."""
        return self

    def __reduce__(self) -> tuple[Callable[[str], "Backend[Any]"], tuple[str]]:
        """A pickle names the backend, and what loads it finds the one of that name."""
        return type(self).by_name, (self.name,)

    def bind(self, **functions: Callable[..., Any]) -> None:
        """Make native functions the ops of those names, with no Python frame between.

        For functions that already do what the contract says: `self.bind(exp=np.exp)`.
        """
        self.__dict__.update(functions)

    def ready(self, op: Op) -> Callable[..., Any]:
        """What a custom op is on a backend that has nothing faster: its body."""
        return guarded(self, op, MethodType(op.function, self))

    def support(self, op: str) -> Support:
        """Whether `op` runs natively, through its derived body, or not at all.

        Raises `KeyError` for a name that the contract does not have.
        """
        spec = OPS[op]
        function = getattr(self, op)
        while hasattr(function, "__wrapped__"):  # a guard adds no ability
            function = function.__wrapped__
        if getattr(function, "__func__", function) is not spec.function:
            return "native"
        return "derived" if spec.tier == "derived" else "missing"

    def __repr__(self) -> str:
        return f"<backend {self.name}>"
