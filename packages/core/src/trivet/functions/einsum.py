"""Sums of products by index letters."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any, NamedTuple, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, call_many, require_kind
from trivet.errors import ArgumentError, ShapeError
from trivet.tensor import Tensor

__all__ = ["einsum"]

B = TypeVar("B", bound=Backend[Any])
Labels = tuple[int, ...]


def einsum(
    subscripts: str, /, *operands: Tensor[B], optimize: bool = True
) -> Tensor[B]:
    """The product of the operands, summed over the letters that the output leaves out.

    `subscripts` has a letter for each axis of each operand, "ij,jk->ik". A letter that
    stands twice in an operand takes its diagonal. Without "->", the output has all
    letters that stand once, in alphabetic order. "..." stands for axes in front that
    broadcast. An axis of size 1 broadcasts along its letter.

    With `optimize`, three operands or more are contracted in the order that opt_einsum
    chooses where the extra `trivet[einsum]` is installed, else from left to right.
    Takes numeric dtypes; integers wrap. Raises `ValueError` for subscripts that do not
    parse and `ShapeError` where they do not fit, naming the letter.

    >>> import trivet as tv
    >>> x = tv.asarray([[1, 2], [3, 4]])
    >>> tv.einsum("ii->", x).item(), tv.einsum("ij,j->i", x, x[0]).tolist()
    (5, [5, 11])
    """
    if not isinstance(subscripts, str):
        raise ArgumentError(
            f"einsum: subscripts={subscripts!r} is not a text such as 'ij,jk->ik'."
        )
    require_kind("einsum", *operands)
    shapes = tuple(x.shape for x in operands)
    plan = _plan(subscripts, shapes, optimize=bool(optimize))
    arrays = [
        call("squeeze", x, axis=gone) if gone else x
        for x, gone in zip(operands, plan.gone, strict=True)
    ]
    return call_many(
        "einsum", arrays, inputs=plan.inputs, output=plan.output, path=plan.path
    )


class _Plan(NamedTuple):
    """How to compute one form of einsum; `gone` are axes of size 1 to drop first."""

    gone: tuple[tuple[int, ...], ...]
    inputs: tuple[Labels, ...]
    output: Labels
    path: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1024)
def _plan(
    subscripts: str, shapes: tuple[tuple[int, ...], ...], *, optimize: bool
) -> _Plan:
    parts, kept = _parsed(subscripts, len(shapes))
    terms = _Labelled.of(subscripts, parts, kept, shapes)
    gone = [
        tuple(i for i, n in enumerate(shape) if n == 1 != terms.sizes[labels[i]])
        for shape, labels in zip(shapes, terms.inputs, strict=True)
    ]
    inputs = tuple(
        tuple(label for i, label in enumerate(labels) if i not in axes)
        for labels, axes in zip(terms.inputs, gone, strict=True)
    )
    path = _path(inputs, terms.output, terms.sizes, optimize=optimize)
    return _Plan(tuple(gone), inputs, terms.output, path)


def _parsed(subscripts: str, count: int) -> tuple[list[str], str | None]:
    """The subscripts of each operand, and of the output if they are given."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    parts = left.split(",")
    for part in (*parts, right):
        bare = part.replace("...", "", 1)
        wrong = next((c for c in bare if not (c.isascii() and c.isalpha())), None)
        if wrong is not None:
            raise ArgumentError(
                f"einsum: the subscripts {subscripts!r} hold {wrong!r}. They are "
                "letters, one '...' for each operand, commas and one '->'."
            )
    if len(parts) != count:
        raise ArgumentError(
            f"einsum: the subscripts {subscripts!r} are for {len(parts)} operand"
            f"{'' if len(parts) == 1 else 's'}, and {count} "
            f"{'was' if count == 1 else 'were'} given."
        )
    return parts, right if arrow else None


class _Labelled(NamedTuple):
    """A number for each axis instead of a letter, those of the ellipsis included."""

    inputs: list[Labels]
    output: Labels
    sizes: dict[int, int]

    @classmethod
    def of(
        cls,
        subscripts: str,
        parts: Sequence[str],
        kept: str | None,
        shapes: Sequence[tuple[int, ...]],
    ) -> "_Labelled":
        letters = sorted(set("".join(parts)) - {"."})
        numbers = dict(zip(letters, count(), strict=False))
        wide = max(
            (_hidden(subscripts, *pair) for pair in zip(parts, shapes, strict=True)),
            default=0,
        )
        hidden = tuple(range(len(letters), len(letters) + wide))
        inputs = [
            _numbered(part, numbers, hidden, _hidden(subscripts, part, shape))
            for part, shape in zip(parts, shapes, strict=True)
        ]
        wanted = _implied(parts) if kept is None else kept
        _check_output(subscripts, wanted, numbers)
        output = _numbered(wanted, numbers, hidden, wide)
        return cls(inputs, output, _sizes(subscripts, letters, inputs, shapes))


