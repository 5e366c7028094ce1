"""`Strict`: a backend on a library that takes what the standard says and no more."""

import numpy as np

from trivet.contract import ArrayApiBackend, prepare


class Strict(ArrayApiBackend):
    """Bodies and the adapter's own ops, over array-api-strict."""

    name = "strict"

    def from_host(self, data, /, *, shape, dtype, device):
        flat = np.frombuffer(data, dtype.name).copy()
        return self.xp.asarray(flat.reshape(shape))

    def to_host(self, x, /):
        return np.asarray(x._array).tobytes()


def strict_backend(xp):
    """The backend on the module, as Trivet hands it out."""
    backend = Strict(xp)
    prepare(backend)
    return backend
