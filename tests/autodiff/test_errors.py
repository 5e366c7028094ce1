"""What goes wrong about gradients says what, on what evidence, and what to do."""

import pytest
from trivet_example import Example

import trivet as tv
from trivet.contract import OPS, Backend, Op
from trivet.dtypes import REAL_FLOATING
from trivet.errors import (
    BackendMismatchError,
    CotangentError,
    DeviceMismatchError,
    GradientError,
    NoPathError,
    NotRecordingError,
    UntrackedError,
)
from trivet_autodiff import Autodiff


@pytest.fixture
def x(ad):
    """A variable of two elements."""
    return tv.asarray([1.0, 2.0], dtype=tv.float32, backend=ad).require_grad()


@pytest.mark.parametrize("method", ["backward", "require_grad", "detach", "inner"])
def test_plain_backend_names_the_wrapping_line(backend, method):
    with pytest.raises(NotRecordingError) as error:
        getattr(tv.asarray([1.0], backend=backend), method)()

    assert str(error.value) == (
        f"{method}: the backend {backend.name} records no gradients. Wrap it and put "
        f'the tensor there: .to_backend("autodiff({backend.name})").'
    )


def test_backward_of_several_elements_asks_for_a_cotangent(ad, x):
    with pytest.raises(CotangentError) as error:
        (x * x).backward()

    assert str(error.value) == (
        f"backward: a tensor of shape (2,) and dtype float32 on {ad.name} is not a "
        "scalar. Reduce it, for example with .sum(), or pass a cotangent of the same "
        "shape."
    )


def test_backward_of_one_element_needs_no_cotangent(x):
    assert (x[:1] * 3.0).backward()[x].tolist() == [3.0, 0.0]


def test_cotangent_of_another_shape_is_refused(ad, x):
    with pytest.raises(CotangentError) as error:
        x.backward(tv.ones((1, 2), backend=ad))

    assert str(error.value) == (
        "backward: the cotangent has shape (1, 2), and the tensor has (2,). They must "
        "be the same."
    )


def test_cotangent_of_integers_is_refused(ad, x):
    with pytest.raises(CotangentError) as error:
        x.backward(tv.asarray([1, 2], dtype=tv.int64, backend=ad))

    assert str(error.value) == (
        "backward: the cotangent has dtype int64, and one of a tensor of dtype float32 "
        "is real floating. Cast it with .astype(tv.float32)."
    )


@pytest.mark.parametrize(
    "cotangent, words",
    [(2.0, "the number 2.0"), ([1.0, 2.0], "a builtins.list")],
)
def test_cotangent_that_is_no_tensor_is_refused(x, cotangent, words):
    with pytest.raises(TypeError) as error:
        x.backward(cotangent)

    assert str(error.value) == (
        f"backward: the second operand is {words}, not a tensor. Nothing is converted "
        "silently: call tv.asarray(...) on it first."
    )


def test_cotangent_on_another_device_is_refused(ad, x):
    here, *_, there = [*ad.devices(), *ad.devices()]
    if here == there:
        pytest.skip("the backend has one device")

    with pytest.raises(DeviceMismatchError) as error:
        (x + 1.0).backward(tv.ones(2, device=there, backend=ad))

    assert str(error.value) == (
        f"backward: the tensor is on {here} and the cotangent on {there}. Nothing is "
        f'moved silently: call .to_device("{here}") on the cotangent.'
    )


def test_cotangent_on_an_outer_level_is_refused(ad, x):
    with pytest.raises(CotangentError) as error:
        x.backward(tv.ones(2, backend=Autodiff(ad)))

    assert str(error.value) == (
        f"backward: the cotangent is on autodiff({ad.name}), which wraps the tensor's "
        f"backend {ad.name}. Call .inner() on the cotangent."
    )


def test_cotangent_of_an_unrelated_backend_is_refused(x):
    other = Other()

    with pytest.raises(BackendMismatchError, match=r"^backward: float32\(2,\) on auto"):
        x.backward(tv.ones(2, backend=other))


class Other(Example):
    """Another backend."""

    name = "other"


def test_backward_of_an_untracked_tensor_says_where_tracking_starts(ad):
    with pytest.raises(UntrackedError) as error:
        tv.asarray(1.0, dtype=tv.float32, backend=ad).backward()

    assert str(error.value) == (
        f"backward: a tensor of shape () and dtype float32 on {ad.name} depends on no "
        "variable. Call .require_grad() on the inputs whose gradients you want, and "
        "compute with what it returns."
    )


def test_gradient_of_a_variable_off_the_path_is_refused(ad, x):
    other = tv.asarray([1.0], backend=ad).require_grad()
    grads = tv.sum(x).backward()

    with pytest.raises(NoPathError) as error:
        grads[other]

    assert str(error.value) == (
        "grads[x]: the result does not depend on this variable. Use grads.get(x, "
        "default) to allow it."
    )
    assert other not in grads
    assert grads.get(other) is None
    assert grads.get(other, 0.0) == 0.0


