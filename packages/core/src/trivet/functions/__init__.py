"""The tensor functions, by family; `trivet` exports those of `TOP_LEVEL`."""

from trivet.functions import (
    bitwise,
    closeness,
    comparison,
    creation,
    data,
    einsum,
    elementwise,
    indexing,
    linalg,
    nanreduction,
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
        closeness,
        comparison,
        creation,
        data,
        einsum,
        elementwise,
        indexing,
        linalg,
        nanreduction,
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
