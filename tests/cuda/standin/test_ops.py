"""The backend's ops give the contract's values through CuPy's interface."""

import math

import pytest

from trivet import dtypes
from trivet.contract import OPS

NAN, INF = math.nan, math.inf
ALL = [op.name for op in OPS.values() if op.tier == "required"]
# what CuPy has no way to do, with the reason; the README says the same
MISSING = {"write_arrays": "the order in which repeated indices are set is open"}
OWN_BODIES = ["mean", "var", "std", "vecdot", "tensordot", "clip", "softmax"]


@pytest.fixture
def put(cuda):
    """Makes an array of Python numbers."""

    def array(values, dtype="float32", device=None):
        import numpy as np

        host = np.asarray(values, dtype)
        return cuda.from_host(
            host.tobytes(),
            shape=host.shape,
            dtype=dtypes.as_dtype(dtype),
            device=device or cuda.default_device,
        )

    return array


def values(x):
    """What an array holds, exactly: NaN equals itself, -0.0 is not 0.0."""
    return x.dtype.name, repr(x.get().tolist())


@pytest.mark.parametrize("op", ALL)
def test_every_required_op_is_native(cuda, op):
    assert cuda.support(op) == "native"


@pytest.mark.parametrize("op", OWN_BODIES)
def test_ops_that_cupy_lacks_are_derived(cuda, op):
    assert cuda.support(op) == "derived"


def test_no_op_is_missing_but_those_with_a_reason(cuda):
    assert [op for op in OPS if cuda.support(op) == "missing"] == list(MISSING)


def test_bound_functions_are_cupys_own(cuda, standin):
    assert cuda.add is standin.add
    assert cuda.exp is standin.exp


def test_loops_of_bound_ufuncs_cover_the_dtypes_of_the_contract(cuda, standin):
    np = pytest.importorskip("numpy")
    chars = {
        "bool": "?",
        "signed integer": "bhil",
        "unsigned integer": "BHIL",
        "real floating": "efd",
        "complex floating": "FD",
    }

    lacking = [
        (op.name, char)
        for op in OPS.values()
        if isinstance(cuda.__dict__.get(op.name), standin.ufunc)
        for kind in op.kinds
        for char in chars[kind]
        if not any(
            all(np.can_cast(char, taken) for taken in loop.split("->")[0])
            for loop in cuda.__dict__[op.name].types
        )
    ]

    assert lacking == []


def test_dtypes_are_the_standards_and_float16(cuda):
    found = cuda.dtypes(cuda.default_device)

    assert set(found) == {*dtypes.STANDARD, dtypes.float16}


@pytest.mark.parametrize("dtype", [str(d) for d in dtypes.STANDARD])
def test_values_survive_the_way_to_the_device_and_back(cuda, put, dtype):
    x = put([[0, 1, 1], [1, 0, 1]], dtype)

    assert cuda.dtype(x) == dtypes.as_dtype(dtype)
    assert str(cuda.device(x)) == "cuda:0"
    back = cuda.from_host(
        cuda.to_host(x), shape=(2, 3), dtype=cuda.dtype(x), device=cuda.device(x)
    )
    assert values(back) == values(x)


def test_host_buffer_is_in_c_order_for_a_transposed_array(cuda, put):
    x = cuda.permute_dims(put([[1, 2], [3, 4]], "uint8"), axes=(1, 0))

    assert bytes(cuda.to_host(x)) == bytes([1, 3, 2, 4])


@pytest.mark.parametrize(
    "x1, x2, quotient, rest",
    [
        (1.0, 0.1, 9.0, math.fmod(1.0, 0.1)),  # 1.0 / 0.1 rounds to 10
        (-1.0, INF, -1.0, INF),
        (1.0, INF, 0.0, 1.0),
        (1.0, -INF, -1.0, -INF),
        (-7.0, 2.0, -4.0, 1.0),
        (7.0, -2.0, -4.0, -1.0),
        (6.0, -3.0, -2.0, -0.0),
        (0.0, 3.0, 0.0, 0.0),
        (-0.0, 3.0, -0.0, 0.0),
        (1.0, 0.0, INF, NAN),
        (-1.0, 0.0, -INF, NAN),
        (0.0, 0.0, NAN, NAN),
        (NAN, 1.0, NAN, NAN),
    ],
)
def test_division_of_floats_rounds_the_exact_quotient_down(
    cuda, put, x1, x2, quotient, rest
):
    first, second = put(x1, "float64"), put(x2, "float64")

    divided = cuda.floor_divide(first, second)
    left = cuda.remainder(first, second)

    assert values(divided) == ("float64", repr(quotient))
    assert values(left) == ("float64", repr(rest))


