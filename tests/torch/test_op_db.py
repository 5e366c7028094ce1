"""Gradients are those of PyTorch, on the samples of its own testing database.

`calls.CALLS` tells which ops both have. Values and gradients are compared in float64
for every sample whose arguments have a spelling in Trivet; the others are counted.
"""

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from calls import CALLS
from spelling import Unshared

import trivet as tv
from trivet.errors import AxisError, DTypeError
from trivet_autodiff import Autodiff

with warnings.catch_warnings():  # it calls functions that it deprecates
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db

Tracked = Callable[[tv.Tensor[Any]], tv.Tensor[Any]]

FEWEST, FEWEST_COMPLEX = 150, 100
MOST_SAMPLES = 40  # of one op, taken evenly from all of them
KNOWN = {op.name for op in op_db}
SHARED = [
    (op, dtype)
    for op in op_db
    for dtype in (torch.float64, torch.complex128)
    if op.name in CALLS and dtype in op.dtypes
]
# What both sides do to the first argument. Gradients by Hermitian matrices differ by
# parts that no such matrix sees. Trivet's gradient of `ctc_loss` is the slope
# of the function; PyTorch's is right after `log_softmax` only, and assumes it.
BEFORE: dict[str, Any] = {
    **dict.fromkeys(
        ("linalg.eigh", "linalg.eigvalsh", "linalg.cholesky", "cholesky"),
        lambda x: x + x.mH,
    ),
    "nn.functional.ctc_loss": lambda x: x.log_softmax(-1),
}
# What is compared of the results: signs of vectors are free, and so is what follows
# the solution.
RESULTS: dict[str, Any] = {
    "svd": lambda result: [y.abs() for y in result],
    "linalg.svd": lambda result: [y.abs() for y in result],
    "linalg.eigh": lambda result: [y.abs() for y in result],
    "linalg.lstsq": lambda result: result[0],
}
DTYPES = {
    torch.float64: tv.float64,
    torch.float32: tv.float32,
    torch.complex128: tv.complex128,
    torch.int64: tv.int64,
    torch.int32: tv.int32,
    torch.bool: tv.bool,
}


@dataclass
class Tally:
    """What was compared, and how many samples had no spelling."""

    real: dict[str, int] = field(default_factory=dict)
    complex: dict[str, int] = field(default_factory=dict)
    left_out: int = 0


@pytest.fixture(scope="module")
def tally() -> Tally:
    return Tally()


@pytest.fixture(scope="module")
def ad() -> Autodiff[Any]:
    return Autodiff(tv.backend("ndarray"))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NaN is compared too
@pytest.mark.parametrize(
    "op, dtype",
    SHARED,
    ids=[f"{op.name} {op.variant_test_name} {dtype}" for op, dtype in SHARED],
)
def test_gradients_are_those_of_pytorch(
    op: Any, dtype: torch.dtype, ad: Autodiff[Any], tally: Tally
):
    torch.manual_seed(0)
    found = tally.complex if dtype.is_complex else tally.real
    for sample in samples(op, dtype):
        try:
            ours, variables = called(op.name, sample, ad)
        except Unshared:
            tally.left_out += 1
            continue
        theirs, leaves = called_there(op, sample)

        assert_same("value", [y.detach() for y in ours], theirs, sample)
        compare_gradients(ours, variables, theirs, leaves, sample)
        found[op.name] = found.get(op.name, 0) + 1


def test_enough_ops_were_compared(tally: Tally, capsys: pytest.CaptureFixture[str]):
    with capsys.disabled():
        print(  # noqa: T201  # what the run was worth
            f"\n{len(tally.real)} ops and {sum(tally.real.values())} samples were "
            f"compared with PyTorch, and {len(tally.complex)} and "
            f"{sum(tally.complex.values())} of complex numbers; {tally.left_out} "
            "samples have no spelling"
        )

    assert len(tally.real) >= FEWEST
    assert len(tally.complex) >= FEWEST_COMPLEX


def test_calls_are_all_of_ops_that_pytorch_has():
    assert set(CALLS) <= KNOWN


