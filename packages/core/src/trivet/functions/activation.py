"""Activation functions, beyond those in `functions.nn`; users reach them as `tv.nn`.

All take real floating tensors and raise `DTypeError` for others. NaN stays NaN,
infinite elements give the limits, and slopes at kinks are those on the left.
"""

from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import option, real
from trivet.contract import Backend
from trivet.contract.activation import Approximation
from trivet.dispatch import call, require_kind, require_tensor
from trivet.errors import ArgumentError, ShapeError
from trivet.shapes import normalize_axis
from trivet.tensor import Tensor

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hard_shrink",
    "hard_sigmoid",
    "hard_swish",
    "hardtanh",
    "leaky_relu",
    "mish",
    "prelu",
    "quiet_softmax",
    "relu6",
    "selu",
    "shrink",
    "silu",
    "soft_shrink",
    "softmin",
    "softsign",
    "tanhshrink",
    "threshold",
    "thresholded_relu",
]

B = TypeVar("B", bound=Backend[Any])


def relu6(x: Tensor[B], /) -> Tensor[B]:
    """Each element kept between 0 and 6.

    >>> import trivet as tv
    >>> tv.nn.relu6(tv.asarray([-1.0, 2.0, 9.0])).tolist()
    [0.0, 2.0, 6.0]
    """
    require_kind("relu6", x)
    return call("relu6", x)


def hardtanh(x: Tensor[B], /, min_val: float = -1.0, max_val: float = 1.0) -> Tensor[B]:
    """Each element kept between `min_val` and `max_val`; flat at and beyond them.

    Raises `ValueError` unless `min_val` is below `max_val`.

    >>> import trivet as tv
    >>> tv.nn.hardtanh(tv.asarray([-3.0, 0.5, 3.0])).tolist()
    [-1.0, 0.5, 1.0]
    """
    require_kind("hardtanh", x)
    low, high = (
        real("hardtanh", "min_val", min_val),
        real("hardtanh", "max_val", max_val),
    )
    if not low < high:
        raise ArgumentError(
            f"hardtanh: min_val={min_val} is not below max_val={max_val}. Give the "
            "lower bound first."
        )
    return call("hardtanh", x, min_val=low, max_val=high)


