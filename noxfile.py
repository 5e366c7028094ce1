"""The checks of this project, one session each. `nox -l` lists what they do.

`nox` runs the sessions marked `*`, all on the Python that runs nox. What packages there
are, what they need and which Pythons they support is read from
`packages/*/pyproject.toml`, so a new package needs no edit here.
"""

import os
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

import nox
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

nox.needs_version = ">=2025.5.1"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_external_run = True
# Nothing is installed outside the clone: a Python that is missing is skipped.
nox.options.download_python = "never"

ROOT = Path(__file__).parent
SHARED = nox.project.load_toml("pyproject.toml")
SCRIPTS = ["dev.py", "noxfile.py", "tools"]


@dataclass(frozen=True)
class Package:
    """One distribution of this repository, as its pyproject.toml describes it."""

    folder: str
    name: str
    requirements: tuple[str, ...]
    extras: tuple[str, ...]
    classifiers: tuple[str, ...]
    test_requirements: tuple[str, ...]

    @classmethod
    def read(cls, pyproject: Path) -> "Package":
        """Returns the package whose pyproject.toml this is."""
        table = tomllib.loads(pyproject.read_text(encoding="utf-8"))
        project = table["project"]
        return cls(
            folder=pyproject.parent.relative_to(ROOT).as_posix(),
            name=canonicalize_name(project["name"]),
            requirements=tuple(project.get("dependencies", ())),
            extras=tuple(project.get("optional-dependencies", ())),
            classifiers=tuple(project.get("classifiers", ())),
            test_requirements=tuple(table.get("dependency-groups", {}).get("test", ())),
        )

    @property
    def pythons(self) -> list[str]:
        """The versions of Python that the classifiers name."""
        project = {"classifiers": list(self.classifiers)}
        return nox.project.python_versions({"project": project})

    @property
    def source(self) -> str:
        """The folder that holds the import package."""
        return f"{self.folder}/src"

    @property
    def tests(self) -> str:
        """The folder of this package's tests: tests/ndarray for backend-ndarray."""
        return f"tests/{Path(self.folder).name.removeprefix('backend-')}"


def read_packages(pattern: str) -> list[Package]:
    """Returns the packages in the folders that match `pattern`, ordered by folder."""
    return [
        Package.read(path) for path in sorted(ROOT.glob(f"{pattern}/pyproject.toml"))
    ]


PACKAGES = read_packages("packages/*")
# What requirements on ourselves are taken from: the checkout, not the index.
CHECKOUT = {
    package.name: package for package in PACKAGES + read_packages("tests/plugins/*")
}


@nox.session(tags=["checks"])
def lint(session: nox.Session) -> None:
    """Check the code with ruff, and that it is formatted."""
    session.install(*group("lint"))
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session(tags=["checks"])
def types(session: nox.Session) -> None:
    """Check the types of sources, scripts and tests/typing with mypy --strict."""
    session.install(*editable(PACKAGES), *group("types"))
    sources = [package.source for package in PACKAGES]
    session.run("mypy", *sources, *existing("tests/typing"))
    session.run("mypy", *SCRIPTS)


@nox.session(tags=["checks"])
def layers(session: nox.Session) -> None:
    """Check with import-linter that each layer imports only what lies below it."""
    session.install(*editable(list(CHECKOUT.values())), *group("layers"))
    # Its cache keeps an import of a module that was missing as one of the parent.
    session.run("lint-imports", "--no-cache")


@nox.session(tags=["checks"])
@nox.parametrize("package", PACKAGES, ids=[package.name for package in PACKAGES])
def tests(session: nox.Session, package: Package) -> None:
    """Run one package's tests beside only what that package declares."""
    test_alone(session, package)


@nox.session(tags=["checks"])
def ecosystem(session: nox.Session) -> None:
    """Build wheels, install them into fresh environments, and test what is found."""
    session.install(*editable(PACKAGES), *group("test"), *group("ecosystem"))
    session.run("pytest", "tests/ecosystem", *session.posargs)


@nox.session
def family(session: nox.Session) -> None:
    """Run all tests and every documented example with all packages installed."""
    install_family(session)
    session.run("pytest", *PARALLEL, *FAMILY, *session.posargs)


# Tests run on all cores; `-- -n 0` runs them in one process, as a debugger wants it.
PARALLEL = ["-n", "auto", "--maxprocesses=8"]
FAMILY = [
    "--doctest-modules",
    "--doctest-glob=*.md",
    # It makes its own environments, so that it has a session of its own.
    "--ignore=tests/ecosystem",
    *("tests", "packages", "docs", "README.md"),
]


@nox.session(name="tests-all", default=False)
@nox.parametrize(
    "python, package",
    [
        nox.param(python, package, id=f"{package.name}-{python}")
        for package in PACKAGES
        for python in package.pythons
    ],
)
def tests_all(session: nox.Session, package: Package) -> None:
    """Run one package's tests on one of the Pythons that it supports."""
    test_alone(session, package)


@nox.session(default=False)
def coverage(session: nox.Session) -> None:
    """Run what `family` runs and list the lines that no test reaches."""
    install_family(session)
    session.install("coverage")
    session.run("coverage", "run", "-m", "pytest", *FAMILY, *session.posargs)
    session.run("coverage", "report")


