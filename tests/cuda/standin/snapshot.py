"""Writes what an installed CuPy offers to JSON: names, signatures, ufunc loops.

`cupy-14.2.json` was made by it, on a machine without a GPU, which CuPy does not need
for this: `pip install cupy-cuda13x==14.2.0`, then `python snapshot.py cupy-14.2.json`.
A parameter is written as its name, its kind (the number of `inspect`'s kind) and
whether it has a default; a function without a signature as null.
"""

import inspect
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import cupy
import cupyx
import cupyx.scipy.special


def parameters(function: Any) -> list[list[Any]] | None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    return [
        [p.name, int(p.kind), p.default is not p.empty]
        for p in signature.parameters.values()
    ]


def loops(ufunc: Any) -> dict[str, Any]:
    return {"nin": ufunc.nin, "nout": ufunc.nout, "types": list(ufunc.types)}


def public(module: ModuleType) -> dict[str, Any]:
    return {name: getattr(module, name) for name in dir(module) if name[0] != "_"}


def offered(module: ModuleType) -> dict[str, Any]:
    found: dict[str, Any] = {"functions": {}, "ufuncs": {}, "types": []}
    for name, value in public(module).items():
        if type(value).__name__ == "ufunc":
            found["ufuncs"][name] = loops(value)
        elif isinstance(value, type):
            found["types"].append(name)
        elif callable(value):
            found["functions"][name] = parameters(value)
    return found


def main(path: str) -> None:
    api = {
        "version": cupy.__version__,
        "cupy": offered(cupy),
        "cupyx": offered(cupyx),
        "fft": offered(cupy.fft),
        "linalg": offered(cupy.linalg),
        "special": offered(cupyx.scipy.special),
        "ndarray": sorted(set(dir(cupy.ndarray)) - set(dir(object))),
        "Device": sorted(set(dir(cupy.cuda.Device)) - set(dir(object))),
        "runtime": sorted(public(cupy.cuda.runtime)),
    }
    text = json.dumps(api, separators=(",", ":"), sort_keys=True)
    Path(path).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