def test_division_of_integers_is_exact_beyond_floats(cuda, put):
    x = put([2**62 + 1, -(2**62) - 1], "int64")

    assert values(cuda.floor_divide(x, 2)) == ("int64", repr([2**61, -(2**61) - 1]))
    assert values(cuda.remainder(x, 2)) == ("int64", "[1, 1]")


@pytest.mark.parametrize("op", ["floor_divide", "remainder"])
def test_division_takes_a_python_number_on_either_side(cuda, put, op):
    x = put([2, 4], "int32")

    by_float = getattr(cuda, op)(x, 3.0)
    by_int = getattr(cuda, op)(9, x)

    assert by_float.dtype.name == "float64"
    assert by_int.dtype.name == "int32"


@pytest.mark.parametrize(
    "op, expected",
    [
        ("logical_and", [False, False, False, True]),
        ("logical_or", [False, True, True, True]),
        ("logical_xor", [False, True, True, False]),
    ],
)
def test_logic_takes_complex_numbers_by_whether_they_are_zero(cuda, put, op, expected):
    x1 = put([0, 0, 1j, 2], "complex64")
    x2 = put([0, 1j, 0, 1j], "complex64")

    assert values(getattr(cuda, op)(x1, x2)) == ("bool", repr(expected))


def test_not_takes_complex_numbers_by_whether_they_are_zero(cuda, put):
    x = put([0, 1j, NAN], "complex64")

    assert values(cuda.logical_not(x)) == ("bool", "[True, False, False]")


def test_setting_keeps_the_last_of_repeated_indices(cuda, put):
    rows = 50  # enough that chance would not get it right
    x = put([0.0, 0.0, 0.0])
    indices = put([0, 2] * rows, "int64")

    done = cuda.index_update(x, indices, put(range(2 * rows)), mode="set")

    assert values(done) == ("float32", "[98.0, 0.0, 99.0]")
    assert values(x) == ("float32", "[0.0, 0.0, 0.0]")


def test_setting_counts_negative_indices_from_the_end(cuda, put):
    x, indices = put([1.0, 2.0, 3.0]), put([2, -1], "int64")

    done = cuda.index_update(x, indices, put([7, 8]), mode="set")

    assert values(done) == ("float32", "[1.0, 2.0, 8.0]")


@pytest.mark.parametrize(
    "dtype, expected",
    [
        ("bool", [True, False, True]),
        ("int8", [-56, 0, 100]),  # 200 wraps
        ("uint8", [200, 0, 100]),
        ("int16", [200, 0, 100]),
        ("uint16", [200, 0, 100]),
        ("int32", [200, 0, 100]),
        ("uint32", [200, 0, 100]),
        ("int64", [200, 0, 100]),
        ("uint64", [200, 0, 100]),
        ("float16", [200.0, 0.0, 100.0]),
        ("float32", [200.0, 0.0, 100.0]),
        ("float64", [200.0, 0.0, 100.0]),
        ("complex64", [200 + 0j, 0j, 100 + 0j]),
        ("complex128", [200 + 0j, 0j, 100 + 0j]),
    ],
)
def test_adding_accumulates_over_repeated_indices(cuda, put, dtype, expected):
    x, indices = put([0, 0, 0], dtype), put([0, 2, 0], "int64")

    done = cuda.index_update(x, indices, put([100, 100, 100], dtype), mode="add")

    assert values(done) == (dtype, repr(expected))


@pytest.mark.parametrize(
    "mode, expected",
    [
        ("multiply", [24.0, 5.0, NAN]),
        ("minimum", [1.0, 5.0, NAN]),
        ("maximum", [4.0, 5.0, NAN]),
    ],
)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_combining_takes_repeated_indices_one_after_the_other(
    cuda, put, dtype, mode, expected
):
    x, indices = put([1, 5, 2], dtype), put([0, 2, 0, -3, -1], "int8")

    done = cuda.index_update(x, indices, put([2, NAN, 3, 4, 1], dtype), mode=mode)

    assert values(done) == (dtype, repr(expected))


@pytest.mark.parametrize("mode, expected", [("minimum", -(2**62)), ("maximum", 2**62)])
def test_extremes_of_int64_are_exact(cuda, put, mode, expected):
    x = put([0], "int64")

    done = cuda.index_update(
        x, put([0, 0], "int64"), put([-(2**62), 2**62], "int64"), mode=mode
    )

    assert values(done) == ("int64", repr([expected]))


def test_adding_negative_int64_is_exact(cuda, put):
    x = put([2**62], "int64")

    done = cuda.index_update(
        x, put([0, 0], "int64"), put([-1, -(2**61)], "int64"), mode="add"
    )

    assert values(done) == ("int64", repr([2**62 - 1 - 2**61]))


