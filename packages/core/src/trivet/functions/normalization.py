"""Normalisation layers as functions; users reach them as `tv.nn`.

16-bit floats are computed in float32, and the result has the dtype of `x`. A mean far
from 0 costs no accuracy.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import integer, real
from trivet.contract import Backend
from trivet.dispatch import call, call_given, require_kind, require_tensor
from trivet.dtypes import finfo, float32
from trivet.errors import ShapeError
from trivet.shapes import as_shape
from trivet.tensor import Tensor

__all__ = ["batch_norm", "group_norm", "instance_norm", "layer_norm", "rms_norm"]

B = TypeVar("B", bound=Backend[Any])
Sizes = SupportsIndex | Sequence[SupportsIndex]


def batch_norm(
    x: Tensor[B],
    mean: Tensor[Any] | None = None,
    var: Tensor[Any] | None = None,
    weight: Tensor[Any] | None = None,
    bias: Tensor[Any] | None = None,
    *,
    eps: float = 1e-5,
) -> Tensor[B]:
    """(x - mean) / sqrt(var + eps) * weight + bias, channel by channel.

    `x` has the shape (N, C, ...), all others (C,). Without `mean` or `var`, that of the
    batch itself is taken (the variance without correction), as in training; running
    averages are the caller's. Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> x = tv.asarray([[0.0, 10.0], [2.0, 30.0]])
    >>> tv.nn.batch_norm(x, eps=0.0).tolist()
    [[-1.0, -1.0], [1.0, 1.0]]
    """
    parameters = {"mean": mean, "var": var, "weight": weight, "bias": bias}
    _check_channels("batch_norm", x, parameters)
    others = tuple(i for i in range(x.ndim) if i != 1)
    # a mean that is rounded to 16 bits would move the result
    wide = call("astype", x, dtype=float32) if x.dtype.bits == 16 else x
    if mean is None:
        mean = call("mean", wide, axis=others, keepdims=False)
    if var is None:
        var = call("var", wide, axis=others, correction=0, keepdims=False)
    return call_given(
        "batch_norm", x, mean, var, weight, bias, eps=real("batch_norm", "eps", eps)
    )


def layer_norm(
    x: Tensor[B],
    normalized_shape: Sizes,
    weight: Tensor[Any] | None = None,
    bias: Tensor[Any] | None = None,
    *,
    eps: float = 1e-5,
) -> Tensor[B]:
    """(x - mean) / sqrt(variance + eps) * weight + bias, over the last axes.

    `normalized_shape` holds the sizes of these axes, which is also the shape of
    `weight` and `bias` (Ba et al., 2016). Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> x = tv.asarray([[1.0, 3.0], [10.0, 30.0]])
    >>> tv.nn.layer_norm(x, 2, eps=0.0).tolist()
    [[-1.0, 1.0], [-1.0, 1.0]]
    """
    axis = _last_axes(
        "layer_norm", x, normalized_shape, {"weight": weight, "bias": bias}
    )
    return call_given(
        "layer_norm", x, weight, bias, axis=axis, eps=real("layer_norm", "eps", eps)
    )


def rms_norm(
    x: Tensor[B],
    normalized_shape: Sizes,
    weight: Tensor[Any] | None = None,
    *,
    eps: float | None = None,
) -> Tensor[B]:
    """x / sqrt(mean(x**2) + eps) * weight, over the last axes.

    `normalized_shape` holds the sizes of these axes, which is also the shape of
    `weight`; `eps` is that of the dtype unless given (Zhang and Sennrich, 2019).
    Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.nn.rms_norm(tv.asarray([1.0, 7.0]), 2, eps=0.0).tolist()
    [0.20000000298023224, 1.399999976158142]
    """
    axis = _last_axes("rms_norm", x, normalized_shape, {"weight": weight})
    eps = finfo(x.dtype).eps if eps is None else eps
    return call_given(
        "rms_norm", x, weight, axis=axis, eps=real("rms_norm", "eps", eps)
    )


def group_norm(
    x: Tensor[B],
    num_groups: SupportsIndex,
    weight: Tensor[Any] | None = None,
    bias: Tensor[Any] | None = None,
    *,
    eps: float = 1e-5,
) -> Tensor[B]:
    """Each of `num_groups` groups of channels with mean 0 and variance 1.

    `x` has the shape (N, C, ...), `weight` and `bias`, by which each channel is scaled
    and moved afterwards, (C,). C is a multiple of `num_groups` (Wu and He, 2018).
    Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> x = tv.asarray([[1.0, 3.0, 10.0, 30.0]])
    >>> tv.nn.group_norm(x, 2, eps=0.0).tolist()
    [[-1.0, 1.0, -1.0, 1.0]]
    """
    _check_channels("group_norm", x, {"weight": weight, "bias": bias})
    groups, channels = integer("group_norm", "num_groups", num_groups), x.shape[1]
    if groups < 1 or channels % groups:
        raise ShapeError(
            f"group_norm: {channels} channels do not divide into num_groups={groups}. "
            "The number of groups must divide the number of channels."
        )
    return call_given(
        "group_norm",
        x,
        weight,
        bias,
        num_groups=groups,
        eps=real("group_norm", "eps", eps),
    )


def instance_norm(
    x: Tensor[B],
    weight: Tensor[Any] | None = None,
    bias: Tensor[Any] | None = None,
    *,
    eps: float = 1e-5,
) -> Tensor[B]:
    """Each channel of each sample with mean 0 and variance 1.

    `x` has the shape (N, C, ...), `weight` and `bias`, by which each channel is scaled
    and moved afterwards, (C,) (Ulyanov et al., 2016). Raises `ShapeError`,
    `DTypeError`.

    >>> import trivet as tv
    >>> x = tv.asarray([[[1.0, 3.0], [10.0, 30.0]]])
    >>> tv.nn.instance_norm(x, eps=0.0).tolist()
    [[[-1.0, 1.0], [-1.0, 1.0]]]
    """
    _check_channels("instance_norm", x, {"weight": weight, "bias": bias})
    return call_given(
        "instance_norm", x, weight, bias, eps=real("instance_norm", "eps", eps)
    )


def _check_channels(
    op: str, x: Tensor[Any], parameters: dict[str, Tensor[Any] | None]
) -> None:
    require_kind(op, x)
    if x.ndim < 2:
        raise ShapeError(
            f"{op}: a tensor of shape {x.shape} has no axis of channels; the shape "
            "must be (samples, channels, ...)."
        )
    for name, parameter in parameters.items():
        if parameter is not None:
            _check_parameter(op, name, parameter, x, x.shape[1:2])


def _last_axes(
    op: str,
    x: Tensor[Any],
    normalized_shape: Sizes,
    parameters: dict[str, Tensor[Any] | None],
) -> tuple[int, ...]:
    require_kind(op, x)
    sizes = as_shape(op, normalized_shape)
    if not sizes or x.shape[-len(sizes) :] != sizes:
        raise ShapeError(
            f"{op}: normalized_shape={sizes} does not fit the tensor of shape "
            f"{x.shape}. It must hold the sizes of its last axes, at least one."
        )
    for name, parameter in parameters.items():
        if parameter is not None:
            _check_parameter(op, name, parameter, x, sizes)
    return tuple(range(x.ndim - len(sizes), x.ndim))


def _check_parameter(
    op: str, name: str, parameter: Tensor[Any], x: Tensor[Any], shape: tuple[int, ...]
) -> None:
    require_tensor(op, x, parameter)
    require_kind(op, parameter)
    if parameter.shape != shape:
        raise ShapeError(
            f"{op}: the {name} has the shape {parameter.shape}, and for a tensor of "
            f"shape {x.shape} it must be {shape}."
        )
