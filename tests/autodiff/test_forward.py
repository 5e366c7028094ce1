"""`Forward`: every rule carried forward agrees with what it gives backward."""

from importlib import import_module

import pytest
from numeric import derivative, listed, slope_derivative
from trivet_example import Example

import trivet as tv
from trivet.contract import OPS, Backend, Op
from trivet.dtypes import REAL_FLOATING
from trivet.errors import GradientError, NotRecordingError, TangentError
from trivet_autodiff import Forward, no_grad

FAMILIES = sorted({op.family for op in OPS.values() if op.differentiable})
CASES = [
    case
    for family in FAMILIES
    for case in listed(import_module(f"test_rules_{family}").CASES)
]


@pytest.fixture
def level(backend):
    """The backend, with tangents."""
    return Forward(backend)


def moving(level, values, tangents):
    """A tensor with a tangent."""
    x, v = (
        tv.asarray(each, dtype=tv.float64, backend=level.inner)
        for each in (values, tangents)
    )
    return tv.Tensor.from_handle(level.dual(x.handle, v.handle), level)


def tangent(x):
    """What a tensor's tangent is, as numbers."""
    found = x.backend.tangent(x.handle)
    return tv.Tensor.from_handle(found, x.backend.inner).tolist()


def test_cases_are_those_of_all_families():
    assert len(CASES) > 500


@pytest.mark.parametrize("op, case", CASES)
def test_derivative_forward_is_the_one_backward(backend, op, case):
    forward, backward = derivative(backend, op, case)

    assert forward == pytest.approx(backward, rel=1e-9, abs=1e-11, nan_ok=True)


@pytest.mark.parametrize("op, case", CASES)
def test_gradient_changes_forward_as_it_does_backward(backend, op, case):
    forward, backward = slope_derivative(backend, op, case)

    assert forward == pytest.approx(backward, rel=1e-9, abs=1e-11, nan_ok=True)


def test_decorator_is_found_by_its_name(backend, level):
    assert tv.backend(f"forward({backend.name})") is level
    assert tv.backend(f"autodiff(forward({backend.name}))").inner is level


def test_operands_that_broadcast_have_tangents_that_do(level):
    x = moving(level, [[1.0], [2.0]], [[1.0], [10.0]])
    y = moving(level, [3.0, 5.0], [100.0, 0.0])

    assert tangent(x * y) == [[103.0, 5.0], [230.0, 50.0]]
    assert tangent(x + y) == [[101.0, 1.0], [110.0, 10.0]]


def test_tangent_has_the_shape_of_the_result_when_a_constant_is_wider(level):
    x = moving(level, [1.0], [10.0])
    zeros = tv.zeros((2, 3), dtype=tv.float64, backend=level)

    assert tangent(x + zeros) == [[10.0] * 3] * 2
    assert tangent(zeros - x) == [[-10.0] * 3] * 2


def test_operand_of_a_wider_dtype_widens_the_tangent(level):
    x = tv.asarray([1.0], dtype=tv.float32, backend=level.inner)
    narrow = tv.Tensor.from_handle(level.dual(x.handle, x.handle), level)
    wide = tv.asarray([0.1], dtype=tv.float64, backend=level)

    found = level.tangent((narrow + wide).handle)

    assert level.inner.dtype(found) == tv.float64
    assert tangent(narrow * wide) == [0.1]


def test_constant_of_the_inner_backend_meets_a_dual(backend, level):
    x = moving(level, [2.0], [1.0])

    assert tangent(x * tv.asarray([3.0], dtype=tv.float64, backend=backend)) == [3.0]
    assert tangent(tv.ones(2, backend=level)) == [0.0, 0.0]


@pytest.mark.parametrize("padding", [1, -2])
def test_padding_of_an_embedding_has_tangent_zero(level, padding):
    weight = moving(level, [[1.0], [2.0], [3.0]], [[10.0], [20.0], [30.0]])
    indices = tv.asarray([2, 1, 0], backend=level)

    found = tv.nn.embedding(indices, weight, padding_idx=padding)

    assert tangent(found) == [[30.0], [0.0], [10.0]]


def test_index_and_comparison_of_a_dual_are_constants(level):
    x = moving(level, [2.0, 1.0], [1.0, 1.0])

    assert not level.is_tracked(tv.argsort(x).handle)
    assert not level.is_tracked((x > 1.5).handle)
    assert not level.is_tracked(x.astype(tv.int32).handle)


def test_ops_without_gradients_give_constants(level):
    x = moving(level, [2.0], [1.0])

    with no_grad():
        found = [x * x, tv.sin(x), tv.reshape(x, (1, 1))]

    assert not any(level.is_tracked(y.handle) for y in found)


def test_dual_is_shown_as_tracked_and_detached_as_its_value(backend, level):
    x = moving(level, [2.0], [1.0])

    assert repr(x).endswith("tracked)")
    assert tangent(x.detach()) == [0.0]
    assert x.inner().backend is backend
    assert x.inner().tolist() == [2.0]


def test_dual_is_not_written_to(level):
    x = moving(level, [2.0, 3.0], [1.0, 1.0])

    with pytest.raises(GradientError, match=r"tv\.at\(x, index\)\.set\(value\)"):
        x[0] = 1.0

    assert tangent(tv.at(x, 0).set(1.0)) == [0.0, 1.0]


def test_variables_and_backward_passes_are_refused(backend, level):
    x = moving(level, [2.0], [1.0])

    with pytest.raises(NotRecordingError) as of_require:
        x.require_grad()
    with pytest.raises(NotRecordingError) as of_backward:
        x.backward()

    name = f"forward({backend.name})"
    for what, error in (("require_grad", of_require), ("backward", of_backward)):
        assert str(error.value) == (
            f"{what}: the backend {name} records no gradients. Wrap it and put the "
            f'tensor there: .to_backend("autodiff({name})").'
        )


def test_handle_of_integers_has_no_tangent(backend, level):
    whole = tv.asarray([1], backend=backend).handle

    with pytest.raises(TangentError) as error:
        level.dual(whole, tv.asarray([1.0], backend=backend).handle)

    assert str(error.value) == (
        "forward: the tensor has dtype int64, and only floating dtypes have "
        "derivatives. Cast it, for example with .astype(tv.float32)."
    )


def test_handle_of_another_shape_is_no_tangent(backend, level):
    x, v = tv.zeros(2, backend=backend), tv.zeros((2, 1), backend=backend)

    with pytest.raises(TangentError) as error:
        level.dual(x.handle, v.handle)

    assert str(error.value) == (
        "forward: the tangent has shape (2, 1), and the tensor has (2,). They must be "
        "the same."
    )


def cube(self, x, /):
    """The third power."""
    return self.multiply(self.multiply(x, x), x)


@pytest.mark.parametrize("tier", ["derived", "optional"])
def test_op_without_rule_has_a_tangent_when_it_has_a_body(monkeypatch, tier):
    op = Op("cube", "elementwise", tier, REAL_FLOATING, "", cube)
    monkeypatch.setitem(OPS, "cube", op)
    monkeypatch.setattr(Backend, "cube", cube, raising=False)
    level = Forward(type("Cubes", (Example,), {"name": "cubes"})())
    x = moving(level, 2.0, 1.0)

    if tier == "derived":
        assert tangent(tv.Tensor.from_handle(level.cube(x.handle), level)) == 12.0
        return
    with pytest.raises(GradientError, match="no gradient rule for this op"):
        level.cube(x.handle)
