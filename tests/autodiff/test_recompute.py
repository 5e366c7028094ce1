"""Policies for saved values: what is computed again, and that nothing else changes."""

import gc
import pickle
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest
from counting import Counting

import trivet as tv
from trivet.errors import BackendSpecError, GradientError
from trivet_autodiff import Autodiff, checkpoint, grad, no_grad, value_and_grad, vjp


@pytest.fixture(params=["balanced", 0, 100, 10**9])
def thrifty(request, backend):
    """A backend that saves less than everything."""
    return Autodiff(backend, checkpoint=request.param)


def leaves(backend, *values):
    """Float64 variables."""
    return [
        tv.asarray(v, dtype=tv.float64, backend=backend).require_grad() for v in values
    ]


def network(x, w, b):
    """Products, reductions, broadcasting, sequences, shapes and a result used twice."""
    h = tv.tanh(x @ w + b)
    for _ in range(3):
        h = tv.exp(tv.sin(h * b) * 0.5) + h / (1.0 + h * h)
    joined = tv.concat([h, h * 2.0, tv.reshape(x, (-1, 2))], axis=0)
    scaled = joined - tv.mean(joined, axis=0)
    return (tv.nn.softmax(scaled * b, axis=1) * tv.where(joined > 0, joined, 0.1)).sum()


X, W, B = [[0.3, -0.7], [1.1, 0.2], [-0.4, 0.9]], [[0.5, -0.2], [0.8, 0.3]], [0.1, -0.6]


def test_gradients_are_the_same_to_the_bit(ad, thrifty):
    found = []
    for backend in (ad, thrifty):
        variables = leaves(backend, X, W, B)
        grads = network(*variables).backward()
        found.append([grads[v].tolist() for v in variables])

    assert found[0] == found[1]


def test_second_pass_gives_the_same(thrifty):
    variables = leaves(thrifty, X, W, B)
    y = network(*variables)

    first, second = y.backward(), y.backward()

    for v in variables:
        assert first[v].tolist() == second[v].tolist()


def test_part_of_a_graph_can_be_differentiated_first(ad, thrifty):
    found = []
    for backend in (ad, thrifty):
        (x,) = leaves(backend, [0.3, -0.7])
        inner = tv.tanh(tv.exp(x) * x)
        outer = (tv.sin(inner * inner) * inner).sum()
        parts = [inner.sum().backward(), outer.backward(), inner.sum().backward()]
        found.append([part[x].tolist() for part in parts])

    assert found[0] == found[1]


@pytest.mark.parametrize(
    "policies", [("balanced", "none"), ("none", 0), (0, "balanced")]
)
def test_second_derivatives_are_the_same(backend, policies):
    found = []
    for outer, inner in (("none", "none"), policies):
        once = Autodiff(backend, checkpoint=outer)
        twice = Autodiff(once, checkpoint=inner)
        (x,) = leaves(once, [0.3, -0.7])
        z = x.to_backend(twice).require_grad()
        slope = (tv.tanh(tv.exp(z) * z) * tv.sin(z)).sum().backward()[z]
        found.append((slope * slope).sum().backward()[x].tolist())

    assert found[1] == pytest.approx(found[0], rel=1e-12)


def test_every_op_is_computed_again_at_most_once(backend):
    counting = Counting(backend)
    (x,) = leaves(Autodiff(counting, checkpoint=0), [0.3, -0.7])
    y = x
    for _ in range(20):
        y = tv.tanh(y * 1.5)
    y = y.sum()
    counting.calls.clear()

    y.backward()

    # tanh saves its result, so the forward pass is all that is repeated
    assert counting.calls["tanh"] == 20


def test_balanced_keeps_results_of_costly_ops_and_recomputes_cheap_ones(backend):
    counting = Counting(backend)
    (x,) = leaves(Autodiff(counting, checkpoint="balanced"), [[0.3, -0.7], [0.1, 0.2]])
    y = x
    for _ in range(20):
        y = tv.tanh(tv.tanh(tv.tanh((y @ y) * 0.5)))
    y = y.sum()
    counting.calls.clear()

    y.backward()

    assert counting.calls["matmul"] == 40  # two products of each vjp, and no more
    assert 20 < counting.calls["tanh"] < 40  # the first after a product is kept


