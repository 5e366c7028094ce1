"""Every ask of `cases.json` on NumPy and on pure Python, with and without a graph."""

import json
import tomllib
from pathlib import Path

import pytest
from language import Program, names_in, plain, same

from trivet.dtypes import DTYPES
from trivet.errors import TrivetError

HERE = Path(__file__).parent
CASES = {case["id"]: case for case in json.loads((HERE / "cases.json").read_text())}
CHOICES = tomllib.loads((HERE / "choices.toml").read_text())
ASKS = {
    f"{name}.{ask}": (case, ask)
    for name, case in CASES.items()
    for ask in case["input"].get("ask", {})
}


@pytest.mark.parametrize("name", sorted(ASKS))
def test_ask_gives_the_right_result_or_the_one_chosen(name, backend):
    case, ask = ASKS[name]
    setup, text = case["input"]["setup"], case["input"]["ask"][ask]
    skip_without_dtypes(backend, [*setup, text])
    expected = chosen(name, case["expected"][ask])
    relative, absolute = tolerance(case)
    program = Program(backend, setup)

    if expected == "error":
        with pytest.raises(TrivetError):
            program.ask(text)
        return
    found = plain(program.ask(text))

    assert same(found, expected, relative, absolute), f"{text} gave {found}"


def skip_without_dtypes(backend, texts):
    named = set().union(*(names_in(text.split(" = ", 1)[-1]) for text in texts))
    wanted = {DTYPES[name] for name in named & DTYPES.keys()}
    lacking = wanted - backend.dtypes(backend.default_device).keys()
    if lacking:
        pytest.skip(f"{backend.name} has no {', '.join(map(str, lacking))}")


def chosen(name, expected):
    if isinstance(expected, dict):
        return expected["any_of"][CHOICES[name]["choice"]]
    return expected


def tolerance(case):
    """The relative and the absolute one; 0 where the case says exact."""
    allowed = case["tolerance"]
    return (
        (0.0, 0.0) if allowed == "exact" else (allowed["relative"], allowed["absolute"])
    )


def test_o07_softmax_of_a_masked_row_is_0(backend):
    program = Program(backend, CASES["O07"]["input"]["setup"])

    assert plain(program.ask("softmax(M, axis=1)")) == [[0.5, 0.5], [0, 0]]


@pytest.mark.parametrize("text", ["sum(a, axis=0)", "mean(b)", "grad(amax(c), c)"])
def test_o17_results_stay_float16(text, backend):
    setup = CASES["O17"]["input"]["setup"]
    skip_without_dtypes(backend, setup)

    assert Program(backend, setup).ask(f"dtype({text})") == "float16"


def test_every_alternative_has_one_choice():
    open_ones = {
        name
        for name, (case, ask) in ASKS.items()
        if isinstance(case["expected"][ask], dict)
    }

    assert open_ones == CHOICES.keys()


def test_every_case_without_asks_has_tests_of_its_name():
    tests = "".join(path.read_text() for path in HERE.parent.glob("*/test_*.py"))
    without = [name for name, case in CASES.items() if "ask" not in case["input"]]

    assert [name for name in without if f"def test_{name.lower()}_" not in tests] == []
