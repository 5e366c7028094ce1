"""Gradients that are looked at, changed, kept, and handed out on their way."""

import weakref

import pytest

import trivet as tv
from trivet.contract import Decorator
from trivet_autodiff import (
    Autodiff,
    custom_vjp,
    gradients_as_ready,
    jvp,
    keep_gradient,
    on_gradient,
)


@pytest.fixture
def ad(backend):
    return tv.backend(f"autodiff({backend.name})")


def variable(ad, *numbers):
    return tv.asarray(list(numbers), dtype=tv.float64, backend=ad).require_grad()


def test_hook_sees_the_gradient_and_leaves_it_alone_when_it_returns_none(ad):
    x = variable(ad, 1.0, 2.0)
    seen = []

    y = on_gradient(x * 3.0, lambda g: seen.append(g.tolist()))
    grads = (y * y).sum().backward()

    # d(y*y)/dy = 2y = [6, 12], and dy/dx = 3
    assert seen == [[6.0, 12.0]]
    assert grads[x].tolist() == [18.0, 36.0]


def test_hook_changes_the_gradient_when_it_returns_one(ad, backend):
    x = variable(ad, 1.0, 2.0)

    y = on_gradient(x, lambda g: g * 10.0)

    assert (y * 2.0).sum().backward()[x].tolist() == [20.0, 20.0]


def test_hook_that_returns_another_shape_is_refused(ad):
    x = variable(ad, 1.0, 2.0)
    y = on_gradient(x, lambda g: g.sum())

    with pytest.raises(tv.errors.CotangentError) as raised:
        y.sum().backward()

    assert str(raised.value) == (
        "on_gradient: the hook returned Tensor of shape (), not a tensor of shape "
        "(2,), nor None."
    )


def test_gradient_of_an_intermediate_is_kept(ad):
    x = variable(ad, 1.0, 2.0)

    square, mark = keep_gradient(x * x)
    grads = (square * square).sum().backward()

    assert square.tolist() == [1.0, 4.0]
    assert grads[mark].tolist() == [2.0, 8.0]  # 2 s with s = x * x
    assert grads[x].tolist() == [4.0, 32.0]  # 4 x**3


def test_hook_sees_the_gradient_in_the_dtype_of_its_tensor(ad):
    x = tv.asarray([1.0, 2.0], dtype=tv.float32, backend=ad).require_grad()
    wide = tv.asarray([3.0, 4.0], dtype=tv.float64, backend=ad)
    seen = []

    y = on_gradient(x, lambda g: seen.append(g) or g.astype(tv.float64) * 2.0)
    grads = (y * wide).sum().backward()

    assert seen[0].dtype == grads[x].dtype == tv.float32
    assert (seen[0].tolist(), grads[x].tolist()) == ([3.0, 4.0], [6.0, 8.0])


def test_hook_sees_complex_gradients_as_backward_gives_them(ad, backend):
    if tv.complex128 not in backend.dtypes(backend.default_device):
        pytest.skip(f"{backend.name} has no complex numbers")
    z = tv.asarray([1 + 2j], dtype=tv.complex128, backend=ad).require_grad()
    x = variable(ad, 3.0)
    seen = []

    def noted(g):
        seen.append(g.tolist())
        return g * 1j

    w = on_gradient(z * 2.0, noted)
    r = on_gradient(x, lambda g: seen.append(g.tolist()))
    grads = tv.real(w * w * tv.asarray([1j], backend=ad) * r).sum().backward()

    # L = Re(i w**2 r): its gradient by w is conj(2 i w r), with w = 2 + 4i and r = 3
    assert seen[-1] == [-24 - 12j]
    assert seen[0] == [-16.0]  # Re(i w**2), of a real tensor
    assert grads[z].tolist() == [(-24 - 12j) * 1j * 2]
    assert grads[x].tolist() == [-16.0]


def test_hook_must_answer_with_a_constant_of_the_inner_backend(ad, backend):
    x = variable(ad, 1.0, 2.0)
    y = (on_gradient(x, lambda g: g * x) * 2.0).sum()

    with pytest.raises(tv.errors.CotangentError, match="returned a tensor on autodiff"):
        y.backward()
    if tv.complex128 in backend.dtypes(backend.default_device):
        y = (on_gradient(x, lambda g: g * 1j) * 2.0).sum()
        with pytest.raises(tv.errors.CotangentError, match="dtype float64 is real"):
            y.backward()


def test_hook_keeps_no_value_alive(ad):
    x = variable(ad, *([1.0] * 100))
    y = x * 2.0
    kept = weakref.ref(y.handle)

    hooked = on_gradient(y, lambda g: None)
    total = hooked.sum()
    del y, hooked

    assert kept() is None
    assert total.backward()[x].tolist() == [2.0] * 100


def test_hooks_ask_for_a_tracked_tensor(backend):
    x = tv.ones(2, backend=backend)

    for function in (keep_gradient, lambda x: on_gradient(x, print)):
        with pytest.raises(tv.errors.UntrackedError, match="the tensor is not tracked"):
            function(x)


