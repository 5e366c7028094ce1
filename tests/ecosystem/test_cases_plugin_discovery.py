"""Discovery as other projects have met it, in fresh interpreters: O37 to O40.

Each test names the reports that it comes from; times are the best of three.
"""

import json

import pytest

ASK = """
import json
import trivet
import trivet.errors as errors
import trivet.plugins as plugins

def ask(spec):
    try:
        return str(plugins.backend(spec))
    except errors.BackendError as error:
        return f"{type(error).__name__}: {error}"
"""


@pytest.fixture(params=[("A", "B"), ("B", "A")], ids=["A first", "B first"])
def two_gpus(request, make_site, tmp_path):
    """Two folders on `sys.path`, in both orders, whose distributions offer `gpu`."""
    alpha = make_site(tmp_path / "A")
    alpha.add_backend("gpu", dist="alpha-gpu")
    beta = make_site(tmp_path / "B")
    beta.add_backend("gpu", dist="beta-gpu", version="2.0")
    first, second = ({"A": alpha, "B": beta}[name] for name in request.param)
    first.also(second)
    return first


def test_o37_name_of_two_distributions_asks_to_choose_in_either_order(two_gpus):
    # pydata/xarray #5944, #5931; PyCQA/flake8 #1268; apache/airflow #25296
    listed, asked = two_gpus.run(
        ASK,
        """
        print([(r.name, r.dist, r.state.value) for r in plugins.backends()])
        print(ask("gpu"))
    """,
    ).splitlines()

    assert listed == (
        "[('gpu', 'alpha-gpu', 'shadowed'), ('gpu', 'beta-gpu', 'shadowed')]"
    )
    assert asked == (
        "AmbiguousBackendError: Backend 'gpu' (alpha-gpu 1.0) is not the only one of "
        "its name: alpha-gpu 1.0 and beta-gpu 2.0 both offer it. Choose one of them: "
        '"gpu@alpha-gpu" or "gpu@beta-gpu", or uninstall one.'
    )


def test_o37_distribution_after_the_at_sign_decides_in_either_order(two_gpus):
    said = two_gpus.run(
        ASK,
        """
        made = [plugins.backend(f"gpu@{dist}") for dist in ("alpha-gpu", "Beta_GPU")]
        print([type(backend).__module__ for backend in made], ask("gpu")[:21])
    """,
    )

    assert said == (
        "['alpha_gpu_plugin_backend', 'beta_gpu_plugin_backend'] "
        "AmbiguousBackendError\n"
    )


@pytest.fixture
def broken_ones(site):
    site.write("broken_a", 'raise RuntimeError("driver 7 not found")')
    site.write("broken_b", "import a_library_that_does_not_exist")
    site.add("broken-a", backends_v1={"broken_a": "broken_a"})
    site.add("broken-b", backends_v1={"broken_b": "broken_b"})
    site.add_backend("good")
    return site


def test_o38_plugin_that_raises_while_imported_breaks_no_other(broken_ones):
    # pydata/xarray #5136, #5053; alteryx/featuretools #841; torch-spyre #3659
    said = broken_ones.run("""
        import sys
        import trivet
        import trivet.plugins as plugins
        assert "broken_a" not in sys.modules
        for record in plugins.backends(probe=True):
            print(record.name, record.state.value, record.reason)
        print(plugins.backend("good"), plugins.resolve())
    """).splitlines()

    missing = "ModuleNotFoundError: No module named 'a_library_that_does_not_exist'"
    where = f", at {broken_ones.folder}/broken_{{}}.py:1 in <module>"
    assert said == [
        f"broken_a broken RuntimeError: driver 7 not found{where.format('a')}",
        f"broken_b broken {missing}{where.format('b')}",
        "good ready ",
        "<backend good> <backend good>",
    ]


def test_o38_asked_for_by_name_the_plugins_own_exception_is_the_cause(broken_ones):
    said = broken_ones.run("""
        import trivet.plugins as plugins
        for _ in range(2):
            try:
                plugins.backend("broken_a")
            except ImportError as error:
                print(f"{type(error).__name__}: {error}")
                print(repr(error.__cause__))
    """).splitlines()

    message = (
        "BrokenBackendError: Backend 'broken_a' (broken-a 1.0) failed to load: "
        f"RuntimeError: driver 7 not found, at {broken_ones.folder}/broken_a.py:1 in "
        "<module>. Try another release (pip install --upgrade broken-a), or report "
        "this to its authors."
    )
    assert said == [message, "RuntimeError('driver 7 not found')"] * 2


def test_o38_numpy_backend_computes_beside_broken_plugins(broken_ones):
    pytest.importorskip("trivet_ndarray")

    said = broken_ones.run(
        """
        import trivet.plugins as plugins
        b = plugins.backend("ndarray")
        device = b.default_device
        dtype = b.default_dtypes(device).real_floating
        one = b.full(shape=(), fill_value=1.0, dtype=dtype, device=device)
        print(float(b.add(one, one)))
        """,
        whole=True,
    )

    assert said == "2.0\n"


GROUPS = {
    "same": "backends_v1",
    "newer": "backends_v2",
    "older": "backends_v0",
    "nothing": "backends",
    "abc": "backends_vabc",
}


