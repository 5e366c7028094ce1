"""Integers, numbers, words and sequences are taken, or named when they are not."""

import numpy as np
import pytest

import trivet as tv
from trivet.arguments import flag, integer, items, option, real, scalar
from trivet.errors import (
    ArgumentError,
    AxisError,
    DeviceError,
    DTypeError,
    GradientError,
    ShapeError,
)


def message(call, error=ArgumentError):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("value", [3, True, np.int8(3), np.asarray(3)])
def test_integer_is_taken_from_what_counts_as_one(value):
    number = integer("eye", "k", value)

    assert type(number) is int
    assert number == int(value)


@pytest.mark.parametrize("value", [2.0, "2", None, [2], 1j, np.ones(2)])
def test_integer_names_the_argument_when_it_is_none(value):
    assert message(lambda: integer("eye", "k", value)) == (
        f"eye: k={value!r} is not an integer."
    )


@pytest.mark.parametrize("value", [2.5, 10**400, np.float32(2.5), np.asarray(2.5)])
def test_number_keeps_its_value(value):
    assert real("elu", "alpha", value) == value


@pytest.mark.parametrize("value", ["2.5", b"2", None, [2.5], 1j, np.ones(2)])
def test_number_is_named_when_it_is_none(value):
    assert message(lambda: real("elu", "alpha", value)) == (
        f"elu: alpha={value!r} is not a number."
    )


def test_scalar_may_be_complex_or_the_only_element():
    assert scalar("full", "fill_value", 1j) == 1j
    assert scalar("full", "fill_value", np.asarray(2.0)) == 2.0
    assert message(lambda: scalar("full", "fill_value", "x")) == (
        "full: fill_value='x' is not a number."
    )


def test_flag_is_true_or_false_and_nothing_else():
    assert flag("sum", "keepdims", np.True_) is True
    assert flag("sum", "keepdims", 0) is False
    assert message(lambda: flag("sum", "keepdims", "no")) == (
        "sum: keepdims='no' is neither True nor False."
    )


@pytest.mark.parametrize("value", ["full", ["reduced"], None, 1])
def test_word_that_is_no_option_is_refused_whatever_its_type(value):
    words = ("reduced", "complete", "raw")

    assert message(lambda: option("qr", "mode", value, words)) == (
        f"qr: mode={value!r} is not one of 'reduced', 'complete' and 'raw'."
    )


def test_items_are_those_of_any_sequence():
    assert items("stack", "arrays", range(2)) == [0, 1]
    assert message(lambda: items("stack", "arrays", 3)) == (
        "stack: arrays=3 is not a sequence; give a list or tuple."
    )


X = tv.asarray([[1.0, 2.0], [3.0, 4.0]])
WHOLE = tv.asarray([1, 2])


@pytest.mark.parametrize(
    "call, error, text",
    [
        (
            lambda: tv.nn.elu(X, "big"),
            ArgumentError,
            "elu: alpha='big' is not a number.",
        ),
        (
            lambda: tv.sum(X, keepdims="no"),
            ArgumentError,
            "sum: keepdims='no' is neither True nor False.",
        ),
        (
            lambda: tv.sum(X, axis=len),
            AxisError,
            f"sum: axis={len!r} is neither an int nor a sequence of ints.",
        ),
        (
            lambda: tv.roll(X, 1.5),
            ArgumentError,
            "roll: shift=1.5 is neither an int nor a sequence of ints.",
        ),
        (
            lambda: tv.zeros(2, device=0),
            DeviceError,
            'device=0 is neither a tv.Device nor a text, such as "cpu" or "cuda:1".',
        ),
        (
            lambda: tv.zeros((2**40, 2**40)),
            ShapeError,
            f"zeros: the shape {(2**40, 2**40)} has more elements than can be.",
        ),
        (
            lambda: tv.full(2, 1j, dtype="float32"),
            DTypeError,
            "full: the complex number 1j does not fit float32.",
        ),
        (
            lambda: tv.arange(tv.inf),
            ArgumentError,
            "arange: stop=inf is not finite.",
        ),
        (
            lambda: tv.quantile(X, "half"),
            ArgumentError,
            "quantile: q='half' is not a number.",
        ),
        (
            lambda: tv.bitwise_xor(WHOLE, 2.5),
            DTypeError,
            (
                "bitwise_xor: int64(2,) on ndarray/cpu and the number 2.5 come "
                "together as float64, which this op does not take; it takes bool or "
                "signed integer or unsigned integer. Cast one of them with "
                ".astype(...)."
            ),
        ),
    ],
)
def test_wrong_argument_is_named_with_its_function(call, error, text):
    assert message(call, error) == text


def test_number_is_refused_when_it_is_a_tracked_tensor():
    slope = tv.asarray(2.0, backend="autodiff(ndarray)").require_grad()

    for call in (lambda: real("elu", "alpha", slope), lambda: tv.nn.elu(X, slope)):
        assert message(call, GradientError) == (
            "elu: alpha is a tracked tensor, and no gradient flows to this argument. "
            "Call .item() on it for the number alone."
        )


def test_threshold_refuses_a_value_that_would_make_objects():
    assert message(lambda: tv.nn.threshold(X, 1.0, "low")) == (
        "threshold: value='low' is not a number."
    )