def _hidden(subscripts: str, part: str, shape: tuple[int, ...]) -> int:
    """How many axes the ellipsis of an operand stands for."""
    letters = len(part.replace("...", ""))
    dots = "..." in part
    if letters > len(shape) or (letters < len(shape) and not dots):
        raise ShapeError(
            f"einsum: in {subscripts!r} the subscripts {part!r} name {letters} axes, "
            f"and the operand has the shape {shape}."
        )
    return len(shape) - letters


def _numbered(
    part: str, numbers: dict[str, int], hidden: Labels, length: int
) -> Labels:
    before, dots, after = part.partition("...")
    middle = hidden[len(hidden) - length :] if dots else ()
    return (*(numbers[c] for c in before), *middle, *(numbers[c] for c in after))


def _implied(parts: Sequence[str]) -> str:
    """The output when none is given."""
    times = Counter("".join(parts))
    once = sorted(c for c, n in times.items() if n == 1 and c != ".")
    return ("..." if "." in times else "") + "".join(once)


def _check_output(subscripts: str, wanted: str, numbers: dict[str, int]) -> None:
    letters = wanted.replace("...", "")
    for letter in letters:
        if letter not in numbers:
            raise ArgumentError(
                f"einsum: in {subscripts!r} the output has the letter {letter!r}, "
                "which no operand has."
            )
        if letters.count(letter) > 1:
            raise ArgumentError(
                f"einsum: in {subscripts!r} the output has the letter {letter!r} twice."
            )


def _sizes(
    subscripts: str,
    letters: Sequence[str],
    inputs: Sequence[Labels],
    shapes: Sequence[tuple[int, ...]],
) -> dict[int, int]:
    """The size of each label; 1 gives way to any other."""
    sizes: dict[int, int] = {}
    for labels, shape in zip(inputs, shapes, strict=True):
        for label, size in zip(labels, shape, strict=True):
            known = sizes.setdefault(label, size)
            own = {shape[i] for i, other in enumerate(labels) if other == label}
            if len({known, size} - {1}) > 1 or len(own) > 1:
                small, large = sorted(own if len(own) > 1 else {known, size})
                name = repr(letters[label]) if label < len(letters) else "'...'"
                raise ShapeError(
                    f"einsum: in {subscripts!r} the axes {name} have the sizes {small} "
                    f"and {large}. Axes of one letter must have one size."
                )
            sizes[label] = size if known == 1 else known
    return sizes


def _path(
    inputs: Sequence[Labels], output: Labels, sizes: dict[int, int], *, optimize: bool
) -> tuple[tuple[int, int], ...]:
    """Which two terms to multiply, step by step; a product goes to the end."""
    steps = len(inputs) - 1
    found = _opt_einsum_path(inputs, output, sizes) if optimize and steps > 1 else None
    if found is None:
        # after the first product, the next operand and the product so far
        return ((0, 1), *((0, steps - k) for k in range(1, steps)))[:steps]
    return found


def _opt_einsum_path(
    inputs: Sequence[Labels], output: Labels, sizes: dict[int, int]
) -> tuple[tuple[int, int], ...] | None:
    opt_einsum = _opt_einsum()
    if opt_einsum is None:
        return None
    text = ["".join(map(opt_einsum.get_symbol, labels)) for labels in (*inputs, output)]
    shapes = [tuple(sizes[label] for label in labels) for labels in inputs]
    path, _ = opt_einsum.contract_path(
        f"{','.join(text[:-1])}->{text[-1]}", *shapes, shapes=True
    )
    if any(len(step) != 2 for step in path):
        return None
    return tuple((min(step), max(step)) for step in path)


@cache
def _opt_einsum() -> Any | None:
    """The library, which is an extra, if it is installed."""
    from importlib import import_module

    try:
        return import_module("opt_einsum")
    except ImportError:
        return None
