"""DLPack: what the backend asks of CuPy, and what it refuses."""

import pytest

from trivet.contract import Device

ASKED = {"stream": 7, "max_version": (1, 0), "dl_device": (1, 0), "copy": None}


def test_export_hands_every_wish_on(cuda, standin):
    x = standin.zeros(3)

    _, values, asked = cuda.to_dlpack(x, **ASKED)

    assert asked == ASKED
    assert values.tolist() == [0, 0, 0]
    assert cuda.dlpack_device(x) == (2, 0)


def test_export_of_a_reversed_array_is_a_copy_in_order(cuda, standin):
    x = standin.flip(standin.arange(3), 0)

    _, values, _ = cuda.to_dlpack(x, **ASKED)

    assert values.strides == (8,)
    assert values.tolist() == [2, 1, 0]


def test_export_of_a_reversed_array_is_refused_without_a_copy(cuda, standin):
    x = standin.flip(standin.arange(3), 0)

    with pytest.raises(BufferError) as raised:
        cuda.to_dlpack(x, **ASKED | {"copy": False})

    assert str(raised.value) == (
        "this tensor's memory is reversed and cannot be exported by DLPack without a "
        "copy; pass copy=None or copy=True."
    )


def test_import_shares_memory_and_so_is_never_written_in_place(cuda, standin):
    source = standin.zeros(3)

    x = cuda.from_dlpack(source, device=None, copy=None)
    source[0] = 5.0

    assert x.get().tolist() == [5, 0, 0]
    assert cuda.write(x, standin.ones(()), key=(0,)) is False


def test_import_with_copy_shares_nothing(cuda, standin):
    source = standin.zeros(3)

    x = cuda.from_dlpack(source, device=None, copy=True)
    source[0] = 5.0

    assert x.get().tolist() == [0, 0, 0]


def test_import_from_the_host_is_refused(cuda):
    np = pytest.importorskip("numpy")

    with pytest.raises(BufferError) as raised:
        cuda.from_dlpack(np.zeros(3), device=None, copy=None)

    assert str(raised.value) == (
        "from_dlpack: the source is not in GPU memory (its DLPack device type is 1). "
        "Nothing is moved silently: pass it through tv.asarray."
    )


def test_import_to_another_device_is_refused_without_a_copy(make, standin):
    cuda, source = make(devices=2), standin.zeros(3)

    with pytest.raises(BufferError) as raised:
        cuda.from_dlpack(source, device=Device("cuda", 1), copy=False)

    assert str(raised.value) == (
        "from_dlpack: the source is on cuda:0 and cannot be on cuda:1 without a copy; "
        "pass copy=None or copy=True."
    )


def test_import_to_another_device_copies(make, standin):
    cuda, source = make(devices=2), standin.zeros(3)

    x = cuda.from_dlpack(source, device=Device("cuda", 1), copy=None)

    assert cuda.device(x) == Device("cuda", 1)