@nox.session(default=False)
def standard(session: nox.Session) -> None:
    """Run data-apis/array-api-tests; its folder comes after `--`, or from ENV.

    The variable is TRIVET_ARRAY_API_TESTS. Options after the folder go to pytest.
    """
    folder, *options = session.posargs or [os.getenv("TRIVET_ARRAY_API_TESTS", "")]
    if not folder:
        session.error(
            "Name a checkout of github.com/data-apis/array-api-tests with its "
            "submodule: nox -s standard -- FOLDER, or TRIVET_ARRAY_API_TESTS=FOLDER."
        )
    accepted = Path(session.create_tmp(), "accepted.txt").resolve()
    accepted.write_text("\n".join(accepted_ids()), encoding="utf-8")
    session.install(*editable(PACKAGES), "-r", f"{folder}/requirements.txt")
    here = (ROOT / "tests/standard").as_posix()
    for module in ("trivet", "recording"):
        session.log(f"The namespace {module}")
        with session.chdir(folder):
            session.run(
                "pytest",
                "array_api_tests",
                *("-p", "no:cacheprovider", "--disable-warnings"),
                *(f"--xfails-file={accepted}", "--max-examples=100"),
                *("--disable-deadline", *options),
                env={
                    "ARRAY_API_TESTS_MODULE": module,
                    "ARRAY_API_TESTS_VERSION": "2025.12",
                    "PYTHONPATH": here,
                },
            )


@nox.session(default=False)
def wheels(session: nox.Session) -> None:
    """Build every package into dist/ and check what was built."""
    session.install(*group("wheels"))
    shutil.rmtree("dist", ignore_errors=True)
    for package in PACKAGES:
        session.run("python", "-m", "build", "--outdir", "dist", package.folder)
    built = [path.as_posix() for path in sorted(Path("dist").iterdir())]
    session.run("twine", "check", "--strict", *built)
    session.run("check-wheel-contents", *(name for name in built if "whl" in name))


@nox.session(default=False, venv_backend="virtualenv")
def bench(session: nox.Session) -> None:
    """Measure overhead, peak memory and gradients, beside NumPy and PyTorch."""
    # With pip, because it takes PyTorch's small CPU build where one is configured.
    session.install(*editable(PACKAGES), "torch==2.13.0", "autograd")
    session.run("python", "benchmarks/overhead.py", *session.posargs)
    session.run("python", "benchmarks/memory.py")
    session.run("python", "benchmarks/autodiff.py")


@nox.session(default=False, venv_backend="virtualenv")
def torch(session: nox.Session) -> None:
    """Compare gradients and functions of neural networks with PyTorch's."""
    packages = editable(list(CHECKOUT.values()))
    session.install(*packages, *group("test"), *TORCH)
    session.run("pytest", "tests/torch", PROPERTIES, *session.posargs)


TORCH = ["torch==2.13.0", "expecttest", "scipy"]
# Those of `nn` are skipped where there is no PyTorch, as in `family`.
PROPERTIES = "tests/family/test_properties.py"


@nox.session(tags=["checks"])
def anatomy(session: nox.Session) -> None:
    """Print the sizes of modules and functions; fail where one is beyond its limit."""
    sources = [package.source for package in PACKAGES]
    session.run("python", "tools/anatomy.py", *sources)


@nox.session(default=False, reuse_venv=True)
def demo(session: nox.Session) -> None:
    """Train the network of examples/digits; options after `--` go to train.py."""
    session.install(*editable(PACKAGES), *group("demo"))
    session.run("python", "examples/digits/train.py", *session.posargs)


def test_alone(session: nox.Session, package: Package) -> None:
    """Runs a package's tests in an environment without anything it doesn't declare."""
    needed = needed_by(package)
    session.install(*editable(needed), *group("test"), *from_index(package))
    session.run("pytest", *PARALLEL, package.tests, *session.posargs)


def install_family(session: nox.Session) -> None:
    """Installs all packages with all their extras, and what any of the tests need."""
    needed = {found.name: found for each in PACKAGES for found in needed_by(each)}
    extras = [name for name, package in needed.items() if "all" in package.extras]
    tests = [name for package in PACKAGES for name in from_index(package)]
    session.install(
        *editable(list(needed.values())),
        *(f"{name}[all]" for name in extras),
        *tests,
        *group("test"),
        *group("family"),
    )


def needed_by(package: Package) -> list[Package]:
    """Returns the package and those of this repository that it and its tests need."""
    found = {package.name: package}
    names = [*package.requirements, *package.test_requirements]
    while names:
        name = canonicalize_name(Requirement(names.pop()).name)
        if name in CHECKOUT and name not in found:
            found[name] = CHECKOUT[name]
            names += CHECKOUT[name].requirements
    return list(found.values())


def from_index(package: Package) -> list[str]:
    """Returns what the tests need beyond this repository.

    What the checkout has is installed from there; pip would look for it in the index.
    """
    return [
        text
        for text in package.test_requirements
        if canonicalize_name(Requirement(text).name) not in CHECKOUT
    ]


def editable(packages: list[Package]) -> list[str]:
    """Returns the options that install packages from the checkout, as pip has them."""
    return [option for package in packages for option in ("--editable", package.folder)]


def group(name: str) -> list[str]:
    """Returns the requirements that the root pyproject.toml lists under `name`."""
    return list(nox.project.dependency_groups(SHARED, name))


def accepted_ids() -> list[str]:
    """Returns the tests of the standard's suite that may fail, each with a reason."""
    path = ROOT / "tests/standard/accepted.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return [
        f"{table['module']}::{name}"
        for entry in table["accepted"]
        for name in entry["ids"]
    ]


def existing(path: str) -> list[str]:
    """Returns the path if there is such a file or folder."""
    return [path] if Path(path).exists() else []
