"""What only a GPU can show: that CuPy's kernels compute what the contract promises.

Each case is recorded, passed or not, so that the stand-in can be held to it. The whole
run takes a few minutes, most of them for compiling kernels.
"""

import math

import pytest

import trivet as tv
from trivet.contract import OPS

NAN, INF = math.nan, math.inf
CASES = {
    "1 // 0.1": (lambda t: t([1.0]) // 0.1, [9.0]),
    "-1 % inf": (lambda t: t([-1.0]) % INF, [INF]),
    "int // 2": (lambda t: t([2**62 + 1], tv.int64) // 2, [2**61]),
    "nan ** 0": (lambda t: t([NAN]) ** 0, [1.0]),
    "sign": (lambda t: tv.sign(t([-2.0, -0.0, NAN])), [-1.0, 0.0, NAN]),
    "round": (lambda t: tv.round(t([0.5, 1.5, 2.5, -0.5])), [0.0, 2.0, 2.0, -0.0]),
    "maximum": (lambda t: tv.maximum(t([NAN, 1.0]), t([1.0, NAN])), [NAN, NAN]),
    "logaddexp": (lambda t: tv.logaddexp(t([-INF, INF]), t([-INF, INF])), [-INF, INF]),
    "isinf complex": (lambda t: tv.isinf(t([complex(0, INF)], tv.complex64)), [True]),
    "not complex": (lambda t: tv.logical_not(t([0, 1j], tv.complex64)), [True, False]),
    "max of nan": (lambda t: t([1.0, NAN, 2.0]).max(), NAN),
    "argmax of ties": (lambda t: tv.argmax(t([1.0, 3.0, 3.0])), 1),
    "sum over no axis": (lambda t: tv.sum(t([1.0, 2.0]), axis=()), [1.0, 2.0]),
    "sum of nothing": (lambda t: tv.sum(t([])), 0.0),
    "float16 sum": (
        lambda t: tv.sum(tv.ones_like(t([0.0] * 4096, tv.float16))),
        4096.0,
    ),
    "sum of int8": (lambda t: tv.sum(t([100, 100], tv.int8)), 200),
    "argsort": (lambda t: tv.argsort(t([2.0, NAN, 1.0, 2.0])), [2, 0, 3, 1]),
    "argsort down": (
        lambda t: tv.argsort(t([2.0, 1.0, 2.0]), descending=True),
        [0, 2, 1],
    ),
    "sort of nothing": (lambda t: tv.sort(t([])), []),
    "empty inner axis": (
        lambda t: tv.reshape(t([]), (2, 0)) @ tv.reshape(t([]), (0, 2)),
        [[0.0, 0.0], [0.0, 0.0]],
    ),
    "matmul of ints": (
        lambda t: t([[2**31]], tv.int64) @ t([[2]], tv.int64),
        [[2**32]],
    ),
    "take from the end": (lambda t: tv.take(t([1.0, 2.0]), t([-1], tv.int64)), [2.0]),
    "running sum": (
        lambda t: tv.cumulative_sum(t([1.0, 2.0]), include_initial=True),
        [0.0, 1.0, 3.0],
    ),
    "uint64 and a large number": (
        lambda t: t([2], tv.uint64) * (2**63 + 1),
        [2],
    ),
    "int and float": (lambda t: t([1], tv.int64) + 0.5, [1.5]),
    "float32 stays": (lambda t: str((t([1.0], tv.float32) + 0.1).dtype), "float32"),
}


@pytest.fixture
def tensor(cuda):
    def made(values, dtype=tv.float64):
        return tv.asarray(values, dtype=dtype, backend=cuda)

    return made


def plain(value):
    return value.tolist() if isinstance(value, tv.Tensor) else value


@pytest.mark.parametrize("case", CASES)
def test_edge_case_gives_what_the_contract_says(tensor, record, case):
    compute, expected = CASES[case]

    found = plain(compute(tensor))

    record[case] = repr(found)
    assert repr(found) == repr(expected)


@pytest.mark.parametrize("mode, expected", [("set", [3.0, 4.0]), ("add", [4.0, 6.0])])
def test_scattering_treats_repeated_indices_alike_each_time(
    cuda, tensor, record, mode, expected
):
    x, values = tensor([0.0, 0.0]), tensor([1.0, 2.0, 3.0, 4.0])
    indices = tensor([0, 1, 0, 1], tv.int64)
    inner = cuda.index_update

    runs = {
        repr(inner(x.handle, indices.handle, values.handle, mode=mode).get().tolist())
        for _ in range(20)
    }

    record[f"index_update {mode}"] = sorted(runs)
    assert runs == {repr(expected)}


def test_random_kernel_gives_the_bits_of_the_contracts_body(cuda, record):
    wanted = {"key": 2**63 + 5, "shape": (1000,), "device": cuda.default_device}

    own = cuda.random_bits(**wanted)
    derived = OPS["random_bits"].function(cuda, **wanted)

    record["random_bits"] = own[:4].get().tolist()
    assert own.get().tolist() == derived.get().tolist()


@pytest.mark.parametrize("n", [64, 1000])
def test_matrix_product_is_close_to_the_exact_one(tensor, record, n):
    row = [(i * 7919 % 1000) / 1000 for i in range(n)]
    x = tensor([row], tv.float32)

    found = float((x @ x.mT)[0, 0])

    exact = math.fsum(value * value for value in row)
    record[f"matmul error at {n}"] = abs(found - exact) / exact
    assert found == pytest.approx(exact, rel=1e-5)


def test_freed_memory_goes_back_to_the_device(cuda, record):
    device = cuda.default_device
    array = cuda.zeros(shape=(1 << 20,), dtype=tv.float32, device=device)
    full = cuda.memory_stats(device)
    del array
    cuda.free_unused_memory(device)

    record["memory"] = {"before": full, "after": dict(cuda.memory_stats(device))}
    assert cuda.memory_stats(device)["reserved"] <= full["reserved"]