def test_hooks_have_nothing_to_see_in_forward_mode(backend):
    x = tv.asarray([1.0], dtype=tv.float64, backend=backend)

    for function in (keep_gradient, lambda x: on_gradient(x, print)):
        with pytest.raises(tv.errors.UntrackedError, match="moves along a tangent"):
            jvp(function, (x,), (x,))


def test_gradients_come_as_soon_as_they_are_final(ad):
    """The last variable's gradient is there before the first op's vjp has run."""
    ran = []

    @custom_vjp
    def noted(x):
        return x * 2.0

    noted.defvjp(
        forward=lambda x: (noted(x), None),
        backward=lambda saved, g: (ran.append("first") or g * 2.0,),
    )
    first, last = variable(ad, 1.0, 2.0), variable(ad, 3.0, 4.0)
    y = (noted(first) * last).sum()

    stream = gradients_as_ready(y, [first, last])

    place, gradient = next(stream)
    assert (place, gradient.tolist(), ran) == (1, [2.0, 4.0], [])
    place, gradient = next(stream)
    assert (place, gradient.tolist(), ran) == (0, [6.0, 8.0], ["first"])
    assert list(stream) == []


def test_streamed_gradients_are_those_of_backward(ad):
    x, w, b = variable(ad, 0.5, -1.0), variable(ad, 2.0, 3.0), variable(ad, 1.0, 1.0)
    y = x
    for _ in range(5):
        y = tv.tanh(y * w + b) + x
    y = y.sum()

    streamed = dict(gradients_as_ready(y, [x, w, b]))

    grads = y.backward()
    for place, v in enumerate((x, w, b)):
        got, want = streamed[place].tolist(), grads[v].tolist()
        assert got == pytest.approx(want, rel=1e-14)


def test_streamed_gradients_take_a_cotangent_and_leave_out_other_variables(ad):
    x, other = variable(ad, 1.0, 2.0), variable(ad, 1.0)
    weights = tv.asarray([1.0, 10.0], dtype=tv.float64, backend=ad)

    streamed = dict(gradients_as_ready(x * x, [x, other], weights))

    assert {place: g.tolist() for place, g in streamed.items()} == {0: [2.0, 40.0]}


def test_streaming_a_variable_itself_gives_its_cotangent(ad):
    x = variable(ad, 1.0)

    assert [(p, g.tolist()) for p, g in gradients_as_ready(x, [x])] == [(0, [1.0])]


def test_streaming_asks_for_a_tracked_scalar(ad, backend):
    with pytest.raises(tv.errors.UntrackedError):
        gradients_as_ready(tv.ones(1, backend=backend), [])
    with pytest.raises(tv.errors.CotangentError):
        gradients_as_ready(variable(ad, 1.0, 2.0), [])


def test_variable_that_is_asked_for_twice_is_handed_out_twice(ad):
    x = variable(ad, 2.0)

    streamed = [(p, g.tolist()) for p, g in gradients_as_ready((x * x).sum(), [x, x])]

    assert streamed == [(0, [4.0]), (1, [4.0])]


def test_streaming_asks_for_variables_of_the_backend(ad, backend):
    x = variable(ad, 1.0, 2.0)
    y = (x * x).sum()

    for other in (x * x, tv.ones(2, backend=backend), x.detach(), 1.0):
        with pytest.raises(tv.errors.UntrackedError, match="variable 1 is none of"):
            gradients_as_ready(y, [x, other])


def test_streaming_refuses_a_cotangent_as_backward_does(ad, backend):
    x = variable(ad, 1.0, 2.0)

    with pytest.raises(tv.errors.CotangentError, match=r"cotangent has shape \(1,\)"):
        gradients_as_ready(x * x, [x], tv.ones(1, dtype=tv.float64, backend=backend))
    with pytest.raises(tv.errors.CotangentError, match="the cotangent has dtype int64"):
        gradients_as_ready(x * x, [x], tv.asarray([1, 2], backend=backend))
    with pytest.raises(tv.errors.ArgumentError, match="not a tensor"):
        gradients_as_ready(x * x, [x], 1.0)


class Passing(Decorator):
    """Adds nothing."""

    label = "passing"


@pytest.mark.parametrize("wrap", [Passing, Autodiff])
def test_hooks_reach_the_level_that_tracks(backend, wrap):
    """A decorator outside passes handles on, and so hooks pass it."""
    ad = Autodiff(backend)
    x = variable(ad, 3.0)
    seen = []

    outside = (x * x).to_backend(wrap(ad))
    y = on_gradient(outside, lambda g: seen.append(g.tolist()))
    kept, mark = keep_gradient(y)

    assert y.backend is kept.backend is mark.backend is outside.backend
    total = tv.Tensor.from_handle((kept * 2.0).sum().handle, ad)
    grads = total.backward()
    assert (grads[x].tolist(), seen) == ([12.0], [[2.0]])
    assert grads[tv.Tensor.from_handle(mark.handle, ad)].tolist() == [2.0]


@pytest.mark.parametrize("wrap", [Passing, Autodiff])
def test_gradients_of_the_level_that_tracks_are_handed_out(backend, wrap):
    ad = Autodiff(backend)
    x = variable(ad, 3.0)

    y = (x * x).sum().to_backend(wrap(ad))

    assert [(p, g.tolist()) for p, g in gradients_as_ready(y, [x])] == [(0, [6.0])]
