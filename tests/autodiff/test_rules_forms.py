"""Every rule meets operands of every form: empty, of rank 0, repeated, and strided.

The tables of the families have cases of most forms; here is what they leave out, and
for each op that has no operands of some form the reason.
"""

from importlib import import_module
from typing import Any

import pytest
from numeric import (
    array,
    check,
    check_layout,
    derivative,
    fixed,
    listed,
    on,
    spread,
    variables_of,
)

import trivet as tv
from trivet.contract import OPS

UNIT = {"low": 0.1, "high": 0.9}
KEPT = {"keepdims": False}
ROWS = {"axis": (1,), **KEPT}
WINDOWS = {"window": (2,), "stride": (1,), "padding": ((0, 0),)}
NORM = {"axis": (1,), "eps": 0.001}
NO_COLUMNS = [(3, 0), (0, 0)]
PLANES = array(0, 2, 6)
NONE: Any = None
ELEMENTWISE_EMPTY = ("tan", "asin", "acos", "acosh", "atanh")
OF_TWO = ("beta", "betaln", "rel_entr", "kl_div", "xlogy", "xlog1py")
INTEGRALS = ("gammainc", "gammaincc", "gammainc_slope")
PAIRED_LOSSES = ("l1_loss", "binary_cross_entropy")
NANS = ("nanmean", "nanmax", "nanmin")

