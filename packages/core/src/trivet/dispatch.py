"""How a tensor function reaches its backend.

`call` is the general way and reads as what happens. `hot` gives the elementwise
functions and operators the same meaning with nothing between the tensor and the
backend's function: one template per arity, specialised by exchanging the op's name
in its code object. What goes wrong is made readable afterwards, in `failures`.
"""

from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from trivet.contract import OPS, Backend, CustomOp, contains
from trivet.dtypes import COMPLEX, Scalar
from trivet.failures import changed, fail, mismatch, not_a_tensor, wrong_dtype

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = [
    "call",
    "call_custom",
    "call_given",
    "call_many",
    "common",
    "hot",
    "hot_real",
    "kept",
    "method",
    "operator",
    "reflected",
    "require_kind",
    "require_tensor",
    "wrap",
]

F = TypeVar("F", bound=Callable[..., Any])


def wrap(handle: Any, backend: Backend[Any]) -> "Tensor[Any]":
    """A tensor of a handle and its backend."""
    tensor: Tensor[Any] = Tensor()
    tensor.handle = handle
    tensor.backend = backend
    return tensor


def call(op: str, /, *operands: Any, **statics: Any) -> "Tensor[Any]":
    """Run an op of the contract on tensors; Python numbers may stand among them.

    Tensors of a backend and of a decorator over it meet on the decorator. Raises
    `BackendMismatchError` when no backend has all operands, `TypeError` when one is
    neither a tensor nor a number, and whatever the op itself refuses.
    """
    if len(operands) == 1:  # the commonest case
        (x,) = operands
        if x.__class__ is not Tensor:
            raise not_a_tensor(op, 0, x)
        backend, handles = x.backend, [x.handle]
    else:
        backend, handles = common(op, operands)
    tensor: Tensor[Any] = Tensor()
    try:
        tensor.handle = getattr(backend, op)(*handles, **statics)
    except Exception as error:
        fail(op, error, operands, statics)
    tensor.backend = backend
    return tensor


def call_given(op: str, /, *operands: Any, **statics: Any) -> "Tensor[Any]":
    """`call` for an op some of whose arrays may be left out: `None` goes through."""
    backend, handles = common(op, operands, optional=True)
    try:
        handle = getattr(backend, op)(*handles, **statics)
    except Exception as error:
        fail(op, error, [x for x in operands if x is not None], statics)
    return wrap(handle, backend)


def call_many(op: str, tensors: Any, /, **statics: Any) -> "Tensor[Any]":
    """`call` for an op that takes a sequence of arrays."""
    backend, handles = common(op, tensors)
    try:
        handle = getattr(backend, op)(handles, **statics)
    except Exception as error:
        fail(op, error, tensors, statics)
    return wrap(handle, backend)


def call_custom(op: str, operands: tuple[Any, ...], statics: dict[str, Any]) -> Any:
    """`call` for a custom op: it takes sequences and `None`, and may give a tuple."""
    flat = list(_given(operands))
    backend, handles = common(op, flat)
    found = iter(handles)
    try:
        result = getattr(backend, op)(*_filled(operands, found), **statics)
    except Exception as error:
        fail(op, error, flat, statics)
    if isinstance(result, tuple):
        return tuple(wrap(handle, backend) for handle in result)
    return wrap(result, backend)


def _given(operands: Any) -> Iterator[Any]:
    for operand in operands:
        if isinstance(operand, list | tuple):
            yield from _given(operand)
        elif operand is not None:
            yield operand


def _filled(operands: Any, found: Iterator[Any]) -> list[Any]:
    """The operands with handles in the places of those that are given."""
    return [
        _filled(operand, found)
        if isinstance(operand, list | tuple)
        else operand
        if operand is None
        else next(found)
        for operand in operands
    ]


CustomOp.on_tensors = call_custom  # the contract knows no tensors


def kept(op: str, x: Any, other: Any, /) -> "Tensor[Any]":
    """What `x += other` and its like give: `op` of both, with dtype and shape of `x`.

    Raises `DTypeError` or `ShapeError` where the op would change them.
    """
    if _foreign(other):
        return NotImplemented  # type: ignore[no-any-return]  # Python asks the other
    result = call(op, x, other)
    if result.shape != x.shape or result.dtype is not x.dtype:
        raise changed(op, x, result)
    return result


