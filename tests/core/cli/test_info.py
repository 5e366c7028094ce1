import json

import pytest

from trivet.contract import OPS


@pytest.fixture
def two(machine):
    """A backend named `two`: the required ops, `mean`, and two devices."""
    machine.offer("two")
    return machine


def names(tier):
    return {op.name for op in OPS.values() if op.tier == tier}


def test_info_sorts_every_op_by_how_the_backend_has_it(two):
    done = two.trivet("info", "two", "--json")

    families = json.loads(done.stdout)["ops"].values()
    found = {
        support: {name for family in families for name in family[support]}
        for support in ("native", "derived", "missing")
    }
    assert found == {
        "native": names("required") | {"mean"},
        "derived": names("derived") - {"mean"},
        "missing": names("optional"),
    }


def test_info_tells_each_device_with_its_dtypes_and_defaults(two):
    done = two.trivet("info", "two", "--json")

    facts = json.loads(done.stdout)
    defaults = {
        "real floating": "float32",
        "complex floating": "complex64",
        "integral": "int64",
        "indexing": "int64",
    }
    everything = ["accelerated", "arithmetic", "storage"]
    assert facts["default_device"] == "cpu"
    assert facts["devices"] == [
        {
            "name": "cpu",
            "dtypes": {
                "float32": everything,
                "int64": everything,
                "bool": ["storage"],
            },
            "default_dtypes": defaults,
        },
        {
            "name": "gpu:0",
            "dtypes": {"float32": everything},
            "default_dtypes": defaults,
        },
    ]


def test_info_names_the_plugins_that_a_wrapped_backend_is_made_of(machine):
    machine.offer("one", aliases=("eins",), devices="(CPU,)")
    machine.offer_decorator()

    done = machine.trivet("info", "wrap(eins)", "--json")

    facts = json.loads(done.stdout)
    assert (facts["name"], facts["class"]) == ("wrap(one)", "wrap_plugin.Wrap")
    assert [(p["kind"], p["name"]) for p in facts["plugins"]] == [
        ("decorator", "wrap"),
        ("backend", "one"),
    ]


def test_info_prints_devices_and_dtypes_as_tables(two):
    done = two.trivet("info", "two")

    assert done.stdout.startswith(
        "two  two_backend.Two\n"
        "  backend two from two 1.0, contract 1.0\n"
        "\n"
        "device cpu (default)\n"
        "dtype    storage  arithmetic  accelerated  default for\n"
        "float32  yes      yes         yes          real floating\n"
        "int64    yes      yes         yes          integral, indexing\n"
        "bool     yes      -           -\n"
        "\n"
        "device gpu:0\n"
        "dtype    storage  arithmetic  accelerated  default for\n"
        "float32  yes      yes         yes          real floating\n"
        "\n"
        "ops"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_info_counts_the_ops_of_each_family(two):
    done = two.trivet("info", "two")

    [row] = [line for line in done.stdout.splitlines() if line.startswith("all ")]
    whole = [len(names("required")) + 1, len(names("derived")) - 1]
    assert row.split()[1:] == [*map(str, whole), str(len(names("optional")))]


def test_info_fits_80_columns_and_lists_every_op(two):
    done = two.trivet("info", "two")

    listed = done.stdout.partition("\nall ")[2].replace(",", " ").split()
    assert set(OPS) <= set(listed)
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    "answer, code, said",
    [
        (
            'Availability.no("no GPU was found", "Plug one in.")',
            3,
            (
                "error: Backend 'gpu' (gpu 1.0) cannot run on this machine: no GPU was "
                "found. Plug one in.\n"
            ),
        ),
        (
            "0",
            1,
            (
                "error: Backend 'gpu' (gpu 1.0) does not fulfil the contract: its "
                "probe returned int instead of an Availability. Report this to the "
                "authors of gpu.\n"
            ),
        ),
    ],
)
def test_info_says_in_one_line_why_there_is_no_backend(machine, answer, code, said):
    machine.offer("gpu", answer=answer)

    done = machine.trivet("info", "gpu")

    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


def test_info_prints_the_traceback_when_asked_to(machine):
    machine.site.write("bad_plugin", "raise RuntimeError('driver 7 not found')")
    machine.site.add("bad", backends_v1={"bad": "bad_plugin"})

    plain = machine.trivet("info", "bad")
    whole = machine.trivet("info", "bad", "--traceback")

    assert plain.stderr.startswith("error: Backend 'bad' (bad 1.0) failed to load:")
    assert "Traceback" not in plain.stderr
    assert "Traceback" in whole.stderr
    assert "RuntimeError: driver 7 not found" in whole.stderr
    assert (plain.returncode, whole.returncode) == (1, 1)
