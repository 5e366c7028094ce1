"""The graph: shared parts, repeated passes, nesting, length, lifetime and threads."""

import copy
import gc
import math
import pickle
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

import trivet as tv
from trivet_autodiff import Autodiff, grad


def variable(ad, values, dtype=tv.float64):
    """A variable on a recording backend."""
    return tv.asarray(values, dtype=dtype, backend=ad).require_grad()


@pytest.fixture
def no_collector():
    """Reference counts alone free what is freed in a test."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_backend_is_wrapped_once(backend):
    assert Autodiff(backend) is Autodiff(backend)
    assert Autodiff(Autodiff(backend)) is Autodiff(Autodiff(backend))
    assert Autodiff(Autodiff(backend)) is not Autodiff(backend)
    assert tv.backend(f"autodiff({backend.name})") is Autodiff(backend)


def test_wrapped_backend_shares_devices_and_stays_another_type(backend, ad):
    plain = tv.asarray([1.0], backend=backend)
    wrapped = tv.asarray([1.0], backend=ad)

    assert plain.device == wrapped.device
    assert plain.backend is not wrapped.backend
    assert (plain + wrapped).backend is ad
    assert (wrapped + plain).backend is ad


def test_reused_variable_gets_the_sum_of_its_uses(ad):
    x = variable(ad, 3.0)

    assert (x * x + x).backward()[x].item() == 7.0
    assert (x + x).backward()[x].item() == 2.0


def test_diamond_counts_every_path_once(ad):
    x = variable(ad, 3.0)
    a = x * 2.0
    b = a + a

    assert (b * a).backward()[x].item() == 48.0


def test_chain_of_diamonds_visits_every_node_once(ad):
    # there are 2**200 paths
    x = variable(ad, 3.0)
    y = x
    for _ in range(200):
        y = y * 0.25 + y * 0.75

    assert y.backward()[x].item() == 1.0


def test_node_used_by_many_others_gets_the_sum(ad):
    x = variable(ad, 2.0)
    shared = x * x
    total = shared * 1.0
    for factor in range(2, 6):
        total = total + shared * float(factor)

    assert total.backward()[x].item() == 60.0


def test_node_of_many_parents_gives_to_each(ad):
    xs = [variable(ad, [float(i)]) for i in range(4)]
    squares = [x * x for x in xs]

    joined = tv.concat([*squares, squares[3]])
    grads = tv.sum(joined).backward()

    assert [grads[x].tolist() for x in xs] == [[0.0], [2.0], [4.0], [12.0]]


def test_second_backward_pass_gives_the_same(ad):
    x = variable(ad, [3.0, 4.0])
    y = tv.sum(x * x + x)

    assert y.backward()[x].tolist() == [7.0, 9.0]
    assert y.backward()[x].tolist() == [7.0, 9.0]


def test_gradients_of_two_variables_do_not_share_writes(ad):
    u, v = variable(ad, [1.0, 1.0]), variable(ad, [2.0, 2.0])
    grads = tv.sum(u + v).backward()
    of_u, of_v = grads[u], grads[v]

    of_u[0] = 5.0

    assert of_u.tolist() == [5.0, 1.0]
    assert of_v.tolist() == [1.0, 1.0]
    assert grads[u].tolist() == [1.0, 1.0]


def test_gradient_does_not_share_writes_with_the_cotangent(ad):
    x = variable(ad, [1.0, 2.0])
    weights = tv.asarray([3.0, 4.0], dtype=tv.float64, backend=ad.inner)
    gradient = x.backward(weights)[x]

    gradient[0] = 9.0

    assert weights.tolist() == [3.0, 4.0]


def test_backward_leaves_its_cotangent_and_the_variable_alone(ad):
    x = variable(ad, [1.0, 2.0])
    weights = tv.asarray([3.0, 4.0], dtype=tv.float64, backend=ad.inner)

    (x * x + x + x).backward(weights)

    assert weights.tolist() == [3.0, 4.0]
    assert x.tolist() == [1.0, 2.0]


def test_augmented_assignment_rebinds_the_name(ad):
    x = variable(ad, [1.0, 2.0])
    z = tv.sum(x * x)
    y = x

    y += 1.0

    assert x.tolist() == [1.0, 2.0]
    assert z.backward()[x].tolist() == [2.0, 4.0]


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (2, 3), (0, 3), (3, 1)])
def test_gradient_has_the_shape_dtype_and_device_of_its_variable(ad, shape):
    device = ad.devices()[-1]
    x = tv.ones(shape, dtype=tv.float32, device=device, backend=ad).require_grad()
    y = tv.ones((2, *shape), dtype=tv.float64, device=device, backend=ad).require_grad()

    grads = tv.sum(x * y + x / 2.0).backward()

    for z in (x, y):
        assert grads[z].shape == z.shape
        assert grads[z].dtype == z.dtype
        assert grads[z].device == device
        assert grads[z].backend is ad.inner


def test_gradient_is_narrow_when_its_partner_is_an_integer(ad):
    x = variable(ad, [1.0, 2.0], tv.float32)
    n = tv.asarray([3, 4], dtype=tv.int64, backend=ad)

    gradient = tv.sum(x * n).backward()[x]

    assert gradient.dtype == tv.float32
    assert gradient.tolist() == [3.0, 4.0]


def test_cotangent_is_cast_to_the_dtype_of_the_result(ad):
    x = variable(ad, [1.0, 2.0], tv.float32)
    weights = tv.asarray([3.0, 4.0], dtype=tv.float64, backend=ad.inner)

    assert x.backward(weights)[x].dtype == tv.float32
    assert (-x).backward(weights)[x].tolist() == [-3.0, -4.0]


def test_constants_of_the_inner_backend_are_lifted_on_either_side(backend, ad):
    x = variable(ad, [1.0, 2.0])
    c = tv.asarray([3.0, 4.0], dtype=tv.float64, backend=backend)

    grads = tv.sum(c * x - x / c + tv.where(c > 3.5, c, x)).backward()

    expected = [3.0 - 1 / 3 + 1.0, 4.0 - 1 / 4]
    assert grads[x].tolist() == pytest.approx(expected, rel=1e-15)


def test_untracked_result_of_a_wrapped_backend_is_an_inner_handle(ad):
    c = tv.asarray([3.0, 4.0], backend=ad)

    assert type((c * c + 1.0).handle) is type(c.handle)
    assert not ad.is_tracked((c * c).handle)


def test_detached_tensor_keeps_its_value_and_no_graph(ad):
    x = variable(ad, [1.0, 2.0])
    y = x * x

    assert y.detach().tolist() == [1.0, 4.0]
    assert y.detach().backend is ad
    assert y.inner().backend is ad.inner
    assert tv.sum(y.detach() * x).backward()[x].tolist() == [1.0, 4.0]


def test_require_grad_of_a_variable_is_that_variable(ad):
    x = variable(ad, [1.0])

    again = x.require_grad()

    assert tv.sum(x * again).backward()[x].tolist() == [2.0]


def test_second_derivatives_come_from_wrapping_twice(ad):
    twice = Autodiff(ad)
    outer = variable(ad, [2.0, 3.0])
    u = outer.to_backend(twice).require_grad()

    slope = (u[0] ** 3 * u[1] ** 2).backward()[u]
    rows = [slope[i].backward()[outer].tolist() for i in range(2)]

    assert slope.tolist() == [108.0, 48.0]
    assert rows == [[108.0, 72.0], [72.0, 16.0]]


def test_chain_of_a_hundred_thousand_ops_is_differentiated_and_freed(ad):
    limit = sys.getrecursionlimit()
    x = variable(ad, 1.0)
    y = x
    for _ in range(100_000):
        y = y * 1.0001

    gradient = y.backward()[x].item()
    del y

    assert gradient == pytest.approx(math.exp(100_000 * math.log(1.0001)), rel=1e-9)
    assert sys.getrecursionlimit() == limit


def test_long_chain_is_freed_when_it_was_recorded_twice(ad):
    twice = Autodiff(ad)
    outer = variable(ad, 1.0)
    y = outer.to_backend(twice).require_grad()
    for _ in range(20_000):
        y = y * outer

    assert repr(y).startswith("Tensor(1.")
    del y


def test_graph_goes_with_its_last_tensor(ad, no_collector):
    x = variable(ad, [1.0, 2.0])
    middle = tv.sin(x) * 2.0
    y = tv.sum(
        tv.concat([middle, tv.max(middle, keepdims=True)])
        @ tv.ones_like(tv.concat([x, x[:1]]).detach())
    )
    kept = [weakref.ref(t.handle) for t in (x, middle, y)]

    grads = y.backward()
    assert grads[x].shape == (2,)
    del x, middle, y, grads

    assert [ref() for ref in kept] == [None] * 3


def test_graph_goes_when_the_function_raises(backend, no_collector):
    seen = []

    def fails(x):
        y = x * x
        seen.extend(weakref.ref(t.handle) for t in (x, y))
        raise ValueError("on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        grad(fails)(tv.asarray(2.0, backend=backend))

    assert [ref() for ref in seen] == [None] * 2


def test_variables_that_are_never_differentiated_leave_nothing(ad, no_collector):
    kept = []
    for _ in range(200):
        a = tv.ones(10, backend=ad).require_grad()
        b = a * 2.0 + 1.0
        kept += [weakref.ref(a.handle), weakref.ref(b.handle)]
    del a, b

    assert not any(ref() for ref in kept)


def test_gradients_do_not_keep_the_graph(ad, no_collector):
    x = variable(ad, [1.0, 2.0])
    y = tv.sum(x * x)
    kept = weakref.ref(y.handle)

    grads = y.backward()
    del y

    assert kept() is None
    assert grads[x].tolist() == [2.0, 4.0]


def test_eight_threads_differentiate_graphs_of_their_own(backend):
    def slopes(k):
        x = tv.arange(20.0, dtype=tv.float64, backend=backend) + float(k)
        found = [grad(lambda x: tv.sum(x**2))(x).tolist() for _ in range(20)]
        return found, (x * 2.0).tolist()

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(slopes, range(8)))

    assert all(found == [expected] * 20 for found, expected in results)


def test_eight_threads_share_one_variable(ad):
    shared = tv.ones(10, dtype=tv.float64, backend=ad).require_grad()

    def slope(k):
        return tv.sum(shared * float(k + 1)).backward()[shared].tolist()

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(slope, range(8)))

    assert results == [[float(k + 1)] * 10 for k in range(8)]


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("squared", [False, True])
def test_pickled_tensor_comes_back_untracked(ad, protocol, squared):
    x = variable(ad, [[1.0, 2.0], [3.0, 4.0]], tv.float32)
    t = x * x if squared else x

    back = pickle.loads(pickle.dumps(t, protocol))

    assert back.tolist() == t.tolist()
    assert back.dtype == tv.float32
    assert back.backend is ad
    assert not ad.is_tracked(back.handle)


def test_deep_copy_is_untracked_and_copy_is_the_same_variable(ad):
    x = variable(ad, [1.0, 2.0])

    deep = copy.deepcopy(x * x)
    same = copy.copy(x)

    assert deep.tolist() == [1.0, 4.0]
    assert not ad.is_tracked(deep.handle)
    assert tv.sum(same * x).backward()[x].tolist() == [2.0, 4.0]