def kept(backend, length, size=100):
    """How many values of a chain are kept, and their bytes."""
    (x,) = leaves(backend, [0.5] * size)
    y = x
    for _ in range(length):
        y = tv.tanh(y)
    keeper = backend._keeper  # what is kept is not public
    cells = [one() for one in keeper.kept]
    alive = [cell for cell in cells if cell is not None and cell.value is not None]
    return len(alive), keeper.total


def test_budget_is_not_exceeded(backend):
    count, total = kept(Autodiff(backend, checkpoint=10_000), 200)

    assert total == count * 800 <= 10_000
    assert count >= 6  # at least half of what would fit


def test_balanced_keeps_about_the_root_of_a_chain(backend):
    count, _ = kept(Autodiff(backend, checkpoint="balanced"), 400, size=1)

    assert 10 <= count <= 80


def test_next_graph_starts_anew_when_the_one_before_is_gone(backend):
    ad = Autodiff(backend, checkpoint=8_000)
    gc.collect()

    assert kept(ad, 200)[0] <= 10
    gc.collect()
    assert kept(ad, 5)[0] == 5


def test_long_chain_needs_no_recursion(backend):
    (x,) = leaves(Autodiff(backend, checkpoint="balanced"), 0.5)
    y = x
    for _ in range(5_000):
        y = tv.tanh(y)
    assert y.backward()[x].item() > 0

    for _ in range(5_000):
        y = tv.tanh(y)
    del y  # is freed without a pass, too


def test_threads_share_a_policy_and_a_graph(ad, thrifty):
    variables = leaves(thrifty, X, W, B)
    shared = network(*variables)

    def own(_):
        fresh = leaves(thrifty, X, W, B)
        grads = network(*fresh).backward()
        return [grads[v].tolist() for v in fresh]

    def same(_):
        grads = shared.backward()
        return [grads[v].tolist() for v in variables]

    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(own, range(8)), *pool.map(same, range(8))]

    plain = leaves(ad, X, W, B)
    grads = network(*plain).backward()
    assert found == [[grads[v].tolist() for v in plain]] * 16


def test_no_grad_block_records_nothing(thrifty):
    (x,) = leaves(thrifty, [0.5])

    with no_grad():
        y = tv.tanh(x)

    assert not thrifty.is_tracked(y.handle)


def test_region_and_policy_go_together(ad, thrifty):
    found = []
    for backend in (ad, thrifty):
        variables = leaves(backend, X, W, B)
        grads = checkpoint(network)(*variables).backward()
        found.append([grads[v].tolist() for v in variables])

    assert found[0] == found[1]


def test_policy_is_part_of_the_backend_and_of_its_name(backend):
    balanced = Autodiff(backend, checkpoint="balanced")

    assert Autodiff(backend, checkpoint="none") is Autodiff(backend)
    assert Autodiff(backend, checkpoint="balanced") is balanced
    assert balanced is not Autodiff(backend)
    assert Autodiff(backend, checkpoint=100) is not Autodiff(backend, checkpoint=200)
    assert Autodiff(backend).name == f"autodiff({backend.name})"
    assert balanced.name == f"autodiff({backend.name}, checkpoint=balanced)"
    assert Autodiff(balanced).name == f"autodiff({balanced.name})"


@pytest.mark.parametrize("policy", ["all", True, 1.5, -1])
def test_other_policy_is_refused(backend, policy):
    with pytest.raises(GradientError) as caught:
        Autodiff(backend, checkpoint=policy)

    assert str(caught.value) == (
        f"autodiff: checkpoint={policy!r} is no policy for saved values. It is "
        '"none", "balanced", or a number of bytes.'
    )


