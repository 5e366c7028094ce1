"""What installed plugins cost and change for a program that does not ask for them."""

import json

import pytest


@pytest.fixture
def fifty(site):
    for number in range(50):
        site.add_backend(f"fake{number}", before="raise RuntimeError('imported')")
    return site


def test_importing_trivet_imports_no_plugin_no_numpy_and_no_pluggy(fifty):
    pytest.importorskip("numpy")

    said = fifty.run(
        """
        import sys
        import trivet
        loaded = {name.partition(".")[0] for name in sys.modules}
        print(sorted(n for n in loaded if n.startswith(("fake", "numpy", "pluggy"))))
        print("importlib.metadata" in sys.modules)
        """,
        whole=True,
    )

    # Starting Python itself may import importlib.metadata, for editable installs.
    assert said.splitlines()[0] == "[]"


def test_importing_trivet_reads_no_metadata(site):
    said = site.run("""
        import sys
        import trivet
        print("importlib.metadata" in sys.modules)
    """)

    assert said == "False\n"


def test_importing_trivet_goes_without_the_slow_modules_of_python(site):
    said = site.run("""
        import sys
        import trivet
        slow = {"ast", "asyncio", "dataclasses", "inspect", "logging", "random"}
        print(sorted(slow & set(sys.modules)))
    """)

    assert said == "[]\n"


def test_importing_trivet_takes_60_ms_at_most(site, tmp_path):
    # Compiled beforehand, as installers do.
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}

    # Of the processor, whatever else the machine does.
    code = """
        from time import process_time
        start = process_time()
        import trivet
        print(process_time() - start)
    """

    best = min(float(site.run(code, **compiled)) for _ in range(10))

    assert best < 60e-3


def test_listing_imports_no_plugin(fifty):
    said = fifty.run("""
        import sys
        import trivet.plugins as plugins
        names = [record.name for record in plugins.backends()]
        print(len(names), [name for name in sys.modules if name.startswith("fake")])
    """)

    assert said == "50 []\n"


def test_asking_for_a_plugin_imports_that_plugin_only(site):
    for name in ("one", "two", "three"):
        site.add_backend(name)

    said = site.run("""
        import sys
        import trivet.plugins as plugins
        plugins.backend("two")
        print(sorted(name for name in sys.modules if "_plugin" in name))
    """)

    assert said == "['two_plugin', 'two_plugin_backend']\n"


def test_second_lookup_takes_less_than_50_us_among_300_distributions(site):
    for number in range(300):
        site.add(f"dist{number}", backends_v1={f"fake{number}": f"fake{number}"})
    site.add_backend("mine")

    said = site.run("""
        from timeit import repeat
        import trivet.plugins as plugins
        plugins.backend("mine")
        assert len(plugins.backends()) == 301
        print(min(repeat(lambda: plugins.backend("mine"), number=1000)) / 1000)
    """)

    assert float(said) < 50e-6


def test_plugin_loads_once_when_32_threads_ask_at_the_same_moment(site):
    site.add_backend(
        "mine", before="import builtins, time; time.sleep(0.2); builtins.loads += 1"
    )

    said = site.run("""
        import builtins
        from threading import Barrier, Thread
        import trivet.plugins as plugins
        builtins.loads = 0
        barrier = Barrier(32)
        made = []
        def ask():
            barrier.wait()
            made.append(plugins.backend("mine"))
        threads = [Thread(target=ask) for _ in range(32)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(made), len(set(map(id, made))), builtins.loads)
    """)

    assert said == "32 1 1\n"


def test_interrupt_passes_through_and_the_plugin_can_be_asked_for_again(site):
    site.add_backend(
        "mine",
        before="""
        import builtins
        builtins.asked += 1
        if builtins.asked == 1:
            raise KeyboardInterrupt
        """,
    )

    said = site.run("""
        import builtins
        import trivet.plugins as plugins
        builtins.asked = 0
        try:
            plugins.backend("mine")
        except KeyboardInterrupt:
            print("interrupted", plugins.backends()[0].state.value)
        print(plugins.backend("mine"))
    """)

    assert said == "interrupted found\n<backend mine>\n"


def test_distribution_seen_twice_counts_once_as_python_sees_it(
    site, make_site, tmp_path
):
    site.add_backend("mine", version="2.0")
    stale = make_site(tmp_path / "stale")
    stale.add_backend("mine", version="1.0")
    stale.add("left-behind", backends_v1={"other": "nowhere"})
    site.add("left_behind", version="2.0")
    site.also(stale)

    said = site.run("""
        import trivet.plugins as plugins
        print([(r.name, r.version, r.state.value) for r in plugins.backends()])
    """)

    assert said == "[('mine', '2.0', 'found')]\n"


def test_distribution_of_both_contracts_is_listed_by_ours_alone(site):
    site.add_backend("mine")
    info = site.folder / "mine-1.0.dist-info" / "entry_points.txt"
    info.write_text("[trivet.backends.v2]\nmine = mine_v2\n" + info.read_text())

    said = site.run("""
        import trivet.plugins as plugins
        print([(r.name, r.contract, r.entry_point) for r in plugins.backends()])
    """)

    assert said == "[('mine', 'v1', 'mine_plugin')]\n"


