"""The spelling of what `trivet.nn` has, as in `spelling`."""

from collections.abc import Callable
from typing import Any

from spelling import axes, only

import trivet as tv
from trivet import nn as fn


def conv(function: Any) -> Callable[..., Any]:
    """The spelling of a convolution of a batch."""

    def call(
        x: Any,
        weight: Any,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Any:
        only(shared=x.ndim == weight.ndim and not isinstance(padding, str))
        return function(
            x,
            weight,
            bias,
            stride=axes(stride),
            padding=axes(padding),
            dilation=axes(dilation),
            groups=groups,
        )

    return call


def conv_transpose(function: Any) -> Callable[..., Any]:
    """The spelling of a transposed convolution of a batch."""

    def call(
        x: Any,
        weight: Any,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Any:
        only(shared=x.ndim == weight.ndim)
        return function(
            x,
            weight,
            bias,
            stride=axes(stride),
            padding=axes(padding),
            output_padding=axes(output_padding),
            dilation=axes(dilation),
            groups=groups,
        )

    return call


def lengths(value: Any) -> Any:
    """Lengths along the axes; one in a list stands for all."""
    if isinstance(value, list | tuple):
        return value[0] if len(value) == 1 else tuple(value) or None
    return value


def pool(function: Any, rank: int) -> Callable[..., Any]:
    """The spelling of a pooling of a batch."""

    def call(x: Any, kernel_size: Any, stride: Any = None, **statics: Any) -> Any:
        only(shared=x.ndim == rank + 2)
        only(shared=not statics.pop("return_indices", False))
        only(shared=statics.pop("divisor_override", None) is None)
        named = {k: lengths(v) for k, v in statics.items()}
        return function(x, lengths(kernel_size), stride=lengths(stride), **named)

    return call


def average(function: Any, rank: int) -> Callable[..., Any]:
    """The spelling of an average pooling, with its arguments by position too."""
    names = ("stride", "padding", "ceil_mode", "count_include_pad", "divisor_override")

    def call(x: Any, kernel_size: Any, *rest: Any, **statics: Any) -> Any:
        named = dict(zip(names, rest, strict=False)) | statics
        return pool(function, rank)(x, kernel_size, **named)

    return call


def adaptive(function: Any, rank: int) -> Callable[..., Any]:
    """The spelling of an adaptive pooling of a batch."""

    def call(x: Any, output_size: Any, return_indices: bool = False) -> Any:
        only(shared=x.ndim == rank + 2 and not return_indices)
        sizes = output_size if isinstance(output_size, tuple | list) else (output_size,)
        only(shared=None not in sizes)
        return function(x, axes(output_size))

    return call


def loss(function: Any, **defaults: Any) -> Callable[..., Any]:
    """The spelling of a loss of two tensors of one shape."""

    def call(x: Any, target: Any, **statics: Any) -> Any:
        only(shared=x.shape == target.shape)
        return function(x, target, **(defaults | statics))

    return call


def cross_entropy(x: Any, target: Any, *, weight: Any = None, **statics: Any) -> Any:
    """`cross_entropy`, whose classes are the second axis."""
    only(shared=x.ndim > 1)
    return fn.cross_entropy(x, target, weight, axis=1, **statics)


def nll_loss(x: Any, target: Any, *, weight: Any = None, **statics: Any) -> Any:
    """`nll_loss`, whose classes are the second axis."""
    only(shared=x.ndim > 1)
    return fn.nll_loss(x, target, weight, axis=1, **statics)


def binary_cross_entropy(
    x: Any, target: Any, *, weight: Any = None, reduction: str = "mean"
) -> Any:
    """`binary_cross_entropy` without weights of the elements."""
    only(shared=weight is None)
    return fn.binary_cross_entropy(x, target, reduction=reduction)


def with_logits(
    x: Any, target: Any, *, weight: Any = None, pos_weight: Any = None, **statics: Any
) -> Any:
    """The same of logits."""
    only(shared=weight is None)
    return fn.binary_cross_entropy_with_logits(x, target, pos_weight, **statics)


def kl_div(x: Any, target: Any, *, reduction: str = "mean", **statics: Any) -> Any:
    """`kl_div`, but for the reduction by the batch."""
    only(shared=reduction != "batchmean")
    return fn.kl_div(x, target, reduction=reduction, **statics)


def batch_norm(
    x: Any,
    mean: Any,
    var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """`batch_norm`; in training, by the statistics of the batch."""
    if training or mean is None:
        mean = var = None
    only(shared=x.ndim > 1)
    return fn.batch_norm(x, mean, var, weight, bias, eps=eps)


def instance_norm(
    x: Any, *, weight: Any = None, bias: Any = None, eps: float = 1e-5, **rest: Any
) -> Any:
    """`instance_norm` by the statistics of the instance."""
    only(shared=rest.get("running_mean") is None)
    return fn.instance_norm(x, weight, bias, eps=eps)


def group_norm(
    x: Any, groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """`group_norm`."""
    return fn.group_norm(x, groups, weight, bias, eps=eps)


def layer_norm(
    x: Any, shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """`layer_norm`."""
    return fn.layer_norm(x, tuple(shape), weight, bias, eps=eps)


def rms_norm(x: Any, shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    """`rms_norm`."""
    return fn.rms_norm(x, tuple(shape), weight, eps=eps)


def interpolate(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: Any = None,
) -> Any:
    """`interpolate`, in the modes that both have."""
    only(shared=mode != "area" and not recompute_scale_factor)
    return fn.interpolate(
        x,
        axes(size),
        scale_factor=axes(scale_factor),
        mode=mode,
        align_corners=bool(align_corners),
    )


def grid_sample(
    x: Any,
    grid: Any,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Any:
    """`grid_sample` of images."""
    only(shared=x.ndim == 4 and mode != "bicubic")
    return fn.grid_sample(
        x,
        grid,
        mode=mode,
        padding_mode=padding_mode,
        align_corners=bool(align_corners),
    )


def padded(
    x: Any, width: Any, mode: str = "constant", value: float | None = None
) -> Any:
    """`pad`, whose widths begin with the last axis."""
    ends = list(zip(width[::2], width[1::2], strict=True))[::-1]
    only(shared=all(n >= 0 for pair in ends for n in pair))
    full = [(0, 0)] * (x.ndim - len(ends)) + ends
    modes = {"replicate": "edge"}
    return tv.pad(x, full, mode=modes.get(mode, mode), constant_values=value or 0)


def attention(
    q: Any,
    k: Any,
    v: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """`scaled_dot_product_attention` without dropout."""
    only(shared=dropout_p == 0 and not enable_gqa)
    return fn.scaled_dot_product_attention(
        q, k, v, attn_mask, is_causal=is_causal, scale=scale
    )


def windows(
    x: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Any:
    """`nn.functional.unfold` of a batch."""
    only(shared=x.ndim == 4)
    return fn.unfold(
        x,
        axes(kernel_size),
        dilation=axes(dilation),
        padding=axes(padding),
        stride=axes(stride),
    )


def positive(number: float) -> float:
    """A number that must not be negative in Trivet."""
    only(shared=number >= 0)
    return number


def hardtanh(x: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """`hardtanh` between different bounds."""
    only(shared=min_val < max_val)
    return fn.hardtanh(x, min_val, max_val)


def embedding(
    weight: Any, indices: Any, *, padding_idx: int | None = None, **rest: Any
) -> Any:
    """`embedding` without norms and frequencies."""
    only(shared=not any(rest.values()))
    if padding_idx is not None and padding_idx < 0:
        padding_idx += weight.shape[0]
    return fn.embedding(indices, weight, padding_idx=padding_idx)


def ctc_loss(
    logits: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """`ctc_loss` of a batch, after `log_softmax`."""
    only(shared=logits.ndim == 3 and targets.ndim == 2)
    logp = fn.log_softmax(logits)
    lengths = [
        tv.asarray(list(n), backend=logp.backend) if isinstance(n, tuple | list) else n
        for n in (input_lengths, target_lengths)
    ]
    return fn.ctc_loss(
        logp,
        targets,
        *lengths,
        blank=blank,
        reduction=reduction,
        zero_infinity=zero_infinity,
    )
