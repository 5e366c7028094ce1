"""A tensor that any level of nested backends tracks is nowhere taken for a constant."""

import copy
import pickle

import pytest

import trivet as tv
from trivet.contract import Decorator, tracker_of
from trivet.errors import GradientError, NotRecordingError
from trivet_autodiff import Autocast, Autodiff, Forward


class Passing(Decorator):
    """Adds nothing."""

    label = "passing"


OUTSIDE = {
    "autodiff": Autodiff,
    "forward": Forward,
    "passing": Passing,
    "autodiff of passing": lambda inner: Autodiff(Passing(inner)),
    "forward of autodiff": lambda inner: Forward(Autodiff(inner)),
}


def moving_along_itself(backend, values):
    level = Forward(backend)
    x = tv.tensor(values, backend=backend)
    return tv.Tensor.from_handle(level.dual(x.handle, x.handle), level)


INSIDE = {
    "variable": lambda b, x: tv.tensor(x, backend=Autodiff(b)).require_grad(),
    "result": lambda b, x: tv.tensor(x, backend=Autodiff(b)).require_grad() * 1.0,
    "dual": moving_along_itself,
}


@pytest.fixture(params=OUTSIDE)
def outside(request):
    """Puts a tensor on a backend around its own."""
    wrap = OUTSIDE[request.param]
    return lambda x: x.to_backend(wrap(x.backend))


@pytest.fixture(params=INSIDE)
def nested(request, backend, outside):
    """A tensor that is tracked by the innermost level alone."""
    return outside(INSIDE[request.param](backend, [1.0, 2.0]))


def test_level_that_tracks_a_handle_is_found(backend, outside):
    x = tv.tensor([1.0], backend=Autodiff(backend)).require_grad()

    assert tracker_of(outside(x).backend, outside(x).handle) is x.backend
    assert tracker_of(outside(x).backend, x.detach().handle) is None
    assert tracker_of(backend, x.detach().handle) is None


def test_other_backend_does_not_get_it(backend, nested):
    with pytest.raises(GradientError, match="would lose its gradient"):
        nested.to_backend(backend)


def test_memory_is_not_shared(nested):
    if nested.device.kind == "cpu":
        with pytest.raises(BufferError, match=r"call \.detach\(\) first"):
            nested.__buffer__(0)  # memoryview asks it from Python 3.12 on
    if nested.backend.support("to_dlpack") != "missing":
        with pytest.raises(BufferError, match=r"Call \.detach\(\) first"):
            nested.__dlpack__()


def test_write_is_refused_and_changes_nothing(nested):
    constant = tv.zeros(2, backend=nested.backend)

    with pytest.raises(GradientError, match=r"tv\.at\(x, index\)\.set\(value\)"):
        nested[0] = 5.0
    with pytest.raises(GradientError, match=r"tv\.at\(x, index\)\.set\(value\)"):
        constant[0] = nested[0]

    assert nested.tolist() == [1.0, 2.0]
    assert constant.tolist() == [0.0, 0.0]


def test_argument_that_is_a_number_is_refused(nested):
    with pytest.raises(GradientError, match="alpha is a tracked tensor"):
        tv.nn.elu(tv.ones(1, backend=nested.backend), nested[0])


def test_text_says_so(nested):
    assert repr(nested).endswith("tracked)")
    assert "tracked" not in repr(tv.zeros(2, backend=nested.backend))


@pytest.mark.parametrize("spec", ["autodiff(autodiff({}))", "forward(autodiff({}))"])
def test_copies_are_constants_with_the_value(backend, spec):
    x = tv.tensor([1.0, 2.0], backend=f"autodiff({backend.name})").require_grad()
    y = (x * x).to_backend(spec.format(backend.name))

    for found in (copy.deepcopy(y), pickle.loads(pickle.dumps(y))):
        assert found.tolist() == [1.0, 4.0]
        assert found.backend is y.backend
        assert tracker_of(found.backend, found.handle) is None


@pytest.mark.parametrize("act", ["require_grad", "backward"])
def test_level_that_records_nothing_has_no_variables(backend, act):
    x = tv.tensor(1.0, backend=Forward(backend))

    with pytest.raises(NotRecordingError, match=r"autodiff\(forward"):
        getattr(x, act)()

    assert x.detach().item() == x.inner().item() == 1.0
    assert x.inner().backend is backend


def test_autocast_tells_of_the_level_inside(backend):
    if tv.float16 not in backend.dtypes(backend.default_device):
        pytest.skip(f"{backend.name} has no float16")
    x = moving_along_itself(backend, [1.0, 2.0]).to_backend(Autocast(Forward(backend)))

    assert tracker_of(x.backend, x.handle) is x.backend
    assert tracker_of(x.backend, x.detach().handle) is None
    with pytest.raises(GradientError):
        x[0] = 1.0
