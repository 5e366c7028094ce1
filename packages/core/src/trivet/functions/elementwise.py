"""Arithmetic, exponentials, rounding and signs, element by element.

Shapes broadcast and dtypes promote; Python numbers take the tensor's dtype where its
kind can hold them. Two shapes that do not broadcast raise `ShapeError`, a dtype that a
function does not take `DTypeError`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, common, hot, method, require_tensor, wrap
from trivet.dtypes import Scalar
from trivet.failures import fail
from trivet.tensor import Tensor

__all__ = [
    "abs",
    "add",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "divide",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "hypot",
    "imag",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sqrt",
    "square",
    "subtract",
    "trunc",
]

B = TypeVar("B", bound=Backend[Any])


@method
@hot
def add(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The sum of two tensors, or of a tensor and a number; `x1 + x2`.

    The shapes broadcast, the dtypes promote; integers wrap. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.add(tv.asarray([1, 2]), tv.asarray([[10], [20]])).tolist()
    [[11, 12], [21, 22]]
    """
    return call("add", x1, x2)


@method
@hot
def subtract(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The difference; `x1 - x2`. Integers wrap. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.subtract(tv.asarray([5, 6]), 2).tolist()
    [3, 4]
    """
    return call("subtract", x1, x2)


@method
@hot
def multiply(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The product; `x1 * x2`. Integers wrap. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.multiply(2, tv.asarray([1.5, -1.0])).tolist()
    [3.0, -2.0]
    """
    return call("multiply", x1, x2)


@method
@hot
def divide(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The quotient; `x1 / x2`. Always floating: of two integer tensors, float64.

    Division by zero gives an infinity, or NaN for 0 / 0.

    >>> import trivet as tv
    >>> tv.divide(tv.asarray([1, 3]), 2).tolist()
    [0.5, 1.5]
    """
    return call("divide", x1, x2)


@method
@hot
def floor_divide(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The quotient rounded down; `x1 // x2`. Takes real dtypes.

    Exact for integers. What an integer division by zero gives is the backend's choice.

    >>> import trivet as tv
    >>> tv.floor_divide(tv.asarray([7, -7]), 2).tolist()
    [3, -4]
    """
    return call("floor_divide", x1, x2)


@method
@hot
def remainder(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """What `floor_divide` leaves, with the sign of the divisor; `x1 % x2`.

    Takes real dtypes.

    >>> import trivet as tv
    >>> tv.remainder(tv.asarray([7, -7]), 3).tolist()
    [1, 2]
    """
    return call("remainder", x1, x2)


@method
@hot
def pow(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """`x1` to the power `x2`; `x1**x2`. Takes numeric dtypes.

    Anything to the power 0 is 1, NaN included. The dtypes promote first, so a negative
    base with a fractional power is NaN, and integers have no negative powers.

    >>> import trivet as tv
    >>> tv.pow(tv.asarray([2, 3]), 2).tolist()
    [4, 9]
    """
    return call("pow", x1, x2)


@method
@hot
def maximum(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The larger of two elements; NaN if either is. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.maximum(tv.asarray([1.0, float("nan")]), 2.0).tolist()
    [2.0, nan]
    """
    return call("maximum", x1, x2)


@method
@hot
def minimum(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The smaller of two elements; NaN if either is. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.minimum(tv.asarray([1, 5]), tv.asarray([3, 3])).tolist()
    [1, 3]
    """
    return call("minimum", x1, x2)


@method
@hot
def copysign(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The size of `x1` with the sign of `x2`, zeros' signs included.

    Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.copysign(tv.asarray([1.0, -2.0]), -0.0).tolist()
    [-1.0, -2.0]
    """
    return call("copysign", x1, x2)


@method
@hot
def nextafter(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The next number of the dtype after `x1` towards `x2`.

    Takes real floating dtypes. Raises `UnsupportedOpError` on a backend without it.

    >>> import trivet as tv
    >>> float(tv.nextafter(tv.asarray(1.0), 2.0)) - 1 == tv.finfo(tv.float32).eps
    True
    """
    return call("nextafter", x1, x2)


@method
@hot
def hypot(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The length sqrt(x1**2 + x2**2), without overflow on the way.

    Infinite if either is, even beside NaN. Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.hypot(tv.asarray([3.0, 1e30]), tv.asarray([4.0, 0.0])).tolist()[0]
    5.0
    """
    return call("hypot", x1, x2)


@method
@hot
def logaddexp(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """log(exp(x1) + exp(x2)), without overflow on the way.

    Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.logaddexp(tv.asarray(1000.0), -1000.0).tolist()
    1000.0
    """
    return call("logaddexp", x1, x2)


@method
@hot
def abs(x: Tensor[B], /) -> Tensor[B]:
    """The absolute value; of complex numbers the magnitude, in a real dtype.

    Takes numeric dtypes. The smallest signed integer wraps to itself.

    >>> import trivet as tv
    >>> tv.abs(tv.asarray([-1.5, 2.0])).tolist()
    [1.5, 2.0]
    """
    return call("abs", x)


@method
@hot
def ceil(x: Tensor[B], /) -> Tensor[B]:
    """The smallest integer not below each element, in the same dtype.

    Takes real dtypes.

    >>> import trivet as tv
    >>> tv.ceil(tv.asarray([1.2, -1.2])).tolist()
    [2.0, -1.0]
    """
    return call("ceil", x)


@method
@hot
def conj(x: Tensor[B], /) -> Tensor[B]:
    """The complex conjugate; a real element is its own. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.conj(tv.asarray([1 + 2j])).tolist()
    [(1-2j)]
    """
    return call("conj", x)


@method
@hot
def exp(x: Tensor[B], /) -> Tensor[B]:
    """The exponential, e to the power of each element. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.exp(tv.asarray([0.0, float("-inf")])).tolist()
    [1.0, 0.0]
    """
    return call("exp", x)


@method
@hot
def expm1(x: Tensor[B], /) -> Tensor[B]:
    """exp(x) - 1, accurate near 0. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.expm1(tv.asarray([0.0, float("-inf")])).tolist()
    [0.0, -1.0]
    """
    return call("expm1", x)


@method
@hot
def floor(x: Tensor[B], /) -> Tensor[B]:
    """The largest integer not above each element, in the same dtype.

    Takes real dtypes.

    >>> import trivet as tv
    >>> tv.floor(tv.asarray([1.7, -1.2])).tolist()
    [1.0, -2.0]
    """
    return call("floor", x)


@hot
def imag(x: Tensor[B], /) -> Tensor[B]:
    """The imaginary part, in a real dtype. Takes complex dtypes.

    >>> import trivet as tv
    >>> tv.imag(tv.asarray([1 + 2j])).tolist()
    [2.0]
    """
    return call("imag", x)


@method
@hot
def log(x: Tensor[B], /) -> Tensor[B]:
    """The natural logarithm: -inf at 0, NaN below. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.log(tv.asarray([1.0, float("inf")])).tolist()
    [0.0, inf]
    """
    return call("log", x)


@method
@hot
def log1p(x: Tensor[B], /) -> Tensor[B]:
    """log(1 + x), accurate near 0. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.log1p(tv.asarray([0.0, float("inf")])).tolist()
    [0.0, inf]
    """
    return call("log1p", x)


@method
@hot
def log2(x: Tensor[B], /) -> Tensor[B]:
    """The logarithm to base 2. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.log2(tv.asarray([8.0, 0.5])).tolist()
    [3.0, -1.0]
    """
    return call("log2", x)


@method
@hot
def log10(x: Tensor[B], /) -> Tensor[B]:
    """The logarithm to base 10. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.log10(tv.asarray([100.0, 1.0], dtype=tv.float64)).tolist()
    [2.0, 0.0]
    """
    return call("log10", x)


@method
@hot
def negative(x: Tensor[B], /) -> Tensor[B]:
    """Each element with the other sign; `-x`. Takes numeric dtypes.

    Unsigned integers wrap.

    >>> import trivet as tv
    >>> tv.negative(tv.asarray([1, -2])).tolist()
    [-1, 2]
    """
    return call("negative", x)


@method
@hot
def positive(x: Tensor[B], /) -> Tensor[B]:
    """Each element as it is; `+x`. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.positive(tv.asarray([1, -2])).tolist()
    [1, -2]
    """
    return call("positive", x)


@hot
def real(x: Tensor[B], /) -> Tensor[B]:
    """The real part, in a real dtype; a real element is its own.

    Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.real(tv.asarray([1 + 2j])).tolist()
    [1.0]
    """
    return call("real", x)


@method
@hot
def reciprocal(x: Tensor[B], /) -> Tensor[B]:
    """One over each element: infinite at 0. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.reciprocal(tv.asarray([2.0, -4.0])).tolist()
    [0.5, -0.25]
    """
    return call("reciprocal", x)


@method
@hot
def round(x: Tensor[B], /) -> Tensor[B]:
    """The nearest integer, halves to the even one, in the same dtype.

    Takes numeric dtypes; of complex numbers both parts are rounded.

    >>> import trivet as tv
    >>> tv.round(tv.asarray([0.5, 1.5, 2.5, -1.2])).tolist()
    [0.0, 2.0, 2.0, -1.0]
    """
    return call("round", x)


@method
@hot
def sign(x: Tensor[B], /) -> Tensor[B]:
    """-1, 0 or 1 by the sign of each element; NaN stays NaN.

    Takes numeric dtypes; of a complex number x / abs(x).

    >>> import trivet as tv
    >>> tv.sign(tv.asarray([-3, 0, 5])).tolist()
    [-1, 0, 1]
    """
    return call("sign", x)


@method
@hot
def signbit(x: Tensor[B], /) -> Tensor[B]:
    """Which elements are negative, -0.0 included. Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.signbit(tv.asarray([-0.0, 0.0, -1.0])).tolist()
    [True, False, True]
    """
    return call("signbit", x)


@method
@hot
def sqrt(x: Tensor[B], /) -> Tensor[B]:
    """The square root, correctly rounded; NaN below 0. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.sqrt(tv.asarray([4.0, 2.25])).tolist()
    [2.0, 1.5]
    """
    return call("sqrt", x)


@method
@hot
def square(x: Tensor[B], /) -> Tensor[B]:
    """Each element times itself. Takes numeric dtypes; integers wrap.

    >>> import trivet as tv
    >>> tv.square(tv.asarray([-3, 4])).tolist()
    [9, 16]
    """
    return call("square", x)


@method
@hot
def trunc(x: Tensor[B], /) -> Tensor[B]:
    """The integer next to each element towards zero, in the same dtype.

    Takes real dtypes.

    >>> import trivet as tv
    >>> tv.trunc(tv.asarray([1.7, -1.7])).tolist()
    [1.0, -1.0]
    """
    return call("trunc", x)


@method
def clip(
    x: Tensor[B],
    /,
    min: Tensor[B] | Scalar | None = None,
    max: Tensor[B] | Scalar | None = None,
) -> Tensor[B]:
    """The elements kept between `min` and `max`, in the dtype of `x`.

    The bounds are tensors that broadcast or numbers; `None` is no bound. Where `min` is
    above `max` the result is `max`; NaN stays NaN. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.clip(tv.asarray([-2, 0, 9]), 0, 5).tolist()
    [0, 0, 5]
    """
    require_tensor("clip", x)
    given = [bound for bound in (min, max) if bound is not None]
    backend, (handle, *found) = common("clip", (x, *given))
    low = None if min is None else found.pop(0)
    high = None if max is None else found.pop(0)
    try:
        clipped = backend.clip(handle, low, high)
    except Exception as error:  # noqa: BLE001  # `fail` raises it again, explained
        fail("clip", error, (x, *given), {})
    return wrap(clipped, backend)
