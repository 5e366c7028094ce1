"""Measure how the code is built: sizes, comments, docstrings, annotations.

`nox -s anatomy` runs it with the source folders. It prints one line per folder, and
fails naming the places where a limit is passed.
"""

import ast
import io
import sys
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

# Docstrings aside: a module of public functions is half promises and examples, and
# shall not be measured shorter by saying less.
MEDIAN_MODULE_LINES = 110
MODULE_LINES = 400
# A table states a fact per line; a longer one is still read in one go.
TABLE_LINES = 600
TABLE_MEAN_FUNCTION_LINES = 6
MEAN_FUNCTION_LINES = 14

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | Function


@dataclass(frozen=True, slots=True)
class Module:
    """The counts of one source file."""

    path: Path
    lines: int
    comments: int
    docstrings: int
    functions: tuple[int, ...]
    annotated: int

    @property
    def code(self) -> int:
        """The number of lines that belong to no docstring."""
        return self.lines - self.docstrings

    @property
    def limit(self) -> int:
        """The most lines that this module may have."""
        short = mean(self.functions or [0]) <= TABLE_MEAN_FUNCTION_LINES
        return TABLE_LINES if short else MODULE_LINES


def main(folders: list[str]) -> int:
    """Prints the numbers of each folder; returns 1 when a limit is passed."""
    print(f"{'folder':32}{'files':>6}{'lines':>7}{'median':>7}{'largest':>8}", end="")
    print(f"{'function':>9}{'comment':>8}{'docstring':>10}{'typed':>6}")
    faults = [fault for folder in folders for fault in report(Path(folder))]
    print(*faults, sep="\n")
    return 1 if faults else 0


def report(folder: Path) -> list[str]:
    """Prints the numbers of one folder; returns the limits that it passes."""
    modules = [read(path) for path in sorted(folder.rglob("*.py"))]
    if not modules:
        return []
    lines = sum(module.lines for module in modules)
    middle = median(module.code for module in modules)
    functions = [length for module in modules for length in module.functions]
    typed = sum(module.annotated for module in modules)
    print(
        f"{folder!s:32}{len(modules):6}{lines:7}{middle:7.0f}"
        f"{max(module.lines for module in modules):8}{mean(functions or [0]):9.1f}"
        f"{sum(module.comments for module in modules) / lines:8.0%}"
        f"{sum(module.docstrings for module in modules) / lines:10.0%}"
        f"{typed / max(len(functions), 1):6.0%}"
    )
    return [
        f"{module.path}: {module.lines} lines, at most {module.limit}"
        for module in modules
        if module.lines > module.limit
    ] + passed_limits(folder, middle, functions, typed)


def passed_limits(
    folder: Path, middle: float, functions: list[int], typed: int
) -> list[str]:
    """Returns what is beyond the limits that hold for a folder as a whole."""
    faults = []
    if middle > MEDIAN_MODULE_LINES:
        faults.append(
            f"{folder}: median module {middle:.0f} lines without docstrings, "
            f"at most {MEDIAN_MODULE_LINES}"
        )
    if mean(functions or [0]) > MEAN_FUNCTION_LINES:
        faults.append(
            f"{folder}: mean function {mean(functions):.1f} lines, "
            f"at most {MEAN_FUNCTION_LINES}"
        )
    if typed < len(functions):
        faults.append(f"{folder}: {len(functions) - typed} functions are not annotated")
    return faults


def read(path: Path) -> Module:
    """Returns the counts of one file."""
    text = path.read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(text)))
    functions = [node for node in nodes if isinstance(node, Function)]
    return Module(
        path=path,
        lines=len(text.splitlines()),
        comments=count_comments(text),
        docstrings=sum(docstring_lines(node) for node in nodes),
        functions=tuple(map(length, functions)),
        annotated=sum(map(is_annotated, functions)),
    )


def count_comments(text: str) -> int:
    """Returns the number of lines that hold a comment."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT for token in tokens)


def docstring_lines(node: ast.AST) -> int:
    """Returns the lines of a node's docstring, 0 without one."""
    if not isinstance(node, Documented) or ast.get_docstring(node) is None:
        return 0
    return length(node.body[0])


def length(node: ast.stmt) -> int:
    """Returns the number of lines from the first to the last of a statement."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def is_annotated(function: Function) -> bool:
    """Returns whether the result and every argument but self and cls have a type."""
    signature = function.args
    arguments: Iterable[ast.arg | None] = (
        *signature.posonlyargs,
        *signature.args,
        *signature.kwonlyargs,
        signature.vararg,
        signature.kwarg,
    )
    return function.returns is not None and all(
        argument is None or argument.annotation or argument.arg in {"self", "cls"}
        for argument in arguments
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
