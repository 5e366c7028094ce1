"""The language of the cases: NumPy-like expressions, evaluated through Trivet.

`Program` runs a case's set-up and its asks on one backend. An expression is parsed and
walked: it reaches the names of `FUNCTIONS`, the case's variables, and nothing else.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import trivet as tv
from trivet.contract import Backend, Recorder
from trivet.dtypes import DTYPES
from trivet_autodiff import grad

__all__ = ["FUNCTIONS", "Program", "names_in", "plain", "same"]

Values = Mapping[str, Any]


def _argsort(x: tv.Tensor[Any], *, axis: int = -1, kind: str) -> tv.Tensor[Any]:
    return tv.argsort(x, axis=axis, stable=kind == "stable")


def _interpolate1d(
    x: tv.Tensor[Any], size: int, *, align_corners: bool
) -> tv.Tensor[Any]:
    line = tv.reshape(x, (1, 1, x.size))
    found = tv.nn.interpolate(line, size, mode="linear", align_corners=align_corners)
    return tv.reshape(found, (size,))


def _detach(x: tv.Tensor[Any]) -> tv.Tensor[Any]:
    return x.detach() if isinstance(x.backend, Recorder) else x


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": tv.abs,
    "add_at": lambda base, index, source: tv.at(base, index).add(source),
    "all": tv.all,
    "amax": tv.max,
    "amin": tv.min,
    "any": tv.any,
    "arange": tv.arange,
    "arctan2": tv.atan2,
    "argmax": tv.argmax,
    "argmin": tv.argmin,
    "argsort": _argsort,
    "array": tv.asarray,
    "avg_pool1d": tv.nn.avg_pool1d,
    "broadcast_to": tv.broadcast_to,
    "clip": tv.clip,
    "concatenate": tv.concat,
    "conv1d": tv.nn.conv1d,
    "conv_transpose1d": tv.nn.conv_transpose1d,
    "cos": tv.cos,
    "cumprod": tv.cumulative_prod,
    "cumsum": tv.cumulative_sum,
    "detach": _detach,
    "dtype": lambda x: x.dtype.name,
    "einsum": tv.einsum,
    "exp": tv.exp,
    "expm1": tv.expm1,
    "full": tv.full,
    "interpolate1d": _interpolate1d,
    "linspace": tv.linspace,
    "log": tv.log,
    "log_sigmoid": tv.nn.log_sigmoid,
    "log_softmax": tv.nn.log_softmax,
    "logaddexp": tv.logaddexp,
    "logsumexp": tv.nn.logsumexp,
    "max_pool1d": tv.nn.max_pool1d,
    "maximum": tv.maximum,
    "mean": tv.mean,
    "minimum": tv.minimum,
    "nan_to_num": tv.nan_to_num,
    "norm": tv.linalg.vector_norm,
    "ones": tv.ones,
    "prod": tv.prod,
    "remainder": tv.remainder,
    "set_at": lambda base, index, value: tv.at(base, index).set(value),
    "shape": lambda x: list(x.shape),
    "sigmoid": tv.nn.sigmoid,
    "sin": tv.sin,
    "softmax": tv.nn.softmax,
    "sort": tv.sort,
    "sqrt": tv.sqrt,
    "std": tv.std,
    "sum": tv.sum,
    "tile": tv.tile,
    "topk_values": lambda x, k: tv.topk(x, k).values,
    "trace": tv.linalg.trace,
    "var": tv.var,
    "where": tv.where,
    "zeros": tv.zeros,
}
CONSTANTS = {
    "inf": math.inf,
    "nan": math.nan,
    **{name: dtype for name, dtype in DTYPES.items() if name != "bool"},
}
TRANSFORMS = ("D", "grad", "hess")
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.USub: operator.neg,
    ast.Gt: operator.gt,
    ast.Lt: operator.lt,
    ast.Eq: operator.eq,
}


class Program:
    """A case's variables on one backend.

    Where the backend records, every floating variable is tracked and gradients come
    from `.backward()`; elsewhere they come from `trivet_autodiff.grad`.
    """

    def __init__(self, backend: Backend[Any], setup: Sequence[str]) -> None:
        self._backend = backend
        self._variables: dict[str, Any] = {}
        with tv.using(backend):
            for line in setup:
                name, text = line.split(" = ", 1)
                value = _Walk(self._variables)(parsed(text))
                self._variables[name] = _variable(value)

    def ask(self, text: str) -> Any:
        """The value of an expression."""
        with tv.using(self._backend):
            return _Walk(self._variables)(parsed(text))


def _variable(x: Any) -> Any:
    recording = isinstance(x.backend, Recorder) and tv.isdtype(x.dtype, "real floating")
    return x.require_grad() if recording else x


def parsed(text: str) -> ast.expr:
    """The syntax tree of an expression; `x -> f` and `D^3(f)` are made Python first.

    >>> ast.unparse(parsed("D^3(x -> sin(x))(0.5)"))
    'D(3, lambda x: sin(x))(0.5)'
    """
    text = re.sub(r"(\w+) -> ", r"lambda \1: ", text)
    text = re.sub(r"D\^(\d+)\(", r"D(\1, ", text)
    return ast.parse(text, mode="eval").body


def names_in(text: str) -> set[str]:
    """The names that an expression mentions.

    >>> sorted(names_in("sum(x * 2.0)"))
    ['sum', 'x']
    """
    return {node.id for node in ast.walk(parsed(text)) if isinstance(node, ast.Name)}


class _Walk:
    """One pass over a syntax tree, with the variables that it may read."""

    def __init__(self, variables: Values) -> None:
        self._variables = variables

    def __call__(self, node: ast.AST | None) -> Any:
        """The value of a node."""
        visit = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visit is None:
            raise SyntaxError(f"the cases have no {type(node).__name__}")
        return visit(node)

    def _with(self, **more: Any) -> "_Walk":
        return _Walk({**self._variables, **more})

    def _nonetype(self, _: None) -> None:
        return None

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        for table in (self._variables, CONSTANTS, FUNCTIONS):
            if node.id in table:
                return table[node.id]
        raise NameError(f"the cases' language has no name {node.id}")

    def _list(self, node: ast.List) -> list[Any]:
        return [self(item) for item in node.elts]

    def _tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(self(item) for item in node.elts)

    def _slice(self, node: ast.Slice) -> slice:
        return slice(self(node.lower), self(node.upper), self(node.step))

    def _subscript(self, node: ast.Subscript) -> Any:
        return self(node.value)[self(node.slice)]

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        return OPERATORS[type(node.op)](self(node.operand))

    def _binop(self, node: ast.BinOp) -> Any:
        return OPERATORS[type(node.op)](self(node.left), self(node.right))

    def _compare(self, node: ast.Compare) -> Any:
        (op,), (right,) = node.ops, node.comparators
        return OPERATORS[type(op)](self(node.left), self(right))

    def _lambda(self, node: ast.Lambda) -> Callable[[Any], Any]:
        (argument,) = node.args.args
        return lambda value: self._with(**{argument.arg: value})(node.body)

    def _call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id in TRANSFORMS:
            return getattr(self, f"_{node.func.id}".lower())(*node.args)
        arguments = [self(argument) for argument in node.args]
        if isinstance(node.func, ast.Attribute):
            return self._reshaped(node.func, arguments)
        keywords = {str(word.arg): self(word.value) for word in node.keywords}
        return self(node.func)(*arguments, **keywords)

    def _reshaped(self, node: ast.Attribute, shape: list[int]) -> Any:
        if node.attr != "reshape":
            raise AttributeError(f"the cases' language has no method {node.attr}")
        return tv.reshape(self(node.value), tuple(shape))

    def _function(self, body: ast.expr, variable: ast.expr) -> tuple[Any, Any]:
        """An expression as a function of one of its variables, and that variable."""
        assert isinstance(variable, ast.Name)
        name = variable.id
        return lambda value: self._with(**{name: value})(body), self(variable)

    def _grad(self, body: ast.expr, variable: ast.expr) -> Any:
        function, x = self._function(body, variable)
        if not (isinstance(x.backend, Recorder) and x.backend.is_tracked(x.handle)):
            return grad(function)(x)
        return function(x).backward().get(x, tv.zeros_like(x.inner()))

    def _hess(self, body: ast.expr, variable: ast.expr) -> Any:
        function, x = self._function(body, variable)
        slope = grad(function)

        def part(i: int, value: Any) -> Any:
            return tv.reshape(slope(value), (-1,))[i]

        rows = [grad(partial(part, i))(x) for i in range(x.size)]
        return tv.stack([tv.reshape(row, (-1,)) for row in rows])

    def _d(self, *nodes: ast.expr) -> Any:
        *order, function = map(self, nodes)
        for _ in range(*order or [1]):
            function = grad(function)
        return function


def plain(value: Any) -> Any:
    """A tensor as Python numbers in nested lists; anything else as it is."""
    return value.tolist() if isinstance(value, tv.Tensor) else value


def same(found: Any, expected: Any, relative: float, absolute: float) -> bool:
    """Whether a plain value is what a case expects, of the same shape.

    >>> same([1.0, [float("nan")]], [1, ["nan"]], 0.0, 0.0), same([1], 1, 0.0, 0.0)
    (True, False)
    """
    if isinstance(expected, list) or isinstance(found, list):
        return (
            isinstance(expected, list)
            and isinstance(found, list)
            and len(found) == len(expected)
            and all(
                same(*pair, relative, absolute)
                for pair in zip(found, expected, strict=True)
            )
        )
    if expected in ("nan", "inf", "-inf"):
        expected = float(expected)
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(found, float) and math.isnan(found)
    if isinstance(expected, bool | str) or isinstance(found, bool | str):
        return type(found) is type(expected) and found == expected
    if isinstance(found, int):
        return found == expected  # exactly: floats would round the large ones
    return math.isclose(found, expected, rel_tol=relative, abs_tol=absolute)
