"""The host side with all packages together: comparing, saving, printing."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import ConversionError, GradientError
from trivet.testing import assert_close


def tracked(values):
    return tv.tensor(values, backend="autodiff(ndarray)").require_grad()


def test_tensors_on_two_backends_are_compared():
    assert_close(tv.tensor([1.0]), tv.tensor([1.0], backend="autodiff(ndarray)"))
    assert_close(tv.tensor([1.0]).numpy(), tv.tensor([1.0], backend="example"))


def test_tracked_tensor_is_compared_by_its_value():
    w = tracked([2.0])

    assert_close(w * w, [4.0])


def test_complex_numbers_are_compared_by_the_distance_between_them():
    x = tv.asarray([3 + 4j], dtype=tv.complex128)

    assert_close(x, [3 + 4j])
    assert_close(x, [0], atol=5)
    with pytest.raises(AssertionError, match=r"3\+4j +0 +5 +4.9"):
        assert_close(x, [0], atol=4.9)


def test_tracked_tensor_is_saved_by_its_value(tmp_path):
    w = tracked([2.0])

    tv.save(tmp_path / "x", {"w": w * 3})

    assert tv.load(tmp_path / "x")["w"].tolist() == [6.0]


def test_tensors_are_loaded_to_be_trained_further(tmp_path):
    tv.save(tmp_path / "x", {"w": tv.asarray([2.0])})

    w = tv.load(tmp_path / "x", backend="autodiff(ndarray)")["w"].require_grad()

    assert (w * w).sum().backward()[w].tolist() == [4.0]


def test_complex_numbers_are_saved_as_far_as_the_format_has_them(tmp_path):
    x = tv.asarray([1 + 2j])

    tv.save(tmp_path / "x", {"x": x})

    assert tv.load(tmp_path / "x")["x"].tolist() == [1 + 2j]
    with pytest.raises(ConversionError) as caught:
        tv.save(tmp_path / "y", {"y": x.astype(tv.complex128)})
    assert str(caught.value) == (
        "save: 'y' has the dtype complex128, which the safetensors format does not "
        "have. Save tv.real(x) and tv.imag(x), or cast with .astype(...)."
    )


def test_files_of_numpys_own_writer_are_read(tmp_path):
    numpy = pytest.importorskip("numpy")
    library = pytest.importorskip("safetensors.numpy")

    library.save_file({"x": numpy.arange(3.0)}, tmp_path / "x")
    tv.save(tmp_path / "y", {"y": tv.asarray([[1, 2]])})

    assert tv.load(tmp_path / "x")["x"].tolist() == [0.0, 1.0, 2.0]
    assert library.load_file(tmp_path / "y")["y"].tolist() == [[1, 2]]


@pytest.mark.parametrize("outer", ["autodiff(autodiff(ndarray))", "forward({})"])
def test_tensor_that_is_tracked_further_in_is_no_array(outer):
    x = tracked([2.0]).to_backend(outer.format("autodiff(ndarray)"))

    for act in (x.numpy, lambda: np.asarray(x)):
        with pytest.raises(GradientError, match=r"Call \.detach\(\) first"):
            act()
