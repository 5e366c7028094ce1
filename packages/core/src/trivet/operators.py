"""The operators of `Tensor`: each names its op, and `dispatch` does the rest.

`x += y` keeps dtype and shape, and gives the name `x` a new tensor: every other holder
of the old one keeps its values, and gradients flow as through `x + y`.
"""

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, kept, operator, reflected
from trivet.dtypes import Scalar

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = ["Operators"]

B_co = TypeVar("B_co", bound=Backend[Any], covariant=True)


class Operators(Generic[B_co]):
    """Python's operators on tensors, Python numbers on either side included."""

    __slots__ = ()

    @operator("negative")
    def __neg__(self) -> "Tensor[B_co]":
        return call("negative", self)

    @operator("positive")
    def __pos__(self) -> "Tensor[B_co]":
        return call("positive", self)

    @operator("abs")
    def __abs__(self) -> "Tensor[B_co]":
        return call("abs", self)

    @operator("bitwise_invert")
    def __invert__(self) -> "Tensor[B_co]":
        return call("bitwise_invert", self)

    @operator("add")
    def __add__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("add", self, other)

    @reflected("add")
    def __radd__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("add", other, self)

    @operator("subtract")
    def __sub__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("subtract", self, other)

    @reflected("subtract")
    def __rsub__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("subtract", other, self)

    @operator("multiply")
    def __mul__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("multiply", self, other)

    @reflected("multiply")
    def __rmul__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("multiply", other, self)

    @operator("divide")
    def __truediv__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("divide", self, other)

    @reflected("divide")
    def __rtruediv__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("divide", other, self)

    @operator("floor_divide")
    def __floordiv__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("floor_divide", self, other)

    @reflected("floor_divide")
    def __rfloordiv__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("floor_divide", other, self)

    @operator("remainder")
    def __mod__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("remainder", self, other)

    @reflected("remainder")
    def __rmod__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("remainder", other, self)

    def __divmod__(
        self, other: "Tensor[Any] | Scalar", /
    ) -> "tuple[Tensor[B_co], Tensor[B_co]]":
        return self // other, self % other

    def __rdivmod__(self, other: Scalar, /) -> "tuple[Tensor[B_co], Tensor[B_co]]":
        return other // self, other % self

    @operator("pow")
    def __pow__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("pow", self, other)

    @reflected("pow")
    def __rpow__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("pow", other, self)

    @operator("matmul")
    def __matmul__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("matmul", self, other)

    @reflected("matmul")
    def __rmatmul__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("matmul", other, self)

    @operator("bitwise_and")
    def __and__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("bitwise_and", self, other)

    @reflected("bitwise_and")
    def __rand__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("bitwise_and", other, self)

    @operator("bitwise_or")
    def __or__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("bitwise_or", self, other)

    @reflected("bitwise_or")
    def __ror__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("bitwise_or", other, self)

    @operator("bitwise_xor")
    def __xor__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("bitwise_xor", self, other)

    @reflected("bitwise_xor")
    def __rxor__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("bitwise_xor", other, self)

    @operator("bitwise_left_shift")
    def __lshift__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("bitwise_left_shift", self, other)

    @reflected("bitwise_left_shift")
    def __rlshift__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("bitwise_left_shift", other, self)

    @operator("bitwise_right_shift")
    def __rshift__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("bitwise_right_shift", self, other)

    @reflected("bitwise_right_shift")
    def __rrshift__(self, other: Scalar, /) -> "Tensor[B_co]":
        return call("bitwise_right_shift", other, self)

    def __iadd__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("add", self, other)

    def __isub__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("subtract", self, other)

    def __imul__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("multiply", self, other)

    def __itruediv__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("divide", self, other)

    def __ifloordiv__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("floor_divide", self, other)

    def __imod__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("remainder", self, other)

    def __ipow__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("pow", self, other)

    def __imatmul__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("matmul", self, other)

    def __iand__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("bitwise_and", self, other)

    def __ior__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("bitwise_or", self, other)

    def __ixor__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("bitwise_xor", self, other)

    def __ilshift__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("bitwise_left_shift", self, other)

    def __irshift__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return kept("bitwise_right_shift", self, other)

    @operator("less")
    def __lt__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("less", self, other)

    @operator("less_equal")
    def __le__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("less_equal", self, other)

    @operator("greater")
    def __gt__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("greater", self, other)

    @operator("greater_equal")
    def __ge__(self, other: "Tensor[Any] | Scalar", /) -> "Tensor[B_co]":
        return call("greater_equal", self, other)

    @operator("equal")
    def __eq__(  # type: ignore[override]  # elementwise, as the standard says
        self, other: "Tensor[Any] | Scalar", /
    ) -> "Tensor[B_co]":
        return call("equal", self, other)

    @operator("not_equal")
    def __ne__(  # type: ignore[override]  # elementwise, as the standard says
        self, other: "Tensor[Any] | Scalar", /
    ) -> "Tensor[B_co]":
        return call("not_equal", self, other)

    __hash__ = object.__hash__  # by identity: == compares elements