def common(
    op: str, operands: Any, *, optional: bool = False
) -> tuple[Backend[Any], list[Any]]:
    """The backend on which the operands meet, and their handles there.

    With `optional`, an operand may be `None`, and so is its handle.
    """
    backend: Backend[Any] | None = None
    handles: list[Any] = []
    numbers = False
    for place, operand in enumerate(operands):
        if operand is None and optional:
            handles.append(None)
            continue
        if operand.__class__ is not Tensor:
            handles.append(as_number(op, place, operand))
            numbers = True
            continue
        own = operand.backend
        if own is not backend:
            if backend is None or contains(own, backend):
                backend = own
            elif not contains(backend, own):
                raise mismatch(op, backend, operand, operands)
        handles.append(operand.handle)
    if backend is None:
        raise not_a_tensor(op, 0, operands[0] if operands else None)
    if numbers and len(handles) == 2 and backend.floats is not None:
        handles = _quick(handles, backend.floats)
    return backend, handles


def _quick(pair: list[Any], quick: Mapping[Any, Mapping[float, Any]]) -> list[Any]:
    """Two operands with what the templates would put in a float's place."""
    for place, other in ((0, 1), (1, 0)):
        if pair[place].__class__ is float:
            pair[place] = quick[pair[other].dtype][pair[place]]
    return pair


def as_number(op: str, place: int, operand: Any) -> Scalar:
    """A Python number from one, or from another library's scalar."""
    if isinstance(operand, bool | int | float | complex):
        return plain(operand)
    if getattr(operand, "shape", None) == () and hasattr(operand, "dtype"):
        return operand.item()  # type: ignore[no-any-return]
    raise not_a_tensor(op, place, operand)


def plain(number: Scalar) -> Scalar:
    """The number without another library's subclass: NumPy's float64 is a float."""
    if isinstance(number, bool | int):
        return number if isinstance(number, bool) else int(number)
    return float(number) if isinstance(number, float) else complex(number)


def require_tensor(op: str, *operands: Any) -> None:
    """Raise `TypeError`, naming the conversion, for the first that is no tensor."""
    for place, operand in enumerate(operands):
        if operand.__class__ is not Tensor:
            raise not_a_tensor(op, place, operand)


def require_kind(op: str, *operands: Any) -> None:
    """Raise unless all are tensors of dtypes that the op takes.

    For ops whose native functions take more than the contract promises, such as the
    largest of complex numbers. Raises `TypeError` or `DTypeError`.
    """
    kinds = OPS[op].kinds
    for place, operand in enumerate(operands):
        if operand.__class__ is not Tensor:
            raise not_a_tensor(op, place, operand)
        dtype = operand.backend.dtype(operand.handle)
        if dtype.kind not in kinds:
            raise wrong_dtype(op, dtype)


def _unary(x: Any, /) -> Any:
    try:
        backend = x.backend
        tensor: Tensor[Any] = Tensor()
        tensor.handle = backend.OP(x.handle)
        tensor.backend = backend
    except Exception as error:
        return _again("OP", error, x)
    return tensor


def _unary_real(x: Any, /) -> Any:
    try:
        backend, handle = x.backend, x.handle
        if backend.dtype(handle).kind in COMPLEX:
            require_kind("OP", x)
        tensor: Tensor[Any] = Tensor()
        tensor.handle = backend.OP(handle)
        tensor.backend = backend
    except Exception as error:
        return _again("OP", error, x)
    return tensor


def _binary(x1: Any, x2: Any, /) -> Any:
    try:
        backend = x1.backend
        tensor: Tensor[Any] = Tensor()
        kind = x2.__class__
        if kind is Tensor:
            if x2.backend is not backend:
                return call("OP", x1, x2)
            tensor.handle = backend.OP(x1.handle, x2.handle)
        elif kind is float:
            handle, number, quick = x1.handle, x2, backend.floats
            if quick is not None:
                number = quick[handle.dtype][x2]
            tensor.handle = backend.OP(handle, number)
        elif kind is int:
            handle, number, quick = x1.handle, x2, backend.ints
            if quick is not None:
                number = quick[handle.dtype][x2]
            tensor.handle = backend.OP(handle, number)
        else:
            return call("OP", x1, x2)
        tensor.backend = backend
    except Exception as error:
        return _again("OP", error, x1, x2)
    return tensor


