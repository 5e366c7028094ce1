"""`no_grad` and `enable_grad`: blocks, decorators, generators, coroutines, threads."""

import asyncio
from threading import Barrier, Thread

import pytest

import trivet as tv
from trivet_autodiff import enable_grad, grad, mode, no_grad


@pytest.fixture
def x(ad):
    """A variable of value 3."""
    return tv.asarray(3.0, dtype=tv.float64, backend=ad).require_grad()


@pytest.fixture
def records(ad, x):
    """Tells whether an op records here."""
    return lambda: ad.is_tracked((x * x).handle)


@pytest.fixture(autouse=True)
def _everything_is_restored():
    """No test leaves the mode off or a block counted."""
    yield
    assert not mode.is_paused()
    assert not mode.PAUSES


OPS = {
    "unary": tv.sin,
    "both operands": lambda x: x * x,
    "left operand": lambda x: x - 1.0,
    "right operand": lambda x: 1.0 - x,
    "general": tv.sum,
    "body": lambda x: tv.sort(tv.reshape(x, (1,))),
    "cast": lambda x: x.astype(tv.float32),
}


@pytest.mark.parametrize("op", OPS)
def test_op_records_nothing_inside_no_grad(ad, x, op):
    with no_grad():
        y = OPS[op](x)

    assert y.backend is ad
    assert not ad.is_tracked(y.handle)
    assert ad.is_tracked(OPS[op](x).handle)


def test_inner_backend_runs_its_own_kernel_inside_no_grad(ad, x):
    calls = []

    def kernel(*arrays, **statics):
        calls.append(any(map(ad.is_tracked, arrays)))
        return ad.inner.huber_loss(*arrays, **statics)

    op = ad.forward(tv.contract.OPS["huber_loss"], kernel)
    statics = {"delta": 1.0, "reduction": "sum"}

    with no_grad():
        loss = op(x.handle, x.handle.value, **statics)
    assert not ad.is_tracked(loss)
    assert calls == [False]
    assert ad.is_tracked(op(x.handle, x.handle.value, **statics))
    assert calls == [False]  # that was its body


def test_recording_resumes_after_an_exception(x, records):
    with pytest.raises(ValueError, match="on purpose"), no_grad():
        raise ValueError("on purpose")

    assert records()
    assert (x * x).backward()[x].item() == 6.0


def test_enable_grad_records_inside_no_grad_and_gives_the_mode_back(records):
    with no_grad():
        assert not records()
        with enable_grad():
            assert records()
            with no_grad():
                assert not records()
            assert records()
        assert not records()
    assert records()


def test_one_block_can_be_entered_again_inside_itself(records):
    block = no_grad()

    with block, block:
        assert not records()

    assert records()


def test_decorated_function_records_nothing(records):
    paused = no_grad()(records)
    resumed = enable_grad()(records)

    assert not paused()
    with no_grad():
        assert resumed()


def test_decorator_keeps_the_name_and_the_documentation():
    @no_grad()
    def named():
        """Documented."""

    assert (named.__name__, named.__doc__) == ("named", "Documented.")


def test_transform_records_inside_no_grad(backend):
    with no_grad():
        slope = grad(lambda x: x * x)(tv.asarray(3.0, backend=backend))

    assert slope.item() == 6.0


def test_decorated_generator_leaves_its_caller_recording_between_steps(x, records):
    @no_grad()
    def steps():
        yield records()
        yield records()

    running = steps()

    assert next(running) is False
    assert records()
    assert (x * x).backward()[x].item() == 6.0
    assert next(running) is False
    assert list(running) == []


def test_decorated_generator_takes_what_is_sent_and_gives_what_it_returns(records):
    @no_grad()
    def steps():
        sent = yield records()
        return sent, records()

    running = steps()
    next(running)
    with pytest.raises(StopIteration) as stop:
        running.send("sent")

    assert stop.value.value == ("sent", False)


def test_decorated_generator_handles_what_is_thrown_into_it(records):
    @no_grad()
    def steps():
        try:
            yield
        except KeyError:
            yield records()

    running = steps()
    next(running)

    assert running.throw(KeyError()) is False
    assert records()


def test_decorated_generator_cleans_up_when_it_is_closed(records):
    seen = []

    @no_grad()
    def steps():
        try:
            yield
        finally:
            seen.append(records())

    running = steps()
    next(running)
    running.close()

    assert seen == [False]


def test_decorated_generator_passes_its_own_exception_on(records):
    @no_grad()
    def steps():
        yield
        raise ValueError("on purpose")

    running = steps()
    next(running)
    with pytest.raises(ValueError, match="on purpose"):
        next(running)

    assert records()


def test_decorated_coroutine_records_nothing_while_others_do(records):
    @no_grad()
    async def paused():
        before = records()
        await asyncio.sleep(0)
        return before, records()

    async def other():
        before = records()
        await asyncio.sleep(0)
        return before, records()

    async def both():
        return await asyncio.gather(paused(), other())

    assert asyncio.run(both()) == [(False, False), (True, True)]


def test_asynchronous_generator_is_refused():
    async def steps():
        yield

    with pytest.raises(TypeError) as error:
        no_grad()(steps)

    assert str(error.value) == (
        "no_grad: test_asynchronous_generator_is_refused.<locals>.steps is an "
        "asynchronous generator, whose steps cannot have a mode of their own. Put the "
        "ops into a function that it calls, and decorate that."
    )


def test_mode_belongs_to_its_thread(records):
    inside, done = Barrier(2, timeout=30), Barrier(2, timeout=30)
    seen = []

    def pauses():
        with no_grad():
            inside.wait()
            done.wait()
            seen.append(records())

    thread = Thread(target=pauses)
    thread.start()
    inside.wait()
    here = records()
    done.wait()
    thread.join()

    assert here
    assert seen == [False]


def test_count_of_open_blocks_survives_many_threads(records):
    def enters():
        for _ in range(200):
            with no_grad():
                pass

    threads = [Thread(target=enters) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not mode.PAUSES
    assert records()


def test_one_block_serves_threads_in_different_modes(records):
    block, turn = no_grad(), Barrier(2, timeout=10)
    found = {}

    def outside_of_others():
        turn.wait()  # after the other thread has entered
        with block:
            turn.wait()
            turn.wait()  # until the other thread has left
        found["plain"] = records()

    def inside_another():
        with no_grad():
            with block:
                turn.wait()
                turn.wait()
            found["paused"] = records()
            turn.wait()

    threads = [Thread(target=f) for f in (outside_of_others, inside_another)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == {"plain": True, "paused": False}


def test_block_that_a_generator_leaves_inside_another_is_over(records):
    def pausing():
        with no_grad():
            yield
        yield

    steps = pausing()
    next(steps)
    with enable_grad():
        next(steps)

    assert records()
