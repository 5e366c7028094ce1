"""The tensor functions, by family; `trivet` exports those of `TOP_LEVEL`."""

from trivet.functions import (
    arithmetic,
    bitwise,
    bounds,
    closeness,
    comparison,
    complexes,
    creation,
    data,
    einsum,
    exponential,
    indexing,
    joining,
    linalg,
    nanreduction,
    ranges,
    rearrangement,
    reduction,
    repetition,
    rounding,
    running,
    scatter,
    selection,
    sets,
    shape,
    signs,
    sorting,
    statistics,
    trigonometric,
)

__all__ = ["TOP_LEVEL"]

TOP_LEVEL = {
    name: getattr(family, name)
    for family in (
        arithmetic,
        bitwise,
        bounds,
        closeness,
        comparison,
        complexes,
        creation,
        data,
        einsum,
        exponential,
        indexing,
        joining,
        linalg,
        nanreduction,
        ranges,
        rearrangement,
        reduction,
        repetition,
        rounding,
        running,
        scatter,
        selection,
        sets,
        shape,
        signs,
        sorting,
        statistics,
        trigonometric,
    )
    for name in family.__all__
}
