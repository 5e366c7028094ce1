"""`custom_op`: an op from outside, with and without a kernel, through decorators."""

import inspect

import pytest
from counting import Counting
from trivet_example import Example

import trivet as tv
from trivet.contract import OPS, Decorator, custom_op
from trivet.dtypes import REAL_FLOATING
from trivet.errors import BackendMismatchError, DeviceMismatchError


@pytest.fixture
def declare():
    """Declares ops for the time of a test."""
    before = dict(OPS)
    yield custom_op
    for name in OPS.keys() - before.keys():
        del OPS[name]


@pytest.fixture
def softcap(declare):
    """cap * tanh(x / cap)."""

    @declare(REAL_FLOATING)
    def softcap(backend, x, /, *, cap):
        """x, kept between -cap and cap."""
        return backend.multiply(backend.tanh(backend.divide(x, cap)), cap)

    return softcap


class Quick(Example):
    """Has a kernel for the op, which says that it ran."""

    def __init__(self):
        super().__init__()
        self.ran = 0

    def softcap(self, x, /, *, cap):
        self.ran += 1
        return self.multiply(x, 0.0)


@pytest.mark.parametrize("name", ["cast", "bind", "name", "support"])
def test_name_of_something_else_that_backends_have_is_refused(declare, name):
    def body(backend, x, /):
        return x

    body.__name__ = name
    with pytest.raises(ValueError, match=f"backends have an attribute {name}"):
        declare()(body)
    assert name not in OPS


def test_unknown_name_is_no_attribute_of_a_backend(softcap):
    with pytest.raises(AttributeError, match="softclip"):
        _ = Example().softclip
    with pytest.raises(AttributeError, match="softcap"):
        _ = Example.softcap  # it belongs to one backend, like every bound kernel


def test_op_runs_its_body_on_tensors_and_on_handles(softcap):
    backend = Example()
    x = tv.asarray([0.0, 1e9, -1e9], backend=backend)

    assert softcap(x, cap=3.0).tolist() == [0.0, 3.0, -3.0]
    assert softcap(x, cap=3.0).backend is backend
    assert softcap.on(backend)(x.handle, cap=3.0).data == [0.0, 3.0, -3.0]
    assert backend.support("softcap") == "derived"


def test_method_of_the_backend_goes_before_the_body(softcap):
    backend = Quick()
    x = tv.asarray([1e9], backend=backend)

    assert softcap(x, cap=3.0).tolist() == [0.0]
    assert backend.ran == 1
    assert backend.support("softcap") == "native"


def test_bound_function_goes_before_the_body(softcap):
    backend = Example()
    x = tv.asarray([1e9], backend=backend)
    assert softcap(x, cap=3.0).tolist() == [3.0]

    backend.bind(softcap=lambda x, /, *, cap: x)

    assert softcap(x, cap=3.0).tolist() == [1e9]


@pytest.mark.parametrize("early", [True, False])
def test_decorator_forwards_an_op_declared_before_or_after_it(declare, early):
    backend = Quick()
    counting = None if early else Counting(backend)

    @declare(REAL_FLOATING)
    def softcap(backend, x, /, *, cap):
        return backend.tanh(x)

    counting = Counting(backend)
    x = tv.asarray([1e9], backend=counting)

    assert softcap(x, cap=3.0).tolist() == [0.0]
    assert (backend.ran, counting.calls["softcap"]) == (1, 1)
    assert "multiply" not in counting.calls
    assert counting.support("softcap") == "native"
    assert Counting(counting).support("softcap") == "native"


def test_decorator_may_add_to_the_op(softcap):
    class Halving(Decorator):
        label = "halving"

        def softcap(self, x, /, *, cap):
            return self.inner.softcap(x, cap=cap / 2)

    x = tv.asarray([1e9], backend=Halving(Example()))

    assert softcap(x, cap=3.0).tolist() == [1.5]


