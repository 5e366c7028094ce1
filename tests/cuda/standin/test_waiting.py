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
    "determinants": lambda x: tv.linalg.det(x) + tv.linalg.slogdet(x)[1],
    "qr": tv.linalg.qr,
    "lu": tv.linalg.lu,
    "singular values": lambda x: (*tv.linalg.svd(x), tv.linalg.svdvals(x)),
    "least squares": lambda x: tv.linalg.lstsq(x, x),
    "pseudoinverse": tv.linalg.pinv,
    "rank": tv.linalg.matrix_rank,
    "norms": lambda x: tv.linalg.vector_norm(x) + tv.linalg.matrix_norm(x, ord="nuc"),
    "condition": tv.linalg.cond,
    "eigenvalues": lambda x: (*tv.linalg.eigh(x), tv.linalg.eigvalsh(x)),
    "eigenvalues of any matrix": lambda x: (*tv.linalg.eig(x), tv.linalg.eigvals(x)),
    "products": lambda x: tv.linalg.cross(*[tv.concat([x, x[:1]]).mT] * 2),
    "fourier": lambda x: tv.fft.irfftn(tv.fft.rfftn(x)) + tv.real(tv.fft.fftn(x)),
    "statistics": lambda x: tv.median(x) + tv.quantile(x, 0.5) + tv.cov(x)[0, 0],
    "selection": lambda x: tv.topk(x, 1),
}


@pytest.mark.parametrize("step", STEPS)
def test_ops_on_the_device_never_wait(cuda, waits, step):
    x = tv.asarray([[1.0, 2.0], [3.0, 4.0]], backend=cuda)

    STEPS[step](x)

    assert waits() == 0


DRAWS = {
    "uniform": lambda g: g.uniform(3),
    "normal": lambda g: g.normal(3),
    "integers": lambda g: g.integers(0, 9, 3),
    "permutation": lambda g: g.permutation(4),
    "exponential": lambda g: g.exponential(3),
}


@pytest.mark.parametrize("draw", DRAWS)
def test_draws_never_wait(cuda, compiler, waits, draw):
    generator = tv.random.Generator(1, backend=cuda)

    DRAWS[draw](generator)

    assert waits() == 0


def test_draw_waits_to_know_that_its_parameters_are_allowed(cuda, compiler, waits):
    p = tv.asarray([0.25, 0.5], backend=cuda)

    tv.random.Generator(1, backend=cuda).bernoulli(p)

    assert waits() == 1


UNARY = ["digamma", "entr", "erf", "erfc", "erfinv", "exprel", "gammaln", "i0", "i0e"]
UNARY += ["i1", "i1e", "log_ndtr", "logit", "ndtr", "ndtri", "sinc"]
BINARY = ["beta", "betaln", "gammainc", "gammaincc", "kl_div", "rel_entr", "xlog1py"]
BINARY += ["xlogy"]


@pytest.mark.parametrize("op", [*UNARY, *BINARY, "betainc", "polygamma"])
def test_special_functions_never_wait(cuda, waits, op):
    pytest.importorskip("scipy.special", reason="the stand-in takes SciPy's values")
    x = tv.asarray([0.25, 0.5], backend=cuda)
    operands = {"betainc": [x, x, x], "polygamma": [2, x]} | {b: [x, x] for b in BINARY}

    getattr(tv.special, op)(*operands.get(op, [x]))

    assert waits() == 0


@pytest.mark.parametrize(
    "op, count",
    [
        (tv.linalg.cholesky, 1),
        (tv.linalg.inv, 2),  # CuPy looks after the factors and after the solution
        (lambda x: tv.linalg.solve(x, x), 2),
    ],
    ids=["cholesky", "inv", "solve"],
)
def test_factorisations_that_refuse_a_matrix_wait_to_know(cuda, waits, op, count):
    op(tv.asarray([[2.0, 1.0], [1.0, 2.0]], backend=cuda))

    assert waits() == count


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
