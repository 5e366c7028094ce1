"""The tensor functions, by family; `trivet` exports those of `TOP_LEVEL`."""

from trivet.functions import (
    bitwise,
    comparison,
    creation,
    data,
    einsum,
    elementwise,
    indexing,
    linalg,
    ranges,
    rearrangement,
    reduction,
    scatter,
    selection,
    sets,
    shape,
    sorting,
    statistics,
    trigonometric,
)

__all__ = ["TOP_LEVEL"]

TOP_LEVEL = {
    name: getattr(family, name)
    for family in (
        bitwise,
        comparison,
        creation,
        data,
        einsum,
        elementwise,
        indexing,
        linalg,
        ranges,
        rearrangement,
        reduction,
        scatter,
        selection,
        sets,
        shape,
        sorting,
        statistics,
        trigonometric,
    )
    for name in family.__all__
}
