"""For tests and documented examples alike: ops that they declare go with them."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_op_is_left_behind() -> Iterator[None]:
    """Ops are declared for the whole process, and the next test counts them."""
    from trivet.contract import OPS

    before = set(OPS)
    yield
    for name in OPS.keys() - before:
        del OPS[name]
    registry = sys.modules.get("trivet_autodiff.rules.registry")
    if registry:
        for name in registry.RULES.keys() - OPS.keys():
            del registry.RULES[name]
