"""The example backend itself: its required ops, on which all derived ones stand."""

import ast
import math
import sys
from pathlib import Path

import pytest
import trivet_example
from hypothesis import given
from hypothesis import strategies as st

from trivet.contract import OPS, Device
from trivet.dtypes import DTYPES, complex64, float32, float64, iinfo, int8
from trivet.errors import DTypeError, ShapeError

NAN, INF = math.nan, math.inf
T, F = True, False
LOWEST, HIGHEST = -(2**63), 2**63 - 1
TABLE = [[1, 2, 3], [4, 5, 6]]
FIRST = Device("example", 0)
UP = {"axis": 0, "descending": False, "stable": True}


def total(axis=None, dtype=None, *, keepdims=False):
    return {"axis": axis, "dtype": dtype, "keepdims": keepdims}


CASES = [
    (
        "full",
        (),
        {"shape": (2,), "fill_value": 0.1, "dtype": float32, "device": FIRST},
        ([0.10000000149011612] * 2, "float32"),
    ),
    (
        "full",
        (),
        {"shape": (), "fill_value": True, "dtype": int8, "device": FIRST},
        (1, "int8"),
    ),
    (
        "full",
        (),
        {"shape": (1,), "fill_value": 1, "dtype": complex64, "device": FIRST},
        DTypeError,
    ),
    (
        "full",
        (),
        {"shape": (1,), "fill_value": 128, "dtype": int8, "device": FIRST},
        OverflowError,
    ),
    (
        "arange",
        (),
        {"start": 5, "stop": 0, "step": -2, "dtype": int8, "device": FIRST},
        ([5, 3, 1], "int8"),
    ),
    (
        "arange",
        (),
        {"start": 0, "stop": 1, "step": 0.25, "dtype": float64, "device": FIRST},
        [0.0, 0.25, 0.5, 0.75],
    ),
    (
        "arange",
        (),
        {"start": 3, "stop": 0, "step": 1, "dtype": float64, "device": FIRST},
        [],
    ),
    (
        "astype",
        ([1.9, -1.9, 300.0, NAN, INF],),
        {"dtype": int8},
        ([1, -1, 44, 0, 0], "int8"),
    ),
    ("astype", ([0.0, NAN, 2.0],), {"dtype": DTYPES["bool"]}, [F, T, T]),
    ("astype", ([T, F],), {"dtype": float64}, [1.0, 0.0]),
    ("astype", ([1e39],), {"dtype": float32}, ([INF], "float32")),
    ("equal", ([1.0, NAN, 0.0], [1.0, NAN, -0.0]), {}, [T, F, T]),
    ("less", (([-1], "int64"), ([2**64 - 1], "uint64")), {}, [T]),
    ("where", ([[T], [F]], [1, 2], 0.5), {}, [[1.0, 2.0], [0.5, 0.5]]),
    ("add", ([HIGHEST], 1), {}, [LOWEST]),
    ("add", (([200], "uint8"), ([-100], "int8")), {}, ([100], "int16")),
    ("add", (([1], "int8"), 2.5), {}, [3.5]),
    ("add", ([T], [T]), {}, DTypeError),
    ("add", ([1, 2], [1, 2, 3]), {}, ShapeError),
    ("subtract", (1, ([2], "uint8")), {}, ([255], "uint8")),
    ("multiply", (([1e30], "float32"), 1e30), {}, ([INF], "float32")),
    (
        "divide",
        ([1.0, -1.0, 0.0, 1.0, NAN], [0.0, 0.0, 0.0, -0.0, 0.0]),
        {},
        [INF, -INF, NAN, -INF, NAN],
    ),
    ("divide", ([1, 2], 4), {}, [0.25, 0.5]),
    ("floor_divide", ([7, -7, 7, LOWEST], [2, 2, 0, -1]), {}, [3, -4, 0, LOWEST]),
    (
        "floor_divide",
        ([7.5, -7.5, 1.0, 0.0], [2.0, 2.0, 0.0, 0.0]),
        {},
        [3.0, -4.0, INF, NAN],
    ),
    ("remainder", ([7, -7, 7, 7], [3, 3, -3, 0]), {}, [1, 2, -2, 0]),
    (
        "remainder",
        ([7.5, -7.5, 1.0, -0.0], [2.0, 2.0, 0.0, 2.0]),
        {},
        [1.5, 0.5, NAN, 0.0],
    ),
    ("pow", ([2, -3, 3], [10, 3, 0]), {}, [1024, -27, 1]),
    ("pow", ([3], [100]), {}, [(3**100 - LOWEST) % 2**64 + LOWEST]),
    ("pow", ([2], [-1]), {}, ValueError),
    (
        "pow",
        ([NAN, 1.0, -8.0, 0.0, -0.0, -0.0], [0.0, NAN, 1 / 3, -1.0, -1.0, -2.0]),
        {},
        [1.0, 1.0, NAN, INF, -INF, INF],
    ),
    ("pow", ([10.0, -10.0, -10.0], [400.0, 401.0, 400.0]), {}, [INF, -INF, INF]),
    ("exp", ([0.0, 1000.0, -INF, NAN],), {}, [1.0, INF, 0.0, NAN]),
    ("exp", ([0],), {}, DTypeError),
    ("log", ([1.0, 0.0, -0.0, -1.0, INF],), {}, [0.0, -INF, -INF, NAN, INF]),
    ("sqrt", ([4.0, -0.0, -1.0, INF],), {}, [2.0, -0.0, NAN, INF]),
    ("floor", ([1.5, -1.5, -0.0, INF, 1e300],), {}, [1.0, -2.0, -0.0, INF, 1e300]),
    ("floor", ([3],), {}, [3]),
    ("sin", ([0.0, -0.0, INF],), {}, [0.0, -0.0, NAN]),
    ("cos", ([0.0, -INF],), {}, [1.0, NAN]),
    ("atan", ([-0.0, INF, NAN],), {}, [-0.0, math.pi / 2, NAN]),
    ("bitwise_and", ([-1, 12], 10), {}, [10, 8]),
    ("bitwise_xor", ([T, T], [T, F]), {}, [F, T]),
    ("bitwise_xor", ([1.0], [1.0]), {}, DTypeError),
    ("reshape", (TABLE,), {"shape": (3, 2)}, [[1, 2], [3, 4], [5, 6]]),
    ("permute_dims", ([TABLE],), {"axes": (2, 0, 1)}, [[[1, 4]], [[2, 5]], [[3, 6]]]),
    ("broadcast_to", ([[1], [2]],), {"shape": (2, 2, 2)}, [[[1, 1], [2, 2]]] * 2),
    ("concat", (([[1], [2]], [[3, 4], [5, 6]]),), {"axis": 1}, [[1, 3, 4], [2, 5, 6]]),
    ("concat", (([1], ([], "float32")),), {"axis": 0}, [1.0]),
    (
        "strided_slice",
        (TABLE,),
        {"start": (1, 2), "size": (2, 2), "step": (-1, -2)},
        [[6, 4], [3, 1]],
    ),
    ("take", (TABLE, [2, -3, 2]), {"axis": 1}, [[3, 1, 3], [6, 4, 6]]),
    ("take", (TABLE, [2]), {"axis": 0}, IndexError),
    ("index_update", (TABLE, [0, 0], TABLE), {"mode": "set"}, [[4, 5, 6], [4, 5, 6]]),
    (
        "index_update",
        (TABLE, [-1, 1], TABLE),
        {"mode": "add"},
        [[1, 2, 3], [9, 12, 15]],
    ),
    ("index_update", ([1, 2], [1, -1], [3, 4]), {"mode": "multiply"}, [1, 24]),
    ("index_update", ([1.0, 2.0], [1, 1], [3.0, NAN]), {"mode": "minimum"}, [1.0, NAN]),
    ("index_update", ([1, 5], [0, 1, 0], [3, 4, 2]), {"mode": "maximum"}, [3, 5]),
    ("index_update", ([T, F], [0, 0], [T, T]), {"mode": "add"}, [T, F]),
    ("sum", (TABLE,), total((0,), keepdims=True), [[5, 7, 9]]),
    ("sum", (([100, 100], "int8"),), total(), (200, "int64")),
    ("sum", (([100, 100], "int8"),), total(dtype=int8), (-56, "int8")),
    ("sum", ([T, T],), total(), (2, "int64")),
    ("sum", ([INF, -INF],), total(), (NAN, "float64")),
    ("sum", ([],), total(), (0.0, "float64")),
    ("prod", (TABLE,), total((1,)), [6, 120]),
    ("prod", ([],), total(), (1.0, "float64")),
    ("max", ([[1.0, NAN], [2.0, 3.0]],), {"axis": (1,), "keepdims": False}, [NAN, 3.0]),
    (
        "argmax",
        ([1.0, NAN, 3.0, NAN],),
        {"axis": None, "keepdims": False},
        (1, "int64"),
    ),
    ("argmax", ([[1, 3, 3], [9, 0, 0]],), {"axis": 1, "keepdims": True}, [[1], [0]]),
    ("argsort", ([2, 1, 2, 1],), UP, [1, 3, 0, 2]),
    ("argsort", ([2, 1, 2, 1],), UP | {"descending": True}, [0, 2, 1, 3]),
    ("argsort", ([NAN, 1.0, NAN, -INF],), UP, [3, 1, 0, 2]),
    ("argsort", ([[2, 1], [1, 2]],), UP, [[1, 0], [0, 1]]),
    ("matmul", (TABLE, [[1, 0], [0, 1], [1, 1]]), {}, [[4, 5], [10, 11]]),
    ("matmul", ([1, 2], [3, 4]), {}, (11, "int64")),
    ("matmul", (TABLE, [1, 1, 1]), {}, [6, 15]),
    ("matmul", ([1, 1], TABLE), {}, [5, 7, 9]),
    ("matmul", ([[[1, 2]], [[3, 4]]], [[1], [10]]), {}, [[[21]], [[43]]]),
    ("matmul", ([[], []], [1.0]), {}, ValueError),
    ("matmul", ([[], []], []), {}, [0.0, 0.0]),
    ("matmul", ([1.0, 0.0], [INF, 1.0]), {}, (INF, "float64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_required_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@pytest.mark.parametrize("name", [name for name in DTYPES if "complex" not in name])
def test_elements_come_back_from_host_memory_as_they_went(backend, name):
    if "float16" in name:  # the one kind of float that this backend lacks
        assert DTYPES[name] not in backend.dtypes(FIRST)
        return
    dtype = DTYPES[name]
    integers = dtype.kind in {"signed integer", "unsigned integer"}
    values = [iinfo(dtype).min, iinfo(dtype).max] if integers else [0, 1]
    data = b"".join(
        backend.to_host(
            backend.full(shape=(), fill_value=value, dtype=dtype, device=FIRST)
        )
        for value in values
    )

    x = backend.from_host(memoryview(data), shape=(2, 1), dtype=dtype, device=FIRST)

    assert len(data) == 2 * dtype.itemsize
    assert x.data == values
    assert x.shape == (2, 1)
    assert backend.to_host(x) == data


@given(st.lists(st.floats(width=32)))
def test_float32_survives_its_bytes_bit_by_bit(backend, grid, values):
    x = grid(values, "float32")

    assert backend.to_host(backend.copy(x)) == backend.to_host(x)


def test_every_required_op_has_a_case():
    required = {op.name for op in OPS.values() if op.tier == "required"}

    facts = {"dtype", "device", "from_host", "to_host"}
    assert required - facts == {case[0] for case in CASES}


STRANGER = ("trivet.contract", "trivet.dtypes", "trivet.errors", "trivet.shapes")


def imported_modules(tree):
    """The modules that a syntax tree imports, `from trivet import dtypes` included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module in {
            "trivet",
            "trivet_example",
        }:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize(
    "path",
    sorted(Path(trivet_example.__file__).parent.glob("*.py")),
    ids=lambda p: p.name,
)
def test_module_imports_only_what_a_stranger_may(path):
    names = list(imported_modules(ast.parse(path.read_text())))

    for name in names:
        root = name.split(".", maxsplit=1)[0]
        own = root == "trivet_example" or root in sys.stdlib_module_names
        assert own or name in STRANGER
