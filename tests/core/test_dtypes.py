"""Dtypes: the promotion table, weak scalars, limits, names."""

import copy
import itertools
import pickle
import struct
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet import dtypes
from trivet.dtypes import (
    DTYPES,
    as_dtype,
    bfloat16,
    can_cast,
    complex64,
    complex128,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int64,
    isdtype,
    promote,
    uint8,
    weak_dtype,
)
from trivet.errors import DTypeError

# numpy.org/doc/stable/reference/arrays.promotion.html, the table of numpy.promote_types
TABLE = """
    b1  i1  i2  i4  i8  u1  u2  u4  u8  f2  f4  f8  c8  c16
    i1  i1  i2  i4  i8  i2  i4  i8  f8  f2  f4  f8  c8  c16
    i2  i2  i2  i4  i8  i2  i4  i8  f8  f4  f4  f8  c8  c16
    i4  i4  i4  i4  i8  i4  i4  i8  f8  f8  f8  f8  c16 c16
    i8  i8  i8  i8  i8  i8  i8  i8  f8  f8  f8  f8  c16 c16
    u1  i2  i2  i4  i8  u1  u2  u4  u8  f2  f4  f8  c8  c16
    u2  i4  i4  i4  i8  u2  u2  u4  u8  f4  f4  f8  c8  c16
    u4  i8  i8  i8  i8  u4  u4  u4  u8  f8  f8  f8  c16 c16
    u8  f8  f8  f8  f8  u8  u8  u8  u8  f8  f8  f8  c16 c16
    f2  f2  f4  f8  f8  f2  f4  f8  f8  f2  f4  f8  c8  c16
    f4  f4  f4  f8  f8  f4  f4  f8  f8  f4  f4  f8  c8  c16
    f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  f8  c16 c16
    c8  c8  c8  c16 c16 c8  c8  c16 c16 c8  c8  c16 c8  c16
    c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16
"""
PREFIX = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
ALL = list(DTYPES.values())
any_dtype = st.sampled_from(ALL)


def long(short):
    """The dtype of NumPy's short name, which counts bytes."""
    if short == "b1":
        return dtypes.bool
    return DTYPES[f"{PREFIX[short[0]]}{8 * int(short[1:])}"]


ROWS = [line.split() for line in TABLE.strip().splitlines()]
PROMOTIONS = [
    (long(first), long(second), long(result))
    for first, row in zip(ROWS[0], ROWS, strict=True)  # the first row is that of bool
    for second, result in zip(ROWS[0], row, strict=True)
]


@pytest.mark.parametrize("first, second, result", PROMOTIONS)
def test_promotion_is_numpys(first, second, result):
    assert promote(first, second) == result


@pytest.mark.parametrize(
    "other, result",
    [
        (dtypes.bool, bfloat16),
        (int8, bfloat16),
        (uint8, bfloat16),
        (dtypes.int16, float32),
        (int64, float64),
        (float16, float32),
        (float32, float32),
        (complex64, complex64),
    ],
)
def test_bfloat16_promotes_to_what_holds_both(other, result):
    assert promote(bfloat16, other) == promote(other, bfloat16) == result


@given(first=any_dtype, second=any_dtype)
def test_promotion_does_not_depend_on_the_order(first, second):
    assert promote(first, second) == promote(second, first)


@given(first=any_dtype, second=any_dtype)
def test_promoting_again_changes_nothing(first, second):
    joined = promote(first, second)

    assert promote(joined, first) == promote(joined, second) == joined


INTEGERS = [dtype for dtype in ALL if dtype.kind in dtypes.BITS]
FLOATS = [dtypes.bool, *(dtype for dtype in ALL if dtype.kind in dtypes.FLOATING)]


# An integer with a float is left out: NumPy's table is not associative there.
@pytest.mark.parametrize("group", [INTEGERS, FLOATS], ids=["integers", "floats"])
def test_promotion_within_a_group_does_not_depend_on_the_grouping(group):
    for a, b, c in itertools.product(group, repeat=3):
        assert promote(promote(a, b), c) == promote(a, promote(b, c))


@pytest.mark.parametrize(
    "dtype, scalar, result",
    [
        (dtypes.bool, True, dtypes.bool),
        (dtypes.bool, 2, int64),
        (dtypes.bool, 2.5, float64),
        (dtypes.bool, 2j, complex128),
        (int8, True, int8),
        (int8, 2, int8),
        (int8, 2.5, float64),
        (uint8, -1, uint8),
        (float16, 2.5, float16),
        (float32, 2, float32),
        (float32, 2.5, float32),
        (float32, 2j, complex64),
        (float64, 2j, complex128),
        (complex64, 2.5, complex64),
        (complex64, 2j, complex64),
    ],
)
def test_python_number_takes_the_dtype_of_the_array_if_its_kind_fits(
    dtype, scalar, result
):
    assert weak_dtype(dtype, scalar) == result


@given(first=any_dtype, second=any_dtype)
def test_can_cast_says_whether_the_second_holds_the_first(first, second):
    assert can_cast(first, second) == (promote(first, second) == second)


@pytest.mark.parametrize(
    "from_, to, answer",
    [
        (int8, dtypes.int16, True),
        (int8, uint8, False),
        (int64, float64, True),  # NumPy's "safe", though not every int64 is exact
        (int64, float32, False),
        (float64, complex64, False),
        (dtypes.bool, int8, True),
    ],
)
def test_can_cast_follows_the_safe_casts_of_numpy(from_, to, answer):
    assert can_cast(from_, to) is answer


