"""Functions of neural networks: activations, softmax and one-hot codes.

They are stable for large, infinite and masked (-inf) inputs. Users reach them as
`tv.nn.<name>`.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import integer
from trivet.contract import Backend
from trivet.dispatch import call, hot_real, require_kind
from trivet.dtypes import as_dtype
from trivet.errors import ShapeError
from trivet.shapes import normalize_axes, normalize_axis
from trivet.tensor import Tensor

__all__ = [
    "log_sigmoid",
    "log_softmax",
    "logsumexp",
    "one_hot",
    "relu",
    "sigmoid",
    "softmax",
    "softplus",
]

B = TypeVar("B", bound=Backend[Any])


@hot_real
def relu(x: Tensor[B], /) -> Tensor[B]:
    """The larger of each element and 0; NaN stays NaN.

    Raises `DTypeError` for complex elements.

    >>> import trivet as tv
    >>> tv.nn.relu(tv.asarray([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    return call("relu", x)


@hot_real
def sigmoid(x: Tensor[B], /) -> Tensor[B]:
    """The logistic function 1 / (1 + exp(-x)), without overflow on either side.

    Raises `DTypeError` for complex elements.

    >>> import trivet as tv
    >>> tv.nn.sigmoid(tv.asarray([0.0, -1000.0])).tolist()
    [0.5, 0.0]
    """
    return call("sigmoid", x)


@hot_real
def softplus(x: Tensor[B], /) -> Tensor[B]:
    """log(1 + exp(x)), a smooth `relu`, without overflow.

    Raises `DTypeError` for complex elements.

    >>> import trivet as tv
    >>> tv.nn.softplus(tv.asarray([1000.0])).tolist()
    [1000.0]
    """
    return call("softplus", x)


@hot_real
def log_sigmoid(x: Tensor[B], /) -> Tensor[B]:
    """log(sigmoid(x)), exact where sigmoid(x) itself would round to 0.

    Raises `DTypeError` for complex elements.

    >>> import trivet as tv
    >>> tv.nn.log_sigmoid(tv.asarray([-1000.0])).tolist()
    [-1000.0]
    """
    return call("log_sigmoid", x)


def softmax(x: Tensor[B], /, *, axis: SupportsIndex = -1) -> Tensor[B]:
    """exp(x) / sum(exp(x)) along `axis`, without overflow.

    Where every element is -inf (a fully masked row) the result is 0. Raises
    `DTypeError` unless real floating, `AxisError`.

    >>> import trivet as tv
    >>> tv.nn.softmax(tv.asarray([1000.0, 1000.0])).tolist()
    [0.5, 0.5]
    """
    require_kind("softmax", x)
    return call("softmax", x, axis=normalize_axis("softmax", axis, x.ndim))


def log_softmax(x: Tensor[B], /, *, axis: SupportsIndex = -1) -> Tensor[B]:
    """log(softmax(x)) along `axis`; a fully masked row stays -inf.

    Raises `DTypeError` unless real floating, `AxisError`.

    >>> import trivet as tv
    >>> tv.nn.log_softmax(tv.asarray([0.0, -1000.0])).tolist()
    [0.0, -1000.0]
    """
    require_kind("log_softmax", x)
    return call("log_softmax", x, axis=normalize_axis("log_softmax", axis, x.ndim))


def logsumexp(
    x: Tensor[B],
    /,
    *,
    axis: SupportsIndex | Sequence[SupportsIndex] | None = None,
    keepdims: bool = False,
) -> Tensor[B]:
    """log(sum(exp(x))) along `axis`, without overflow; -inf of nothing, or of -inf.

    Raises `DTypeError` unless real floating, `AxisError`.

    >>> import trivet as tv
    >>> tv.nn.logsumexp(tv.asarray([1000.0, -1000.0])).item()
    1000.0
    """
    require_kind("logsumexp", x)
    axes = normalize_axes("logsumexp", axis, x.ndim)
    return call("logsumexp", x, axis=axes, keepdims=keepdims)


def one_hot(
    x: Tensor[B], /, num_classes: SupportsIndex, *, dtype: Any = None
) -> Tensor[B]:
    """Along a new last axis of size `num_classes`, 1 at the class and 0 elsewhere.

    `x` holds integer class numbers; one outside 0 to num_classes - 1 gives zeros.
    `dtype` is the backend's default float unless given. Raises `DTypeError` unless
    `x` is integral, `ShapeError` for a negative number of classes.

    >>> import trivet as tv
    >>> tv.nn.one_hot(tv.asarray([2, 0]), 3).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    require_kind("one_hot", x)
    count = integer("one_hot", "num_classes", num_classes)
    if count < 0:
        raise ShapeError(f"one_hot: num_classes={count} is negative.")
    default = x.backend.default_dtypes(x.device).real_floating
    wanted = default if dtype is None else as_dtype(dtype)
    return call("one_hot", x, num_classes=count, dtype=wanted)