def test_policy_is_written_into_a_backend_string(backend):
    text = f"autodiff({backend.name}, checkpoint=balanced)"

    assert tv.backend(text) is Autodiff(backend, checkpoint="balanced")
    assert tv.backend(f"autodiff({text},checkpoint=100)") is Autodiff(
        Autodiff(backend, checkpoint="balanced"), checkpoint=100
    )


def test_tensor_is_pickled_to_its_policy(thrifty):
    (x,) = leaves(thrifty, [1.0, 2.0])

    again = pickle.loads(pickle.dumps(tv.tanh(x)))

    assert again.backend is thrifty
    assert not thrifty.is_tracked(again.handle)


@pytest.mark.parametrize(
    "option, reason",
    [
        ("checkpoint=all", "autodiff: checkpoint='all' is no policy for saved values."),
        (
            "policy=all",
            "Autodiff.settled() got an unexpected keyword argument 'policy'",
        ),
    ],
)
def test_other_option_in_a_backend_string_is_refused(backend, option, reason):
    with pytest.raises(BackendSpecError) as caught:
        tv.backend(f"autodiff({backend.name}, {option})")

    message = str(caught.value)
    assert message.startswith("Decorator 'autodiff'")
    assert f"does not take {option}: {reason}" in message


WITH_POLICY = {
    "grad": lambda f, x, **policy: grad(f, **policy)(x),
    "value_and_grad": lambda f, x, **policy: value_and_grad(f, **policy)(x)[1],
    "vjp": lambda f, x, **policy: vjp(f, x, **policy)[1](1.0)[0],
}


@pytest.mark.parametrize("transform", WITH_POLICY)
@pytest.mark.parametrize("policy", ["balanced", 100])
def test_transform_takes_the_policy_of_the_decorator(backend, transform, policy):
    run, levels = WITH_POLICY[transform], []
    x = tv.asarray(X, dtype=tv.float64, backend=backend)

    def loss(x):
        levels.append(x.backend)
        return network(
            x, tv.asarray(W, backend=backend), tv.asarray(B, backend=backend)
        )

    found, whole = run(loss, x, checkpoint=policy), run(loss, x)

    assert found.tolist() == whole.tolist()
    assert levels == [Autodiff(backend, checkpoint=policy), Autodiff(backend)]


@pytest.mark.parametrize("transform", [grad, value_and_grad])
def test_policy_that_there_is_not_is_refused_at_once(transform):
    with pytest.raises(GradientError, match="checkpoint='lots' is no policy"):
        transform(lambda x: x, checkpoint="lots")


def test_policy_is_that_of_one_order_alone(backend):
    def cube(x):
        return x * x * x

    inner = grad(cube, checkpoint=0)
    x = tv.asarray(2.0, dtype=tv.float64, backend=backend)

    assert grad(inner)(x).item() == grad(grad(cube), checkpoint=0)(x).item() == 12.0


def peak(function):
    """The most memory that a call takes at once."""
    function()
    gc.collect()
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kept", ["balanced", 0, 5])
def test_any_policy_takes_a_fraction_of_the_memory(backend, kept):
    """Of 100 values, "none" keeps all, and the others about 2 sqrt(100) at a time."""
    size = 3000
    policy = kept if isinstance(kept, str) else kept * size * 8
    x = tv.asarray([0.5] * size, dtype=tv.float64, backend=backend)

    def chain(x):
        for _ in range(100):
            x = tv.sin(x) * 1.01
        return x.sum()

    whole = peak(lambda: grad(chain)(x))
    lean = peak(lambda: grad(chain, checkpoint=policy)(x))

    assert lean < 0.45 * whole


@pytest.mark.parametrize("policy", [0, 100, "balanced"])
def test_each_op_runs_a_few_times_at_most(backend, policy):
    counting = Counting(backend)
    x = tv.asarray([0.5], dtype=tv.float64, backend=counting)

    def chain(x):
        for _ in range(400):
            x = tv.sin(x)
        return x.sum()

    before = counting.calls["sin"]  # there is one such backend for all tests
    grad(chain, checkpoint=policy)(x)

    assert 400 < counting.calls["sin"] - before <= 3 * 400