def _operator(self: Any, other: Any, /) -> Any:
    try:
        backend = self.backend
        tensor: Tensor[Any] = Tensor()
        kind = other.__class__
        if kind is Tensor:
            if other.backend is not backend:
                return call("OP", self, other)
            tensor.handle = backend.OP(self.handle, other.handle)
        elif kind is float:
            handle, number, quick = self.handle, other, backend.floats
            if quick is not None:
                number = quick[handle.dtype][other]
            tensor.handle = backend.OP(handle, number)
        elif kind is int:
            handle, number, quick = self.handle, other, backend.ints
            if quick is not None:
                number = quick[handle.dtype][other]
            tensor.handle = backend.OP(handle, number)
        elif _foreign(other):
            return NotImplemented
        else:
            return call("OP", self, other)
        tensor.backend = backend
    except Exception as error:
        return _again("OP", error, self, other)
    return tensor


def _reflected(self: Any, other: Any, /) -> Any:
    if _foreign(other):
        return NotImplemented
    kind = other.__class__
    if kind is not float and kind is not int:
        return call("OP", other, self)
    try:
        backend = self.backend
        handle, number = self.handle, other
        quick = backend.floats if kind is float else backend.ints
        if quick is not None:
            number = quick[handle.dtype][other]
        tensor: Tensor[Any] = Tensor()
        tensor.handle = backend.OP(number, handle)
        tensor.backend = backend
    except Exception as error:
        return _again("OP", error, other, self)
    return tensor


def _foreign(other: Any) -> bool:
    """Whether an operand is of a type that may know what to do with a tensor itself.

    Arrays and sequences are not: they get an error that names the conversion.
    """
    return not isinstance(
        other, int | float | complex | list | tuple | Tensor
    ) and not hasattr(other, "shape")


def _again(op: str, error: Exception, *operands: Any) -> "Tensor[Any]":
    """After a failure: operands that the template does not know, or an explanation."""
    if operands[0].__class__ is not Tensor:
        return call(op, *operands)
    return fail(op, error, operands, {})


def hot(function: F) -> F:
    """Specialise a one- or two-operand function whose body calls its own op.

    The body stays as documentation of what the specialised code does.
    """
    template = _unary if function.__code__.co_argcount == 1 else _binary
    return _specialised(template, function.__name__, function)


def hot_real(function: F) -> F:
    """`hot` for a function of one operand, which must not be complex.

    For ops that are made of comparisons: libraries compare complex numbers by their
    real parts, and the result would be wrong without a word.
    """
    return _specialised(_unary_real, function.__name__, function)


def operator(op: str) -> Callable[[F], F]:
    """Specialise an operator method for `op`, with the tensor on the left."""

    def specialise(function: F) -> F:
        unary = function.__code__.co_argcount == 1
        return _specialised(_unary if unary else _operator, op, function)

    return specialise


def reflected(op: str) -> Callable[[F], F]:
    """Specialise an operator method for `op`, with the tensor on the right."""
    return lambda function: _specialised(_reflected, op, function)


def _specialised(template: Callable[..., Any], op: str, function: F) -> F:
    code = template.__code__
    made = FunctionType(
        code.replace(
            co_name=function.__name__,
            co_qualname=function.__qualname__,
            co_names=tuple(op if name == "OP" else name for name in code.co_names),
            co_consts=tuple(op if item == "OP" else item for item in code.co_consts),
        ),
        template.__globals__,
        function.__name__,
    )
    made.__doc__ = function.__doc__
    made.__module__ = function.__module__
    made.__qualname__ = function.__qualname__
    made.__annotations__ = function.__annotations__
    made.__wrapped__ = function  # type: ignore[attr-defined]  # inspect reads it
    return made  # type: ignore[return-value]


def method(function: F) -> F:
    """Make a tensor function a method of `Tensor` too."""
    setattr(Tensor, function.__name__, function)
    return function
