"""Arrays at other places than their own: resizing, and sampling at given points.

The layout is (batch, channel, *size). An axis of n elements spans them from centre to
centre (n - 1) where corners are aligned, and from edge to edge (n) where they are not.
"""

from typing import Literal, TypeVar

from trivet.contract.convolution import Ints
from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import INTEGRAL, REAL_FLOATING

__all__ = ["InterpolationMode", "PaddingMode", "Resampling", "SampleMode"]

H = TypeVar("H")
InterpolationMode = Literal["nearest", "nearest-exact", "linear", "cubic"]
SampleMode = Literal["bilinear", "nearest"]
PaddingMode = Literal["zeros", "border", "reflection"]
Ratios = tuple[tuple[float, float], ...]

_CUBIC = -0.75  # the parameter a of Keys, Cubic Convolution Interpolation, 1981


class Resampling(Nn[H], family="resampling"):
    """A point on an element is that element, whatever stands beside it."""

    @derived(REAL_FLOATING)
    def interpolate(
        self,
        x: H,
        /,
        *,
        size: Ints,
        ratio: Ratios,
        mode: InterpolationMode,
        align_corners: bool,
    ) -> H:
        """Other sizes of the axes after the channel, one axis after the other.

        Element i of the result stands at i * a / b of `x`, where `ratio` is (a, b), and
        at (i + 0.5) * a / b - 0.5 where corners are not aligned. "nearest" takes the
        element at i * a / b rounded down, "nearest-exact" that at (i + 0.5) * a / b.
        """
        x, dtype = self.widened(x)
        for axis, (m, (a, b)) in enumerate(zip(size, ratio, strict=True), start=2):
            n = self.shape(x)[axis]
            if n == m and a == b:
                continue
            place = self.interpolation_places(x, m, a, b, mode, aligned=align_corners)
            total: H | None = None
            for at, weight in self.interpolation_terms(place, n, mode):
                term = self._times_line(self.take(x, at, axis=axis), weight, axis)
                total = term if total is None else self.add(total, term)
            assert total is not None
            x = total
        return self.cast(x, dtype)

    @derived(REAL_FLOATING)
    def interpolate_transpose(
        self,
        x: H,
        /,
        *,
        size: Ints,
        ratio: Ratios,
        mode: InterpolationMode,
        align_corners: bool,
    ) -> H:
        """The transpose of `interpolate` from `size` with the same statics.

        Every element is added, weighted, where it was interpolated from.
        """
        x, dtype = self.widened(x)
        for axis, (n, (a, b)) in enumerate(zip(size, ratio, strict=True), start=2):
            m = self.shape(x)[axis]
            if n == m and a == b:
                continue
            place = self.interpolation_places(x, m, a, b, mode, aligned=align_corners)
            ndim = len(self.shape(x))
            front = (axis, *(i for i in range(ndim) if i != axis))
            rows = self.permute_dims(x, axes=front)
            sums = self.filled_like(x, 0, (n, *self.shape(rows)[1:]))
            for at, weight in self.interpolation_terms(place, n, mode):
                term = self._times_line(rows, weight, 0)
                sums = self.index_update(sums, at, term, mode="add")
            back = tuple(front.index(i) for i in range(ndim))
            x = self.permute_dims(sums, axes=back)
        return self.cast(x, dtype)

    def interpolation_places(
        self,
        like: H,
        m: int,
        a: float,
        b: float,
        mode: InterpolationMode,
        *,
        aligned: bool,
    ) -> H:
        """Where the `m` elements of one axis stand, in the widest floating dtype.

        They are rounded once if `a` and `b` are integers, so 2 / 98 * 49 is 1.
        """
        smooth = mode in {"linear", "cubic"}
        centred = not aligned if smooth else mode == "nearest-exact"
        shift = 0.5 if centred else 0.0
        device = self.device(like)
        wide = self._widest_float(self.dtype(like), device)
        i = self.arange(start=0, stop=m, step=1, dtype=wide, device=device)
        place = self.divide(self.multiply(self.add(i, shift), a), b)
        return self.subtract(place, shift) if smooth else self.floor(place)

    def interpolation_terms(
        self, place: H, n: int, mode: InterpolationMode
    ) -> list[tuple[H, H | None]]:
        """Positions among `n` elements, and their weights (1 for `None`)."""
        if mode == "linear":
            place = self.clip(place, 0, n - 1)
        low = self.floor(place)
        part = self.subtract(place, low)
        weights: dict[int, H | None] = {0: None}
        if mode == "linear":
            weights = self._two_weights(part)
        elif mode == "cubic":
            weights = self._four_weights(part)
        dtype = self.default_dtypes(self.device(place)).indexing
        return [
            (self.astype(self.clip(self.add(low, k), 0, n - 1), dtype=dtype), weight)
            for k, weight in weights.items()
        ]

    def _times_line(self, x: H, weight: H | None, axis: int) -> H:
        """The elements times weights along `axis`, and 0 where there is no weight.

        Infinities must not spread to places that they have no part in.
        """
        if weight is None:
            return x
        behind = (1,) * (len(self.shape(x)) - 1 - axis)
        line = self.reshape(weight, shape=(*self.shape(weight), *behind))
        line = self.cast(line, self.dtype(x))
        return self.multiply(self.where(self.equal(line, 0), 0, x), line)

    def _two_weights(self, part: H) -> dict[int, H | None]:
        return {0: self.subtract(1, part), 1: part}

    def _four_weights(self, part: H) -> dict[int, H | None]:
        """Keys's weights of the four elements around a point."""
        rest = self.subtract(1, part)
        return {
            -1: self._far(self.add(part, 1)),
            0: self._near(part),
            1: self._near(rest),
            2: self._far(self.add(rest, 1)),
        }

    def _near(self, t: H) -> H:
        """((a + 2) t - (a + 3)) t t + 1, for distances up to 1."""
        line = self.subtract(self.multiply(t, _CUBIC + 2), _CUBIC + 3)
        return self.add(self.multiply(self.multiply(line, t), t), 1)

    def _far(self, t: H) -> H:
        """((a t - 5 a) t + 8 a) t - 4 a, for distances from 1 to 2."""
        line = self.subtract(self.multiply(t, _CUBIC), 5 * _CUBIC)
        square = self.add(self.multiply(line, t), 8 * _CUBIC)
        return self.subtract(self.multiply(square, t), 4 * _CUBIC)

    @derived(REAL_FLOATING)
    def grid_sample(
        self,
        x: H,
        grid: H,
        /,
        *,
        mode: SampleMode,
        padding_mode: PaddingMode,
        align_corners: bool,
    ) -> H:
        """(batch, channel, height, width) at the points of (batch, rows, columns, 2).

        A point is (x, y), each from -1 at one end of `x` to 1 at the other; NaN counts
        as -1. In "nearest" halves go to the even element.
        """
        x, dtype = self.widened(x)
        grid = self.cast(self.widened(grid)[0], self.dtype(x))
        shape, statics = self.shape(x), (padding_mode, align_corners)
        across = self._point(self.getitem(grid, key=(..., 0)), shape[3], *statics)
        down = self._point(self.getitem(grid, key=(..., 1)), shape[2], *statics)
        rows = self.reshape(
            self.permute_dims(x, axes=(0, 2, 3, 1)),
            shape=(shape[0] * shape[2] * shape[3], shape[1]),
        )
        # what is outside reads the last row
        rows = self.concat((rows, self.filled_like(x, 0, (1, shape[1]))), axis=0)
        if mode == "nearest":
            at = self._corner(x, shape, self.round(down), self.round(across))
            found = self.take(rows, self.reshape(at, shape=(self.size(at),)), axis=0)
        else:
            found = self._bilinear(rows, shape, down, across)
        found = self.reshape(found, shape=(*self.shape(down), shape[1]))
        return self.cast(self.permute_dims(found, axes=(0, 3, 1, 2)), dtype)

    def _point(self, g: H, n: int, padding_mode: PaddingMode, aligned: bool) -> H:  # noqa: FBT001
        """Coordinates from -1 to 1 as places among `n` elements, or just outside."""
        up = self.add(self.where(self.isnan(g), -1, g), 1)
        if aligned:
            place = self.multiply(up, (n - 1) / 2)
        else:
            place = self.subtract(self.multiply(up, n / 2), 0.5)
        if padding_mode == "zeros":
            return self.clip(place, -2, n + 1)
        if padding_mode == "reflection":
            edge = 0.0 if aligned else -0.5
            place = self._mirror(place, edge, n - 1 - 2 * edge)
        # flat from the outermost elements on
        place = self.where(self.less_equal(place, 0), 0, place)
        return self.where(self.greater_equal(place, n - 1), n - 1, place)

    def _mirror(self, place: H, low: float, span: float) -> H:
        """Places thrown back at `low` and at `low + span`, as often as it takes."""
        if span == 0:
            return self.filled_like(place, 0, self.shape(place))
        away = self.where(self.isinf(place), 0, self.subtract(place, low))
        turn = self.remainder(away, 2 * span)
        back = self.where(self.less(span, turn), self.subtract(2 * span, turn), turn)
        return self.add(back, low)

    def _bilinear(self, rows: H, shape: Ints, down: H, across: H) -> H:
        """The four elements around each point, weighted by nearness."""
        top, left = self.floor(down), self.floor(across)
        y, x = self.subtract(down, top), self.subtract(across, left)
        places, weights = [], []
        for dy, wy in enumerate((self.subtract(1, y), y)):
            for dx, wx in enumerate((self.subtract(1, x), x)):
                at = self._corner(rows, shape, self.add(top, dy), self.add(left, dx))
                places.append(self.reshape(at, shape=(self.size(at), 1)))
                weight = self.multiply(wy, wx)
                weights.append(self.reshape(weight, shape=(self.size(weight), 1)))
        indices, weight = self.concat(places, axis=1), self.concat(weights, axis=1)
        return self.weighted_rows(rows, indices, weight)

    def _corner(self, like: H, shape: Ints, down: H, across: H) -> H:
        """The numbers of rows at whole-numbered places; outside, one past the last."""
        batch, _, height, width = shape
        y, x = self.clip(down, 0, height - 1), self.clip(across, 0, width - 1)
        inside = self.logical_and(self.equal(y, down), self.equal(x, across))
        dtype = self.default_dtypes(self.device(like)).indexing
        y, x = self.astype(y, dtype=dtype), self.astype(x, dtype=dtype)
        first = self.reshape(self.counting(like, batch), shape=(batch, 1, 1))
        row = self.add(self.multiply(first, height), y)
        flat = self.add(self.multiply(row, width), x)
        return self.where(inside, flat, batch * height * width)

    @derived(INTEGRAL | REAL_FLOATING)
    def weighted_rows(self, x: H, indices: H, weights: H, /) -> H:
        """For each row of `indices` the sum of these rows of `x`, times the weights.

        The shapes are (n, width), and twice (points, several), where no index is
        negative; the result is (points, width).
        """
        several = self.shape(indices)[1]
        total = self.filled_like(x, 0, (self.shape(indices)[0], self.shape(x)[1]))
        for k in range(several):
            rows = self.take(x, self._column(indices, k), axis=0)
            term = self.multiply(rows, self.part(weights, 1, k, k + 1))
            total = self.add(total, term) if k else term
        return total

    @derived(INTEGRAL | REAL_FLOATING)
    def weighted_rows_transpose(
        self, g: H, indices: H, weights: H, /, *, size: int
    ) -> H:
        """The transpose of `weighted_rows` of `size` rows.

        Each row of `g` is added, weighted, where it came from.
        """
        total = self.filled_like(g, 0, (size, self.shape(g)[1]))
        for k in range(self.shape(indices)[1]):
            term = self.multiply(g, self.part(weights, 1, k, k + 1))
            total = self.index_update(total, self._column(indices, k), term, mode="add")
        return total

    @derived(INTEGRAL | REAL_FLOATING)
    def row_products(self, g: H, x: H, indices: H, /) -> H:
        """The products of row p of `g` with the rows of `x` at row p of `indices`.

        The shapes are (points, width), (n, width) and (points, several), which the
        result has too.
        """
        found = []
        for k in range(self.shape(indices)[1]):
            rows = self.take(x, self._column(indices, k), axis=0)
            products = self.multiply(g, rows)
            found.append(self.sum(products, axis=(1,), dtype=None, keepdims=True))
        return self.concat(found, axis=1)

    def _column(self, indices: H, k: int) -> H:
        shape = (self.shape(indices)[0],)
        return self.reshape(self.part(indices, 1, k, k + 1), shape=shape)
