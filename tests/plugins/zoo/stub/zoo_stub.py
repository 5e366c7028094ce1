"""A backend with every required op in place, none of which computes.

For plugins that are loaded and never used, so they need no array library.
"""

import inspect

from trivet.contract import CPU, OPS, Backend


class Stub(Backend):
    """Derive from it, and set `name`."""

    def devices(self):
        return (CPU,)


def _refusing(op):
    def method(self, *args, **statics):
        raise NotImplementedError(op.name)

    method.__signature__ = inspect.signature(op.function)
    return method


for _op in OPS.values():
    if _op.tier == "required":
        setattr(Stub, _op.name, _refusing(_op))
