"""What PyTorch says to functions of neural networks; NumPy, where it has none."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from references.case import Case
from references.values import BOOL, FLOATS, arrays, call, reduced, shapes

import trivet as tv

WIDE = {"low": -16.0, "high": 16.0}
TAME = {"low": -4.0, "high": 4.0, "special": False}
REDUCTION = st.sampled_from(["mean", "sum", "none"])
SETTING = st.sampled_from([0.25, 1.0, 2.0])
ONE_TO_TWO = st.integers(1, 2)


def torched(name):
    """A function of `torch.nn.functional` on NumPy arrays; `axis` is its `dim`."""

    def reference(*arguments, **keywords):
        import torch

        def convert(value):
            if isinstance(value, np.ndarray):
                return torch.from_numpy(np.array(value))
            return value

        if "axis" in keywords:
            keywords["dim"] = keywords.pop("axis")
        function = getattr(torch.nn.functional, name, None) or getattr(torch, name)
        found = function(
            *map(convert, arguments),
            **{key: convert(value) for key, value in keywords.items()},
        )
        return [x.numpy() for x in found] if isinstance(found, tuple) else found.numpy()

    return reference


def case(reference, calls, ulps=64, scale=32.0, **options):
    if isinstance(reference, str):
        return Case(torched(reference), calls, ulps, scale, needs="torch", **options)
    return Case(reference, calls, ulps, scale, **options)


def activation(reference, *settings, scale=1.0, **limits):
    """A function of one array, element by element, and of settings."""
    x = arrays(FLOATS, **(WIDE | limits))
    return case(reference, call(x, *settings), scale=scale)


@st.composite
def rows(draw, *, name="axis"):
    x = draw(arrays(FLOATS, shapes(1, empty=False), **WIDE | {"special": False}))
    return (x,), {name: draw(st.integers(-x.ndim, x.ndim - 1))}


@st.composite
def halves(draw):
    """An array with an axis that is even."""
    x = draw(arrays(FLOATS, (2, 4, 6), **TAME))
    return (x,), {"axis": draw(st.integers(-3, 2))}


def quiet_softmax(x, axis):
    with_zero = np.concatenate([x, np.zeros_like(np.take(x, [0], axis))], axis)
    largest = with_zero.max(axis, keepdims=True)
    return np.exp(x - largest) / np.exp(with_zero - largest).sum(axis, keepdims=True)


def shrink(x, lambd, bias):
    moved = np.where(x > lambd, x - bias, np.where(x < -lambd, x + bias, 0))
    return moved.astype(x.dtype)


def same(draw):
    return (draw(st.sampled_from(FLOATS)),)


@st.composite
def drawn(draw, *sizes, low=-4.0, high=4.0, optional=0, **keywords):
    """Arrays of one dtype; the last ones may be left out."""
    dtype = same(draw)
    sizes = sizes[: len(sizes) - draw(st.integers(0, optional))]
    operands = [
        draw(arrays(dtype, s, low=low, high=high, special=False)) for s in sizes
    ]
    return tuple(operands), draw(st.fixed_dictionaries(keywords))


@st.composite
def convolved(draw, ndim, *, transposed=False):
    """An image, a weight, perhaps a bias, and settings."""
    dtype = same(draw)
    groups, batch = draw(ONE_TO_TWO), draw(ONE_TO_TWO)
    given, made = groups * draw(ONE_TO_TWO), groups * draw(ONE_TO_TWO)
    sides = [draw(st.integers(4, 6)) for _ in range(ndim)]
    window = [draw(ONE_TO_TWO) for _ in range(ndim)]
    channels = (given, made // groups) if transposed else (made, given // groups)
    parts = [(batch, given, *sides), (*channels, *window), (made,)]
    parts = parts[: draw(st.integers(2, 3))]
    stride = draw(ONE_TO_TWO)
    keywords = {
        "stride": stride,
        "padding": draw(st.integers(0, 1)),
        "dilation": draw(ONE_TO_TWO),
        "groups": groups,
    }
    if transposed:
        keywords["output_padding"] = draw(st.integers(0, stride - 1))
    return tuple(draw(arrays(dtype, s, **TAME)) for s in parts), keywords


@st.composite
def pooled(draw, ndim, kind, dtypes=FLOATS):
    """An image, a window, and what windows of this kind may have."""
    sides = [draw(st.integers(4, 6)) for _ in range(ndim)]
    x = draw(arrays(dtypes, (2, 2, *sides), **TAME))
    kernel = draw(st.integers(2, 3))
    keywords = {"stride": draw(ONE_TO_TWO)}
    if kind != "lp":  # there PyTorch counts the last window as if it were full
        keywords["ceil_mode"] = draw(st.booleans())
        keywords["padding"] = draw(st.integers(0, 1))
    if kind == "max":
        keywords["dilation"] = draw(ONE_TO_TWO) if kernel == 2 else 1
    if kind == "avg":
        keywords["count_include_pad"] = draw(st.booleans())
    norm = [draw(st.sampled_from([1.0, 2.0, 3.0]))] if kind == "lp" else []
    return (np.abs(x) if norm else x, *norm, kernel), keywords


@st.composite
def with_indices(draw, ndim):
    """Images without equal elements, for where the largest stands."""
    (x, kernel), keywords = draw(pooled(ndim, "max"))
    order = np.asarray(draw(st.permutations(range(x.size))))
    return (order.reshape(x.shape).astype(x.dtype), kernel), keywords


def indexed(name):
    return lambda *args, **kw: torched(name)(*args, return_indices=True, **kw)


@st.composite
def adaptive(draw, ndim):
    sides = [draw(st.integers(1, 6)) for _ in range(ndim)]
    x = draw(arrays(FLOATS, (2, 2, *sides), **TAME))
    return (x, draw(st.integers(1, 3))), {}


@st.composite
def resized(draw):
    mode, ndim = draw(
        st.sampled_from(
            [
                ("nearest", 1),
                ("nearest", 2),
                ("nearest-exact", 1),
                ("linear", 1),
                ("bilinear", 2),
                ("trilinear", 3),
                ("bicubic", 2),
            ]
        )
    )
    sides = [draw(st.integers(2, 5)) for _ in range(ndim)]
    x = draw(arrays(FLOATS, (1, 2, *sides), **TAME))
    keywords = {"size": [draw(st.integers(1, 7)) for _ in range(ndim)], "mode": mode}
    if "linear" in mode or mode == "bicubic":
        keywords["align_corners"] = draw(st.booleans())
    return (x,), keywords


@st.composite
def sampled(draw):
    dtype = same(draw)
    x = draw(arrays(dtype, (2, 2, 3, 4), **TAME))
    # Away from the middle between two elements, where rounding decides.
    eighths = st.integers(-11, 11).map(lambda n: n / 8 + 1 / 64)
    grid = draw(hnp.arrays(dtype[0], (2, 3, 2, 2), elements=eighths))
    return (x, grid), {
        "mode": draw(st.sampled_from(["bilinear", "nearest"])),
        "padding_mode": draw(st.sampled_from(["zeros", "border", "reflection"])),
        "align_corners": draw(st.booleans()),
    }


@st.composite
def attended(draw):
    dtype = same(draw)
    sizes = [(2, 3, 4), (2, 5, 4), (2, 5, 6)]
    operands = [draw(arrays(dtype, s, **TAME)) for s in sizes]
    kind = draw(st.sampled_from(["none", "causal", "boolean", "added"]))
    if kind == "boolean":
        mask = draw(arrays(BOOL, (3, 5)))
        mask[:, 0] = True  # every query has a key
        operands.append(mask)
    if kind == "added":
        operands.append(draw(arrays(dtype, (3, 5), **TAME)))
    return tuple(operands), {"is_causal": kind == "causal"}


@st.composite
def classified(draw, *, smooth=False, logs=False):
    """Scores of three classes, targets, perhaps weights, and settings."""
    dtype = same(draw)
    x = draw(arrays(dtype, (4, 3), **TAME))
    targets = draw(hnp.arrays("int64", 4, elements=st.integers(0, 2)))
    targets[0] = 1  # one that no setting ignores
    operands = [-np.abs(x) if logs else x, targets]
    if draw(st.booleans()):
        operands.append(draw(arrays(dtype, (3,), low=0.5, high=2.0, special=False)))
    keywords = {
        "reduction": draw(REDUCTION),
        "ignore_index": draw(st.sampled_from([0, 2])),
    }
    if smooth:
        keywords["label_smoothing"] = draw(st.sampled_from([0.0, 0.125]))
    return tuple(operands), keywords


@st.composite
def spelled(draw):
    dtype = same(draw)
    scores = draw(arrays(dtype, (6, 2, 4), **TAME))
    logs = scores - np.log(np.exp(scores).sum(-1, keepdims=True))
    targets = draw(hnp.arrays("int64", (2, 3), elements=st.integers(1, 3)))
    lengths = draw(hnp.arrays("int64", 2, elements=st.integers(5, 6)))
    labels = draw(hnp.arrays("int64", 2, elements=st.integers(1, 3)))
    return (logs, targets, lengths, labels), {
        "reduction": draw(REDUCTION),
        "zero_infinity": draw(st.booleans()),
    }


@st.composite
def likelihoods(draw):
    dtype = same(draw)
    x = draw(arrays(dtype, (3, 4), **TAME))
    target = draw(arrays(dtype, (3, 4), low=0.125, high=1.0, special=False))
    log_target = draw(st.booleans())
    return (x, np.log(target) if log_target else target), {
        "log_target": log_target,
        "reduction": draw(REDUCTION),
    }


@st.composite
def chances(draw, *, logits=False):
    dtype = same(draw)
    low, high = (-8.0, 8.0) if logits else (0.125, 0.875)
    x = draw(arrays(dtype, (3, 4), low=low, high=high, special=False))
    target = draw(arrays(dtype, (3, 4), low=0.0, high=1.0, special=False))
    return (x, target), {"reduction": draw(REDUCTION)}


@st.composite
def looked_up(draw):
    weight = draw(arrays(FLOATS, (4, 3)))
    return (draw(hnp.arrays("int64", shapes(), elements=st.integers(0, 3))), weight), {}


@st.composite
def encoded(draw):
    return (draw(hnp.arrays("int64", shapes(1), elements=st.integers(0, 3))), 4), {}


def batch_norm(x, mean=None, var=None, weight=None, bias=None):
    return torched("batch_norm")(
        x, mean, var, weight, bias, training=mean is None, eps=1e-5
    )


def loss(name, **settings):
    return case(name, drawn((3, 4), (3, 4), reduction=REDUCTION, **settings))


def logsumexp(x, **axes):
    return np.asarray(np.log(np.sum(np.exp(x), **axes)), dtype=x.dtype)


def per_axis(name, make):
    """The cases of one to three axes: `conv1d`, `conv2d`, `conv3d`."""
    return {f"nn.{name}{ndim}d": make(f"{name}{ndim}d", ndim) for ndim in (1, 2, 3)}


TABLE = {
    "nn.batch_norm": case(
        batch_norm,
        st.one_of(
            drawn((4, 3, 2)),
            drawn((4, 3, 2), (3,), (3,), (3,), (3,), low=0.5, optional=2),
        ),
        needs="torch",
    ),
    "nn.binary_cross_entropy": case("binary_cross_entropy", chances()),
    "nn.binary_cross_entropy_with_logits": case(
        "binary_cross_entropy_with_logits", chances(logits=True)
    ),
    "nn.celu": activation("celu", SETTING),
    "nn.cross_entropy": case("cross_entropy", classified(smooth=True)),
    "nn.ctc_loss": case("ctc_loss", spelled(), ulps=512),
    "nn.elu": activation("elu", SETTING),
    "nn.embedding": case("embedding", looked_up()),
    "nn.fold": case(
        "fold",
        drawn(
            (2, 8, 9),
            output_size=st.just((4, 4)),
            kernel_size=st.just((2, 2)),
        ),
    ),
    "nn.gelu": case(
        "gelu",
        call(
            arrays(FLOATS, **WIDE | {"special": False}),
            approximate=st.sampled_from(["none", "tanh"]),
        ),
    ),
    "nn.glu": case("glu", halves()),
    "nn.grid_sample": case("grid_sample", sampled(), ulps=512),
    "nn.group_norm": case(
        torched("group_norm"),
        st.builds(
            lambda c, n: ((c[0][0], n, *c[0][1:]), {}),
            drawn((2, 4, 3), (4,), (4,), optional=2),
            st.sampled_from([1, 2]),
        ),
        ulps=4096,
        needs="torch",
    ),
    "nn.hard_shrink": activation("hardshrink", SETTING),
    "nn.hard_sigmoid": activation("hardsigmoid"),
    "nn.hard_swish": activation("hardswish", special=False, scale=16.0),
    "nn.hardtanh": activation("hardtanh", st.just(-0.5), st.just(2.0)),
    "nn.huber_loss": loss("huber_loss", delta=SETTING),
    "nn.instance_norm": case(
        lambda x, weight=None, bias=None: torched("instance_norm")(
            x, weight=weight, bias=bias
        ),
        drawn((2, 3, 4), (3,), (3,), optional=2),
        ulps=4096,
        needs="torch",
    ),
    "nn.interpolate": case("interpolate", resized(), ulps=512),
    "nn.kl_div": case("kl_div", likelihoods()),
    "nn.l1_loss": loss("l1_loss"),
    "nn.layer_norm": case(
        lambda x, *rest: torched("layer_norm")(x, (4,), *rest),
        drawn((2, 3, 4), (4,), (4,), optional=2),
        ulps=4096,
        ours=lambda x, *rest: tv.nn.layer_norm(x, 4, *rest),
        needs="torch",
    ),
    "nn.leaky_relu": activation("leaky_relu", SETTING),
    "nn.linear": case("linear", drawn((2, 3, 4), (5, 4), (5,), optional=1)),
    "nn.log_sigmoid": activation("logsigmoid", special=False, scale=1e-30),
    "nn.log_softmax": case("log_softmax", rows()),
    "nn.logsumexp": case(
        logsumexp, reduced(FLOATS, empty=False, **WIDE | {"special": False})
    ),
    "nn.mish": activation("mish", special=False),
    "nn.mse_loss": loss("mse_loss"),
    "nn.nll_loss": case("nll_loss", classified(logs=True)),
    "nn.one_hot": case("one_hot", encoded(), dtype=False, ulps=None),
    "nn.prelu": case("prelu", drawn((2, 3, 4), (3,))),
    "nn.quiet_softmax": case(quiet_softmax, rows()),
    "nn.relu": activation("relu"),
    "nn.relu6": activation("relu6"),
    "nn.rms_norm": case(
        lambda x, *rest: torched("rms_norm")(x, (4,), *rest),
        drawn((2, 3, 4), (4,), low=0.5, optional=1),
        ours=lambda x, *rest: tv.nn.rms_norm(x, 4, *rest),
        needs="torch",
    ),
    "nn.scaled_dot_product_attention": case("scaled_dot_product_attention", attended()),
    "nn.selu": activation("selu"),
    "nn.shrink": activation(shrink, SETTING, SETTING, special=False),
    "nn.sigmoid": activation("sigmoid", scale=1e-30),
    "nn.silu": activation("silu", special=False),
    "nn.smooth_l1_loss": loss("smooth_l1_loss", beta=SETTING),
    "nn.soft_shrink": activation("softshrink", SETTING, scale=16.0),
    "nn.softmax": case("softmax", rows()),
    "nn.softmin": case("softmin", rows()),
    "nn.softplus": activation(lambda x: np.logaddexp(x, np.zeros_like(x))),
    "nn.softsign": activation("softsign", special=False),
    "nn.tanhshrink": activation("tanhshrink", scale=16.0),
    "nn.threshold": activation("threshold", SETTING, SETTING),
    "nn.thresholded_relu": activation(
        lambda x, alpha: np.where(x > alpha, x, 0).astype(x.dtype),
        SETTING,
        special=False,
    ),
    "nn.unfold": case(
        "unfold",
        drawn(
            (2, 2, 4, 5),
            kernel_size=st.just((2, 3)),
            dilation=ONE_TO_TWO,
            padding=st.just(1),
            stride=ONE_TO_TWO,
        ),
    ),
    **per_axis("conv", lambda name, n: case(name, convolved(n), ulps=256)),
    **per_axis(
        "conv_transpose",
        lambda name, n: case(name, convolved(n, transposed=True), ulps=256),
    ),
    **per_axis("max_pool", lambda name, n: case(name, pooled(n, "max"))),
    **per_axis("avg_pool", lambda name, n: case(name, pooled(n, "avg"))),
    **per_axis("adaptive_avg_pool", lambda name, n: case(name, adaptive(n))),
    **per_axis("adaptive_max_pool", lambda name, n: case(name, adaptive(n))),
    **{
        f"nn.max_pool{n}d_with_indices": case(
            indexed(f"max_pool{n}d"), with_indices(n), ulps=None, needs="torch"
        )
        for n in (1, 2, 3)
    },
    **{f"nn.lp_pool{n}d": case(f"lp_pool{n}d", pooled(n, "lp")) for n in (1, 2)},
}
