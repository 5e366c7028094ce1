"""The derived einsum, against sums written out."""

import pytest

A, B = [[1, 2], [3, 4]], [[5, 6], [7, 8]]
CUBE = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
PAIR = ((0, 1),)


def form(*inputs, to, path=PAIR):
    return {"inputs": inputs, "output": to, "path": path}


CASES = [
    ("einsum", ((A,),), form((0, 1), to=(1, 0), path=()), [[1, 3], [2, 4]]),
    ("einsum", ((A,),), form((0, 1), to=(), path=()), (10, "int64")),
    ("einsum", ((A,),), form((0, 0), to=(), path=()), (5, "int64")),
    ("einsum", ((A,),), form((0, 0), to=(0,), path=()), [1, 4]),
    ("einsum", ((CUBE,),), form((0, 0, 0), to=(0,), path=()), [1, 8]),
    ("einsum", ((CUBE,),), form((0, 1, 0), to=(1,), path=()), [7, 11]),
    ("einsum", ((A, B),), form((0, 1), (1, 2), to=(0, 2)), [[19, 22], [43, 50]]),
    ("einsum", ((A, B),), form((0, 1), (1, 2), to=(2, 0)), [[19, 43], [22, 50]]),
    ("einsum", ((A, B),), form((0, 1), (0, 1), to=()), (70, "int64")),
    ("einsum", ((A, B),), form((0, 1), (0, 1), to=(0,)), [17, 53]),
    ("einsum", ((A, B),), form((0, 1), (0, 1), to=(0, 1)), [[5, 12], [21, 32]]),
    ("einsum", ((A, [1, 10]),), form((0, 0), (1,), to=(1, 0)), [[1, 4], [10, 40]]),
    ("einsum", (([1.5], [2]),), form((0,), (0,), to=(0,)), [3.0]),
    (
        "einsum",
        ((([100], "int8"), ([2], "int8")),),
        form((0,), (0,), to=()),
        (-56, "int8"),
    ),
    (
        "einsum",
        ((A, B, [1, 1]),),
        form((0, 1), (1, 2), (2,), to=(0,), path=((1, 2), (0, 1))),
        [41, 93],
    ),
    ("einsum", ((([], "float64"), []),), form((0,), (0,), to=()), (0.0, "float64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("einsum") == {case[0] for case in CASES}
