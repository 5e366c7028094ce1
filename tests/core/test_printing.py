"""What tensors look like, and the options that say how."""

import threading

import pytest

import trivet as tv

FACTS = "dtype=float32, backend=example, device=example:0)"


def tensor(values, dtype=None):
    return tv.tensor(values, dtype=dtype, backend="example")


def test_small_tensor_is_printed_whole_with_its_facts():
    assert repr(tensor([[1.0, -2.5], [0.25, 4.0]])) == (
        f"Tensor([[  1., -2.5],\n        [0.25,   4.]], {FACTS}"
    )
    assert repr(tensor(1.5)) == f"Tensor(1.5, {FACTS}"
    assert repr(tensor([])) == f"Tensor([], shape=(0,), {FACTS}"


def test_0d_tensor_is_formatted_as_its_number():
    assert f"{tensor(1 / 3):.3f} {tensor(7):>3}" == "0.333   7"
    assert f"{tensor(1.5)}" == repr(tensor(1.5))
    with pytest.raises(TypeError) as caught:
        f"{tensor([1.0]):.3f}"
    assert str(caught.value) == (
        "the format '.3f' is for one number, and the tensor has the shape (1,). Use "
        "tv.printoptions(precision=...) around str(x)."
    )


def test_precision_counts_significant_digits():
    with tv.printoptions(precision=3):
        assert repr(tensor([1 / 3, 12345.0])) == f"Tensor([   0.333, 1.23e+04], {FACTS}"


def test_large_tensor_shows_the_ends_of_its_axes():
    with tv.printoptions(threshold=5, edgeitems=1):
        text = repr(tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]))

    assert text == (
        f"Tensor([[1., ..., 3.],\n        ...,\n        [7., ..., 9.]], {FACTS}"
    )


def test_threshold_is_the_most_elements_printed_in_full():
    with tv.printoptions(threshold=8, edgeitems=2):
        assert "..." not in repr(tensor(list(range(8))))
        assert "[0, 1, ..., 7, 8]" in repr(tensor(list(range(9))))


def test_row_goes_on_in_the_next_line_after_the_width():
    with tv.printoptions(linewidth=20):
        text = repr(tensor([1.0, 2.0, 3.0, 4.0, 5.0]))

    # 8 characters of indent, then three elements: 8 + len("1., 2., 3.,") = 19
    assert text == f"Tensor([1., 2., 3.,\n        4., 5.], {FACTS}"


def test_element_wider_than_the_line_stands_alone():
    with tv.printoptions(linewidth=1):
        text = repr(tensor([1.0, 2.0]))

    assert text == f"Tensor([1.,\n        2.], {FACTS}"


def test_options_end_with_their_block_even_after_an_error():
    before = tv.get_printoptions()

    def fail():
        with tv.printoptions(precision=2) as inside:
            assert inside == before._replace(precision=2)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert tv.get_printoptions() == before


def test_options_that_are_set_stay_and_hold_for_their_thread():
    before = tv.get_printoptions()
    elsewhere = []

    with tv.printoptions():
        tv.set_printoptions(precision=2)
        tv.set_printoptions(threshold=10)
        thread = threading.Thread(
            target=lambda: elsewhere.append(tv.get_printoptions())
        )
        thread.start()
        thread.join()
        assert tv.get_printoptions() == before._replace(precision=2, threshold=10)

    assert elsewhere == [tv.PrintOptions()]


@pytest.mark.parametrize(
    "name, value, least",
    [
        ("precision", 0, 1),
        ("threshold", -1, 0),
        ("edgeitems", 0, 1),
        ("linewidth", 0, 1),
    ],
)
def test_option_that_is_too_small_is_refused(name, value, least):
    with pytest.raises(ValueError) as caught:
        tv.set_printoptions(**{name: value})

    assert str(caught.value) == (
        f"set_printoptions: {name}={value} is less than {least}, the least that it "
        "can be."
    )
