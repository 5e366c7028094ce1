"""Two devices: arrays stay where they are, and every op runs where its operands are."""

import pytest

import trivet as tv
from trivet.contract import OPS, Device

FIRST, SECOND = Device("cuda", 0), Device("cuda", 1)


@pytest.fixture
def cuda(make):
    return make(devices=2)


@pytest.fixture
def second(cuda):
    return tv.asarray([[1.0, 2.0], [3.0, 4.0]], backend=cuda, device="cuda:1")


def test_devices_are_counted_and_the_first_is_the_default(cuda):
    assert cuda.devices() == (FIRST, SECOND)
    assert cuda.default_device == FIRST


def test_tensors_are_made_on_the_device_that_is_named(cuda):
    made = [
        tv.asarray([1, 2], backend=cuda, device="cuda:1"),
        tv.zeros(2, backend=cuda, device="cuda:1"),
        tv.arange(3, backend=cuda, device="cuda:1"),
        tv.eye(2, backend=cuda, device="cuda:1"),
    ]

    assert {tensor.device for tensor in made} == {SECOND}


OPS_ON_ONE = {
    "elementwise": lambda x: tv.exp(x) + 1,
    "division": lambda x: x // 0.3,
    "matmul": lambda x: x @ x,
    "reduction": lambda x: x.sum(axis=0),
    "derived": tv.std,
    "indexing": lambda x: x[0, 1:],
    "joining": lambda x: tv.concat([x, x]),
    "number first": lambda x: 1 - x,
    "where": lambda x: tv.where(x > 2, 1.0, x),
    "sorting": tv.sort,
    "astype": lambda x: tv.astype(x, tv.int32),
    "inverse": tv.linalg.inv,
    "equations": lambda x: tv.linalg.solve(x, x),
    "singular values": tv.linalg.svdvals,
    "eigenvalues": tv.linalg.eigvals,
    "least squares": lambda x: tv.linalg.lstsq(x, x)[0],
    "determinant": tv.linalg.det,
    "norm": lambda x: tv.linalg.matrix_norm(x, ord=1),
    "diagonal": tv.linalg.diagonal,
    "fourier": tv.fft.fftn,
    "fourier back": lambda x: tv.fft.irfftn(tv.fft.rfftn(x)),
    "statistics": lambda x: tv.quantile(x, 0.3, axis=0),
    "selection": lambda x: tv.topk(x, 1)[0],
    "sets": tv.unique_values,
    "einsum": lambda x: tv.einsum("ij,jk->ik", x, x),
    "activation": tv.nn.gelu,
    "padding": lambda x: tv.pad(x, 1),
}
MADE = {
    "normal": lambda **where: tv.random.Generator(1, **where).normal(3),
    "gamma": lambda **where: tv.random.Generator(1, **where).gamma(2.0, shape=3),
    "poisson": lambda **where: tv.random.Generator(1, **where).poisson(4.0, shape=3),
    "permutation": lambda **where: tv.random.Generator(1, **where).permutation(3),
    "frequencies": lambda **where: tv.fft.fftfreq(4, **where),
    "line": lambda **where: tv.linspace(0, 1, 3, **where),
}


@pytest.mark.parametrize("make_one", MADE.values(), ids=MADE)
def test_derived_creation_runs_on_the_device_that_is_named(
    cuda, standin, compiler, make_one
):
    standin.cuda.COUNTS.clear()

    made = make_one(backend=cuda, device="cuda:1")

    assert made.device == SECOND
    assert standin.cuda.COUNTS["launches on 0"] == 0


def test_special_functions_run_on_the_device_of_their_operands(cuda, standin, second):
    pytest.importorskip("scipy.special", reason="the stand-in takes SciPy's values")
    standin.cuda.COUNTS.clear()

    found = [tv.special.gammaln(second), tv.special.i0e(second)]
    found += [tv.special.gammainc(0.5, second), tv.special.betainc(1, second, 0.5)]

    assert {tensor.device for tensor in found} == {SECOND}
    assert standin.cuda.COUNTS["launches on 0"] == 0


def test_every_op_that_takes_handles_runs_where_they_are(cuda):
    # facts about a handle launch nothing
    unplaced = [
        op.name
        for op in OPS.values()
        if next(iter(op.signature.parameters), None) in {"x", "x1", "arrays"}
        and "on_their_device" not in _layers(getattr(cuda, op.name))
    ]

    assert unplaced == ["dtype", "device", "dlpack_device"]


def _layers(function):
    names = [function.__qualname__.rpartition(".")[2]]
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
        names.append(getattr(function, "__name__", ""))
    return names


@pytest.mark.parametrize("op", OPS_ON_ONE)
def test_ops_run_on_the_device_of_their_operands(cuda, standin, second, op):
    standin.cuda.COUNTS.clear()

    result = OPS_ON_ONE[op](second)

    assert result.device == SECOND
    assert standin.cuda.COUNTS["launches on 1"] > 0
    assert standin.cuda.COUNTS["launches on 0"] == 0


def test_the_current_device_is_as_before_after_an_op(cuda, standin, second):
    tv.exp(second)

    assert standin.cuda.current() == 0


def test_operands_of_two_devices_are_refused_with_both_remedies(cuda, second):
    first = tv.asarray([1.0, 2.0], backend=cuda)

    with pytest.raises(tv.errors.DeviceMismatchError) as raised:
        tv.add(first, second)

    text = str(raised.value)
    assert "cuda:0" in text
    assert "cuda:1" in text
    assert "to_device" in text


def test_to_device_copies_after_waiting_for_the_source(cuda, standin, second):
    standin.cuda.COUNTS.clear()

    moved = second.to_device("cuda:0")

    assert moved.device == FIRST
    assert moved.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert standin.cuda.COUNTS["waits"] == 2  # for the source, and for tolist


def test_to_device_gives_the_same_handle_where_it_is_already(cuda, second):
    handle = cuda.copy(cuda.zeros(shape=(2,), dtype=tv.float32, device=SECOND))

    assert cuda.to_device(handle, device=SECOND) is handle


def test_memory_stats_are_of_the_device_that_is_named(cuda):
    assert cuda.memory_stats(SECOND)["used"] == 101


def test_support_tells_derived_from_native_behind_the_guards(make):
    one, two = make(devices=1), make(devices=2)

    assert {op: two.support(op) for op in OPS} == {op: one.support(op) for op in OPS}