def samples(op: Any, dtype: torch.dtype) -> list[Any]:
    """Some of an op's samples, with gradients where it takes them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(op.sample_inputs("cpu", dtype, requires_grad=True))
    return found[:: -(-len(found) // MOST_SAMPLES)]


def called(
    name: str, sample: Any, ad: Any, tracked: Tracked = tv.Tensor.require_grad
) -> tuple[list[Any], list[Any]]:
    """The results of Trivet's call, and its variables. Raises `Unshared`."""
    args, kwargs = converted((sample.input, *sample.args), ad, tracked), {}
    for key, value in sample.kwargs.items():
        kwargs[key] = converted(value, ad, tracked)
    try:
        bound = inspect.signature(CALLS[name]).bind(*args, **kwargs)
    except TypeError as error:
        raise Unshared from error
    try:
        results = flat(CALLS[name](*bound.args, **bound.kwargs))
    except DTypeError as error:
        given = flat((sample.input, sample.args, sample.kwargs))
        if any(x.is_complex() for x in given):
            raise Unshared from error  # the function takes real numbers alone
        raise
    except AxisError as error:
        if sample.input.ndim:
            raise
        raise Unshared from error  # PyTorch lets rank 0 have an axis
    return results, [x for x in flat((args, kwargs)) if ad.is_tracked(x.handle)]


def converted(value: Any, ad: Any, tracked: Tracked) -> Any:
    """PyTorch's arguments as Trivet's; tensors with gradients as tracked ones."""
    if isinstance(value, list | tuple):
        return type(value)(converted(each, ad, tracked) for each in value)
    if not isinstance(value, torch.Tensor):
        return value
    if value.dtype not in DTYPES:
        raise Unshared
    dtype = DTYPES[value.dtype]
    x = tv.asarray(
        value.detach().resolve_conj().numpy().copy(), dtype=dtype, backend=ad
    )
    return tracked(x) if value.requires_grad else x


def called_there(op: Any, sample: Any) -> tuple[list[Any], list[Any]]:
    """The floating results of PyTorch's call, and its variables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = BEFORE.get(op.name, lambda x: x)(sample.input)
        result = op(x, *sample.args, **sample.kwargs)
    results = flat(RESULTS.get(op.name, sample.output_process_fn_grad)(result))
    leaves = flat((sample.input, sample.args, sample.kwargs))
    return results, [x for x in leaves if x.requires_grad]


def flat(value: Any) -> list[Any]:
    """The floating tensors among nested values, in order."""
    return list(_flat(value))


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _flat(each)
    elif isinstance(value, torch.Tensor | tv.Tensor) and _is_floating(value):
        yield value


def _is_floating(x: Any) -> bool:
    if isinstance(x, torch.Tensor):
        return x.is_floating_point() or x.is_complex()
    return tv.isdtype(x.dtype, ("real floating", "complex floating"))


def compare_gradients(
    ours: list[Any], variables: list[Any], theirs: list[Any], leaves: list[Any], at: Any
) -> None:
    """Weigh the results of both alike, and compare what the variables get."""
    weights = [torch.rand(y.shape, dtype=y.dtype) for y in theirs]
    found = pulled_back(ours, weights, variables)
    slopes = pulled_back_there(theirs, weights, leaves)
    assert_same("gradient", found, slopes, at)


def pulled_back(results: list[Any], weights: list[Any], variables: list[Any]) -> Any:
    """What Trivet's variables get of cotangents."""
    total = None
    for y, w in zip(results, weights, strict=True):
        weight = w.conj().resolve_conj().numpy()
        part = tv.sum(y * tv.asarray(weight, backend=y.backend))
        if tv.isdtype(part.dtype, "complex floating"):
            part = tv.real(part)
        total = part if total is None else total + part
    zeros = [tv.zeros_like(x.inner()) for x in variables]
    if total is None or not total.backend.is_tracked(total.handle):
        return zeros
    gradients = total.backward()
    return [gradients.get(x, z) for x, z in zip(variables, zeros, strict=True)]


def pulled_back_there(results: list[Any], weights: list[Any], leaves: list[Any]) -> Any:
    """What PyTorch's leaves get of them."""
    pairs = [(y, w) for y, w in zip(results, weights, strict=True) if y.requires_grad]
    if not pairs or not leaves:
        return [torch.zeros_like(x) for x in leaves]
    ys, ws = zip(*pairs, strict=True)
    found = torch.autograd.grad(ys, leaves, ws, allow_unused=True)
    return [
        torch.zeros_like(x) if g is None else g
        for x, g in zip(leaves, found, strict=True)
    ]


def assert_same(what: str, ours: list[Any], theirs: list[Any], sample: Any) -> None:
    """Assert that the elements agree; NaN equals NaN."""
    where = f"{what} of {sample.summary()}"
    assert len(ours) == len(theirs), where
    for x, y in zip(ours, theirs, strict=True):
        value = torch.from_numpy(x.numpy().copy())
        torch.testing.assert_close(
            value,
            y.detach().contiguous().resolve_conj(),
            rtol=1e-7,
            atol=1e-7,
            equal_nan=True,
            msg=lambda text: f"{where}: {text}",  # used at once
        )
