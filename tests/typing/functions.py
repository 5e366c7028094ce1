"""What type checkers know of functions and methods: mypy checks this file."""

from typing import Any, assert_type

import trivet as tv
from trivet_ndarray import NdArray


def functions_and_methods_keep_the_backend(x: tv.Tensor[NdArray]) -> None:
    assert_type(x + 1.0, tv.Tensor[NdArray])
    assert_type(2 - x, tv.Tensor[NdArray])
    assert_type(tv.exp(x), tv.Tensor[NdArray])
    assert_type(x.exp(), tv.Tensor[NdArray])
    assert_type(x.sum(axis=0), tv.Tensor[NdArray])
    assert_type(tv.nn.softmax(x), tv.Tensor[NdArray])
    assert_type(x[0], tv.Tensor[NdArray])


def a_name_that_does_not_exist_is_an_error() -> None:
    tv.nonsense  # type: ignore[attr-defined]
    tv.nn.nonsense  # type: ignore[attr-defined]


def a_backend_that_is_named_is_known_at_run_time_only() -> None:
    assert_type(tv.backend("ndarray"), Any)
    assert_type(tv.backend(NdArray()), NdArray)


def new_tensors_are_of_the_backend_that_is_given() -> None:
    nd = NdArray()
    assert_type(tv.tensor([1.0], backend=nd), tv.Tensor[NdArray])
    assert_type(tv.zeros(2, backend=nd), tv.Tensor[NdArray])
    assert_type(tv.arange(2, backend=nd), tv.Tensor[NdArray])
    assert_type(tv.zeros(2), tv.Tensor[Any])
    tv.zeros(2, backend=nd).backward()  # type: ignore[misc]
