"""Whatever is passed in an argument's place, the error is one of Trivet's.

The examples in the docstrings give calls that work. Each argument of each is exchanged
for values of other types; what is raised must be a `TrivetError`.
"""

import contextlib
import doctest
import inspect
import io
import warnings

import numpy as np
import pytest

import trivet as tv
from trivet.errors import TrivetError

MODULES = (tv, tv.linalg, tv.nn, tv.fft, tv.special)
NO_TENSORS = {"load", "refresh", "register_backend", "save"}
WRONG = (None, "word", b"word", 2.5, 1j, -1, [1.5], (None, None), {}, object(), len)
ARRAYS = ([[1], [2, 3]], tv.asarray([1.0, 2.0, 3.0]), tv.asarray(1j), np.ones((2, 3)))
FLAGS = (bool, bool | None)


def functions():
    found = {}
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) and name not in NO_TENSORS:
                found.setdefault(value, (module, name))
    return [(module, name, function) for function, (module, name) in found.items()]


def working_calls(module, name, function, monkeypatch):
    """The calls of the function that its own example makes."""
    calls = []

    def noted(*args, **kwargs):
        result = function(*args, **kwargs)
        calls.append((args, kwargs))
        return result

    monkeypatch.setattr(module, name, noted)
    example = doctest.DocTestParser().get_doctest(function.__doc__, {}, name, None, 0)
    with contextlib.redirect_stdout(io.StringIO()):
        doctest.DocTestRunner(verbose=False).run(example, out=lambda _: None)
    monkeypatch.undo()
    return calls


def spoilt(function, args, kwargs):
    """The call with one argument exchanged, for every argument and wrong value."""
    for place in range(len(args)):
        for wrong in (*WRONG, *ARRAYS):
            yield (*args[:place], wrong, *args[place + 1 :]), kwargs
    for place, parameter in enumerate(inspect.signature(function).parameters.values()):
        by_name = parameter.kind is parameter.KEYWORD_ONLY or (
            parameter.kind is parameter.POSITIONAL_OR_KEYWORD and place >= len(args)
        )
        if not by_name:
            continue
        # the truth of an array is its own library's matter
        values = WRONG if parameter.annotation in FLAGS else (*WRONG, *ARRAYS)
        for wrong in values:
            yield args, {**kwargs, parameter.name: wrong}


@pytest.mark.parametrize(
    "module, name, function",
    [pytest.param(*one, id=f"{one[0].__name__}.{one[1]}") for one in functions()],
)
def test_wrong_argument_raises_an_error_of_trivet(module, name, function, monkeypatch):
    calls = working_calls(module, name, function, monkeypatch)
    raw = []

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NaN and overflow come with nonsense
        for args, kwargs in calls[:2]:
            for bad_args, bad_kwargs in spoilt(function, args, kwargs):
                try:
                    function(*bad_args, **bad_kwargs)
                except TrivetError:
                    pass
                except Exception as error:  # noqa: BLE001  # which ones, is asked
                    raw.append((bad_args, bad_kwargs, repr(error)))

    assert raw == []
