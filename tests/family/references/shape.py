"""What NumPy says to functions that move, join, cut and pick elements."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from references.case import Case
from references.values import (
    ALL,
    BOOL,
    NUMERIC,
    REAL,
    SIGNED,
    along,
    arrays,
    axis_of,
    call,
    one,
    shapes,
)

MATRIX = shapes(2)
TWO = st.integers(1, 3)
OFFSET = st.integers(-4, 4)


def each(draw, dtypes, count, shape):
    """Arrays of one dtype."""
    dtype = (draw(st.sampled_from(dtypes)),)
    return [draw(arrays(dtype, shape)) for _ in range(count)]


@st.composite
def joined(draw, *, name="axis"):
    """Arrays of one shape and an axis."""
    shape = draw(shapes(1))
    parts = each(draw, NUMERIC, draw(TWO), shape)
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    return (parts,), {name: axis}


@st.composite
def beside(draw):
    """Arrays of one shape, of any rank."""
    return (each(draw, NUMERIC, draw(TWO), draw(shapes())),), {}


@st.composite
def flat(draw):
    """Arrays of any shapes, joined as if they were flat."""
    dtype = (draw(st.sampled_from(NUMERIC)),)
    return ([draw(arrays(dtype)) for _ in range(draw(TWO))],), {"axis": None}


@st.composite
def permuted(draw):
    x = draw(arrays(ALL))
    return (x, tuple(draw(st.permutations(range(x.ndim))))), {}


@st.composite
def broadcast(draw):
    x = draw(arrays(ALL))
    return (x, (2, *x.shape)), {}


@st.composite
def expanded(draw):
    x = draw(arrays(ALL))
    return (x,), {"axis": draw(st.integers(-x.ndim - 1, x.ndim))}


@st.composite
def squeezed(draw):
    (x,), kw = draw(expanded())
    axis = kw["axis"]
    return (np.expand_dims(x, axis), axis), {}


@st.composite
def moved(draw):
    x = draw(arrays(ALL, shapes(1)))
    return (x, axis_of(draw, x), axis_of(draw, x)), {}


@st.composite
def reshaped(draw):
    x = draw(arrays(ALL))
    wanted = draw(st.permutations(x.shape)) if x.ndim else (1, 1)
    if x.size and draw(st.booleans()):
        wanted = (-1, *wanted[1:])
    return (x, tuple(wanted)), {}


@st.composite
def rolled(draw):
    x = draw(arrays(ALL, shapes(1)))
    if draw(st.booleans()):
        return (x, draw(OFFSET)), {}
    return (x, (draw(OFFSET),)), {"axis": (axis_of(draw, x),)}


@st.composite
def repeated(draw):
    x = draw(arrays(ALL, shapes(1)))
    axis = axis_of(draw, x)
    count = draw(
        st.one_of(st.integers(0, 3), hnp.arrays("int64", x.shape[axis], elements=TWO))
    )
    if type(count) is int and draw(st.booleans()):
        return (x, count), {}
    return (x, count), {"axis": axis}


@st.composite
def tiled(draw):
    x = draw(arrays(ALL))
    return (x, tuple(draw(st.lists(st.integers(0, 2), max_size=3)))), {}


@st.composite
def padded(draw):
    x = draw(arrays(NUMERIC, shapes(1, 2, empty=False)))
    mode = draw(st.sampled_from(["constant", "reflect", "edge", "circular"]))
    most = min(x.shape) - 1 if mode == "reflect" else min(x.shape)
    widths = st.tuples(st.integers(0, most), st.integers(0, most))
    keywords = {"mode": mode}
    if mode == "constant" and draw(st.booleans()):
        keywords["constant_values"] = 3
    return (x, tuple(draw(widths) for _ in x.shape)), keywords


def pad(x, widths, mode, **keywords):
    return np.pad(x, widths, mode={"circular": "wrap"}.get(mode, mode), **keywords)


@st.composite
def windows(draw):
    x = draw(arrays(ALL, shapes(1, empty=False)))
    axis = axis_of(draw, x)
    return (x, axis, draw(st.integers(1, x.shape[axis])), draw(TWO)), {}


def unfold(x, axis, size, step):
    view = np.lib.stride_tricks.sliding_window_view(x, size, axis)
    return np.moveaxis(np.moveaxis(view, axis % x.ndim, 0)[::step], 0, axis % x.ndim)


@st.composite
def cut(draw):
    """An array, an axis and a part of it."""
    x = draw(arrays(ALL, shapes(1)))
    axis = axis_of(draw, x)
    start = draw(st.integers(0, x.shape[axis]))
    return (x, axis, start, draw(st.integers(0, x.shape[axis] - start))), {}


def narrow(x, axis, start, length):
    return np.take(x, np.arange(start, start + length), axis=axis)


@st.composite
def parts(draw):
    """An array and the sizes of what an axis is split into."""
    x = draw(arrays(ALL, shapes(1)))
    axis = axis_of(draw, x)
    first = draw(st.integers(0, x.shape[axis]))
    return (x, (first, x.shape[axis] - first)), {"axis": axis}


def split(x, sizes, axis):
    return np.split(x, np.cumsum(sizes)[:-1], axis=axis)


@st.composite
def chunks(draw):
    """An array and into how many equal parts an axis is cut: it divides."""
    x = draw(arrays(ALL, shapes(1, empty=False)))
    axis = axis_of(draw, x)
    count = draw(st.sampled_from([n for n in (1, 2, 3, 4) if not x.shape[axis] % n]))
    return (x, count), {"axis": axis}


def flatten(x, start_axis=0, end_axis=-1):
    if not x.ndim:
        return x.reshape(1)
    last = end_axis % x.ndim
    return x.reshape((*x.shape[:start_axis], -1, *x.shape[last + 1 :]))


@st.composite
def flattened(draw):
    x = draw(arrays(ALL, shapes(1, empty=False)))
    first = draw(st.integers(0, x.ndim - 1))
    return (x,), {"start_axis": first, "end_axis": draw(st.integers(first, x.ndim - 1))}


@st.composite
def picked(draw):
    """An array and indices, of one axis, into it."""
    x = draw(arrays(ALL, shapes(1, empty=False)))
    axis = axis_of(draw, x)
    n = x.shape[axis]
    where = hnp.arrays("int64", st.integers(0, 4), elements=st.integers(-n, n - 1))
    if x.ndim == 1 and draw(st.booleans()):
        return (x, draw(where)), {}
    return (x, draw(where)), {"axis": axis}


@st.composite
def aligned(draw, dtypes=ALL, *, values=False, unique=False, more=None):
    """An array and indices of its shape but along one axis, perhaps with values."""
    dtype = (draw(st.sampled_from(dtypes)),)
    x = draw(arrays(dtype, shapes(1, empty=False), low=-8, high=8, special=False))
    axis = axis_of(draw, x)
    n = x.shape[axis]
    if unique:
        order = draw(st.permutations(range(n)))
        lines = np.asarray(order).reshape(
            [-1 if a == axis % x.ndim else 1 for a in range(x.ndim)]
        )
        where = np.broadcast_to(lines, x.shape).copy()
    else:
        size = tuple(3 if a == axis % x.ndim else m for a, m in enumerate(x.shape))
        where = draw(hnp.arrays("int64", size, elements=st.integers(-n, n - 1)))
    given = [draw(arrays(dtype, where.shape, low=-8, high=8, special=False))] * values
    return (x, where, *given), {"axis": axis} | draw(st.fixed_dictionaries(more or {}))


def put_along_axis(x, where, values, axis):
    result = x.copy()
    np.put_along_axis(result, where, values, axis)
    return result


UPDATES = {
    "add": np.add,
    "multiply": np.multiply,
    "minimum": np.minimum,
    "maximum": np.maximum,
}


def scatter(x, where, values, axis, mode):
    result = x.copy()
    index = list(np.indices(where.shape))
    index[axis] = where
    UPDATES[mode].at(result, tuple(index), values)
    return result


@st.composite
def points(draw, *, values=False):
    """An array and index vectors into its first axes, perhaps with updates."""
    x = draw(arrays(SIGNED, shapes(2, empty=False), low=-8, high=8))
    depth = draw(st.integers(1, x.ndim))
    columns = [
        draw(hnp.arrays("int64", 3, elements=st.integers(-n, n - 1)))
        for n in x.shape[:depth]
    ]
    where = np.stack(columns, axis=-1)
    if not values:
        return (x, where), {}
    updates = draw(arrays((x.dtype.name,), (3, *x.shape[depth:]), low=-8, high=8))
    return (x, where, updates), {"mode": draw(st.sampled_from(sorted(UPDATES)))}


def gather_nd(x, where):
    return x[tuple(np.moveaxis(where, -1, 0))]


def scatter_nd(x, where, updates, mode):
    result = x.copy()
    UPDATES[mode].at(result, tuple(np.moveaxis(where, -1, 0)), updates)
    return result


@st.composite
def masked(draw, *, value=False):
    x = draw(arrays(REAL))
    mask = draw(arrays(BOOL, x.shape))
    return (x, mask, *[1] * value), {}


def masked_fill(x, mask, value):
    return np.where(mask, x.dtype.type(value), x)


@st.composite
def rotated(draw):
    x = draw(arrays(ALL, shapes(2)))
    axes = draw(st.permutations(range(x.ndim)))
    return (x,), {"k": draw(OFFSET), "axes": tuple(axes[:2])}


@st.composite
def grids(draw):
    vectors = each(draw, NUMERIC, draw(TWO), draw(st.integers(0, 3)))
    return tuple(vectors), {"indexing": draw(st.sampled_from(["xy", "ij"]))}


@st.composite
def together(draw):
    """Arrays that broadcast against each other."""
    found = draw(
        hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0)
    )
    return tuple(draw(arrays(ALL, shape)) for shape in found.input_shapes), {}


@st.composite
def of_shapes(draw):
    found = draw(
        hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, min_side=0)
    )
    return found.input_shapes, {}


TABLE = {
    "argwhere": Case(np.argwhere, one(ALL, low=-1, high=1)),
    "broadcast_arrays": Case(np.broadcast_arrays, together()),
    "broadcast_shapes": Case(np.broadcast_shapes, of_shapes()),
    "broadcast_to": Case(np.broadcast_to, broadcast()),
    "chunk": Case(np.split, chunks()),
    "concat": Case(np.concatenate, st.one_of(joined(), flat())),
    "diag": Case(np.diag, call(arrays(ALL, shapes(1, 2)), k=OFFSET)),
    "diagonal": Case(
        lambda x, offset: np.linalg.diagonal(x, offset=offset),
        call(arrays(ALL, MATRIX), offset=OFFSET),
    ),
    "expand_dims": Case(np.expand_dims, expanded()),
    "flatten": Case(flatten, flattened()),
    "flip": Case(np.flip, along(ALL)),
    "gather": Case(np.take_along_axis, aligned()),
    "gather_nd": Case(gather_nd, points()),
    "hstack": Case(np.hstack, beside()),
    "masked_fill": Case(masked_fill, masked(value=True)),
    "masked_select": Case(lambda x, mask: x[mask], masked()),
    "matrix_transpose": Case(np.matrix_transpose, call(arrays(ALL, MATRIX))),
    "meshgrid": Case(np.meshgrid, grids()),
    "moveaxis": Case(np.moveaxis, moved()),
    "narrow": Case(narrow, cut()),
    "nonzero": Case(np.nonzero, one(ALL, shape=shapes(1), low=-1, high=1)),
    "pad": Case(pad, padded()),
    "permute_dims": Case(np.transpose, permuted()),
    "put_along_axis": Case(put_along_axis, aligned(values=True, unique=True)),
    "ravel": Case(np.ravel, one(ALL)),
    "repeat": Case(np.repeat, repeated()),
    "reshape": Case(np.reshape, reshaped()),
    "roll": Case(np.roll, rolled()),
    "rot90": Case(np.rot90, rotated()),
    "scatter": Case(
        scatter,
        aligned(SIGNED, values=True, more={"mode": st.sampled_from(sorted(UPDATES))}),
    ),
    "scatter_nd": Case(scatter_nd, points(values=True)),
    "split": Case(split, parts()),
    "squeeze": Case(np.squeeze, squeezed()),
    "stack": Case(np.stack, joined()),
    "swapaxes": Case(np.swapaxes, moved()),
    "take": Case(np.take, picked()),
    "take_along_axis": Case(np.take_along_axis, aligned()),
    "tile": Case(np.tile, tiled()),
    "transpose": Case(np.transpose, st.one_of(one(ALL), permuted())),
    "tril": Case(np.tril, call(arrays(ALL, MATRIX), k=OFFSET)),
    "triu": Case(np.triu, call(arrays(ALL, MATRIX), k=OFFSET)),
    "unfold": Case(unfold, windows()),
    "unstack": Case(np.unstack, along(ALL)),
    "vstack": Case(np.vstack, beside()),
}