def test_gradient_of_a_result_is_refused(x):
    y = x * x

    with pytest.raises(NoPathError) as error:
        tv.sum(y).backward()[y]

    assert str(error.value) == (
        "grads[x]: x is a result of an op, not a variable; only what .require_grad() "
        "returned has a gradient here. Use grads.get(x, default) to allow it."
    )


def test_gradient_of_the_tensor_before_require_grad_is_refused(ad):
    before = tv.asarray([1.0], backend=ad)
    grads = tv.sum(before.require_grad()).backward()

    with pytest.raises(NoPathError) as error:
        grads[before]

    assert str(error.value) == (
        "grads[x]: x is not tracked by this backend. Ask with the tensor that "
        ".require_grad() returned, not the one that it was called on. Use grads.get(x, "
        "default) to allow it."
    )


def test_gradient_of_another_level_is_refused(ad, x):
    outer = x.to_backend(Autodiff(ad)).require_grad()
    grads = tv.sum(outer * x).backward()

    assert outer in grads
    assert x not in grads
    with pytest.raises(NoPathError, match="x is not tracked by this backend"):
        grads[x]


@pytest.mark.parametrize("key", [0, "x", None])
def test_gradient_of_what_is_no_tensor_is_refused(x, key):
    grads = tv.sum(x).backward()

    assert key not in grads
    with pytest.raises(NoPathError):
        grads[key]


def test_gradients_cannot_be_changed_or_walked(x):
    grads = tv.sum(x).backward()

    with pytest.raises(TypeError):
        grads[x] = x
    with pytest.raises(TypeError, match="'Gradients' object is not iterable"):
        iter(grads)
    assert len(grads) == 1
    assert repr(grads) == f"<gradients of 1 variables on {x.backend.inner.name}>"


@pytest.mark.parametrize("dtype", [tv.int32, tv.uint8, tv.bool])
def test_variable_of_a_dtype_without_gradient_is_refused(ad, dtype):
    with pytest.raises(GradientError) as error:
        tv.zeros(2, dtype=dtype, backend=ad).require_grad()

    assert str(error.value) == (
        f"require_grad: a tensor of dtype {dtype} has no gradient; only floating "
        "dtypes have. Cast it first, for example with .astype(tv.float32)."
    )


def test_result_of_a_tracked_op_does_not_become_a_variable(x):
    with pytest.raises(GradientError) as error:
        (x * x).require_grad()

    assert str(error.value) == (
        "require_grad: the tensor is the result of a tracked op, not a variable. Call "
        ".detach() first to start a new graph from its value."
    )


def test_write_into_a_tracked_tensor_names_the_functional_form(x):
    y = x * 1.0

    with pytest.raises(GradientError) as error:
        y[0] = 5.0

    assert str(error.value) == (
        "a write in place would change what the gradients need: the tensor or the "
        "value is tracked. Use the functional form, which is differentiable: "
        "y = tv.at(x, index).set(value)."
    )


def test_tracked_tensor_does_not_leave_its_backend(backend, x):
    with pytest.raises(GradientError) as error:
        x.to_backend(backend)

    assert str(error.value) == (
        f"to_backend: the tensor is tracked, and {backend.name} would lose its "
        "gradient. Call .detach() first."
    )


def test_op_without_rule_and_body_is_refused_when_its_operand_is_tracked(monkeypatch):
    def cube(self, x, /):
        """The third power."""

    def native(self, x, /):
        return self.multiply(self.multiply(x, x), x)

    op = Op("cube", "elementwise", "optional", REAL_FLOATING, "", cube)
    monkeypatch.setitem(OPS, "cube", op)
    monkeypatch.setattr(Backend, "cube", cube, raising=False)
    cubes = type("Cubes", (Example,), {"name": "cubes", "cube": native})()
    ad = Autodiff(cubes)
    x = tv.asarray([2.0], backend=ad)

    constant = tv.Tensor.from_handle(ad.cube(x.handle), ad)
    with pytest.raises(GradientError) as error:
        ad.cube(x.require_grad().handle)

    assert constant.tolist() == [8.0]
    assert str(error.value) == (
        "cube: there is no gradient rule for this op. Call .detach() on its operands "
        "if it should count as a constant."
    )


def test_op_without_rule_is_differentiated_through_its_body(monkeypatch):
    def cube(self, x, /):
        """The third power."""
        return self.multiply(self.multiply(x, x), x)

    op = Op("cube", "elementwise", "derived", REAL_FLOATING, "", cube)
    monkeypatch.setitem(OPS, "cube", op)
    monkeypatch.setattr(Backend, "cube", cube, raising=False)
    ad = Autodiff(type("Bodies", (Example,), {"name": "bodies"})())
    x = tv.asarray(2.0, backend=ad).require_grad()

    y = tv.Tensor.from_handle(ad.cube(x.handle), ad)

    assert y.backward()[x].item() == 12.0
