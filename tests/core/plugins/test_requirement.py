"""What a plugin demands of trivet, against the `packaging` library's answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from trivet.plugins.requirement import Unmet, unmet
from trivet.plugins.states import normalized

numbers = st.lists(st.integers(0, 3), min_size=1, max_size=4)
releases = st.builds(
    lambda epoch, parts: epoch + ".".join(map(str, parts)),
    st.sampled_from(["", "", "", "1!"]),
    numbers,
)
plain = st.builds(
    "".join, st.tuples(st.sampled_from(["==", "!=", "<=", ">=", "<", ">"]), releases)
)
prefix = st.builds("{}{}.*".format, st.sampled_from(["==", "!="]), releases)
compatible = st.builds("~={}.{}".format, releases, st.integers(0, 3))
clauses = st.lists(plain | prefix | compatible, min_size=1, max_size=3)


@given(clauses, releases)
def test_release_satisfies_a_specifier_when_packaging_says_so(specifier, version):
    text = ",".join(specifier)

    met = unmet([f"trivet{text}"], "trivet", version) is None

    assert met == SpecifierSet(text).contains(version, prereleases=True)


@pytest.mark.parametrize(
    "requirement",
    [
        "trivet >= 99",
        "trivet (>=99)",
        "Trivet[ndarray]>=99",
        "trivet>=0.1,>=99",
    ],
)
def test_clause_is_found_in_every_spelling_of_a_requirement(requirement):
    assert unmet(["numpy>=999", requirement], "trivet", "0.4") == Unmet(
        ">=99", newer=True
    )


@pytest.mark.parametrize(
    "requirement",
    [
        "trivet",
        "trivet-ndarray>=99",
        'trivet>=99; extra == "new"',
        "trivet @ https://example.org/trivet.whl",
    ],
)
def test_requirement_is_not_judged_when_it_is_open_conditional_or_another(requirement):
    assert unmet([requirement], "trivet", "0.4") is None


@pytest.mark.parametrize("version", ["0.4a1", "0.4.dev3", "0.4rc1.post2", "0.4+local"])
def test_suffix_counts_as_its_release(version):
    assert unmet(["trivet>=0.4,<0.5"], "trivet", version) is None
    assert unmet(["trivet<0.4"], "trivet", version) == Unmet("<0.4", newer=False)


def test_arbitrary_equality_compares_the_text():
    assert unmet(["trivet===0.4"], "trivet", "0.4") is None
    assert unmet(["trivet===0.4"], "trivet", "0.4.0") == Unmet("===0.4", newer=False)


def test_names_compare_as_the_packaging_standard_says():
    assert normalized("Alpha_GPU.x--y") == "alpha-gpu-x-y"
