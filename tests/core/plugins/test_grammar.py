import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.errors import BackendSpecError
from trivet.plugins.grammar import Spec

names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
dists = st.none() | st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,8}", fullmatch=True)
values = st.integers(0, 10**9) | st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
options = st.lists(st.tuples(names, values), max_size=2).map(tuple)
specs = st.recursive(
    st.builds(Spec, names, dists),
    lambda inner: st.builds(Spec, names, dists, inner, options),
    max_leaves=4,
)


@given(specs)
def test_spec_parses_back_from_its_own_text(spec):
    assert Spec.parse(str(spec)) == spec


def test_spec_ignores_spaces():
    spec = Spec("autodiff", None, Spec("ndarray", "trivet-ndarray"))

    assert Spec.parse("  autodiff ( ndarray @ trivet-ndarray ) ") == spec


@pytest.mark.parametrize(
    "text, problem",
    [
        ("", "a name belongs here, at position 0"),
        ("3d", "a name belongs here, at position 0"),
        ("autodiff()", "a name belongs here, at position 9"),
        ("autodiff(ndarray", 'a ")" is missing here, at position 16'),
        ("autodiff(ndarray))", "nothing may follow here, at position 17"),
        ("ndarray)", "nothing may follow here, at position 7"),
        ("ndarray@", "nothing may follow here, at position 7"),
        ("ndarray cuda", "nothing may follow here, at position 8"),
        ("autodiff(ndarray, cuda)", "nothing may follow here, at position 16"),
        ("autodiff(ndarray, a=)", "nothing may follow here, at position 16"),
        ("ndarray, a=1", "nothing may follow here, at position 7"),
    ],
)
def test_spec_error_says_what_is_wrong_and_where(text, problem):
    with pytest.raises(BackendSpecError) as caught:
        Spec.parse(text)

    assert str(caught.value) == (
        f"{text!r} is not a backend: {problem}. A backend is written as "
        '"ndarray", "ndarray@distribution" or "autodiff(ndarray)".'
    )
