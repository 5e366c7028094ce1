"""`Site`: a folder of installed distributions, for tests of what is installed.

Tests write plugins into it in a few lines, or install members of `plugins/zoo`, and run
code in a fresh interpreter that sees these distributions and no others.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest

# SciPy reads it once, when any test imports it first; NumPy arrays mean the same to it.
os.environ["SCIPY_ARRAY_API"] = "1"
ZOO = Path(__file__).parent / "plugins" / "zoo"
SPEC = """
from trivet.contract import {kind}Spec, hookimpl

@hookimpl
def trivet_{hook}():
    return {kind}Spec(name={name!r}, cls={cls!r})
"""
BACKEND = """
from zoo_stub import Stub

class Fake(Stub):
    name = {name!r}
"""


class Site:
    """Distributions in one folder, as an installer would leave them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.others: list[Site] = []
        folder.mkdir(parents=True, exist_ok=True)
        self.install("stub")

    def write(self, name: str, source: str) -> None:
        """Write a module."""
        (self.folder / f"{name}.py").write_text(dedent(source))

    def add(
        self,
        dist: str,
        *,
        version: str = "1.0",
        requires: tuple[str, ...] = (),
        **groups: Mapping[str, str],
    ) -> None:
        """Install metadata; a group `backends_v1` stands for `trivet.backends.v1`."""
        info = self.folder / f"{dist.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        lines = ["Metadata-Version: 2.1", f"Name: {dist}", f"Version: {version}"]
        lines += [f"Requires-Dist: {requirement}" for requirement in requires]
        (info / "METADATA").write_text("\n".join(lines) + "\n\n")
        points = [
            f"[trivet.{group.replace('_', '.')}]\n"
            + "".join(f"{name} = {target}\n" for name, target in entries.items())
            for group, entries in groups.items()
        ]
        (info / "entry_points.txt").write_text("\n".join(points))

    def also(self, other: "Site") -> None:
        """Let the interpreters that `run` starts see `other` too, after this folder."""
        self.others.append(other)

    def add_backend(
        self,
        name: str,
        *,
        dist: str | None = None,
        version: str = "1.0",
        group: str = "backends_v1",
        before: str = "",
    ) -> None:
        """Install a backend that works, with code that its light module runs first."""
        module = f"{(dist or name).replace('-', '_')}_plugin"
        cls = f"{module}_backend:Fake"
        spec = SPEC.format(kind="Backend", hook="backend", name=name, cls=cls)
        self.write(module, dedent(before) + spec)
        self.write(f"{module}_backend", BACKEND.format(name=name))
        self.add(dist or name, version=version, **{group: {name: module}})

    def install(self, member: str) -> None:
        """Install a member of the zoo as its `pyproject.toml` would have it."""
        source = ZOO / member
        text = (source / "pyproject.toml").read_text()
        whole = tomllib.loads(text)
        project = whole["project"]
        forced = whole.get("tool", {}).get("hatch", {}).get("build", {})
        for module in source.glob("*.py"):
            shutil.copy(module, self.folder)
        for name, target in forced.get("force-include", {}).items():
            shutil.copy(source / name, self.folder / target)
        self.add(
            project["name"],
            version=project["version"],
            requires=tuple(project.get("dependencies", ())),
            **{
                group.removeprefix("trivet.").replace(".", "_"): entries
                for group, entries in project.get("entry-points", {}).items()
            },
        )

    def run(self, *code: str, whole: bool = False, **variables: str) -> str:
        """What the pieces of `code` print in a fresh interpreter, which must succeed.

        It sees core, pluggy and this folder; with `whole`, the test environment too.
        """
        source = "".join(map(dedent, code))
        done = self.start("-W", "error", "-c", source, whole=whole, **variables)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(
        self, *arguments: str, whole: bool = False, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """How a fresh interpreter with `arguments` ended; it sees what `run` says."""
        flags = [] if whole else ["-S"]
        return subprocess.run(
            [sys.executable, *flags, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env=self._environment(whole=whole) | variables,
        )

    def _environment(self, *, whole: bool) -> dict[str, str]:
        paths = [str(site.folder) for site in (self, *self.others)]
        if whole:
            paths += [entry for entry in sys.path if entry]
        else:
            paths.append(str(self._core()))
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TRIVET_")}
        return kept | {"PYTHONPATH": os.pathsep.join(paths)}

    def _core(self) -> Path:
        """A folder with the packages of core and pluggy, and no metadata but core's."""
        folder = self.folder.parent / f"{self.folder.name}-core"
        if not folder.exists():
            core = Site(folder)
            for package in ("trivet", "pluggy"):
                spec = find_spec(package)
                assert spec is not None
                assert spec.origin is not None
                (folder / package).symlink_to(Path(spec.origin).parent)
            core.add("trivet", version="0.1.0")
        return folder


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """An empty folder to install distributions into."""
    return Site(tmp_path / "site")


@pytest.fixture(scope="session")
def make_site() -> type[Site]:
    """For fixtures that share one folder among the tests of a module."""
    return Site
