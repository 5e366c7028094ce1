"""Ops that rearrange elements without computing with them."""

from collections.abc import Sequence
from typing import TypeVar

from trivet.contract.bitwise import Bitwise
from trivet.contract.table import derived, required
from trivet.shapes import Axes

__all__ = ["Shape"]

H = TypeVar("H")


class Shape(Bitwise[H], family="shape"):
    """Axes are non-negative and shapes complete: the tensor functions see to it."""

    @required()
    def reshape(self, x: H, /, *, shape: tuple[int, ...]) -> H:
        """The elements in C order as another shape of the same size."""
        raise NotImplementedError

    @derived(constant="facts about a handle")
    def reshape_is_view(self, x: H, /, *, shape: tuple[int, ...]) -> bool:
        """Whether `reshape` to that shape copies nothing; False where none can tell."""
        return False

    @required()
    def permute_dims(self, x: H, /, *, axes: tuple[int, ...]) -> H:
        """The axes in another order: axis `i` of the result is `axes[i]` of `x`."""
        raise NotImplementedError

    @required()
    def broadcast_to(self, x: H, /, *, shape: tuple[int, ...]) -> H:
        """The elements repeated along new axes in front and axes of size 1."""
        raise NotImplementedError

    @required()
    def concat(self, arrays: Sequence[H], /, *, axis: int) -> H:
        """The arrays one after the other along `axis`, in their promoted dtype."""
        raise NotImplementedError

    @required()
    def strided_slice(
        self,
        x: H,
        /,
        *,
        start: tuple[int, ...],
        size: tuple[int, ...],
        step: tuple[int, ...],
    ) -> H:
        """Along each axis the elements `start, start + step, ...`, `size` of them.

        A step may be negative; every element named exists.
        """
        raise NotImplementedError

    def part(self, x: H, axis: int, start: int, stop: int) -> H:
        """The elements from `start` up to `stop` along one axis."""
        shape = self.shape(x)
        return self.strided_slice(
            x,
            start=tuple(start if i == axis else 0 for i in range(len(shape))),
            size=tuple(stop - start if i == axis else n for i, n in enumerate(shape)),
            step=(1,) * len(shape),
        )

    @derived()
    def squeeze(self, x: H, /, *, axis: tuple[int, ...]) -> H:
        """Without the named axes, which have size 1."""
        shape = self.shape(x)
        kept = tuple(n for i, n in enumerate(shape) if i not in axis)
        return self.reshape(x, shape=kept)

    @derived()
    def expand_dims(self, x: H, /, *, axis: tuple[int, ...]) -> H:
        """With axes of size 1 at the named places of the result."""
        sizes = iter(self.shape(x))
        ndim = len(self.shape(x)) + len(axis)
        shape = tuple(1 if i in axis else next(sizes) for i in range(ndim))
        return self.reshape(x, shape=shape)

    @derived()
    def matrix_transpose(self, x: H, /) -> H:
        """The last two axes swapped."""
        axes = list(range(len(self.shape(x))))
        axes[-2:] = axes[-1], axes[-2]
        return self.permute_dims(x, axes=tuple(axes))

    @derived()
    def flip(self, x: H, /, *, axis: Axes) -> H:
        """The elements in reverse order along the axes (all when `None`)."""
        shape = self.shape(x)
        turned = [n > 0 and (axis is None or i in axis) for i, n in enumerate(shape)]
        return self.strided_slice(
            x,
            start=tuple(n - 1 if t else 0 for n, t in zip(shape, turned, strict=True)),
            size=shape,
            step=tuple(-1 if t else 1 for t in turned),
        )

    @derived()
    def roll(self, x: H, /, *, shift: tuple[int, ...], axis: Axes) -> H:
        """The elements moved along the axes by `shift`, round the end to the start.

        With `axis=None` the elements are rolled in C order.
        """
        if axis is None:
            flat = self.reshape(x, shape=(self.size(x),))
            rolled = self.roll(flat, shift=shift, axis=(0,) * len(shift))
            return self.reshape(rolled, shape=self.shape(x))
        for by, along in zip(shift, axis, strict=True):
            n = self.shape(x)[along]
            cut = -by % n if n else 0
            if cut:
                parts = self.part(x, along, cut, n), self.part(x, along, 0, cut)
                x = self.concat(parts, axis=along)
        return x

    @derived()
    def stack(self, arrays: Sequence[H], /, *, axis: int) -> H:
        """Arrays of one shape along a new axis."""
        return self.concat(
            [self.expand_dims(x, axis=(axis,)) for x in arrays], axis=axis
        )

    @derived()
    def tile(self, x: H, /, *, repetitions: tuple[int, ...]) -> H:
        """The whole array repeated along each axis; as many counts as dimensions."""
        shape = self.shape(x)
        pairs = list(zip(repetitions, shape, strict=True))
        apart = self.reshape(x, shape=tuple(n for _, size in pairs for n in (1, size)))
        many = self.broadcast_to(apart, shape=tuple(n for pair in pairs for n in pair))
        return self.reshape(many, shape=tuple(times * size for times, size in pairs))
