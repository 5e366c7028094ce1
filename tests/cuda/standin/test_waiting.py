"""Which ops make the host wait for the device: those whose result it needs, no others.

A hidden wait in a training step costs more than the step.
"""

import pytest

import trivet as tv


@pytest.fixture
def waits(standin):
    """How often the host has waited so far."""
    return lambda: standin.cuda.COUNTS["waits"]


STEPS = {
    "elementwise": lambda x: tv.exp(x * 2 + 1) / (x - 3) ** 2,
    "division": lambda x: x // 0.3 + x % 0.3,
    "comparison": lambda x: tv.where((x > 1) & (x < 3), x, 0.0),
    "reduction": lambda x: x.sum() + x.mean(axis=0) + x.max(axis=1) + tv.std(x),
    "matmul": lambda x: x @ x.mT @ x,
    "running": lambda x: tv.cumulative_sum(x, axis=0),
    "indexing": lambda x: x[0] + x[:, ::-1][1],
    "sorting": lambda x: tv.sort(x, descending=True) + tv.argsort(x),
    "softmax": lambda x: tv.nn.log_softmax(x, axis=1),
    "clip": lambda x: tv.clip(x, 0.0, 1.0),
}


@pytest.mark.parametrize("step", STEPS)
def test_ops_on_the_device_never_wait(cuda, waits, step):
    x = tv.asarray([[1.0, 2.0], [3.0, 4.0]], backend=cuda)

    STEPS[step](x)

    assert waits() == 0


@pytest.mark.parametrize("mode", ["set", "add", "multiply", "minimum", "maximum"])
def test_scattering_never_waits(cuda, standin, waits, mode):
    x, indices = standin.zeros(3), standin.arange(3)

    cuda.index_update(x, indices, x, mode=mode)

    assert waits() == 0


@pytest.mark.parametrize(
    "read",
    [
        lambda x: x.item(),
        lambda x: x.tolist(),
        float,
        bool,
        lambda x: tv.nonzero(tv.reshape(x, (1,))),
    ],
    ids=["item", "tolist", "float", "bool", "nonzero"],
)
def test_reading_a_value_waits_once(cuda, waits, read):
    x = tv.asarray(1.5, backend=cuda)

    read(x)

    assert waits() == 1


def test_synchronize_waits(cuda, waits):
    cuda.synchronize(cuda.default_device)

    assert waits() == 1
