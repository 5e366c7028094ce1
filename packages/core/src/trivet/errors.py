"""Every exception Trivet raises on purpose, drawn as one tree.

TrivetError
├── BackendError                 choosing or loading a backend
│   ├── BackendSpecError         a backend string that does not parse
│   ├── UnknownBackendError      no plugin of that name
│   ├── DisabledBackendError     switched off by the user
│   ├── AmbiguousBackendError    two distributions offer the name
│   ├── IncompatibleBackendError speaks another contract, or needs another trivet
│   ├── BrokenBackendError       its own code raised; the cause is attached
│   ├── InvalidBackendError      loaded, but does not fulfil the contract
│   └── UnavailableBackendError  fine, but cannot run on this machine
├── DeviceError                  a device that the backend does not have
├── MismatchError                operands that do not belong together
│   ├── BackendMismatchError     tensors of two backends in one op
│   └── DeviceMismatchError      tensors of two devices in one op
├── ShapeError                   shapes that do not fit the op
│   └── AxisError                an axis outside the tensor's dimensions
├── DTypeError                   a dtype that the op or backend does not take
├── ArgumentError                an argument of a type or value that is not taken
├── TensorIndexError             an index that does not fit the tensor
├── SingularMatrixError          a matrix without the inverse or factor asked for
├── ConversionError              an object that cannot become a tensor, or back
├── UnsupportedOpError           an op that the backend lacks
└── GradientError                anything about gradients
    ├── NotRecordingError        gradients asked of a backend that records none
    ├── UntrackedError           backward from a tensor that depends on no variable
    ├── CotangentError           a missing or unfitting cotangent
    ├── TangentError             a missing or unfitting tangent
    └── NoPathError              a gradient of something the result does not depend on

Each also derives from the built-in that a caller would guess (`ValueError`,
`TypeError`, ...). A message says what failed, the evidence, and the next step.
"""

__all__ = [
    "AmbiguousBackendError",
    "ArgumentError",
    "AxisError",
    "BackendError",
    "BackendMismatchError",
    "BackendSpecError",
    "BrokenBackendError",
    "ConversionError",
    "CotangentError",
    "DTypeError",
    "DeviceError",
    "DeviceMismatchError",
    "DisabledBackendError",
    "GradientError",
    "IncompatibleBackendError",
    "InvalidBackendError",
    "MismatchError",
    "NoPathError",
    "NotRecordingError",
    "ShapeError",
    "SingularMatrixError",
    "TangentError",
    "TensorIndexError",
    "TrivetError",
    "UnavailableBackendError",
    "UnknownBackendError",
    "UnsupportedOpError",
    "UntrackedError",
]


class TrivetError(Exception):
    """The root: `except TrivetError` catches all that Trivet raises on purpose."""


class BackendError(TrivetError):
    """A backend could not be chosen or loaded."""


class BackendSpecError(BackendError, ValueError):
    """A backend string that does not parse, such as `"autodiff(ndarray"`."""


class UnknownBackendError(BackendError, LookupError):
    """No installed plugin offers a backend of that name."""


class DisabledBackendError(BackendError):
    """The plugin is installed and the user has switched it off."""


class AmbiguousBackendError(BackendError, LookupError):
    """Two distributions offer one name, and the user has to choose."""


class IncompatibleBackendError(BackendError, ImportError):
    """The plugin speaks another contract, or needs another version of trivet."""


class BrokenBackendError(BackendError, ImportError):
    """The plugin's own code raised; the original exception is the cause."""


class InvalidBackendError(BackendError, TypeError):
    """The plugin loaded, but what it offers does not fulfil the contract."""


class UnavailableBackendError(BackendError, RuntimeError):
    """The plugin is in order, and this machine cannot run it."""


class DeviceError(TrivetError, ValueError):
    """A device that does not parse, or that the chosen backend does not have."""


class MismatchError(TrivetError, TypeError):
    """Operands that do not belong together."""


class BackendMismatchError(MismatchError):
    """One op met tensors of two backends, neither wrapping the other."""


class DeviceMismatchError(MismatchError):
    """One op met tensors of two devices of one backend."""


class ShapeError(TrivetError, ValueError):
    """Shapes that do not fit the op."""


class AxisError(ShapeError, IndexError):
    """An axis outside the tensor's dimensions, or named twice."""


class DTypeError(TrivetError, TypeError):
    """A dtype that the op, the backend or the device does not take."""


class ArgumentError(TrivetError, ValueError, TypeError):
    """An argument of a type, or with a value, that the function does not take."""


class TensorIndexError(TrivetError, IndexError):
    """An index that does not fit the tensor."""


class SingularMatrixError(TrivetError, ValueError):
    """A matrix that is singular, indefinite or not finite where the op needs better."""


class ConversionError(TrivetError, ValueError, TypeError):
    """An object that cannot become a tensor, or a tensor that cannot become it."""


class UnsupportedOpError(TrivetError, NotImplementedError):
    """The backend lacks this op, or lacks it for this dtype."""


class GradientError(TrivetError, RuntimeError):
    """Anything that goes wrong about gradients."""


class NotRecordingError(GradientError):
    """Gradients were asked of a backend that records none."""


class UntrackedError(GradientError):
    """Backward from a tensor that depends on no tracked variable."""


class CotangentError(GradientError, ValueError):
    """A cotangent is missing, or does not fit the tensor's shape."""


class TangentError(GradientError, ValueError):
    """A tangent is missing, or does not fit its tensor."""


class NoPathError(GradientError, LookupError):
    """A gradient of something that the result does not depend on."""
