"""The cases of the derived ops hold for kernels, and for bodies over other libraries.

`tests/core` has right values for every derived op and checks the bodies with them on a
backend of the required ops. Here the same values check what NumPy's backend has in the
place of bodies, and the bodies over a library that takes what the standard says and no
more.
"""

import math
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from strict import strict_backend
from written import flat, is_typed, natural_dtype, shape_of

import trivet as tv
from trivet.dtypes import DTYPES

CORE = Path(__file__).parents[1] / "core"
DIGITS = {"float64": 1e-12, "float32": 1e-5}
# What a kernel may do otherwise, and what a strict library refuses, by op.
OTHERWISE = {
    "ndarray": {
        "gammaln": "SciPy takes the logarithm of subnormal numbers for infinite",
        "svdvals": "LAPACK does not converge beside NaN, and says so",
    },
    "strict": dict.fromkeys(
        ("isclose", "einsum", "stack"), "the standard promotes no integers to floats"
    )
    | dict.fromkeys(
        ("logical_not", "logical_and", "logical_or", "logical_xor"),
        "the standard's logic is of booleans",
    ),
}


@pytest.fixture(scope="module", params=OTHERWISE)
def backend(request):
    if request.param != "strict":
        return tv.backend(request.param)
    return strict_backend(pytest.importorskip("array_api_strict"))


def cases():
    """The op, operands, statics, expectation and precision of each case."""
    found = {}
    for path in sorted(CORE.glob("test_derived_*.py")):
        spec = spec_from_file_location(path.stem, path)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        for op, operands, statics, expected, *digits in getattr(module, "CASES", ()):
            known = module.LONG[op] if expected is None else expected
            found.setdefault(op, []).append((operands, statics, known, *digits))
    return found


CASES = cases()


def array(written):
    values, *dtype = written if is_typed(written) else (written,)
    shape = shape_of(values)
    elements = flat(values, len(shape))
    known = DTYPES[dtype[0]] if dtype else natural_dtype(elements)
    return np.array(elements, known.name).reshape(shape)


def operand(backend, written):
    if isinstance(written, tuple) and not is_typed(written):
        return [operand(backend, one) for one in written]
    if not isinstance(written, list | tuple):
        return written
    x = array(written)
    return backend.from_host(
        x.tobytes(),
        shape=x.shape,
        dtype=DTYPES[x.dtype.name],
        device=backend.default_device,
    )


def read(backend, x):
    """A handle as a NumPy array; what is none, as it is."""
    if isinstance(x, bool | int | None):
        return x
    data = np.frombuffer(bytes(backend.to_host(x)), backend.dtype(x).name)
    return data.reshape(backend.shape(x))


def compare(found, expected, digits):
    if not isinstance(found, np.ndarray):
        assert found == expected
        return
    want = array(expected)
    near = digits or DIGITS.get(want.dtype.name, 0)
    assert (found.dtype, found.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(found, want, rtol=near, atol=math.ulp(1.0))


@pytest.mark.parametrize("op", CASES)
def test_cases_of_derived_ops_hold(backend, op):
    if op in OTHERWISE[backend.name]:
        pytest.skip(OTHERWISE[backend.name][op])
    for operands, statics, expected, *digits in CASES[op]:
        if isinstance(expected, type):
            continue  # which errors there are is the backend's choice
        place = {"device": backend.default_device} if "device" in statics else {}
        handles = [operand(backend, one) for one in operands]

        with np.errstate(all="ignore"):
            found = getattr(backend, op)(*handles, **statics | place)

        several = isinstance(found, tuple) and not hasattr(found, "dtype")
        pairs = zip(found, expected, strict=True) if several else [(found, expected)]
        for one, other in pairs:
            compare(read(backend, one), other, *digits or (None,))
