"""Tangents by complex numbers are those of PyTorch, and of NumPy's differences."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from spelling import Unshared
from test_op_db import BEFORE, RESULTS, SHARED, assert_same, called, flat, samples
from torch.autograd import forward_ad

import trivet as tv
from trivet.errors import TangentError
from trivet_autodiff import Forward, hvp, jacobian, jvp, linearize

FORWARD = [
    op for op, dtype in SHARED if dtype == torch.complex128 and op.supports_forward_ad
]
FEWEST = 90
POINT = np.array([[0.5 + 1.25j, -1.0 + 0.5j], [1.5 - 0.25j, -0.5 - 2j]])
DIRECTION = np.array([[1.0 - 0.5j, 0.25j], [-0.75 + 1j, 0.5]])
# The same function three times: of Trivet, PyTorch and NumPy.
FUNCTIONS: dict[str, tuple[Callable[..., Any], ...]] = {
    "analytic": (
        lambda z: tv.exp(z) * z / (z + 3.0),
        lambda z: torch.exp(z) * z / (z + 3.0),
        lambda z: np.exp(z) * z / (z + 3.0),
    ),
    "conj": (
        lambda z: tv.conj(z) * z * z,
        lambda z: torch.conj(z) * z * z,
        lambda z: np.conj(z) * z * z,
    ),
    "abs": (tv.abs, torch.abs, np.abs),
    "parts": (
        lambda z: tv.real(z) * tv.imag(z * z),
        lambda z: torch.real(z) * torch.imag(z * z),
        lambda z: np.real(z) * np.imag(z * z),
    ),
    "angle": (
        lambda z: tv.atan2(tv.imag(z), tv.real(z)),
        torch.angle,
        np.angle,
    ),
    "matmul": (
        lambda z: z @ tv.conj(z.mT),
        lambda z: z @ z.mH,
        lambda z: z @ np.conj(z.T),
    ),
    "matrix": (lambda z: z @ z @ z, lambda z: z @ z @ z, lambda z: z @ z @ z),
    "solve": (
        lambda z: tv.linalg.solve(z, tv.conj(z)),
        lambda z: torch.linalg.solve(z, torch.conj(z)),
        lambda z: np.linalg.solve(z, np.conj(z)),
    ),
    "spectrum": (
        lambda z: tv.abs(tv.fft.fft(z)) ** 2,
        lambda z: torch.abs(torch.fft.fft(z)) ** 2,
        lambda z: np.abs(np.fft.fft(z)) ** 2,
    ),
    "determinant": (tv.linalg.det, torch.linalg.det, np.linalg.det),
}
EACH = pytest.mark.parametrize(
    "ours, theirs, of_numpy", FUNCTIONS.values(), ids=FUNCTIONS
)
REAL = [  # of real numbers, complex on the way or in the end
    (lambda x: tv.exp(x * 1j) * x, lambda x: torch.exp(x * 1j) * x),
    (lambda x: tv.abs(x * (2 - 1j) + 1j), lambda x: torch.abs(x * (2 - 1j) + 1j)),
    (lambda x: tv.fft.rfft(x * x), lambda x: torch.fft.rfft(x * x)),
]


@pytest.fixture(scope="module")
def compared() -> set[str]:
    """The names of ops of which samples were compared."""
    return set()


@pytest.fixture(scope="module")
def level() -> Forward[Any]:
    return Forward(tv.backend("ndarray"))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NaN is compared too
@pytest.mark.parametrize(
    "op", FORWARD, ids=[f"{op.name} {op.variant_test_name}" for op in FORWARD]
)
def test_tangents_are_those_of_pytorch(
    op: Any, level: Forward[Any], compared: set[str]
) -> None:
    torch.manual_seed(0)
    for sample in samples(op, torch.complex128):
        directions: list[torch.Tensor] = []

        def moving(
            x: tv.Tensor[Any], into: list[torch.Tensor] = directions
        ) -> tv.Tensor[Any]:
            into.append(torch.randn_like(torch.from_numpy(x.numpy().copy())))
            along = tv.asarray(into[-1].numpy(), backend=level.inner)
            return tv.Tensor.from_handle(level.dual(x.handle, along.handle), level)

        try:
            results, _ = called(op.name, sample, level, moving)
        except Unshared:
            continue

        ours = [
            tv.Tensor.from_handle(level.tangent(y.handle), level.inner) for y in results
        ]
        assert_same("tangent", ours, tangents_there(op, sample, directions), sample)
        compared.add(op.name)


def test_enough_ops_were_compared(compared: set[str]) -> None:
    assert len(compared) >= FEWEST


def tangents_there(
    op: Any, sample: Any, directions: list[torch.Tensor]
) -> list[torch.Tensor]:
    """What PyTorch's forward mode gives along the directions."""
    rest = iter(directions)
    with forward_ad.dual_level(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x, args, kwargs = moved((sample.input, sample.args, sample.kwargs), rest)
        result = op(BEFORE.get(op.name, lambda x: x)(x), *args, **kwargs)
        pick = RESULTS.get(op.name, sample.output_process_fn_grad)
        pairs = [forward_ad.unpack_dual(y) for y in flat(pick(result))]
    return [
        torch.zeros_like(pair.primal) if pair.tangent is None else pair.tangent
        for pair in pairs
    ]


def moved(value: Any, directions: Iterator[torch.Tensor]) -> Any:
    """The arguments with a direction for each that has a gradient, in order."""
    if isinstance(value, dict):
        return {key: moved(each, directions) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(moved(each, directions) for each in value)
    if isinstance(value, torch.Tensor) and value.requires_grad:
        return forward_ad.make_dual(value.detach(), next(directions))
    return value


def along_there(function: Any, primal: Any, tangent: Any) -> Any:
    """`torch.func.jvp`, which warns of nothing that matters here."""
    return torch.func.jvp(function, (primal,), (tangent,))


@EACH
def test_jvp_and_linearize_are_those_of_pytorch_and_numpy(
    ours: Any, theirs: Any, of_numpy: Any
) -> None:
    z, v = tv.asarray(POINT), tv.asarray(DIRECTION)

    value, pushed = jvp(ours, (z,), (v,))
    _, push = linearize(ours, z)

    there, expected = along_there(theirs, torch.tensor(POINT), torch.tensor(DIRECTION))
    step = 1e-5
    ends = [of_numpy(POINT + by * DIRECTION) for by in (-step, step)]
    difference = (ends[1] - ends[0]) / (2 * step)
    np.testing.assert_allclose(value.numpy(), there.resolve_conj().numpy(), rtol=1e-12)
    for found in (pushed.numpy(), push(v).numpy()):
        assert found.dtype == difference.dtype
        np.testing.assert_allclose(found, expected.resolve_conj().numpy(), rtol=1e-11)
        np.testing.assert_allclose(found, difference, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("name", ["analytic", "determinant", "matrix"])
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_holomorphic_jacobian_is_made_of_directional_derivatives(
    name: str, mode: Any
) -> None:
    ours, theirs, _ = FUNCTIONS[name]

    found = jacobian(ours, mode=mode, holomorphic=True)(tv.asarray(POINT)).numpy()

    expected = matrix_there(theirs, torch.tensor(POINT))
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


def matrix_there(function: Any, x: torch.Tensor) -> Any:
    """Directional derivatives along each element: `jacfwd` takes no complex results."""
    columns = [
        along_there(function, x, unit.reshape(x.shape).to(x.dtype))[1]
        for unit in torch.eye(x.numel())
    ]
    last = torch.stack([column.resolve_conj() for column in columns], dim=-1)
    return last.reshape(*columns[0].shape, *x.shape).numpy()


@pytest.mark.parametrize("ours, theirs", REAL)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_jacobian_by_real_numbers_is_that_of_pytorch(
    ours: Any, theirs: Any, mode: Any
) -> None:
    x = np.array([0.5, -1.0, 2.0])

    found = jacobian(ours, mode=mode)(tv.asarray(x)).numpy()

    expected = matrix_there(theirs, torch.tensor(x))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_product_with_the_hessian_is_that_of_pytorch() -> None:
    def ours(z: Any) -> Any:
        return tv.sum(tv.abs(z @ z + tv.conj(z)) ** 2)

    def theirs(z: Any) -> Any:
        return torch.sum(torch.abs(z @ z + torch.conj(z)) ** 2)

    (found,) = hvp(ours, (tv.asarray(POINT),), (tv.asarray(DIRECTION),))

    _, expected = torch.autograd.functional.hvp(
        theirs, torch.tensor(POINT), torch.tensor(DIRECTION)
    )
    np.testing.assert_allclose(found.numpy(), expected.resolve_conj().numpy())


@pytest.mark.parametrize("number", [np.complex64(1j), np.complex128(1j), np.array(1j)])
def test_numbers_of_numpy_are_complex_primals_and_no_real_tangents(number: Any) -> None:
    _, slope = jvp(tv.imag, (number,), (number,))

    assert slope.item() == 1.0
    with pytest.raises(TangentError, match=r"^jvp: the tangent is the complex"):
        jvp(tv.exp, (1.0,), (number,))
