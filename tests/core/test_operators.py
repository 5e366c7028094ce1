"""Operators that are more than their op.

Those in place give the op's values in the same dtype and shape, for one holder.
"""

import operator

import pytest

import trivet as tv
from trivet.errors import DTypeError, ShapeError

BACKEND = "example"
# op in place, on the left, on the right, the result by Python's own numbers
NUMBERS = [
    (operator.iadd, 7.0, 2.0, 9.0),
    (operator.isub, 7.0, 2.0, 5.0),
    (operator.imul, 7.0, 2.0, 14.0),
    (operator.itruediv, 7.0, 2.0, 3.5),
    (operator.ifloordiv, 7.0, 2.0, 3.0),
    (operator.imod, 7.0, 2.0, 1.0),
    (operator.ipow, 7.0, 2.0, 49.0),
    (operator.iand, 6, 3, 2),
    (operator.ior, 6, 3, 7),
    (operator.ixor, 6, 3, 5),
    (operator.ilshift, 6, 3, 48),
    (operator.irshift, 6, 1, 3),
]


def tensor(values, dtype=None):
    return tv.tensor(values, dtype=dtype, backend=BACKEND)


@pytest.mark.parametrize("op, left, right, expected", NUMBERS)
def test_in_place_operator_gives_what_the_op_gives(op, left, right, expected):
    x = tensor([left, left])

    assert op(x, right).tolist() == [expected, expected]
    assert op(x, tensor(right)).tolist() == [expected, expected]
    assert op(x, tensor([right, right])).tolist() == [expected, expected]


def test_in_place_product_multiplies_matrices():
    x = tensor([[1.0, 2.0], [3.0, 4.0]])

    x @= tensor([[0.0, 1.0], [1.0, 0.0]])

    assert x.tolist() == [[2.0, 1.0], [4.0, 3.0]]


def test_in_place_operator_leaves_other_holders_alone():
    x = tensor([1.0, 2.0])
    other, view = x, x[:1]

    x += 10

    assert x.tolist() == [11.0, 12.0]
    assert other.tolist() == [1.0, 2.0]
    assert view.tolist() == [1.0]


def test_in_place_operator_on_a_part_writes_the_part():
    x = tensor([1.0, 2.0, 3.0])

    x[1:] *= 2

    assert x.tolist() == [1.0, 4.0, 6.0]


def test_in_place_operator_refuses_another_dtype():
    x = tensor([1.0], "float32")

    with pytest.raises(DTypeError) as caught:
        x += tensor([1.0], "float64")

    assert str(caught.value) == (
        "add: in place, float32(1,) on example/example:0 would become float64. An "
        "in-place operator keeps the dtype: write x = tv.add(x, y) for the result as "
        "it is, or cast the other operand with .astype(...)."
    )
    assert x.dtype == tv.float32


def test_in_place_division_of_integers_is_refused():
    x = tensor([1, 2])

    with pytest.raises(DTypeError, match=r"^divide: in place, int64\(2,\)"):
        x /= 2


def test_in_place_operator_refuses_another_shape():
    x = tensor([1.0])

    with pytest.raises(ShapeError) as caught:
        x *= tensor([1.0, 2.0])

    assert str(caught.value) == (
        "multiply: in place, float32(1,) on example/example:0 would get the shape "
        "(2,). An in-place operator keeps the shape: write x = tv.multiply(x, y) for "
        "the result as it is."
    )


def test_in_place_operator_leaves_strangers_to_themselves():
    class Stranger:
        def __radd__(self, other):
            return "theirs"

    x = tensor([1.0])

    x += Stranger()

    assert x == "theirs"


def test_divmod_gives_what_both_operators_give():
    x = tv.asarray([7, -7], backend="example")

    for numbers, found in (
        (((2, 1), (-3, 2)), divmod(x, 3)),
        (((1, 3), (-2, -4)), divmod(10, x)),
        (((1, 0), (1, 0)), divmod(x, x)),
    ):
        assert tuple(zip(*(part.tolist() for part in found), strict=True)) == numbers

    with pytest.raises(TypeError):
        divmod(x, "3")