EMPTY = {
    **{op: [on(array(0, 3))] for op in ELEMENTWISE_EMPTY},
    **{op: [on(array(0, 3), array(3, **UNIT))] for op in OF_TWO},
    **{op: [on(array(0, 3), array(0, 3), reduction="none")] for op in PAIRED_LOSSES},
    "kl_div_loss": [on(array(0, 3), array(0, 3), log_target=False, reduction="none")],
    **{op: [on(array(0, 3), **ROWS)] for op in NANS},
    **{op: [on(array(0, 3), correction=0, **ROWS)] for op in ("nanvar", "nanstd")},
    **{
        op: [
            on(array(0, 3), dtype=None, **ROWS),
            on(array(0), axis=None, dtype=None, **KEPT),
        ]
        for op in ("nansum", "nanprod")
    },
    "to_device": [on(array(0, 3), device=None)],
    "where": [on([[True, False, True]], array(0, 3), array(3))],
    "broadcast_to": [on(array(1, 3), shape=(0, 3)), on(array(0), shape=(2, 0))],
    "tile": [on(array(0, 2), repetitions=(2, 1)), on(array(2, 1), repetitions=(0, 2))],
    "setitem": [
        on(array(3), array(0), key=(slice(0, 0, 1),)),
        on(array(0, 3), array(3), key=(slice(0, 0, 1),)),
    ],
    "setitem_arrays": [on(array(4), ([],), array(0), mode="add")],
    "take_along_axis": [on(array(0, 3), [[2, 0]], axis=1)],
    "tensordot": [
        on(array(2, 0), array(0, 3), axes=((1,), (0,))),
        on(array(0, 3), array(3, 2), axes=((1,), (0,))),
    ],
    "embedding": [
        on([], array(3, 2), padding_idx=None),
        on([1], array(3, 0), padding_idx=None),
    ],
    "svdvals": [on(array(0, 3)), on(array(0, 2, 2))],
    "eigvalsh": [on(array(0, 2, 2))],
    "lstsq": [on(array(0, 4, 2), array(0, 4, 1), 1e-10)],
    "matrix_power": [on(array(0, 2, 2), n=3), on(array(0, 0), n=2)],
    "cond": [on(array(0, 2, 2), p=2)],
    "cov": [on(array(0, 4), correction=1)],
    "corrcoef": [on(array(0, 4))],
    "quantile": [on(array(0, 3), array(2, **UNIT), axis=(1,), method="linear", **KEPT)],
    "nan_to_num": [on(array(0, 3), nan=0.0, posinf=1.0, neginf=-1.0)],
    "polygamma": [on(array(0, 3), n=1)],
    **{op: [on(array(1, 3, **UNIT), array(0, 3))] for op in INTEGRALS},
    "betainc": [on(array(1, 3, **UNIT), array(1, 3, **UNIT), array(0, 3))],
    "betainc_slope": [
        on(array(1, 3, **UNIT), array(1, 3, **UNIT), array(0, 3), place=1)
    ],
    "nll_loss": [on(array(0, 3), [], NONE, ignore_index=None, reduction="sum")],
    "binary_cross_entropy_with_logits": [
        on(array(0, 3), array(0, 3), NONE, reduction="sum")
    ],
    "group_norm": [on(array(0, 4, 2), array(4), array(4), num_groups=2, eps=0.1)],
    "group_norm_pulled": [
        on(array(0, 4, 2), array(0, 4, 2), array(4), num_groups=2, eps=0.1)
    ],
    "group_norm_weight_pulled": [
        on(array(0, 4, 2), array(0, 4, 2), num_groups=2, eps=0.1)
    ],
    "weighted_rows": [on(array(4, 0), [[0, 1]], array(1, 2))],
    "weighted_rows_transpose": [on(array(1, 0), [[0, 1]], array(1, 2), size=4)],
    "row_products": [on(array(1, 0), array(4, 0), [[0, 1]])],
    "max_pool_pulled": [
        on(array(0, 2, 5), PLANES, array(0, 2, 5), dilation=(1,), **WINDOWS)
    ],
    "instance_norm": [on(array(0, 2, 3), array(2), array(2), eps=0.1)],
    **{
        op: [on(array(0, 4), array(0, 4), array(4), **NORM)]
        + [on(array(*shape), array(*shape), array(0), **NORM) for shape in NO_COLUMNS]
        for op in ("layer_norm_pulled", "rms_norm_pulled")
    },
    **{
        op: [on(array(*shape), array(*shape), **NORM) for shape in NO_COLUMNS]
        for op in ("layer_norm_weight_pulled", "rms_norm_weight_pulled")
    },
    "layer_norm": [
        on(array(*shape), array(0), array(0), **NORM) for shape in NO_COLUMNS
    ],
    "rms_norm": [on(array(*shape), array(0), **NORM) for shape in NO_COLUMNS],
    **{
        op: [on(array(*shape), axis=1) for shape in NO_COLUMNS]
        for op in ("softmax", "log_softmax", "softmin", "quiet_softmax")
    },
    **{
        op: [on(array(*shape), array(*shape), axis=1) for shape in NO_COLUMNS]
        for op in ("softmax_pulled", "log_softmax_pulled")
    },
    "log_softmax_at": [on(array(0, 0), [])],
    "cross_entropy_slope": [on(array(0, 0), [], reduction="sum")],
    "cross_entropy": [
        on(
            array(0, 0),
            [],
            NONE,
            ignore_index=None,
            label_smoothing=0.0,
            reduction="sum",
        )
    ],
    "linear": [on(array(*shape), array(2, 0), array(2)) for shape in NO_COLUMNS],
    "gelu_pulled": [on(array(0, 3), array(0, 3), NONE, approximate="none")],
    "silu_pulled": [on(array(0, 3), array(0, 3), NONE)],
    "mish_pulled": [on(array(0, 3), array(0, 3), NONE)],
    "conv_transpose": [
        on(
            array(0, 1, 3),
            array(1, 2, 3),
            stride=(1,),
            padding=((0, 0),),
            dilation=(1,),
            groups=1,
            output_padding=(0,),
        )
    ],
    "sliding_windows": [on(PLANES, dilation=(1,), **WINDOWS)],
    "add_windows": [
        on(
            array(0, 1, 2, 3),
            size=(4,),
            stride=(1,),
            padding=((0, 0),),
            dilation=(1,),
        )
    ],
    "avg_pool": [on(PLANES, counted=((0, 0),), **WINDOWS)],
    "lp_pool": [on(PLANES, power=3, **WINDOWS)],
    "adaptive_avg_pool": [on(PLANES, size=(3,))],
    "adaptive_max_pool": [on(PLANES, size=(3,))],
    "interpolate": [
        on(PLANES, size=(4,), ratio=((6, 4),), mode="linear", align_corners=False)
    ],
    "interpolate_transpose": [
        on(PLANES, size=(4,), ratio=((4, 6),), mode="linear", align_corners=False)
    ],
    "grid_sample": [
        on(
            array(0, 2, 3, 4),
            array(0, 2, 2, 2),
            mode="bilinear",
            padding_mode="zeros",
            align_corners=False,
        )
    ],
    "diag": [on(array(0), k=0), on(array(0, 3), k=0)],
    "unfold_axis": [on(array(0, 5), axis=1, size=3, step=1)],
    "overlap_add": [on(array(0, 3, 4), hop_length=2)],
}

