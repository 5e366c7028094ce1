"""A backend and its wrapping side by side on one device: what the design promises."""

import trivet as tv
from trivet_autodiff import Autodiff
from trivet_ndarray import NdArray

CPU = tv.Device("cpu")


def test_wrapped_and_plain_tensors_share_a_device_and_stay_distinct():
    nd = NdArray()
    ad = Autodiff(nd)

    x = tv.tensor([3.0], backend=nd, device=CPU)
    w = tv.tensor([2.0], backend=ad, device=CPU)

    assert x.device == w.device == CPU
    assert (type(x.backend), type(w.backend)) == (NdArray, Autodiff)
    assert x.backend is not w.backend
    assert w.backend.inner is x.backend


def test_op_between_them_gives_a_tensor_of_the_wrapped_backend():
    nd = NdArray()
    ad = Autodiff(nd)
    x = tv.tensor([3.0], backend=nd, device=CPU)
    w = tv.tensor([2.0], backend=ad, device=CPU).require_grad()

    left, right = x * w, w * x

    assert left.backend is right.backend is ad
    # d(3 w)/dw = 3, on the inner backend
    for product in (left, right):
        gradient = product.sum().backward()[w]
        assert gradient.tolist() == [3.0]
        assert gradient.backend is nd
    assert x.backend is nd


def test_device_alone_never_selects_a_backend(monkeypatch):
    monkeypatch.delenv("TRIVET_BACKEND", raising=False)
    ad = tv.backend("autodiff(ndarray)")

    outside = tv.tensor([1.0], device="cpu")
    with tv.using(ad):
        inside = tv.tensor([1.0], device="cpu")

    assert outside.backend is tv.backend("ndarray")
    assert inside.backend is ad
    assert not hasattr(CPU, "backend")


def test_wrapping_is_explicit_and_nothing_is_recorded_without_it():
    nd = tv.backend("ndarray")

    y = tv.tensor([2.0], backend=nd) * 3

    assert y.backend is nd
    assert not isinstance(y.handle, tuple)
    assert type(y.handle).__module__ == "numpy"


def test_program_of_the_design_page_runs_as_it_stands():
    nd = tv.backend("ndarray")
    ad = tv.backend("autodiff(ndarray)")
    x = tv.tensor([3.0], backend=nd)
    w = tv.tensor([2.0], backend=ad).require_grad()

    grads = (w * w * x).sum().backward()
    with tv.using("autodiff(ndarray)"):
        scoped = tv.zeros(1).backend
    namespace = w.__array_namespace__()

    assert grads[w].tolist() == [12.0]
    assert scoped is ad
    assert namespace is tv.namespace(ad)
