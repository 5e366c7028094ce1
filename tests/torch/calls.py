"""`CALLS`: PyTorch's names of ops, and the calls of Trivet that they stand for.

A sample whose arguments do not fit its entry uses a feature that only PyTorch has.
"""

from collections.abc import Callable
from typing import Any

import networks as net
import spelling as to

import trivet as tv
from trivet import fft, linalg, nn, special

__all__ = ["CALLS"]

SAME: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(tv, name)
        for name in (
            *("abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh"),
            *("ceil", "floor", "trunc", "copysign", "cos", "cosh"),
            *("exp", "expm1", "hypot", "kron", "log", "log10", "log1p", "log2"),
            *("logaddexp", "masked_select", "matmul", "maximum"),
            *("minimum", "outer", "positive", "ravel", "real", "reciprocal"),
            *("remainder", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh"),
            *("pow", "trace", "conj"),
        )
    },
    "round": tv.round,
    "neg": tv.negative,
    "mul": tv.multiply,
    "true_divide": tv.divide,
    "float_power": tv.pow,
    "sgn": tv.sign,
    "conj_physical": tv.conj,
    **dict.fromkeys(
        ("clone", "contiguous", "resolve_neg", "resolve_conj", "alias_copy"),
        tv.positive,
    ),
    "dot": lambda x, y: tv.tensordot(x, y, axes=1),
    "vdot": tv.vecdot,
    **dict.fromkeys(("mv", "mm", "bmm"), tv.matmul),
    "matrix_exp": linalg.expm,
    "expand_as": lambda x, other: tv.broadcast_to(x, other.shape),
    **dict.fromkeys(
        ("reshape_as", "view_as"), lambda x, other: tv.reshape(x, other.shape)
    ),
}
BINARY: dict[str, Callable[..., Any]] = {
    "add": lambda x, other, *, alpha=1: x + other * alpha,
    "sub": lambda x, other, *, alpha=1: x - other * alpha,
    "rsub": lambda x, other, *, alpha=1: other - x * alpha,
    "__radd__": lambda x, other: other + x,
    "__rmul__": lambda x, other: other * x,
    "__rdiv__": lambda x, other: other / x,
    "__rsub__": lambda x, other: other - x,
    "__rpow__": lambda x, other: other**x,
    "__rmod__": lambda x, other: tv.remainder(other, x),
    "__rmatmul__": lambda x, other: other @ x,
    "div": to.divided,
    "inner": to.inner,
    "where": lambda x, condition, other: tv.where(condition, x, other),
    "addcmul": lambda x, a, b, *, value=1: x + a * b * value,
    "addcdiv": lambda x, a, b, *, value=1: x + a / b * value,
    "lerp": lambda x, end, weight: x + (end - x) * weight,
    "xlogy": special.xlogy,
    "special.xlog1py": special.xlog1py,
    "clamp": to.clamp,
    "clamp_min": tv.maximum,
    "clamp_max": tv.minimum,
    "max": to.extreme(tv.max, tv.maximum),
    "min": to.extreme(tv.min, tv.minimum),
    "cross": lambda x, other, dim=-1: tv.cross(x, other, axis=to.last(dim, x)),
    "linalg.cross": lambda x, other, *, dim=-1: linalg.cross(
        x, other, axis=to.last(dim, x)
    ),
    "linalg.vecdot": lambda x, other, *, dim=-1: linalg.vecdot(
        x, other, axis=to.last(dim, x)
    ),
    "tensordot": to.tensordot,
}
PRODUCTS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(
        ("addmm", "addmv", "baddbmm"),
        lambda c, a, b, *, beta=1, alpha=1: to.scaled(c, a @ b, beta, alpha),
    ),
    "addbmm": lambda c, a, b, *, beta=1, alpha=1: to.scaled(
        c, tv.sum(a @ b, axis=0), beta, alpha
    ),
    "addr": lambda c, a, b, *, beta=1, alpha=1: to.scaled(
        c, tv.outer(a, b), beta, alpha
    ),
    "einsum": to.einsum,
    "linalg.multi_dot": tv.multi_dot,
}
SPECIAL: dict[str, Callable[..., Any]] = {
    "digamma": special.digamma,
    "lgamma": special.gammaln,
    "polygamma": lambda x, n: special.polygamma(n, x),
    "special.polygamma": lambda x, n: special.polygamma(n, x),
    "erf": special.erf,
    "erfc": special.erfc,
    "erfinv": special.erfinv,
    "special.ndtr": special.ndtr,
    "special.ndtri": special.ndtri,
    "special.log_ndtr": special.log_ndtr,
    "special.entr": special.entr,
    "i0": special.i0,
    "special.i0e": special.i0e,
    "special.i1": special.i1,
    "special.i1e": special.i1e,
    "logit": special.logit,
    "sinc": special.sinc,
    "sigmoid": lambda x: nn.sigmoid(to.real_number(x)),
    "nan_to_num": tv.nan_to_num,
    "rsqrt": lambda x: tv.reciprocal(tv.sqrt(x)),
    "exp2": lambda x: 2.0**x,
}
REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": to.reduction(tv.sum),
    "mean": to.reduction(tv.mean),
    "prod": to.reduction(tv.prod),
    "amax": to.reduction(tv.max),
    "amin": to.reduction(tv.min),
    "nansum": to.reduction(tv.nansum),
    "nanmean": to.reduction(tv.nanmean),
    "logsumexp": to.reduction(nn.logsumexp),
    "var": to.spread(tv.var),
    "std": to.spread(tv.std),
    "var_mean": to.spread(tv.var_mean),
    "std_mean": to.spread(tv.std_mean),
    "median": to.middle(tv.median),
    "nanmedian": to.middle(tv.nanmedian),
    "quantile": lambda x, q, dim=None, keepdim=False, *, interpolation="linear": (
        tv.quantile(x, q, axis=dim, keepdims=keepdim, method=interpolation)
    ),
    "cumsum": to.along(tv.cumulative_sum),
    "cumprod": to.along(tv.cumulative_prod),
    "cummax": to.along(tv.cumulative_max),
    "cummin": to.along(tv.cumulative_min),
    "logcumsumexp": to.along(tv.logcumsumexp),
    "diff": to.differences,
    "cov": to.covariance,
    "corrcoef": lambda x: tv.corrcoef(to.rows(x)),
    "aminmax": lambda x, *, dim=None, keepdim=False: (
        tv.min(x, axis=dim, keepdims=keepdim),
        tv.max(x, axis=dim, keepdims=keepdim),
    ),
}
SORTS: dict[str, Callable[..., Any]] = {
    "sort": lambda x, dim=-1, descending=False, *, stable=True: tv.sort(
        to.lined(x), axis=dim, descending=descending
    ).reshape(x.shape),
    "msort": lambda x: tv.sort(x, axis=0),
    "topk": lambda x, k, dim=-1, largest=True, sorted=True: tv.topk(
        to.ranked(x), k, axis=dim, largest=largest
    )[0],
    "kthvalue": lambda x, k, dim=-1, keepdim=False: to.first(
        tv.kthvalue(x, k, axis=dim, keepdims=keepdim)
    ),
}
SHAPES: dict[str, Callable[..., Any]] = {
    "broadcast_to": tv.broadcast_to,
    "broadcast_tensors": tv.broadcast_arrays,
    **dict.fromkeys(("expand", "expand_copy"), to.expanded),
    **dict.fromkeys(("reshape", "view", "view_copy"), tv.reshape),
    **dict.fromkeys(
        ("chunk", "unsafe_chunk"), lambda x, n, dim=0: tv.chunk(x, n, axis=dim)
    ),
    **dict.fromkeys(
        (
            *("split", "unsafe_split"),
            *("split_with_sizes", "split_with_sizes_copy"),
        ),
        to.pieces,
    ),
    "diag": lambda x, k=0: tv.diag(x, k=k),
    **dict.fromkeys(("diagonal", "diagonal_copy"), to.diagonal),
    "linalg.diagonal": lambda x, *, offset=0, dim1=-2, dim2=-1: to.diagonal(
        x, offset, dim1, dim2
    ),
    "flip": lambda x, *, dims: tv.flip(x, axis=tuple(dims)),
    "fliplr": lambda x: tv.flip(x, axis=1),
    "flipud": lambda x: tv.flip(x, axis=0),
    "flatten": lambda x, start_dim=0, end_dim=-1: tv.flatten(
        to.lined(x), start_axis=start_dim, end_axis=end_dim
    ),
    "meshgrid": to.meshgrid,
    **dict.fromkeys(("narrow", "narrow_copy"), to.narrow),
    **dict.fromkeys(("permute", "permute_copy"), tv.permute_dims),
    "repeat": to.repeated,
    "tile": to.repeated,
    "repeat_interleave": to.repeat_interleave,
    "roll": lambda x, shifts, dims=None: tv.roll(x, shifts, axis=to.axes(dims)),
    "rot90": lambda x, k=1, dims=(0, 1): tv.rot90(x, k=k, axes=tuple(dims)),
    **dict.fromkeys(("squeeze", "squeeze_copy"), to.squeezed),
    **dict.fromkeys(("unsqueeze", "unsqueeze_copy"), tv.expand_dims),
    **dict.fromkeys(
        ("transpose", "transpose_copy"),
        lambda x, a, b: tv.swapaxes(x, a, b) if x.ndim else x,
    ),
    **dict.fromkeys(
        ("t", "t_copy", "T"), lambda x: x if x.ndim < 2 else tv.transpose(x)
    ),
    "H": lambda x: tv.conj(x if x.ndim < 2 else tv.transpose(x)),
    "mT": lambda x: x.mT,
    "mH": lambda x: tv.conj(x.mT),
    "double": lambda x: tv.astype(tv.real(x), tv.float64),
    "movedim": tv.moveaxis,
    "cat": to.concatenated,
    "stack": lambda xs, dim=0: tv.stack(xs, axis=dim),
    **dict.fromkeys(
        ("unbind", "unbind_copy"), lambda x, dim=0: tv.unstack(x, axis=dim)
    ),
    "select": lambda x, dim, index: tv.take(
        x, tv.asarray([index % x.shape[dim]], backend=x.backend), axis=dim
    ).squeeze(dim),
    "tril": lambda x, k=0: tv.tril(x, k=k),
    "triu": lambda x, k=0: tv.triu(x, k=k),
    **dict.fromkeys(
        ("unfold", "unfold_copy"),
        tv.unfold,
    ),
    "fft.fftshift": lambda x, *, dim=None: fft.fftshift(x, axes=to.axes(dim)),
    "fft.ifftshift": lambda x, *, dim=None: fft.ifftshift(x, axes=to.axes(dim)),
}
INDEXING: dict[str, Callable[..., Any]] = {
    "masked_fill": to.masked_fill,
    "gather": to.gather,
    "index_select": lambda x, dim, index: tv.take(x, index, axis=dim),
    "take": lambda x, index: tv.reshape(
        tv.take(tv.ravel(x), tv.reshape(index, (-1,)) % x.size), index.shape
    ),
    "take_along_dim": to.take_along,
    "__getitem__": to.item,
    "index_add": to.index_update("add", alpha=True),
    "index_copy": to.index_update("set"),
    "index_fill": to.index_update("set"),
    "index_put": to.index_put,
    "scatter": to.scatter("set"),
    "scatter_add": to.scatter("add"),
    "scatter_reduce": to.scatter_reduce,
    "nn.functional.embedding": net.embedding,
}
MATRICES: dict[str, Callable[..., Any]] = {
    "linalg.det": linalg.det,
    "logdet": lambda x: linalg.slogdet(to.real_number(x)).logabsdet,
    "linalg.slogdet": linalg.slogdet,
    "linalg.inv": linalg.inv,
    "linalg.solve": to.solve,
    **dict.fromkeys(
        ("linalg.cholesky", "cholesky"),
        lambda x, *, upper=False: linalg.cholesky(to.doubled(x), upper=upper),
    ),
    "linalg.eig": to.eigenpairs,
    "linalg.eigvals": linalg.eigvals,
    "linalg.eigh": lambda x, UPLO="L": to.magnitudes(linalg.eigh(to.doubled(x))),
    "linalg.eigvalsh": lambda x, UPLO="L": linalg.eigvalsh(to.doubled(x)),
    "linalg.qr": lambda x, mode="reduced": linalg.qr(x, mode=mode),
    "qr": lambda x, some=True: linalg.qr(x, mode="reduced" if some else "complete"),
    "linalg.svd": lambda x, *, full_matrices=True: to.factors(x, full=full_matrices),
    "svd": lambda x, some=True: to.factors(x, full=not some, transposed=True),
    "linalg.svdvals": linalg.svdvals,
    "linalg.pinv": linalg.pinv,
    "pinverse": linalg.pinv,
    "linalg.lstsq": lambda a, b, *, driver=None: linalg.lstsq(a, b)[0],
    "linalg.lu": lambda x, *, pivot=True: linalg.lu(x)[1:],
    "linalg.matrix_power": linalg.matrix_power,
    "linalg.cond": lambda x, p=None: linalg.cond(x, p=p),
    "linalg.norm": to.norm,
    "linalg.vector_norm": to.vector_norm,
    "linalg.matrix_norm": to.matrix_norm,
    "nn.functional.cosine_similarity": to.cosine_similarity,
}
ACTIVATIONS: dict[str, Callable[..., Any]] = {
    **{
        f"nn.functional.{name}": getattr(nn, name)
        for name in (
            *("celu", "elu", "leaky_relu", "mish", "relu", "relu6"),
            *("prelu", "selu", "silu", "softsign", "tanhshrink", "threshold"),
            "linear",
        )
    },
    "nn.functional.hardtanh": net.hardtanh,
    "nn.functional.gelu": nn.gelu,
    "nn.functional.glu": lambda x, dim=-1: nn.glu(x, dim),
    "nn.functional.hardsigmoid": nn.hard_sigmoid,
    "nn.functional.hardswish": nn.hard_swish,
    "nn.functional.hardshrink": lambda x, *, lambd=0.5: nn.hard_shrink(
        x, net.positive(lambd)
    ),
    "nn.functional.softshrink": lambda x, *, lambd=0.5: nn.soft_shrink(x, lambd),
    "nn.functional.logsigmoid": nn.log_sigmoid,
    "nn.functional.softplus": nn.softplus,
    "softmax": to.along(nn.softmax),
    "log_softmax": to.along(nn.log_softmax),
    "nn.functional.softmin": to.along(nn.softmin),
}
NETWORKS: dict[str, Callable[..., Any]] = {
    **{
        f"nn.functional.conv{rank}d": net.conv(getattr(nn, f"conv{rank}d"))
        for rank in (1, 2, 3)
    },
    **{
        f"nn.functional.conv_transpose{rank}d": net.conv_transpose(
            getattr(nn, f"conv_transpose{rank}d")
        )
        for rank in (1, 2, 3)
    },
    **{
        f"nn.functional.max_pool{rank}d": net.pool(
            getattr(nn, f"max_pool{rank}d"), rank
        )
        for rank in (1, 2, 3)
    },
    **{
        f"nn.functional.avg_pool{rank}d": net.average(
            getattr(nn, f"avg_pool{rank}d"), rank
        )
        for rank in (1, 2, 3)
    },
    **{
        f"nn.functional.adaptive_{kind}_pool{rank}d": net.adaptive(
            getattr(nn, f"adaptive_{kind}_pool{rank}d"), rank
        )
        for kind in ("avg", "max")
        for rank in (1, 2, 3)
    },
    "nn.functional.batch_norm": net.batch_norm,
    "nn.functional.instance_norm": net.instance_norm,
    "nn.functional.group_norm": net.group_norm,
    "nn.functional.layer_norm": net.layer_norm,
    "nn.functional.rms_norm": net.rms_norm,
    "nn.functional.interpolate": net.interpolate,
    "nn.functional.grid_sample": net.grid_sample,
    "nn.functional.pad": net.padded,
    "nn.functional.unfold": net.windows,
    "nn.functional.scaled_dot_product_attention": net.attention,
}
LOSSES: dict[str, Callable[..., Any]] = {
    "nn.functional.l1_loss": net.loss(nn.l1_loss),
    "nn.functional.mse_loss": net.loss(nn.mse_loss),
    "nn.functional.huber_loss": net.loss(nn.huber_loss),
    "nn.functional.smooth_l1_loss": net.loss(nn.smooth_l1_loss),
    "nn.functional.kl_div": net.kl_div,
    "nn.functional.cross_entropy": net.cross_entropy,
    "nn.functional.nll_loss": net.nll_loss,
    "nn.functional.binary_cross_entropy": net.binary_cross_entropy,
    "nn.functional.binary_cross_entropy_with_logits": net.with_logits,
    "nn.functional.ctc_loss": net.ctc_loss,
}
CALLS: dict[str, Callable[..., Any]] = {
    **SAME,
    **BINARY,
    **PRODUCTS,
    **SPECIAL,
    **REDUCTIONS,
    **SORTS,
    **SHAPES,
    **INDEXING,
    **MATRICES,
    **ACTIVATIONS,
    **NETWORKS,
    **LOSSES,
}
