"""What CuPy offers, as `snapshot.py` wrote it."""

import json
from inspect import Parameter, Signature, _ParameterKind
from pathlib import Path
from typing import Any

API = json.loads((Path(__file__).parents[2] / "cupy-14.2.json").read_text())


def signature(parameters: list[list[Any]] | None) -> Signature | None:
    """The signature of a function of CuPy; `None` where CuPy doesn't tell."""
    if parameters is None:
        return None
    return Signature(
        [
            Parameter(
                name,
                _ParameterKind(kind),
                default=None if optional else Parameter.empty,
            )
            for name, kind, optional in parameters
        ]
    )
