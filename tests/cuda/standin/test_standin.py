"""The stand-in refuses what CuPy refuses; were it laxer, it would prove nothing."""

import numpy as np
import pytest


@pytest.fixture
def ones(standin):
    return standin.ones((2, 3), dtype="float32")


@pytest.mark.parametrize("name", ["vecdot", "errstate", "unstack", "isdtyped"])
def test_standin_lacks_what_cupy_lacks(standin, name):
    assert not hasattr(standin, name)


@pytest.mark.parametrize(
    "name, keyword",
    [
        ("sum", "where"),
        ("std", "correction"),
        ("argsort", "stable"),
        ("zeros", "like"),
    ],
)
def test_standin_refuses_keywords_that_cupy_lacks(standin, ones, name, keyword):
    with pytest.raises(TypeError, match=keyword):
        getattr(standin, name)(ones, **{keyword: None})


def test_standin_array_has_no_attribute_that_cupys_lacks(standin):
    from cupy._api import API

    class Empty:
        """What Python itself gives every class, more of it with each version."""

    own = vars(standin.ndarray).keys() - vars(Empty).keys() - set(dir(object))

    assert own - set(API["ndarray"]) <= {"_of", "_key", "_device", "_values"}


def test_standin_never_becomes_a_numpy_array_silently(ones):
    with pytest.raises(TypeError, match="Implicit conversion"):
        np.asarray(ones)


def test_standin_refuses_numpy_arrays_as_operands(standin, ones):
    with pytest.raises(TypeError, match="Unsupported type"):
        standin.add(ones, np.ones(3))


def test_standin_refuses_dtypes_without_a_loop(standin):
    complex_array = standin.ones(2, dtype="complex64")

    with pytest.raises(TypeError, match="Wrong type"):
        standin.logical_not(complex_array)


def test_standin_gives_arrays_of_rank_0_where_numpy_gives_scalars(standin, ones):
    assert type(standin.sum(ones)) is type(ones[0, 0]) is standin.ndarray


@pytest.mark.parametrize("read", [bool, int, float])
def test_standin_counts_reading_a_value_as_waiting(standin, ones, read):
    standin.cuda.COUNTS.clear()

    read(ones[0, 0])

    assert standin.cuda.COUNTS["waits"] == 1


def test_standin_refuses_arrays_of_another_device(standin, ones):
    with (
        standin.cuda.Device(1),
        pytest.raises(ValueError, match="is different from the current device"),
    ):
        standin.add(ones, 1)


def test_standin_saturates_where_numpy_is_undefined(standin):
    values = standin.frombuffer(np.array([np.nan, np.inf, -1, 2.9], "f"), dtype="f")

    assert values.astype("uint8").get().tolist() == [0, 255, 0, 2]


def test_standin_adds_only_dtypes_with_an_atomic_addition(standin):
    import cupyx

    small = standin.zeros(3, dtype="int8")

    with pytest.raises(TypeError, match="does not support int8"):
        cupyx.scatter_add(small, standin.arange(3), small)


@pytest.mark.parametrize("name", ["vector_norm", "vecdot", "svdvals", "lu"])
def test_standin_linalg_lacks_what_cupys_lacks(standin, name):
    assert not hasattr(standin.linalg, name)


@pytest.mark.parametrize("name", ["lstsq", "cond", "pinv"])
def test_standin_linalg_refuses_what_it_would_be_laxer_about(standin, name):
    with pytest.raises(NotImplementedError, match=name):
        getattr(standin.linalg, name)


def test_standin_linalg_takes_cupys_keywords_alone(standin):
    with pytest.raises(TypeError, match="upper"):
        standin.linalg.cholesky(standin.ones((1, 1)), upper=True)


def test_standin_linalg_takes_no_float16(standin):
    with pytest.raises(TypeError, match="float16 is unsupported"):
        standin.linalg.inv(standin.ones((1, 1), dtype="float16"))


def test_standin_solves_no_broadcast_batches(standin):
    with pytest.raises(ValueError, match="a must have"):
        standin.linalg.solve(standin.ones((2, 1, 1)), standin.ones((1, 1, 1)))


def test_standin_notices_a_singular_matrix_only_when_told_to(standin):
    import cupyx

    singular = standin.zeros((2, 2))

    assert np.isnan(standin.linalg.inv(singular).get()).all()
    with cupyx.errstate(linalg="raise"), pytest.raises(np.linalg.LinAlgError):
        standin.linalg.inv(singular)


def test_standin_transforms_nothing_as_little_as_cufft(standin):
    with pytest.raises(ValueError, match="Invalid number of FFT data points"):
        standin.fft.fft(standin.zeros((0, 4)))
