"""What is saved for a backward pass stays as it was, whatever is written afterwards."""

import pytest

import trivet as tv
from trivet_autodiff import (
    Autodiff,
    checkpoint,
    custom_jvp,
    custom_vjp,
    linearize,
    on_gradient,
    vjp,
)


@custom_vjp
def product(x, c):
    return x * c


product.defvjp(
    lambda x, c: (product(x, c), {"saved": (x, c)}),
    lambda kept, g: (g * kept["saved"][1], g * kept["saved"][0]),
)


@custom_jvp
def pushed(x, c):
    return x * c


@pushed.defjvp
def rule(primals, tangents):
    (x, c), (dx, dc) = primals, tangents
    return x * c, dx * c + x * dc


@custom_vjp
def spoiling(x, c):
    return x * c


def writes_into_what_it_saved(saved, g):
    x, c = saved
    result = g * c, g * x
    c[0] = 50.0
    return result


spoiling.defvjp(lambda x, c: (spoiling(x, c), (x, c)), writes_into_what_it_saved)


def writing(x, c):
    """x * c, and then c is something else."""
    y = x * c
    c[1] = 70.0
    return y


PRODUCTS = {
    "op": lambda x, c: x * c,
    "reflected": lambda x, c: c * x,
    "part": lambda x, c: x * c[:],
    "view": lambda x, c: x * tv.reshape(c, (1, 2))[0],
    "einsum": lambda x, c: tv.einsum("i,i->i", x, c),
    "matmul": lambda x, c: (
        tv.reshape(x, (1, 2)) @ tv.eye(2, dtype=c.dtype) @ c[:, None]
    ),
    "power": lambda x, c: tv.exp(tv.log(x) + tv.log(c)),
    "custom_vjp": product,
    "custom_jvp": pushed,
    "rule that writes": spoiling,
    "region": checkpoint(lambda x, c: x * c),
    "region by keyword": lambda x, c: checkpoint(lambda x, *, c: x * c)(x, c=c),
    "region of a container": lambda x, c: checkpoint(lambda p: p[0] * p[1]["c"])(
        (x, {"c": c})
    ),
    "region that writes": checkpoint(writing),
    "region of a custom function": checkpoint(product),
    "hook": lambda x, c: on_gradient(x, lambda g: g.__setitem__(0, 9.0)) * c,
}


WRITERS = {"region that writes", "rule that writes"}  # into the constant


@pytest.fixture(params=["none", "balanced", 0])
def ad(backend, request):
    """A backend that records, by every policy."""
    return Autodiff(backend, checkpoint=request.param)


@pytest.mark.parametrize("name", PRODUCTS)
def test_write_into_a_constant_changes_no_gradient(backend, ad, name):
    x = tv.asarray([3.0, 5.0], dtype=tv.float64, backend=ad).require_grad()
    with tv.using(backend):
        c = tv.asarray([2.0, 4.0], dtype=tv.float64)
        y = tv.sum(PRODUCTS[name](x, c))

    c[0] = 100.0
    c += 1.0
    c[c > 0] = 7.0

    first, second = y.backward(), y.backward()
    assert first[x].tolist() == pytest.approx([2.0, 4.0], rel=1e-15)
    assert second[x].tolist() == pytest.approx([2.0, 4.0], rel=1e-15)


@pytest.mark.parametrize("name", sorted(PRODUCTS.keys() - WRITERS))
def test_write_into_what_a_variable_was_made_of_changes_no_gradient(backend, ad, name):
    source = tv.asarray([3.0, 5.0], dtype=tv.float64, backend=backend)
    x = source.to_backend(ad).require_grad()
    c = tv.asarray([2.0, 4.0], dtype=tv.float64, backend=ad).require_grad()
    with tv.using(backend):
        y = tv.sum(PRODUCTS[name](x, c))

    source[0] = 100.0
    for copied in (x.inner(), x.detach(), c.inner()):
        copied[1] = 100.0

    assert y.backward()[c].tolist() == pytest.approx([3.0, 5.0], rel=1e-15)
    assert x.tolist() == [3.0, 5.0]


def test_write_into_a_gradient_changes_no_other(ad):
    x = tv.asarray([3.0, 5.0], dtype=tv.float64, backend=ad).require_grad()
    z = tv.asarray([1.0, 1.0], dtype=tv.float64, backend=ad).require_grad()
    grads = tv.sum(x + z).backward()

    for gradient in (grads[x], grads[x], *grads.tensors()):
        gradient[0] = 100.0
        gradient[:] = 50.0

    assert grads[x].tolist() == grads[z].tolist() == [1.0, 1.0]


def test_write_into_primals_and_cotangents_changes_no_pullback(backend):
    x, g = (tv.asarray([2.0, 4.0], dtype=tv.float64, backend=backend) for _ in range(2))
    _, pullback = vjp(lambda x: x * x, x)
    _, line = linearize(lambda x: x * x, x)

    x[0] = 100.0
    found = [pullback(g)[0], line(g)]
    g[0] = 100.0

    assert [f.tolist() for f in found] == [[8.0, 32.0], [8.0, 32.0]]
