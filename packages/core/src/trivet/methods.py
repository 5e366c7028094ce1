"""The tensor functions that are methods too, as type checkers see them.

At run time each function with `@method` puts itself on `Tensor`; a test holds this
list to theirs.
"""

from typing import TYPE_CHECKING, Any, TypeVar

from trivet.contract import Backend
from trivet.operators import Operators

if TYPE_CHECKING:
    from trivet.functions import (
        arithmetic,
        bounds,
        comparison,
        complexes,
        data,
        division,
        exponential,
        indexing,
        joining,
        rearrangement,
        reduction,
        repetition,
        rounding,
        shape,
        signs,
        sorting,
        trigonometric,
    )

__all__ = ["Methods"]

B_co = TypeVar("B_co", bound=Backend[Any], covariant=True)


class Methods(Operators[B_co]):
    """What can be written `x.exp()` as well as `tv.exp(x)`."""

    __slots__ = ()

    if TYPE_CHECKING:
        add = arithmetic.add
        divide = arithmetic.divide
        floor_divide = arithmetic.floor_divide
        hypot = arithmetic.hypot
        multiply = arithmetic.multiply
        negative = arithmetic.negative
        positive = arithmetic.positive
        pow = arithmetic.pow
        reciprocal = arithmetic.reciprocal
        remainder = arithmetic.remainder
        rsqrt = arithmetic.rsqrt
        sqrt = arithmetic.sqrt
        square = arithmetic.square
        subtract = arithmetic.subtract
        clip = bounds.clip
        maximum = bounds.maximum
        minimum = bounds.minimum
        equal = comparison.equal
        greater = comparison.greater
        greater_equal = comparison.greater_equal
        isfinite = comparison.isfinite
        isinf = comparison.isinf
        isnan = comparison.isnan
        less = comparison.less
        less_equal = comparison.less_equal
        logical_and = comparison.logical_and
        logical_not = comparison.logical_not
        logical_or = comparison.logical_or
        logical_xor = comparison.logical_xor
        not_equal = comparison.not_equal
        conj = complexes.conj
        astype = data.astype
        fmod = division.fmod
        exp = exponential.exp
        exp2 = exponential.exp2
        expm1 = exponential.expm1
        log = exponential.log
        log10 = exponential.log10
        log1p = exponential.log1p
        log2 = exponential.log2
        logaddexp = exponential.logaddexp
        take = indexing.take
        take_along_axis = indexing.take_along_axis
        unstack = joining.unstack
        flatten = rearrangement.flatten
        ravel = rearrangement.ravel
        swapaxes = rearrangement.swapaxes
        transpose = rearrangement.transpose
        all = reduction.all
        any = reduction.any
        argmax = reduction.argmax
        argmin = reduction.argmin
        count_nonzero = reduction.count_nonzero
        cumulative_prod = reduction.cumulative_prod
        cumulative_sum = reduction.cumulative_sum
        diff = reduction.diff
        max = reduction.max
        mean = reduction.mean
        min = reduction.min
        prod = reduction.prod
        std = reduction.std
        sum = reduction.sum
        var = reduction.var
        repeat = repetition.repeat
        tile = repetition.tile
        ceil = rounding.ceil
        floor = rounding.floor
        nextafter = rounding.nextafter
        round = rounding.round
        trunc = rounding.trunc
        broadcast_to = shape.broadcast_to
        expand_dims = shape.expand_dims
        flip = shape.flip
        moveaxis = shape.moveaxis
        permute_dims = shape.permute_dims
        reshape = shape.reshape
        roll = shape.roll
        squeeze = shape.squeeze
        abs = signs.abs
        copysign = signs.copysign
        sign = signs.sign
        signbit = signs.signbit
        argsort = sorting.argsort
        sort = sorting.sort
        acos = trigonometric.acos
        acosh = trigonometric.acosh
        asin = trigonometric.asin
        asinh = trigonometric.asinh
        atan = trigonometric.atan
        atan2 = trigonometric.atan2
        atanh = trigonometric.atanh
        cos = trigonometric.cos
        cosh = trigonometric.cosh
        sin = trigonometric.sin
        sinh = trigonometric.sinh
        tan = trigonometric.tan
        tanh = trigonometric.tanh
