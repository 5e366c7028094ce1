"""A backend whose shapes may not depend on values refuses and names another way."""

import pytest
from trivet_example import Example

import trivet as tv
from trivet.errors import UnsupportedOpError


class Static(Example):
    name = "static"
    data_dependent_shapes = False


@pytest.fixture(scope="module")
def x():
    return tv.tensor([3.0, 1.0, 3.0], backend=Static())


def test_namespace_tells_that_shapes_may_not_depend_on_values(x):
    info = x.__array_namespace__().__array_namespace_info__()

    assert info.capabilities()["boolean indexing"] is False
    assert info.capabilities()["data-dependent shapes"] is False


@pytest.mark.parametrize(
    "act, op, dtype, instead",
    [
        (lambda x: x[x > 2], "indexing", "bool", "Write tv.where(mask, x1, x2)"),
        (tv.nonzero, "nonzero", "float32", "Compute with the mask x != 0 itself"),
        (
            tv.unique_values,
            "unique_values",
            "float32",
            "Sort with tv.sort(x) and compare neighbours",
        ),
        (
            lambda x: tv.masked_select(x, x > 2),
            "masked_select",
            "bool",
            "Write tv.where(mask, x1, x2)",
        ),
        (
            lambda x: tv.bincount(tv.astype(x, tv.int64)),
            "bincount",
            "int64",
            "Sum tv.nn.one_hot(x, length) along axis 0",
        ),
    ],
)
def test_function_with_such_a_shape_is_refused(x, act, op, dtype, instead):
    with pytest.raises(UnsupportedOpError) as caught:
        act(x)

    assert str(caught.value) == (
        f"{op}: the shape of the result would depend on the values of {dtype}(3,) on "
        f"static/example:0, and this backend's shapes may not. {instead}, or move the "
        "tensor to another backend: .to_backend(...)."
    )


def test_shapes_that_are_known_stay_allowed(x):
    assert tv.where(x > 2, x, 0.0).tolist() == [3.0, 0.0, 3.0]
    assert x[tv.tensor([0, 2], backend=x.backend)].tolist() == [3.0, 3.0]
    assert tv.sort(x).tolist() == [1.0, 3.0, 3.0]
    rows, columns = tv.tril_indices(2, backend=x.backend)
    assert (rows.tolist(), columns.tolist()) == ([0, 1, 1], [0, 0, 1])