def test_o39_plugin_of_another_contract_is_refused_with_the_side_to_upgrade(site):
    # willdady/platypus #292, #299; supercollider #3138; ryacub/rayniyomi #275
    site.add_backend("good")
    for name, group in GROUPS.items():
        site.add_backend(name, dist=f"{name}-dist", version="3.1", group=group)

    said = site.run(
        ASK,
        f"""
        for name in {[*GROUPS, "good"]}:
            print(name, ask(name))
    """,
    )

    def refused(name, reason, remedy):
        return (
            f"{name} IncompatibleBackendError: Backend {name!r} ({name}-dist 3.1) does "
            f"not fit this trivet: {reason}this trivet supports contract 1.0. {remedy}"
        )

    ask_authors = "Ask the authors of {}-dist for a release in the group "
    assert said.splitlines() == [
        "same <backend same>",
        refused(
            "newer",
            "it is written for contract v2, and ",
            "Upgrade trivet: pip install --upgrade trivet",
        ),
        refused(
            "older",
            "it is written for contract v0, and ",
            "Upgrade the plugin: pip install --upgrade older-dist",
        ),
        refused(
            "nothing",
            "its entry-point group 'trivet.backends' names no contract version, and ",
            ask_authors.format("nothing") + "'trivet.backends.v1'.",
        ),
        refused(
            "abc",
            "its entry-point group 'trivet.backends.vabc' names no contract version, "
            "and ",
            ask_authors.format("abc") + "'trivet.backends.v1'.",
        ),
        "good <backend good>",
    ]


def test_o39_plugin_of_another_contract_is_never_imported(site):
    for name, group in GROUPS.items():
        site.add_backend(
            name, dist=f"{name}-dist", group=group, before="raise SystemExit"
        )

    said = site.run(
        ASK,
        """
        states = {r.name: r.state.value for r in plugins.backends(probe=True)}
        print(json.dumps(states))
    """,
    )

    assert json.loads(said) == dict.fromkeys(GROUPS, "incompatible") | {
        "same": "broken"
    }


# Time as this process spends it, whatever else the machine does: its own and what it
# would sleep.
CLOCK = """
import time

slept = 0.0
def sleep(seconds):
    global slept
    slept += seconds
time.sleep = sleep

times = {}
def timed(name, act):
    start = time.process_time() + slept
    done = act()
    times[name] = time.process_time() + slept - start
    return done
"""

TIMES = """
import importlib.metadata
import json
import sys

scans = 0
for name in ("entry_points", "distributions"):
    def counted(*args, _real=getattr(importlib.metadata, name), **keywords):
        global scans
        scans += 1
        return _real(*args, **keywords)
    setattr(importlib.metadata, name, counted)

def load(name):
    return timed(f"load {name}", lambda: plugins.backend(name))

timed("import", lambda: __import__("trivet"))
plugins = sys.modules["trivet.plugins"]
timed("list", lambda: [record.name for record in plugins.backends()])
load("quick")
assert "slow_plugin" not in sys.modules
slow = load("slow")
again = timed("again", lambda: plugins.backend("slow"))
assert again is slow
print(json.dumps(times | {"scans": scans}))
"""


@pytest.fixture
def compiled(tmp_path):
    """Variables that let a second run find modules compiled, as installers do."""
    return {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled"),
    }


def test_o40_slow_plugin_costs_only_who_asks_for_it(site, compiled):
    # opentelemetry-python #3054; obspy #3691; pygments #2979; networkx #7677
    site.add_backend("quick")
    site.add_backend("slow", before="import time; time.sleep(2)")

    runs = [json.loads(site.run(CLOCK, TIMES, **compiled)) for _ in range(3)]
    best = {name: min(run[name] for run in runs) for name in runs[0]}

    assert best["import"] < 0.2
    assert best["list"] < 0.2
    assert best["load quick"] < 0.2
    assert 2 <= best["load slow"] < 2.2
    assert best["again"] < 0.05
    assert best["scans"] <= 2


NUMPY_TIMES = """
import json
import sys

tv = timed("import", lambda: __import__("trivet"))
one = lambda: tv.asarray(1.0, backend="ndarray")
total = timed("numpy", lambda: (one() + one()).item())
names = timed("list", lambda: [record.name for record in tv.backends()])
assert total == 2.0
assert "slow_plugin" not in sys.modules
print(json.dumps(times | {"listed": "slow" in names}))
"""


def test_o40_slow_plugin_costs_the_numpy_backend_nothing(make_site, tmp_path, compiled):
    pytest.importorskip("trivet_ndarray")
    without = make_site(tmp_path / "without")
    beside = make_site(tmp_path / "beside")
    beside.add_backend("slow", before="import time; time.sleep(2)")

    def best(site):
        runs = [
            json.loads(site.run(CLOCK, NUMPY_TIMES, whole=True, **compiled))
            for _ in range(3)
        ]
        return {name: min(run[name] for run in runs) for name in runs[0]}

    alone, both = best(without), best(beside)

    assert (alone["listed"], both["listed"]) == (False, True)
    assert both["import"] - alone["import"] < 0.2
    assert both["numpy"] - alone["numpy"] < 0.2
    assert both["list"] - alone["list"] < 0.2