def test_setitem_leaves_the_original_alone(cuda, put):
    x = put([[1, 2], [3, 4]])

    done = cuda.setitem(x, put(9), key=(slice(None), 1))

    assert values(done) == ("float32", "[[1.0, 9.0], [3.0, 9.0]]")
    assert values(x) == ("float32", "[[1.0, 2.0], [3.0, 4.0]]")


def test_write_refuses_a_view_and_changes_what_owns_its_memory(cuda, put):
    x = put([1, 2, 3])
    owner = cuda.copy(x)
    view = cuda.getitem(owner, key=(slice(1, None),))

    assert cuda.write(view, put(9), key=(0,)) is False
    assert cuda.write(owner, put(9), key=(0,)) is True
    assert values(owner) == ("float32", "[9.0, 2.0, 3.0]")


@pytest.mark.parametrize(
    "descending, expected",
    [(False, [1, 4, 0, 2, 3]), (True, [3, 0, 2, 1, 4])],
)
def test_argsort_is_stable_in_both_orders_and_nan_is_largest(
    cuda, put, descending, expected
):
    x = put([2.0, 1.0, 2.0, NAN, 1.0])

    order = cuda.argsort(x, axis=0, descending=descending, stable=True)

    assert values(order) == ("int64", repr(expected))


def test_sort_keeps_the_order_of_equal_zeros_when_descending(cuda, put):
    x = put([0.0, -0.0, 1.0])

    done = cuda.sort(x, axis=0, descending=True, stable=True)

    assert values(done) == ("float32", "[1.0, 0.0, -0.0]")


@pytest.mark.parametrize("op", ["sort", "argsort"])
def test_sorting_nothing_gives_nothing(cuda, put, op):
    x = put([[], []])

    done = getattr(cuda, op)(x, axis=1, descending=False, stable=True)

    assert done.shape == (2, 0)


@pytest.mark.parametrize("side, expected", [("left", [0, 1]), ("right", [0, 3])])
def test_searchsorted_counts_what_comes_before(cuda, put, side, expected):
    found = cuda.searchsorted(put([1, 2, 2, 3]), put([0, 2]), side=side)

    assert values(found) == ("int64", repr(expected))


def test_variance_takes_a_correction_that_cupys_lacks(cuda, put):
    x = put([1, 2, 3, 4])

    assert values(cuda.var(x, axis=None, correction=1, keepdims=False)) == (
        "float32",
        repr(float(put(5 / 3).get())),
    )


def test_half_precision_sums_in_single_precision(cuda, put):
    x = cuda.full(
        shape=(4096,),
        fill_value=1.0,
        dtype=dtypes.float16,
        device=cuda.default_device,
    )

    total = cuda.sum(x, axis=None, dtype=None, keepdims=False)

    assert values(total) == ("float16", "4096.0")  # float16 alone stops at 2048


def test_running_sums_widen_small_integers_and_can_start_at_zero(cuda, put):
    x = put([100, 100, 100], "int8")

    total = cuda.cumulative_sum(x, axis=0, dtype=None, include_initial=True)
    product = cuda.cumulative_prod(x, axis=0, dtype=None, include_initial=False)

    assert values(total) == ("int64", "[0, 100, 200, 300]")
    assert values(product) == ("int64", "[100, 10000, 1000000]")


def test_random_bits_are_splitmix64(cuda, compiler):
    # the first outputs of Vigna's reference splitmix64.c for the seed 1234567
    reference = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
    ]

    bits = cuda.random_bits(key=1234567, shape=(2, 2), device=cuda.default_device)

    assert values(bits) == ("uint64", repr([reference[:2], reference[2:]]))


def test_random_bits_are_those_of_the_contracts_body(cuda, compiler):
    shape, device = (3, 5), cuda.default_device
    body = OPS["random_bits"].function

    for key in (0, 1, 2**63, 2**64 - 1):
        own = cuda.random_bits(key=key, shape=shape, device=device)
        derived = body(cuda, key=key, shape=shape, device=device)
        assert values(own) == values(derived)


def test_memory_stats_are_in_bytes_and_cover_pool_and_device(cuda):
    stats = cuda.memory_stats(cuda.default_device)

    assert stats == {"used": 100, "reserved": 200, "free": 300, "total": 400}


def test_freeing_unused_memory_asks_the_pool(cuda, standin):
    cuda.free_unused_memory(cuda.default_device)

    assert standin.cuda.COUNTS["frees"] == 1


@pytest.mark.parametrize("turned", [False, True])
def test_cupy_says_whether_a_reshape_copies(cuda, put, turned):
    x = put([[1.0, 2.0], [3.0, 4.0]])
    x = cuda.matrix_transpose(x) if turned else x

    assert cuda.reshape_is_view(x, shape=(4,)) is not turned
