"""The tensor functions that are methods too, as type checkers see them.

At run time each function with `@method` puts itself on `Tensor`; a test holds this
list to theirs.
"""

from typing import TYPE_CHECKING, Any, TypeVar

from trivet.contract import Backend
from trivet.operators import Operators

if TYPE_CHECKING:
    from trivet.functions import (
        comparison,
        data,
        elementwise,
        indexing,
        rearrangement,
        reduction,
        shape,
        sorting,
        trigonometric,
    )

__all__ = ["Methods"]

B_co = TypeVar("B_co", bound=Backend[Any], covariant=True)


class Methods(Operators[B_co]):
    """What can be written `x.exp()` as well as `tv.exp(x)`."""

    __slots__ = ()

    if TYPE_CHECKING:
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
        astype = data.astype
        abs = elementwise.abs
        add = elementwise.add
        ceil = elementwise.ceil
        clip = elementwise.clip
        conj = elementwise.conj
        copysign = elementwise.copysign
        divide = elementwise.divide
        exp = elementwise.exp
        expm1 = elementwise.expm1
        floor = elementwise.floor
        floor_divide = elementwise.floor_divide
        hypot = elementwise.hypot
        log = elementwise.log
        log10 = elementwise.log10
        log1p = elementwise.log1p
        log2 = elementwise.log2
        logaddexp = elementwise.logaddexp
        maximum = elementwise.maximum
        minimum = elementwise.minimum
        multiply = elementwise.multiply
        negative = elementwise.negative
        nextafter = elementwise.nextafter
        positive = elementwise.positive
        pow = elementwise.pow
        reciprocal = elementwise.reciprocal
        remainder = elementwise.remainder
        round = elementwise.round
        sign = elementwise.sign
        signbit = elementwise.signbit
        sqrt = elementwise.sqrt
        square = elementwise.square
        subtract = elementwise.subtract
        trunc = elementwise.trunc
        take = indexing.take
        take_along_axis = indexing.take_along_axis
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
        broadcast_to = shape.broadcast_to
        expand_dims = shape.expand_dims
        flip = shape.flip
        moveaxis = shape.moveaxis
        permute_dims = shape.permute_dims
        repeat = shape.repeat
        reshape = shape.reshape
        roll = shape.roll
        squeeze = shape.squeeze
        tile = shape.tile
        unstack = shape.unstack
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
