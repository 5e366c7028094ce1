"""Keeps pytest off the examples of modules that cannot be imported here.

Without CuPy those are all but the few that answer whether there is a CuPy.
"""

from importlib.util import find_spec
from pathlib import Path

SOURCE = Path(__file__).parent / "src"
LIGHT = {"__init__.py", "plugin.py", "probe.py"}

collect_ignore = [
    str(path)
    for path in SOURCE.rglob("*.py")
    if path.name not in LIGHT and find_spec("cupy") is None
]
