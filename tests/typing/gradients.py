"""What a type checker says about gradients; mypy --strict reads this, nobody runs it.

A line that must be an error carries `type: ignore` with its code: where mypy finds no
error there, the comment is unused, and that is one.
"""

from typing import Any, assert_type

import trivet as tv
from trivet import Tensor
from trivet.contract import Backend
from trivet_autodiff import Autodiff, Forward, Gradients
from trivet_ndarray import NdArray


def backward_needs_a_recording_backend(
    plain: Tensor[NdArray], recording: Tensor[Autodiff[NdArray]]
) -> None:
    plain.backward()  # type: ignore[misc]
    tv.sum(plain * plain).backward()  # type: ignore[misc]
    recording.backward()
    tv.sum(recording * plain).backward()
    recording.backward(plain)


def variables_need_a_recording_backend(
    plain: Tensor[NdArray], recording: Tensor[Autodiff[NdArray]]
) -> None:
    plain.require_grad()  # type: ignore[misc]
    plain.detach()  # type: ignore[misc]
    plain.inner()  # type: ignore[misc]
    assert_type(recording.require_grad(), Tensor[Autodiff[NdArray]])
    assert_type(recording.detach(), Tensor[Autodiff[NdArray]])


def backends_are_told_apart(
    plain: Tensor[NdArray], recording: Tensor[Autodiff[NdArray]]
) -> None:
    _wrong: Tensor[Autodiff[NdArray]] = plain  # type: ignore[assignment]
    _other: Tensor[NdArray] = recording  # type: ignore[assignment]
    _any_backend: Tensor[Backend[Any]] = plain
    _recording_too: Tensor[Backend[Any]] = recording


def ops_keep_the_backend(
    plain: Tensor[NdArray], recording: Tensor[Autodiff[NdArray]]
) -> None:
    assert_type(plain + 1.0, Tensor[NdArray])
    assert_type(tv.sum(plain), Tensor[NdArray])
    assert_type(recording * 2.0, Tensor[Autodiff[NdArray]])
    assert_type(tv.sum(tv.sin(recording)), Tensor[Autodiff[NdArray]])
    assert_type(recording[0], Tensor[Autodiff[NdArray]])


def wrapping_keeps_the_inner_backend(backend: NdArray) -> None:
    assert_type(Autodiff(backend), Autodiff[NdArray])
    assert_type(Autodiff(backend).inner, NdArray)
    assert_type(Autodiff(Autodiff(backend)).inner, Autodiff[NdArray])


def gradients_are_plain_tensors(
    grads: Gradients, recording: Tensor[Autodiff[NdArray]]
) -> None:
    assert_type(grads[recording], Tensor[Any])
    grads[recording] = recording  # type: ignore[index]


def forward_is_a_backend_over_any_other(backend: NdArray) -> None:
    assert_type(Forward(backend), Forward[NdArray])
    assert_type(Autodiff(Forward(backend)).inner, Forward[NdArray])


def forward_mode_records_nothing(moving: Tensor[Forward[NdArray]]) -> None:
    moving.backward()  # type: ignore[misc]
    moving.require_grad()  # type: ignore[misc]
    assert_type(moving.detach(), Tensor[Forward[NdArray]])
