"""Sums of products by index letters."""

import math
from collections.abc import Sequence
from typing import TypeVar

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
            wanted = set(output).union(*(labels for _, labels in terms))
            terms.append(self._product_of_terms(*one, *two, wanted))
        ((x, labels),) = terms
        x, labels = self._reduced_term(x, labels, set(output))
        order = tuple(labels.index(label) for label in output)
        return (
            x if order == tuple(range(len(order))) else self.permute_dims(x, axes=order)
        )

    def _reduced_term(self, x: H, labels: Labels, wanted: set[int]) -> tuple[H, Labels]:
        """The term with the diagonals of repeated labels, summed over unwanted ones."""
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
        self, x1: H, labels1: Labels, x2: H, labels2: Labels, wanted: set[int]
    ) -> tuple[H, Labels]:
        """The product of two terms, summed over what neither the rest nor it wants."""
        x1, labels1 = self._reduced_term(x1, labels1, wanted | set(labels2))
        x2, labels2 = self._reduced_term(x2, labels2, wanted | set(labels1))
        batch = [label for label in labels1 if label in labels2 and label in wanted]
        summed = [
            label for label in labels1 if label in labels2 and label not in wanted
        ]
        left = [label for label in labels1 if label not in labels2]
        right = [label for label in labels2 if label not in labels1]
        sizes = dict(zip(labels1, self.shape(x1), strict=True))
        sizes |= zip(labels2, self.shape(x2), strict=True)
        first = self._grouped_axes(x1, labels1, sizes, (batch, left, summed))
        second = self._grouped_axes(x2, labels2, sizes, (batch, summed, right))
        # a product without a sum is quicker by multiplication
        product = self.matmul if summed else self.multiply
        labels = (*batch, *left, *right)
        shape = tuple(sizes[label] for label in labels)
        return self.reshape(product(first, second), shape=shape), labels

    def _grouped_axes(
        self,
        x: H,
        labels: Labels,
        sizes: dict[int, int],
        groups: tuple[list[int], list[int], list[int]],
    ) -> H:
        """The axes of the first group, and one axis for each of the other two."""
        batch, rows, cols = groups
        order = tuple(labels.index(label) for label in (*batch, *rows, *cols))
        if order != tuple(range(len(order))):
            x = self.permute_dims(x, axes=order)
        ends = (math.prod(sizes[label] for label in group) for group in (rows, cols))
        return self.reshape(x, shape=(*(sizes[label] for label in batch), *ends))
