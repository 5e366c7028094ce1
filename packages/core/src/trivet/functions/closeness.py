"""Whether numbers are close, and numbers in place of what is none."""

from typing import Any, TypeVar

from trivet import dtypes
from trivet.arguments import flag, real
from trivet.contract import Backend
from trivet.convert import asarray
from trivet.dispatch import call, require_tensor
from trivet.dtypes import Scalar
from trivet.tensor import Tensor

__all__ = ["allclose", "array_equal", "isclose", "nan_to_num"]

B = TypeVar("B", bound=Backend[Any])


def isclose(
    x1: Tensor[B] | Scalar,
    x2: Tensor[B] | Scalar,
    /,
    *,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> Tensor[B]:
    """Whether elements are equal, or abs(x1 - x2) <= atol + rtol * abs(x2).

    `x2` is the one that sizes are compared with. An infinity is close to itself alone;
    NaN to nothing, or with `equal_nan=True` to NaN. Operands broadcast. Raises
    `ShapeError`.

    >>> import trivet as tv
    >>> tv.isclose(tv.asarray([1.0, 2.0]), tv.asarray([1.000001, 2.1])).tolist()
    [True, False]
    """
    tolerance = {
        name: real("isclose", name, value)
        for name, value in (("rtol", rtol), ("atol", atol))
    }
    return call("isclose", x1, x2, **tolerance, equal_nan=equal_nan)


def allclose(
    x1: Tensor[B] | Scalar,
    x2: Tensor[B] | Scalar,
    /,
    *,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> Tensor[B]:
    """Whether all elements are close, as `isclose` has it: a 0-d boolean tensor.

    It stays on the device until it is asked for, by `bool(...)` or `if`.

    >>> import trivet as tv
    >>> bool(tv.allclose(tv.asarray([1.0, 2.0]), 1.0))
    False
    """
    close = isclose(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan)
    return call("all", close, axis=None, keepdims=False)


def array_equal(
    x1: Tensor[B], x2: Tensor[Any], /, *, equal_nan: bool = False
) -> Tensor[B]:
    """Whether two tensors have one shape and equal elements: a 0-d boolean tensor.

    NaN equals nothing, or with `equal_nan=True` NaN. Dtypes may differ. It stays on the
    device until it is asked for, by `bool(...)` or `if`.

    >>> import trivet as tv
    >>> bool(tv.array_equal(tv.asarray([1, 2]), tv.asarray([1.0, 2.0])))
    True
    >>> bool(tv.array_equal(tv.asarray([1, 1]), tv.asarray(1)))
    False
    """
    require_tensor("array_equal", x1, x2)
    same = call("equal", x1, x2) if x1.shape == x2.shape else None
    if flag("array_equal", "equal_nan", equal_nan) and same is not None:
        both = [call("not_equal", x, x) for x in (x1, x2)]
        same = call("logical_or", same, call("logical_and", *both))
    if same is None:
        return asarray(False, backend=x1.backend, device=x1.device)
    return call("all", same, axis=None, keepdims=False)


def nan_to_num(
    x: Tensor[B],
    /,
    *,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor[B]:
    """The elements with numbers in place of NaN and the infinities.

    `posinf` and `neginf` are the largest and the smallest number of the dtype unless
    given. Of complex elements, both parts are replaced. Other dtypes are left as they
    are.

    >>> import trivet as tv
    >>> x = tv.asarray([float("nan"), float("inf"), 1.0])
    >>> tv.nan_to_num(x, posinf=9.0).tolist()
    [0.0, 9.0, 1.0]
    """
    require_tensor("nan_to_num", x)
    if x.dtype.kind not in dtypes.FLOATING:
        return x
    limits = dtypes.finfo(x.dtype)
    return call(
        "nan_to_num",
        x,
        nan=real("nan_to_num", "nan", nan),
        posinf=limits.max if posinf is None else real("nan_to_num", "posinf", posinf),
        neginf=limits.min if neginf is None else real("nan_to_num", "neginf", neginf),
    )