SCALARS = {
    "astype": [on(array(), dtype=tv.float64)],
    "std": [on(array(), axis=None, correction=0.0, **KEPT)],
    "roll": [on(array(), shift=(2,), axis=None)],
    "digamma": [on(array(low=0.5))],
    "gammaln": [on(array(low=0.5))],
    "erfinv": [on(array(low=-0.8, high=0.8))],
    "log_ndtr": [on(array())],
    "ndtri": [on(array(**UNIT))],
    "logit": [on(array(**UNIT))],
    "entr": [on(array(**UNIT))],
    "polygamma": [on(array(low=0.5), n=1)],
    "betaln": [on(array(low=0.5), array(3, low=0.5))],
    "beta": [on(array(low=0.5), array(3, low=0.5))],
    **{op: [on(array(low=0.5), array(low=0.5))] for op in INTEGRALS},
    "betainc": [on(array(low=0.5), fixed(3), array(**UNIT))],
    "betainc_slope": [on(array(low=0.5), fixed(3), array(**UNIT), place=0)],
    "xlogy": [on(array(low=0.5), array(3, low=0.5))],
    "xlog1py": [on(array(low=0.5), array(3, low=0.5))],
    "rel_entr": [on(array(low=0.5), array(3, low=0.5))],
    "kl_div": [on(array(low=0.5), array(3, low=0.5))],
    "nansum": [on(array(), axis=None, dtype=None, **KEPT)],
    "nanprod": [on(array(), axis=None, dtype=None, **KEPT)],
    "nanmean": [on(array(), axis=None, **KEPT)],
    "nanvar": [on(array(), axis=None, correction=0, **KEPT)],
    "nanstd": [on(array(), axis=None, correction=0, **KEPT)],
    "nanmax": [on(array(), axis=None, **KEPT)],
    "nanmin": [on(array(), axis=None, **KEPT)],
    "nanmedian": [on(array(), axis=None, **KEPT)],
    "median": [on(array(), axis=None, **KEPT)],
    "l1_loss": [on(array(), array(low=3.0, high=4.0), reduction="mean")],
    "binary_cross_entropy": [on(array(**UNIT), array(**UNIT), reduction="mean")],
    "binary_cross_entropy_with_logits": [
        on(array(), array(**UNIT), NONE, reduction="mean")
    ],
    "kl_div_loss": [on(array(), array(**UNIT), log_target=False, reduction="mean")],
    "dropout": [on(array(), p=0.5, key=7)],
    "einsum": [on((array(),), inputs=((),), output=(), path=())],
}
# Ops that have no operands of some form, by what they need instead.
AN_AXIS = (
    *("concat", "squeeze", "take", "index_update", "getitem_arrays", "repeat"),
    *("take_along_axis", "cumulative_sum", "cumulative_prod", "cumulative_max"),
    *("cumulative_min", "logcumsumexp", "diff", "sort", "vecdot", "cross", "glu"),
    *("softmax", "log_softmax", "softmin", "quiet_softmax", "softmax_pulled"),
    *("log_softmax_pulled", "cosine_similarity", "unfold_axis", "fftshift"),
    *("ifftshift", "diag", "bincount", "histogram", "overlap_add", "log_softmax_at"),
    *("cross_entropy", "cross_entropy_slope", "nll_loss", "ctc_loss", "linear"),
    *("layer_norm", "layer_norm_pulled", "layer_norm_weight_pulled", "rms_norm"),
    *("rms_norm_pulled", "rms_norm_weight_pulled", "batch_norm", "group_norm"),
    *("instance_norm", "embedding", "cov", "corrcoef", "channel_affine"),
    *("channel_products", "group_norm_pulled", "group_norm_weight_pulled"),
    *("weighted_rows", "weighted_rows_transpose", "row_products"),
)
MATRICES = (
    *("matrix_transpose", "tril", "triu", "matmul", "diagonal", "trace", "lu"),
    *("det", "slogdet", "inv", "solve", "cholesky", "qr", "svd", "svdvals", "eigh"),
    *("eigvalsh", "pinv", "lstsq", "expm", "matrix_power", "matrix_norm", "cond"),
    "scaled_dot_product_attention",
)
PLANES_OF_CHANNELS = (
    *("sliding_windows", "add_windows", "conv", "conv_transpose", "max_pool"),
    *("avg_pool", "lp_pool", "adaptive_avg_pool", "adaptive_max_pool"),
    "max_pool_pulled",
    *("interpolate", "interpolate_transpose", "grid_sample"),
)
NEVER_OF_RANK_0 = {*AN_AXIS, *MATRICES, *PLANES_OF_CHANNELS}
NEVER_EMPTY = {"ctc_loss"}  # a sequence has an element, and a class at least is blank
OF_ONE_SHAPE = {
    *("accumulate", "stack"),
    *(op for op in OPS if op.endswith("_pulled")),  # a cotangent is like its result
    *("l1_loss", "mse_loss", "huber_loss", "smooth_l1_loss", "kl_div_loss"),
    "binary_cross_entropy",
}


