"""`Tensor`: a backend's handle and the backend that computes with it.

Operators are in `operators`, functions and methods in `functions`, indexing in
`indexing` and `writing`, the ways in and out in `convert` and `interop`, what gradients
need in `recording`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from trivet import dispatch, dtypes
from trivet.contract import Backend, Decorator, Device, Recorder, Tracker
from trivet.dispatch import wrap
from trivet.errors import ConversionError, ShapeError
from trivet.methods import Methods
from trivet.recording import checked_cotangent, recorder, tracker

if TYPE_CHECKING:
    from trivet.namespace import Namespace

__all__ = ["Tensor"]

B_co = TypeVar("B_co", bound=Backend[Any], covariant=True)


class Tensor(Methods[B_co]):
    """An n-dimensional array on a device of a backend.

    Make one with `tv.tensor`, `tv.asarray`, `tv.zeros` and their like. `handle` is the
    backend's own array. Two tensors never see each other's writes: `x[i] = v` changes
    `x` alone. Pickles and deep copies keep the value: a tracked tensor comes back
    untracked.

    >>> import trivet as tv
    >>> tv.tensor([[1.0, 2.0], [3.0, 4.0]])
    Tensor([[1., 2.],
            [3., 4.]], dtype=float32, backend=ndarray, device=cpu)
    """

    __slots__ = ("__weakref__", "backend", "handle")
    backend: B_co
    handle: Any

    # NumPy leaves `array + tensor` and `scalar * tensor` to us
    __array_priority__ = 1000

    @classmethod
    def from_handle(cls, handle: Any, backend: Backend[Any]) -> "Tensor[Any]":
        """A tensor of a backend's own array. Nothing is copied or checked.

        >>> import numpy as np
        >>> import trivet as tv
        >>> tv.Tensor.from_handle(np.zeros(2), tv.backend("ndarray")).tolist()
        [0.0, 0.0]
        """
        return wrap(handle, backend)

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension.

        >>> import trivet as tv
        >>> tv.zeros((2, 3)).shape
        (2, 3)
        """
        return tuple(self.handle.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions.

        >>> import trivet as tv
        >>> tv.zeros((2, 3)).ndim
        2
        """
        return len(self.handle.shape)

    @property
    def size(self) -> int:
        """The number of elements.

        >>> import trivet as tv
        >>> tv.zeros((2, 3)).size
        6
        """
        return self.backend.size(self.handle)

    @property
    def dtype(self) -> dtypes.DType:
        """The element type.

        >>> import trivet as tv
        >>> tv.zeros(2).dtype
        trivet.float32
        """
        return self.backend.dtype(self.handle)

    @property
    def device(self) -> Device:
        """The device that holds the elements.

        >>> import trivet as tv
        >>> print(tv.zeros(2).device)
        cpu
        """
        return self.backend.device(self.handle)

    @property
    def T(self) -> "Tensor[B_co]":
        """The transpose of a matrix. Raises `ShapeError` unless there are two axes.

        >>> import trivet as tv
        >>> tv.zeros((2, 3)).T.shape
        (3, 2)
        """
        if self.ndim != 2:
            raise ShapeError(
                f"T: the tensor has {self.ndim} dimension{'s' * (self.ndim != 1)}, and "
                "T transposes matrices. Use .mT for stacks of matrices or "
                "permute_dims(x, axes)."
            )
        return dispatch.call("matrix_transpose", self)

    @property
    def mT(self) -> "Tensor[B_co]":
        """The last two axes swapped. Raises `ShapeError` below two dimensions.

        >>> import trivet as tv
        >>> tv.zeros((4, 2, 3)).mT.shape
        (4, 3, 2)
        """
        if self.ndim < 2:
            raise ShapeError(
                f"mT: the tensor has {self.ndim} dimension{'s' * (self.ndim != 1)}, "
                "and needs at least two."
            )
        return dispatch.call("matrix_transpose", self)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of a 0-d tensor: it has no axes.")
        return self.shape[0]

    def __iter__(self) -> Iterator["Tensor[B_co]"]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d tensor: it has no axes.")
        return (self[i] for i in range(self.shape[0]))

    def __getitem__(self, key: Any, /) -> "Tensor[B_co]":
        from trivet.indexing import getitem

        return getitem(self, key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        from trivet.writing import setitem

        setitem(self, key, value)

    # ---- out to Python and to other libraries ------------------------------------

    def item(self) -> dtypes.Scalar:
        """The one element as a Python number. Raises `ConversionError` for more.

        >>> import trivet as tv
        >>> tv.tensor([2.5]).item()
        2.5
        """
        if self.size != 1:
            raise ConversionError(
                f"item: the tensor has shape {self.shape} and {self.size} elements, "
                "not one. Index it first, or use .tolist()."
            )
        from trivet.convert import elements

        return elements(self)[0]

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers; of a 0-d tensor, a number.

        >>> import trivet as tv
        >>> tv.arange(4).reshape((2, 2)).tolist()
        [[0, 1], [2, 3]]
        """
        from trivet.convert import nested

        return nested(self)

    def numpy(self) -> Any:
        """The elements as a `numpy.ndarray`, read-only where memory is shared.

        From another device this copies. Raises `ConversionError` for a tracked
        tensor: call `.detach()` first.

        >>> import trivet as tv
        >>> tv.tensor([1.0, 2.0]).numpy()
        array([1., 2.], dtype=float32)
        """
        from trivet.interop import to_numpy

        return to_numpy(self)

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        from trivet.interop import array_protocol

        return array_protocol(self, dtype, copy=copy)

    def __buffer__(self, flags: int, /) -> memoryview:  # Python calls it from 3.12 on
        from trivet.interop import to_buffer

        return to_buffer(self)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        from trivet.interop import to_dlpack

        return to_dlpack(
            self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy
        )

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.backend.dlpack_device(self.handle)

    def __array_namespace__(self, *, api_version: str | None = None) -> "Namespace":
        from trivet.namespace import namespace

        return namespace(self.backend, api_version=api_version)

    def __bool__(self) -> bool:
        return bool(self._only("bool"))

    def __int__(self) -> int:
        return int(self._only("int"))  # type: ignore[arg-type]

    def __float__(self) -> float:
        return float(self._only("float"))  # type: ignore[arg-type]

    def __complex__(self) -> complex:
        return complex(self._only("complex"))

    def __index__(self) -> int:
        if self.dtype.kind not in dtypes.INTEGRAL:
            raise TypeError(
                f"a tensor of dtype {self.dtype} cannot be used as an index."
            )
        return int(self._only("index"))  # type: ignore[arg-type]

    def _only(self, wanted: str) -> dtypes.Scalar:
        if self.size != 1:
            raise ConversionError(
                f"{wanted}(): a tensor of shape {self.shape} is not one value. Reduce "
                "it first, for example with .any(), .all() or .sum()."
            )
        return self.item()

    def __repr__(self) -> str:
        from trivet.printing import represent

        return represent(self)

    def __format__(self, spec: str, /) -> str:
        from trivet.printing import formatted

        return formatted(self, spec)

    def __reduce__(self) -> Any:
        from trivet.convert import reduce

        return reduce(self)

    def __copy__(self) -> "Tensor[B_co]":
        return wrap(self.handle, self.backend)

    def __deepcopy__(self, memo: Any) -> "Tensor[B_co]":
        from trivet.convert import untracked

        return wrap(self.backend.copy(untracked(self)), self.backend)

    # ---- to other devices and backends --------------------------------------------

    def to_device(
        self, device: Device | str, /, *, stream: Any = None
    ) -> "Tensor[B_co]":
        """This tensor on another device of its backend; itself if it is there.

        Raises `DeviceError` if the backend does not have the device.

        >>> import trivet as tv
        >>> x = tv.zeros(2)
        >>> x.to_device("cpu") is x
        True
        """
        from trivet.plugins import device_of

        target = device_of(self.backend, device)
        return (
            self
            if target == self.device
            else dispatch.call("to_device", self, device=target)
        )

    def to_backend(self, backend: Any, /) -> "Tensor[Any]":
        """The same values on another backend, by way of the host where need be.

        A decorator over this tensor's backend takes it as it is, as a constant.
        Raises `GradientError` for a tracked tensor: call `.detach()` first.

        >>> import trivet as tv
        >>> tv.zeros(2).to_backend("autodiff(ndarray)").backend.name
        'autodiff(ndarray)'
        """
        if isinstance(backend, Decorator) and backend.inner is self.backend:
            return wrap(self.handle, backend)  # each step of a training does this
        from trivet.convert import to_backend

        return to_backend(self, backend)

    # ---- gradients ------------------------------------------------------------------

    def require_grad(self: "Tensor[Recorder[Any]]") -> "Tensor[B_co]":
        """A variable with this tensor's value, whose gradient `backward` will give.

        Raises `NotRecordingError` unless the backend records gradients, and
        `GradientError` for a dtype that has none.

        >>> import trivet as tv
        >>> w = tv.tensor([2.0], backend="autodiff(ndarray)").require_grad()
        >>> (w * w).backward()[w].tolist()
        [4.0]
        """
        backend = recorder(self, "require_grad")
        return wrap(backend.require_grad(self.handle), backend)

    def backward(
        self: "Tensor[Recorder[Any]]", cotangent: "Tensor[Any] | None" = None
    ) -> Any:
        """The gradients of this tensor with respect to every variable it depends on.

        `cotangent` weighs the elements; a tensor with one element needs none. Returns
        an immutable mapping: `grads[x]` is a tensor on the inner backend. Nothing is
        stored on tensors, and the same graph can be differentiated again. The graph
        of a temporary, as in `loss(x).backward()`, is freed during the pass.

        Raises `NotRecordingError`, `UntrackedError` or `CotangentError`.

        >>> import trivet as tv
        >>> w = tv.tensor([2.0, 3.0], backend="autodiff(ndarray)").require_grad()
        >>> grads = (w * w).backward(tv.tensor([1.0, 10.0]))
        >>> grads[w].tolist()
        [4.0, 60.0]
        """
        backend = recorder(self, "backward")
        weight = checked_cotangent(self, cotangent)
        # without a reference here, a temporary's graph is freed as it is used up
        handles = [self.handle]
        del self
        return backend.backward(handles.pop(), weight)

    def detach(self: "Tensor[Tracker[Any]]") -> "Tensor[B_co]":
        """The same value on the same backend, not tracked.

        Raises `NotRecordingError` unless the backend records gradients.

        >>> import trivet as tv
        >>> w = tv.tensor([2.0], backend="autodiff(ndarray)").require_grad()
        >>> y = w * w
        >>> (w * y.detach()).backward()[w].tolist()
        [4.0]
        """
        backend = tracker(self, "detach")
        return wrap(backend.detach(self.handle), backend)

    def inner(self: "Tensor[Tracker[Any]]") -> "Tensor[Any]":
        """The same value, not tracked, on the backend that this one wraps.

        Raises `NotRecordingError` unless the backend records gradients.

        >>> import trivet as tv
        >>> tv.tensor([2.0], backend="autodiff(ndarray)").inner().backend.name
        'ndarray'
        """
        backend = tracker(self, "inner")
        return wrap(backend.detach(self.handle), backend.inner)


dispatch.Tensor = Tensor  # type: ignore[attr-defined]  # the class its templates make
