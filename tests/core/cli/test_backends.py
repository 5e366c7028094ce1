import json

import pytest

NO_GPU = 'Availability.no("no GPU was found", "Plug one in.")'


@pytest.fixture
def mixed(machine):
    """A backend that is ready, one without its hardware, one broken, a decorator."""
    machine.offer("fast", answer="Availability.yes(CPU)", aliases=("quick",))
    machine.offer("gpu", answer=NO_GPU, version="2.10")
    machine.site.add("bad", backends_v1={"bad": "nowhere"})
    machine.offer_decorator()
    return machine


def test_backends_prints_a_row_for_each_plugin_with_what_helps_below(mixed):
    done = mixed.trivet("backends")

    assert done.stdout == (
        "name       state        version  contract  devices\n"
        "bad        broken       1.0      v1        -\n"
        "    ModuleNotFoundError: No module named 'nowhere'.\n"
        "    Reinstall it: pip install --force-reinstall bad\n"
        "fast       ready        1.0      1.0       cpu\n"
        "gpu        unavailable  2.10     1.0       -\n"
        "    No GPU was found.\n"
        "    Plug one in.\n"
        "wrap(...)  ready        1.0      1.0       inner's\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_backends_prints_records_in_json(mixed):
    done = mixed.trivet("backends", "--json")

    records = {record["name"]: record for record in json.loads(done.stdout)}
    assert list(records) == ["bad", "fast", "gpu", "wrap"]
    assert {k: v for k, v in records["gpu"].items() if k != "seconds"} == {
        "schema": 1,
        "name": "gpu",
        "kind": "backend",
        "dist": "gpu",
        "version": "2.10",
        "entry_point": "gpu_plugin",
        "state": "unavailable",
        "reason": "no GPU was found",
        "remedy": "Plug one in.",
        "contract": "1.0",
        "aliases": [],
        "devices": [],
        "error": None,
    }
    assert records["fast"]["devices"] == ["cpu"]
    assert records["bad"]["error"] == "ModuleNotFoundError"
    assert records["wrap"]["kind"] == "decorator"


@pytest.mark.parametrize(
    "names, code",
    [
        ([], 0),
        (["fast"], 0),
        (["quick"], 0),
        (["fast@fast"], 0),
        (["wrap(fast)"], 0),
        (["gpu"], 3),
        (["fast", "gpu"], 3),
        (["wrap(gpu)"], 3),
        (["bad"], 1),
        (["gpu", "bad"], 1),
        (["fats"], 2),
        (["fast@other"], 2),
        (["fast("], 2),
        (["--nonsense"], 2),
    ],
)
def test_backends_judges_the_plugins_that_are_named(mixed, names, code):
    assert mixed.trivet("backends", *names).returncode == code


def test_backends_lists_only_the_plugins_that_are_named(mixed):
    done = mixed.trivet("backends", "wrap(quick)", "--json")

    assert [record["name"] for record in json.loads(done.stdout)] == ["fast", "wrap"]


def test_backends_says_what_is_installed_when_a_name_is_unknown(mixed):
    done = mixed.trivet("backends", "fats")

    assert (done.stdout, done.stderr) == (
        "",
        (
            "error: No installed plugin offers the backend 'fats'. Installed backends: "
            "bad, fast, gpu. Did you mean 'fast'?\n"
        ),
    )


@pytest.mark.parametrize(
    "state, code", [("shadowed", 3), ("disabled", 3), ("incompatible", 3)]
)
def test_backends_tells_apart_what_is_unusable_from_what_is_broken(
    machine, state, code
):
    machine.offer("one")
    variables = {}
    if state == "shadowed":
        machine.site.add("rival", backends_v1={"one": "one_plugin"})
    elif state == "disabled":
        variables = {"TRIVET_PLUGINS_BLOCK": "one"}
    else:
        machine.site.add("two", backends_v2={"one2": "one_plugin"})
    name = "one2" if state == "incompatible" else "one"

    done = machine.trivet("backends", name, "--json", **variables)

    assert {record["state"] for record in json.loads(done.stdout)} == {state}
    assert done.returncode == code


def test_backends_loads_no_class_unless_asked_to(machine):
    machine.offer("fast")
    machine.site.write("fast_backend", "raise RuntimeError('loaded')")

    listed = machine.trivet("backends", "fast")
    loaded = machine.trivet("backends", "fast", "--load")

    assert listed.stdout == (
        "name  state  version  contract  devices\n"
        "fast  ready  1.0      1.0       ?\n"
        "\n"
        "?: known once the backend is made; --load does that.\n"
    )
    assert "fast  broken" in loaded.stdout
    assert (listed.returncode, loaded.returncode) == (0, 1)


def test_backends_shows_all_devices_when_it_loads(machine):
    machine.offer("fast")

    done = machine.trivet("backends", "--load")

    assert done.stdout == (
        "name  state  version  contract  devices\n"
        "fast  ready  1.0      1.0       cpu, gpu:0\n"
    )


def test_backends_says_how_to_install_the_default_when_there_is_none(machine):
    done = machine.trivet("backends")

    assert done.stdout == (
        "\n"
        "No backend here can run. Install the default one: pip install "
        '"trivet[ndarray]"\n'
    )
    assert done.returncode == 0


def test_json_stays_json_when_plugins_print_and_warn(machine):
    machine.offer("fast")
    text = (machine.site.folder / "fast_plugin.py").read_text()
    more = "\nprint('hello')\n@hookimpl\ndef trivet_nonsense(): ...\n"
    machine.site.write("fast_plugin", text + more)

    done = machine.trivet("backends", "--json")

    assert [record["state"] for record in json.loads(done.stdout)] == ["ready"]
    assert done.stderr == (
        "hello\n"
        "warning: Backend 'fast' (fast 1.0) implements the hook 'trivet_nonsense', "
        "which this trivet does not have; it is never called. Check its spelling, or "
        "upgrade trivet.\n"
    )


def test_table_has_at_most_80_columns_when_a_backend_has_many_devices(machine):
    machine.offer(
        "a_backend_with_quite_a_long_name",
        answer="Availability.yes(*(Device('gpu', n) for n in range(16)))",
        version="2026.11.30.dev12345+g0123456789abcdef",
    )
    module = machine.site.folder / "a_backend_with_quite_a_long_name_plugin.py"
    module.write_text("from trivet.contract import Device\n" + module.read_text())

    done = machine.trivet("backends")

    assert all(f"gpu:{number}" in done.stdout for number in range(16))
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_states_come_in_colour_when_rich_is_there_and_forced(mixed):
    pytest.importorskip("rich")

    done = mixed.trivet("backends", "fast", whole=True, FORCE_COLOR="1")

    assert "\x1b[32mready\x1b[0m" in done.stdout


def test_output_is_plain_when_it_goes_to_a_file(mixed):
    pytest.importorskip("rich")

    done = mixed.trivet("backends", "fast", whole=True)

    assert "\x1b" not in done.stdout