def hard_sigmoid(x: Tensor[B], /, alpha: float = 1 / 6, beta: float = 0.5) -> Tensor[B]:
    """alpha * x + beta, kept between 0 and 1: a sigmoid made of three lines.

    The defaults are PyTorch's; ONNX and older Keras have alpha=0.2.

    >>> import trivet as tv
    >>> tv.nn.hard_sigmoid(tv.asarray([-3.0, 0.0, 9.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    require_kind("hard_sigmoid", x)
    return call(
        "hard_sigmoid",
        x,
        alpha=real("hard_sigmoid", "alpha", alpha),
        beta=real("hard_sigmoid", "beta", beta),
    )


def hard_swish(x: Tensor[B], /) -> Tensor[B]:
    """x * relu6(x + 3) / 6 (Howard et al., Searching for MobileNetV3, 2019).

    >>> import trivet as tv
    >>> tv.nn.hard_swish(tv.asarray([-4.0, 1.5, 4.0])).tolist()
    [-0.0, 1.125, 4.0]
    """
    require_kind("hard_swish", x)
    return call("hard_swish", x)


def leaky_relu(x: Tensor[B], /, negative_slope: float = 0.01) -> Tensor[B]:
    """x above 0, and `negative_slope * x` elsewhere.

    >>> import trivet as tv
    >>> tv.nn.leaky_relu(tv.asarray([-2.0, 2.0]), 0.25).tolist()
    [-0.5, 2.0]
    """
    require_kind("leaky_relu", x)
    return call(
        "leaky_relu",
        x,
        negative_slope=real("leaky_relu", "negative_slope", negative_slope),
    )


def prelu(x: Tensor[B], weight: Tensor[Any], /) -> Tensor[B]:
    """x above 0, and `weight * x` elsewhere, with a weight that can be learnt.

    `weight` has one element, or one for each channel: axis 1 of `x`, or axis 0 where
    `x` has one dimension. Raises `ShapeError` for another shape.

    >>> import trivet as tv
    >>> tv.nn.prelu(tv.asarray([[-2.0, -2.0]]), tv.asarray([0.5, 0.25])).tolist()
    [[-1.0, -0.5]]
    """
    require_kind("prelu", x)
    require_tensor("prelu", x, weight)
    require_kind("prelu", weight)
    axis = min(1, x.ndim - 1)
    channels = x.shape[axis] if x.ndim else 1
    if weight.ndim > 1 or weight.size not in {1, channels}:
        raise ShapeError(
            f"prelu: the weight has the shape {weight.shape}, and the tensor of shape "
            f"{x.shape} takes one element or {channels}, one for each channel."
        )
    if weight.size == 1:
        return call("prelu", x, call("reshape", weight, shape=()))
    shape = (channels,) + (1,) * (x.ndim - 1 - axis)
    return call("prelu", x, call("reshape", weight, shape=shape))


def threshold(x: Tensor[B], /, threshold: float, value: float) -> Tensor[B]:
    """x above `threshold`, and `value` elsewhere.

    >>> import trivet as tv
    >>> tv.nn.threshold(tv.asarray([0.5, 1.5]), 1.0, -9.0).tolist()
    [-9.0, 1.5]
    """
    require_kind("threshold", x)
    return call(
        "threshold",
        x,
        threshold=real("threshold", "threshold", threshold),
        value=real("threshold", "value", value),
    )


def thresholded_relu(x: Tensor[B], /, alpha: float = 1.0) -> Tensor[B]:
    """x above `alpha`, and 0 elsewhere.

    >>> import trivet as tv
    >>> tv.nn.thresholded_relu(tv.asarray([0.5, 1.5])).tolist()
    [0.0, 1.5]
    """
    require_kind("thresholded_relu", x)
    return call("thresholded_relu", x, alpha=real("thresholded_relu", "alpha", alpha))


def gelu(x: Tensor[B], /, *, approximate: Approximation = "none") -> Tensor[B]:
    """x * P(X <= x) for a standard normal X (Hendrycks and Gimpel, 2016).

    Computed with the error function; accurate for large negative x too. With
    `approximate="tanh"`, x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x**3))) / 2, off by
    at most 5e-4. The gradient is always that of the formula used. Raises `ValueError`
    for another approximation.

    >>> import trivet as tv
    >>> tv.nn.gelu(tv.asarray([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    require_kind("gelu", x)
    option("gelu", "approximate", approximate, ("none", "tanh"))
    return call("gelu", x, approximate=approximate)


def silu(x: Tensor[B], /) -> Tensor[B]:
    """x * sigmoid(x), also called swish.

    >>> import trivet as tv
    >>> tv.nn.silu(tv.asarray([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    require_kind("silu", x)
    return call("silu", x)


def mish(x: Tensor[B], /) -> Tensor[B]:
    """x * tanh(softplus(x)) (Misra, 2019).

    >>> import trivet as tv
    >>> tv.nn.mish(tv.asarray([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    require_kind("mish", x)
    return call("mish", x)


def softsign(x: Tensor[B], /) -> Tensor[B]:
    """x / (1 + abs(x)).

    >>> import trivet as tv
    >>> tv.nn.softsign(tv.asarray([-1.0, 3.0])).tolist()
    [-0.5, 0.75]
    """
    require_kind("softsign", x)
    return call("softsign", x)


def elu(x: Tensor[B], /, alpha: float = 1.0) -> Tensor[B]:
    """x above 0, and alpha * (exp(x) - 1) elsewhere.

    >>> import trivet as tv
    >>> tv.nn.elu(tv.asarray([2.0, -1000.0]), 0.5).tolist()
    [2.0, -0.5]
    """
    require_kind("elu", x)
    return call("elu", x, alpha=real("elu", "alpha", alpha))


def celu(x: Tensor[B], /, alpha: float = 1.0) -> Tensor[B]:
    """x above 0, and alpha * (exp(x / alpha) - 1) elsewhere: an `elu` without a kink.

    Raises `ValueError` unless `alpha` is positive.

    >>> import trivet as tv
    >>> tv.nn.celu(tv.asarray([2.0, -1000.0]), 0.5).tolist()
    [2.0, -0.5]
    """
    require_kind("celu", x)
    if not real("celu", "alpha", alpha) > 0:
        raise ArgumentError(f"celu: alpha={alpha} is not positive.")
    return call("celu", x, alpha=real("celu", "alpha", alpha))


def selu(x: Tensor[B], /) -> Tensor[B]:
    """`elu` scaled so that layers keep mean 0 and variance 1 (Klambauer et al., 2017).

    >>> import trivet as tv
    >>> tv.nn.selu(tv.asarray([0.0, 1.0], dtype=tv.float64)).tolist()
    [0.0, 1.0507009873554805]
    """
    require_kind("selu", x)
    return call("selu", x)


def glu(x: Tensor[B], /, axis: SupportsIndex = -1) -> Tensor[B]:
    """The first half along `axis` times the sigmoid of the second half.

    Raises `AxisError`, `ShapeError` for an odd number of elements along `axis`.

    >>> import trivet as tv
    >>> tv.nn.glu(tv.asarray([4.0, 6.0, 0.0, 100.0])).tolist()
    [2.0, 6.0]
    """
    require_kind("glu", x)
    along = normalize_axis("glu", axis, x.ndim)
    if x.shape[along] % 2:
        raise ShapeError(
            f"glu: the tensor of shape {x.shape} has {x.shape[along]} elements along "
            f"axis {along}, and an odd number has no halves."
        )
    return call("glu", x, axis=along)


def tanhshrink(x: Tensor[B], /) -> Tensor[B]:
    """x - tanh(x).

    >>> import trivet as tv
    >>> tv.nn.tanhshrink(tv.asarray([0.0, 100.0])).tolist()
    [0.0, 99.0]
    """
    require_kind("tanhshrink", x)
    return call("tanhshrink", x)


def shrink(x: Tensor[B], /, lambd: float = 0.5, bias: float = 0.0) -> Tensor[B]:
    """x moved towards 0 by `bias`; 0 where abs(x) is at most `lambd`.

    Raises `ValueError` for a negative `lambd`.

    >>> import trivet as tv
    >>> tv.nn.shrink(tv.asarray([-3.0, 0.5, 3.0]), 1.0, 0.25).tolist()
    [-2.75, 0.0, 2.75]
    """
    require_kind("shrink", x)
    _require_width("shrink", lambd)
    return call(
        "shrink",
        x,
        lambd=real("shrink", "lambd", lambd),
        bias=real("shrink", "bias", bias),
    )


def hard_shrink(x: Tensor[B], /, lambd: float = 0.5) -> Tensor[B]:
    """x, or 0 where abs(x) is at most `lambd`. Raises `ValueError` below 0.

    >>> import trivet as tv
    >>> tv.nn.hard_shrink(tv.asarray([-3.0, 0.5, 3.0])).tolist()
    [-3.0, 0.0, 3.0]
    """
    require_kind("hard_shrink", x)
    _require_width("hard_shrink", lambd)
    return call("hard_shrink", x, lambd=real("hard_shrink", "lambd", lambd))


def soft_shrink(x: Tensor[B], /, lambd: float = 0.5) -> Tensor[B]:
    """x moved towards 0 by `lambd`, but not beyond 0. Raises `ValueError` below 0.

    >>> import trivet as tv
    >>> tv.nn.soft_shrink(tv.asarray([-3.0, 0.25, 3.0])).tolist()
    [-2.5, 0.0, 2.5]
    """
    require_kind("soft_shrink", x)
    _require_width("soft_shrink", lambd)
    return call("soft_shrink", x, lambd=real("soft_shrink", "lambd", lambd))


def _require_width(op: str, lambd: float) -> None:
    if not real(op, "lambd", lambd) >= 0:
        raise ArgumentError(
            f"{op}: lambd={lambd} is negative. It is the largest size that gives 0."
        )


def softmin(x: Tensor[B], /, *, axis: SupportsIndex = -1) -> Tensor[B]:
    """softmax(-x) along `axis`; where every element is inf, 0. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.nn.softmin(tv.asarray([5.0, 5.0, 1000.0])).tolist()
    [0.5, 0.5, 0.0]
    """
    require_kind("softmin", x)
    return call("softmin", x, axis=normalize_axis("softmin", axis, x.ndim))


def quiet_softmax(x: Tensor[B], /, *, axis: SupportsIndex = -1) -> Tensor[B]:
    """exp(x) / (1 + sum(exp(x))) along `axis`, without overflow.

    As if there were one more element, 0: a row of large negative elements can stay
    near 0 everywhere (Miller, Attention Is Off By One, 2023). Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.nn.quiet_softmax(tv.asarray([[1000.0, 1000.0], [-1000.0, -1000.0]])).tolist()
    [[0.5, 0.5], [0.0, 0.0]]
    """
    require_kind("quiet_softmax", x)
    return call("quiet_softmax", x, axis=normalize_axis("quiet_softmax", axis, x.ndim))
