"""Sums of products by index letters."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import NUMERIC

__all__ = ["Einsum", "Labels", "Path"]

H = TypeVar("H")
Labels = tuple[int, ...]
Path = tuple[tuple[int, ...], ...]


class Einsum(Nn[H], family="einsum"):
    """One op; a term of it is an array with a label for each of its axes."""

    @derived(NUMERIC)
    def einsum(
        self,
        arrays: Sequence[H],
        /,
        *,
        inputs: tuple[Labels, ...],
        output: Labels,
        path: Path,
    ) -> H:
        """The product of all arrays, summed over the labels that `output` leaves out.

        `inputs` has a label for each axis of each array; axes of one label have one
        size. Each step of `path` names two places in the list of terms: these are
        taken out, and their product is put at the end. Elements keep their promoted
        dtype; integers wrap.
        """
        terms = list(zip(arrays, inputs, strict=True))
        for first, second in path:
            one, two = terms[first], terms[second]
            terms = [t for i, t in enumerate(terms) if i not in {first, second}]
            wanted = frozenset(output).union(*(labels for _, labels in terms))
            terms.append(self._product_of_terms(*one, *two, wanted))
        ((x, labels),) = terms
        x, labels = self._reduced_term(x, labels, frozenset(output))
        return self._axes_in_order(x, tuple(labels.index(label) for label in output))

    def _axes_in_order(self, x: H, order: tuple[int, ...]) -> H:
        if order == tuple(range(len(order))):
            return x
        return self.permute_dims(x, axes=order)

    def _reduced_term(
        self, x: H, labels: Labels, wanted: frozenset[int]
    ) -> tuple[H, Labels]:
        """The term with the diagonals of repeated labels, summed over unwanted ones."""
        if len(wanted.intersection(labels)) == len(labels):
            return x, labels
        for label in dict.fromkeys(labels):
            while labels.count(label) > 1:
                x, labels = self._diagonal_of(x, labels, label)
        gone = tuple(i for i, label in enumerate(labels) if label not in wanted)
        if gone:
            x = self.sum(x, axis=gone, dtype=self.dtype(x), keepdims=False)
        return x, tuple(label for label in labels if label in wanted)

    def _diagonal_of(self, x: H, labels: Labels, label: int) -> tuple[H, Labels]:
        """The elements whose first two places along `label` are the same."""
        first = labels.index(label)
        second = labels.index(label, first + 1)
        others = [i for i in range(len(labels)) if i not in {first, second}]
        moved = self.permute_dims(x, axes=(*others, first, second))
        return self.diagonal(moved, offset=0), (*(labels[i] for i in others), label)

    def _product_of_terms(
        self, x1: H, labels1: Labels, x2: H, labels2: Labels, wanted: frozenset[int]
    ) -> tuple[H, Labels]:
        """The product of two terms, summed over what neither the rest nor it wants."""
        x1, labels1 = self._reduced_term(x1, labels1, wanted.union(labels2))
        x2, labels2 = self._reduced_term(x2, labels2, wanted.union(labels1))
        plan = _paired(labels1, self.shape(x1), labels2, self.shape(x2), wanted)
        x1 = self.reshape(self._axes_in_order(x1, plan.order1), shape=plan.shape1)
        x2 = self.reshape(self._axes_in_order(x2, plan.order2), shape=plan.shape2)
        # a product without a sum is quicker by multiplication
        product = (self.matmul if plan.sums else self.multiply)(x1, x2)
        return self.reshape(product, shape=plan.shape), plan.labels


class _Pair(NamedTuple):
    """Two terms as stacks of matrices: the order of their axes, and their shapes."""

    order1: tuple[int, ...]
    shape1: tuple[int, ...]
    order2: tuple[int, ...]
    shape2: tuple[int, ...]
    labels: Labels
    shape: tuple[int, ...]
    sums: bool


@lru_cache(maxsize=4096)
def _paired(
    labels1: Labels,
    shape1: tuple[int, ...],
    labels2: Labels,
    shape2: tuple[int, ...],
    wanted: frozenset[int],
) -> _Pair:
    """Common axes that stay come first, then rows, then columns."""
    sizes = dict(zip(labels1, shape1, strict=True)) | dict(
        zip(labels2, shape2, strict=True)
    )
    both = [label for label in labels1 if label in labels2]
    batch = [label for label in both if label in wanted]
    summed = [label for label in both if label not in wanted]
    left = [label for label in labels1 if label not in both]
    right = [label for label in labels2 if label not in both]

    def counts(labels: list[int]) -> int:
        return math.prod(sizes[label] for label in labels)

    labels = (*batch, *left, *right)
    stack = tuple(sizes[label] for label in batch)
    return _Pair(
        tuple(map(labels1.index, [*batch, *left, *summed])),
        (*stack, counts(left), counts(summed)),
        tuple(map(labels2.index, [*batch, *summed, *right])),
        (*stack, counts(summed), counts(right)),
        labels,
        tuple(sizes[label] for label in labels),
        bool(summed),
    )