def bits(code, pattern):
    """The float of a bit pattern, big end first."""
    return struct.unpack(f">{code}", bytes.fromhex(pattern))[0]


@pytest.mark.parametrize(
    "dtype, largest, smallest, above_one",
    [
        (float16, bits("e", "7bff"), bits("e", "0400"), bits("e", "3c01")),
        (bfloat16, bits("f", "7f7f0000"), bits("f", "00800000"), bits("f", "3f810000")),
        (float32, bits("f", "7f7fffff"), bits("f", "00800000"), bits("f", "3f800001")),
        (
            float64,
            sys.float_info.max,
            sys.float_info.min,
            1 + sys.float_info.epsilon,
        ),
    ],
)
def test_limits_of_floats_are_their_extreme_bit_patterns(
    dtype, largest, smallest, above_one
):
    limits = finfo(dtype)

    assert (limits.max, limits.min) == (largest, -largest)
    assert limits.smallest_normal == smallest
    assert limits.eps == above_one - 1
    assert (limits.bits, limits.dtype) == (dtype.bits, dtype)


def test_limits_of_a_complex_dtype_are_those_of_its_parts():
    assert finfo(complex64) == finfo(float32)
    assert finfo("complex128") == finfo(float64)


@pytest.mark.parametrize(
    "name, low, high",
    [
        ("int8", -128, 127),
        ("int64", -9223372036854775808, 9223372036854775807),
        ("uint8", 0, 255),
        ("uint64", 0, 18446744073709551615),
    ],
)
def test_limits_of_integers_are_those_of_their_width(name, low, high):
    limits = iinfo(name)

    assert (limits.min, limits.max) == (low, high)
    assert limits.dtype == DTYPES[name]


def test_limits_are_refused_for_the_other_kind():
    with pytest.raises(DTypeError) as of_integer:
        finfo(int8)
    with pytest.raises(DTypeError) as of_float:
        iinfo(float32)

    assert str(of_integer.value) == "finfo takes a floating dtype, not int8; use iinfo."
    assert (
        str(of_float.value) == "iinfo takes an integer dtype, not float32; use finfo."
    )


def test_limits_are_given_for_whatever_has_a_dtype():
    assert iinfo(SimpleNamespace(dtype=int8)).max == 127
    assert finfo(SimpleNamespace(dtype=float32)).dtype == float32


class Like:
    """A dtype of another library, which has a name or prints as one."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


@pytest.mark.parametrize(
    "obj, dtype",
    [
        ("float32", float32),
        (float32, float32),
        (int, int64),
        (float, float64),
        (complex, complex128),
        (bool, dtypes.bool),
        (SimpleNamespace(name="uint8"), uint8),
        (Like("torch.bfloat16"), bfloat16),
    ],
)
def test_dtype_is_understood_from_names_types_and_other_libraries(obj, dtype):
    assert as_dtype(obj) is dtype


@pytest.mark.parametrize("obj", ["float", "int32 ", "", None, 3.5, str])
def test_what_names_no_dtype_is_refused_with_the_list(obj):
    with pytest.raises(DTypeError) as error:
        as_dtype(obj)

    assert str(error.value) == (
        f"{obj!r} is not a dtype that Trivet knows. The dtypes are bool, int8, int16, "
        "int32, int64, uint8, uint16, uint32, uint64, float16, bfloat16, float32, "
        "float64, complex64, complex128."
    )


KINDS = {
    "bool": {"bool"},
    "signed integer": {"int8", "int16", "int32", "int64"},
    "unsigned integer": {"uint8", "uint16", "uint32", "uint64"},
    "real floating": {"float16", "bfloat16", "float32", "float64"},
    "complex floating": {"complex64", "complex128"},
}
KINDS["integral"] = KINDS["signed integer"] | KINDS["unsigned integer"]
KINDS["numeric"] = set(DTYPES) - {"bool"}


@pytest.mark.parametrize("kind", KINDS)
def test_isdtype_knows_the_members_of_each_kind_of_the_standard(kind):
    assert {name for name in DTYPES if isdtype(name, kind)} == KINDS[kind]


def test_isdtype_takes_dtypes_and_tuples():
    assert isdtype(int8, int8)
    assert not isdtype(int8, uint8)
    assert isdtype(int8, (float32, "signed integer"))
    assert not isdtype(int8, ())


def test_isdtype_refuses_a_kind_that_the_standard_does_not_have():
    with pytest.raises(DTypeError) as error:
        isdtype(int8, "integer")

    assert str(error.value).startswith(
        "'integer' is not a kind of dtype. The kinds are"
    )


def test_dtype_prints_its_name_and_survives_pickling_and_copying():
    assert (str(float32), repr(float32)) == ("float32", "trivet.float32")
    for dtype in ALL:
        assert pickle.loads(pickle.dumps(dtype)) is dtype
        assert copy.deepcopy(dtype) is dtype


def test_itemsize_is_what_an_element_takes_in_memory():
    codes = {"bool": "?", "int8": "b", "uint16": "H", "float16": "e", "float64": "d"}

    for name, code in codes.items():
        assert DTYPES[name].itemsize == struct.calcsize(code)
    assert complex128.itemsize == 16
    assert bfloat16.itemsize == 2


def test_dtype_cannot_be_changed():
    with pytest.raises(AttributeError) as error:
        float32.bits = 64

    assert str(error.value) == "a dtype cannot be changed: trivet.float32.bits"