def cases_of(op):
    """The cases in the table of the op's family, and those here."""
    own = import_module(f"test_rules_{OPS[op].family}").CASES[op]
    return [*own, *EMPTY.get(op, ()), *SCALARS.get(op, ())]


# Of the others the tables have no cases: `complexes` compares them as functions.
COMPARED = [op.name for op in OPS.values() if op.differentiable and cases_of(op.name)]


def shapes_of(op):
    """For each case of an op, the shapes of its variables."""
    return [[x.shape for x in variables_of(case.operands)] for case in cases_of(op)]


@pytest.mark.parametrize("op", COMPARED)
def test_rule_is_compared_on_every_form_of_operands(op):
    cases = shapes_of(op)
    empty = any(0 in shape for shapes in cases for shape in shapes)
    scalar = any(() in shapes for shapes in cases)
    repeated = any(len(set(shapes)) > 1 for shapes in cases)
    several = any(len(shapes) > 1 for shapes in cases)

    assert empty != (op in NEVER_EMPTY)
    assert scalar != (op in NEVER_OF_RANK_0)
    assert repeated or not several or op in OF_ONE_SHAPE


@pytest.mark.parametrize("op, case", listed(EMPTY))
def test_empty_operands_have_empty_derivatives(backend, op, case):
    check(backend, op, case)


@pytest.mark.parametrize("op, case", listed(SCALARS))
def test_operands_of_rank_0_have_derivatives(backend, op, case):
    check(backend, op, case)


@pytest.mark.parametrize("op, case", [*listed(EMPTY), *listed(SCALARS)])
def test_derivative_forward_is_the_one_backward(backend, op, case):
    forward, backward = derivative(backend, op, case)

    assert forward == pytest.approx(backward, rel=1e-9, abs=1e-9)


def test_spread_elements_have_gaps_and_run_backwards():
    pytest.importorskip("trivet_ndarray")
    x = tv.reshape(tv.arange(12.0, dtype=tv.float64, backend="ndarray"), (3, 4))

    found = spread(x)

    assert found.tolist() == x.tolist()
    assert min(found.handle.strides) < 0
    assert not found.handle.flags.forc


@pytest.mark.parametrize("op, case", listed({op: cases_of(op) for op in COMPARED}))
def test_layout_in_memory_changes_no_derivative(op, case):
    pytest.importorskip(
        "trivet_ndarray"
    )  # elements of the example are one after another

    check_layout(tv.backend("ndarray"), op, case)