def test_tensors_of_a_backend_and_its_decorator_meet(declare):
    @declare()
    def weighted(backend, x, weights, /):
        return x if weights is None else backend.multiply(x, weights)

    backend = Example()
    counting = Counting(backend)
    x, w = (tv.asarray([3.0], backend=b) for b in (backend, counting))

    assert weighted(x, w).backend is counting
    assert weighted(x, w).tolist() == [9.0]
    assert weighted(x, None).tolist() == [3.0]
    assert weighted(x, 2.0).tolist() == [6.0]
    with pytest.raises(BackendMismatchError):
        weighted(x, tv.asarray([3.0], backend=Example()))


def test_op_may_take_sequences_and_give_several_results(declare):
    @declare()
    def ends(backend, arrays, /):
        return arrays[0], arrays[-1]

    x, y, z = (tv.asarray([v], backend=Example()) for v in (1.0, 2.0, 3.0))
    backend = Example()
    xs = [tv.asarray([v], backend=backend) for v in (1.0, 2.0, 3.0)]

    first, last = ends(xs)

    assert (first.tolist(), last.tolist()) == ([1.0], [3.0])
    with pytest.raises(BackendMismatchError):
        ends([x, y, z])


def test_operands_of_two_devices_are_refused(declare):
    @declare()
    def joined(backend, x, y, /):
        return x

    backend = Example()
    here, there = (
        tv.zeros(1, backend=backend, device=f"example:{index}") for index in (0, 1)
    )

    with pytest.raises(DeviceMismatchError, match="joined: the operands are on"):
        joined(here, there)


def test_failure_names_the_op_and_its_operands(softcap):
    x = tv.asarray([1.0], backend=Example())

    with pytest.raises(TypeError) as caught:
        softcap(x)

    assert any("softcap" in note for note in (str(caught.value), *_notes(caught)))


def _notes(caught):
    return getattr(caught.value, "__notes__", [])


def test_op_declared_again_by_its_module_is_the_new_one(declare):
    backend = Example()
    x = tv.asarray([3.0], backend=Counting(backend))

    def made(factor):
        @declare()
        def scaled(backend, x, /):
            return backend.multiply(x, factor)

        return scaled

    assert made(2.0)(x).tolist() == [6.0]
    assert made(5.0)(x).tolist() == [15.0]


def test_op_keeps_its_documentation(softcap):
    assert softcap.__doc__ == "x, kept between -cap and cap."
    assert OPS["softcap"].summary == softcap.__doc__
    assert str(inspect.signature(softcap)) == "(backend, x, /, *, cap)"
    assert repr(softcap) == "<custom op softcap>"
    assert (OPS["softcap"].family, OPS["softcap"].tier) == ("custom", "derived")


def test_backend_whose_kernel_has_another_signature_is_refused(softcap):
    class Wrong(Example):
        name = "wrong"

        def softcap(self, x, /, *, limit):
            return x

    with pytest.raises(
        tv.errors.InvalidBackendError, match=r"Wrong\.softcap has another"
    ):
        tv.register_backend(Wrong)


def test_name_of_another_op_is_refused(declare, softcap):
    def exp(backend, x, /):
        return x

    def other(backend, x, /):
        return x

    other.__name__ = "softcap"
    messages = []
    for function in (exp, other):
        with pytest.raises(ValueError, match="custom_op") as caught:
            declare()(function)
        messages.append(str(caught.value))

    assert messages == [
        f"custom_op: there is an op {name} already, in the family {family}. Choose "
        "another name, for example with a prefix."
        for name, family in (("exp", "elementwise"), ("softcap", "custom"))
    ]


def test_other_form_than_an_op_is_refused(declare):
    def loose(backend, x, cap):
        return x

    with pytest.raises(TypeError) as caught:
        declare()(loose)

    assert str(caught.value) == (
        "custom_op: loose(backend, x, cap) has another form than an op. Its backend "
        "and its arrays come before a /, and its keywords after a *."
    )


def test_backend_has_no_op_that_was_not_declared():
    with pytest.raises(
        AttributeError, match="'Example' object has no attribute 'nope'"
    ):
        Example().nope  # noqa: B018