def test_unreadable_metadata_warns_and_hides_no_other_plugin(site):
    site.add_backend("mine")
    site.add("torn")
    torn = site.folder / "torn-1.0.dist-info" / "entry_points.txt"
    torn.write_text("[trivet.backends.v1]\nno equals sign\n")

    said = site.run("""
        import warnings
        import trivet.plugins as plugins
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print([record.name for record in plugins.backends()])
        print(*[str(w.message).partition(":")[0] for w in caught])
    """)

    assert said == "['mine']\nthe metadata of torn cannot be read\n"


def test_blocked_plugin_never_runs_and_says_who_switched_it_off(site):
    site.add_backend("mine", before="raise SystemExit")
    site.add_backend("other")

    said = site.run(
        """
        import trivet.plugins as plugins
        from trivet.errors import DisabledBackendError
        try:
            plugins.backend("mine")
        except DisabledBackendError as error:
            print(error)
        print([(r.name, r.state.value) for r in plugins.backends(probe=True)])
        """,
        TRIVET_PLUGINS_BLOCK="mine",
    )

    message, states = said.splitlines()
    assert message == (
        "Backend 'mine' (mine 1.0) is switched off: the environment variable "
        "TRIVET_PLUGINS_BLOCK lists it. Take it out of TRIVET_PLUGINS_BLOCK and start "
        "Python again."
    )
    assert states == "[('mine', 'disabled'), ('other', 'ready')]"


def test_allow_list_switches_off_what_it_does_not_name(site):
    site.add_backend("mine", dist="My_Dist")
    site.add_backend("other")

    said = site.run(
        """
        import trivet.plugins as plugins
        print([(r.name, r.state.value, r.reason) for r in plugins.backends()])
        """,
        TRIVET_PLUGINS_ALLOW="my-dist",
    )

    assert said == (
        "[('mine', 'found', ''), ('other', 'disabled', 'the environment variable "
        "TRIVET_PLUGINS_ALLOW does not list it')]\n"
    )


def test_unknown_name_in_the_block_list_warns_with_near_matches(site):
    site.add_backend("mine")

    said = site.run(
        """
        import warnings
        import trivet.plugins as plugins
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            plugins.backends()
        print(*[f"{w.category.__name__}: {w.message}" for w in caught], sep="\\n")
        """,
        TRIVET_PLUGINS_BLOCK="nmupy, mien, cuda, zzzzzz",
    )

    warning = "PluginWarning: TRIVET_PLUGINS_BLOCK lists {!r}, which is no installed "
    warning += "plugin. {}"
    assert said.splitlines() == [
        warning.format("mien", "Did you mean mine?"),
        warning.format("nmupy", "Did you mean numpy or cupy?"),
        warning.format("zzzzzz", "Correct or remove it."),
    ]


def test_refresh_finds_what_was_installed_since_and_keeps_what_is_loaded(site):
    site.add_backend("mine")

    said = site.run(f"""
        import pathlib
        import trivet.plugins as plugins
        made = plugins.backend("mine")
        folder = pathlib.Path({str(site.folder)!r})
        info = folder / "late-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Name: late\\nVersion: 1.0\\n\\n")
        (info / "entry_points.txt").write_text("[trivet.backends.v1]\\nlate = late\\n")
        before = [record.name for record in plugins.backends()]
        plugins.refresh()
        after = [(record.name, record.state.value) for record in plugins.backends()]
        print(before, after, plugins.backend("mine") is made)
    """)

    assert said == "['mine'] [('late', 'found'), ('mine', 'ready')] True\n"


def test_refresh_gives_a_failed_plugin_another_try(site):
    site.add_backend("mine")
    (site.folder / "mine_plugin_backend.py").rename(site.folder / "kept.py")

    said = site.run(f"""
        import importlib
        import pathlib
        import trivet.plugins as plugins
        from trivet.errors import BrokenBackendError
        for _ in range(2):
            try:
                plugins.backend("mine")
            except BrokenBackendError as error:
                print(type(error.__cause__).__name__)
        folder = pathlib.Path({str(site.folder)!r})
        (folder / "kept.py").rename(folder / "mine_plugin_backend.py")
        importlib.invalidate_caches()
        plugins.refresh()
        print(plugins.backend("mine"))
    """)

    assert said == "ModuleNotFoundError\nModuleNotFoundError\n<backend mine>\n"


def test_records_are_json_even_when_every_plugin_is_broken(fifty):
    said = fifty.run("""
        import json
        import trivet.plugins as plugins
        records = plugins.backends(probe=True)
        print(json.dumps([record.to_json() for record in records]))
    """)

    records = json.loads(said)
    assert {record["state"] for record in records} == {"broken"}
    assert {"name", "reason", "remedy", "version", "contract", "devices"} <= {
        *records[0]
    }
