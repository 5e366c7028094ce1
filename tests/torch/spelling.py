"""How calls of PyTorch's functions are spelled in Trivet; `calls` has the table.

Each function here takes the arguments of PyTorch's, in its order and by its names. It
raises `Unshared` for a feature that Trivet does not have.
"""

from collections.abc import Callable
from typing import Any

import trivet as tv

fn, la, sp = tv.nn, tv.linalg, tv.special


class Unshared(Exception):  # noqa: N818  # an answer, not an error
    """The call uses a feature that only PyTorch has."""


def only(*, shared: object) -> None:
    """Leave the call out unless it uses what both have."""
    if not shared:
        raise Unshared


def axes(dim: Any) -> Any:
    """PyTorch's `dim` as an axis: an empty one means all."""
    return tuple(dim) if isinstance(dim, list | tuple) and dim else _one(dim)


def _one(dim: Any) -> Any:
    return None if isinstance(dim, list | tuple) else dim


def numbers(first: Any, rest: tuple[Any, ...]) -> tuple[int, ...]:
    """Sizes given as one sequence or one by one."""
    return tuple(first) if isinstance(first, list | tuple) else (first, *rest)


def reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    """The spelling of a reduction."""

    def call(
        x: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
    ) -> Any:
        only(shared=dtype is None)
        return function(x, axis=axes(dim), keepdims=keepdim)

    return call


def spread(function: Callable[..., Any]) -> Callable[..., Any]:
    """The spelling of a variance, or of a function made of one."""

    def call(
        x: Any,
        dim: Any = None,
        unbiased: bool = True,
        keepdim: bool = False,
        *,
        correction: float | None = None,
    ) -> Any:
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        by = float(unbiased) if correction is None else correction
        return function(x, axis=axes(dim), correction=by, keepdims=keepdim)

    return call


def extreme(reduce: Any, binary: Any) -> Callable[..., Any]:
    """The three meanings of max or min."""

    def call(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if isinstance(dim, tv.Tensor):
            return binary(x, dim)
        return reduce(x, axis=dim, keepdims=keepdim)

    return call


def along(function: Callable[..., Any]) -> Callable[..., Any]:
    """The spelling of a function along one axis."""

    def call(x: Any, dim: int, *, dtype: Any = None) -> Any:
        only(shared=dtype is None)
        return (
            function(x, axis=dim)
            if x.ndim
            else tv.reshape(function(tv.reshape(x, (1,)), axis=0), ())
        )

    return call


def pieces(x: Any, sizes: Any, dim: int = 0) -> Any:
    """`torch.split`: by sizes, or into parts of one size."""
    if isinstance(sizes, int):
        n, size = x.shape[dim], sizes
        sizes = [min(size, n - at) for at in range(0, n, size)]
    return tv.split(x, list(sizes), axis=dim)


def divided(x: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    """`torch.div`."""
    quotient = tv.divide(x, other)
    if rounding_mode is None:
        return quotient
    return {"trunc": tv.trunc, "floor": tv.floor}[rounding_mode](quotient)


def diagonal(x: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """`torch.diagonal`, of any two axes."""
    return tv.diagonal(tv.moveaxis(x, (dim1, dim2), (-2, -1)), offset=offset)


def middle(function: Any) -> Callable[..., Any]:
    """A median of an odd number of elements; of an even one, PyTorch has the lower."""

    def call(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        only(shared=(x.size if dim is None or not x.ndim else x.shape[dim]) % 2)
        return function(x, axis=dim if x.ndim else None, keepdims=keepdim)

    return call


def indexed(x: Any, dim: int, index: Any, source: Any, mode: str) -> Any:
    """`index_add` and its like."""
    only(shared=x.ndim and index.ndim)
    return getattr(tv.at(tv.moveaxis(x, dim, 0), index), mode)(
        tv.moveaxis(source, dim, 0) if getattr(source, "ndim", 0) else source
    )


def index_update(mode: str, *, alpha: bool = False) -> Callable[..., Any]:
    """The spelling of index_copy, index_fill and index_add."""

    def call(x: Any, dim: int, index: Any, source: Any, **statics: Any) -> Any:
        only(shared=set(statics) <= ({"alpha"} if alpha else set()))
        by = statics.get("alpha", 1)
        value = source if by == 1 else source * by
        return tv.moveaxis(indexed(x, dim, index, value, mode), 0, dim)

    return call


def fits(x: Any, index: Any, dim: int) -> bool:
    """Whether the shapes differ along the axis at most."""
    along = dim % x.ndim
    pairs = zip(x.shape, index.shape, strict=True)
    return all(n == m for i, (n, m) in enumerate(pairs) if i != along)


def scatter(mode: str) -> Callable[..., Any]:
    """The spelling of scatter and scatter_add, where the updates fit the indices."""

    def call(x: Any, dim: int, index: Any, src: Any, *, reduce: Any = None) -> Any:
        only(shared=isinstance(src, tv.Tensor) and x.ndim)
        only(shared=src.shape == index.shape and fits(x, index, dim))
        own = {None: mode, "add": "add", "multiply": "multiply"}[reduce]
        return tv.scatter(x, index, src, axis=dim, mode=own)

    return call


def scatter_reduce(
    x: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """`torch.scatter_reduce`."""
    modes = {"sum": "add", "prod": "multiply", "amin": "minimum", "amax": "maximum"}
    only(shared=include_self and reduce in modes and x.ndim)
    only(shared=src.shape == index.shape and fits(x, index, dim))
    return tv.scatter(x, index, src, axis=dim, mode=modes[reduce])


def einsum(operands: Any, equation: str) -> Any:
    """`einsum`, whose operands the database gives first."""
    return tv.einsum(equation, *operands)


def norm(x: Any, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Any:
    """`linalg.norm`."""
    return la.norm(x, ord, axes(dim), keepdim)


def vector_norm(
    x: Any,
    ord: Any = 2,
    dim: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Any:
    """`linalg.vector_norm`."""
    only(shared=dtype is None)
    return la.vector_norm(x, axis=axes(dim), keepdims=keepdim, ord=ord)


def matrix_norm(
    x: Any,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
) -> Any:
    """`linalg.matrix_norm`."""
    only(shared=not keepdim)
    return la.matrix_norm(tv.moveaxis(x, tuple(dim), (-2, -1)), ord=ord)


def repeated(x: Any, *sizes: Any) -> Any:
    """`Tensor.repeat`."""
    return tv.tile(x, numbers(sizes[0], sizes[1:]) if sizes else ())


def repeat_interleave(x: Any, repeats: Any, dim: Any = None) -> Any:
    """`repeat_interleave`."""
    return tv.repeat(x, repeats, axis=dim)


def squeezed(x: Any, dim: Any = None) -> Any:
    """`squeeze`, which leaves axes that are not of length 1."""
    wanted = range(x.ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    at = tuple(i for i in wanted if x.ndim and x.shape[i] == 1)
    return tv.squeeze(x, at) if at else x


def scaled(x: Any, y: Any, beta: float, alpha: float) -> Any:
    """The sum of two terms with factors."""
    return x * beta + y * alpha


def clamp(x: Any, min: Any = None, max: Any = None) -> Any:
    """`clamp` to bounds that don't widen the result."""
    shapes = [getattr(end, "shape", ()) for end in (min, max)]
    only(shared=tv.broadcast_shapes(x.shape, *shapes) == x.shape)
    return tv.clip(x, min, max)


def covariance(
    x: Any, *, correction: int = 1, fweights: Any = None, aweights: Any = None
) -> Any:
    """`cov` without weights."""
    only(shared=fweights is None and aweights is None)
    return tv.cov(rows(x), correction=correction)


def rows(x: Any) -> Any:
    """Several variables, or one in a vector; of one row PyTorch makes a number."""
    only(shared=x.ndim < 2 or x.shape[0] != 1)
    return x


def differences(
    x: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None
) -> Any:
    """`diff`, at least once."""
    only(shared=n > 0)
    return tv.diff(x, n, dim, prepend=prepend, append=append)


def last(dim: int, *xs: Any) -> int:
    """An axis counted from the end."""
    return dim if dim < 0 else dim - max(x.ndim for x in xs)


def tensordot(x: Any, other: Any, *, dims: Any = 2) -> Any:
    """`tensordot` along axes of equal lengths."""
    one, two = (range(-dims, 0), range(dims)) if isinstance(dims, int) else dims
    pairs = zip(one, two, strict=True)
    only(shared=all(x.shape[i] == other.shape[j] for i, j in pairs))
    return tv.tensordot(x, other, axes=dims)


def inner(x: Any, other: Any) -> Any:
    """`inner`: along the last axis of both."""
    only(shared=x.ndim and other.ndim)
    return tv.tensordot(x, other, axes=([-1], [-1]))


def masked_fill(x: Any, mask: Any, value: Any) -> Any:
    """`masked_fill` that does not widen the tensor."""
    only(shared=tv.broadcast_shapes(x.shape, mask.shape) == x.shape)
    return tv.masked_fill(x, mask, value)


def gather(x: Any, dim: int, index: Any) -> Any:
    """`gather` with indices of the same rank."""
    only(shared=x.ndim == index.ndim)
    return tv.gather(x, index, axis=dim)


def item(x: Any, key: Any) -> Any:
    """`x[key]`, in which a list of numbers is an array of indices."""
    if isinstance(key, list):
        only(shared=all(isinstance(each, int) for each in key))
        key = tv.asarray(key, backend=x.backend)
    return x[key]


def concatenated(xs: Any, dim: int = 0) -> Any:
    """`cat` of tensors of one rank."""
    only(shared=len({x.ndim for x in xs}) == 1)
    return tv.concat(xs, axis=dim)


def real_number(x: Any) -> Any:
    """A tensor of real numbers."""
    only(shared=tv.isdtype(x.dtype, "real floating"))
    return x


def ranked(x: Any) -> Any:
    """A tensor that has an axis."""
    only(shared=x.ndim)
    return x


def solve(a: Any, b: Any) -> Any:
    """`linalg.solve` for matrices, or for one vector."""
    only(shared=b.ndim in (1, a.ndim))
    return la.solve(a, b)


def doubled(x: Any) -> Any:
    """The sum of a matrix and its adjoint."""
    return x + tv.conj(x.mT)


def magnitudes(results: Any) -> Any:
    """The absolute values of factors, whose signs are free."""
    return tuple(map(tv.abs, results))


def eigenpairs(x: Any) -> Any:
    """Eigenvalues, and vectors without their phases."""
    values, vectors = la.eig(x)
    return values, tv.abs(vectors)


def lined(x: Any) -> Any:
    """A tensor of rank 0 as one of rank 1, on which PyTorch's axis 0 is."""
    return x if x.ndim else tv.reshape(x, (1,))


def first(x: Any) -> Any:
    """The values, of values and indices."""
    return x[0] if isinstance(x, tuple) else x


def expanded(x: Any, shape: Any) -> Any:
    """`Tensor.expand`, in which -1 keeps a length."""
    extra = len(shape) - x.ndim
    return tv.broadcast_to(
        x, tuple(x.shape[i - extra] if n == -1 else n for i, n in enumerate(shape))
    )


def meshgrid(first: Any, *rest: Any, indexing: str = "ij") -> Any:
    """`meshgrid` of tensors or of a list of them."""
    xs = first if isinstance(first, list) else [first, *rest]
    return tv.meshgrid(*map(lined, xs), indexing=indexing)


def narrow(x: Any, dim: int, start: Any, length: int) -> Any:
    """`narrow`, from a number."""
    only(shared=isinstance(start, int))
    return tv.narrow(x, dim, start, length)


def take_along(x: Any, index: Any, dim: int | None = None) -> Any:
    """`take_along_dim`."""
    if dim is None:
        return tv.take_along_axis(tv.ravel(x), tv.ravel(index), axis=0)
    return tv.take_along_axis(x, index, axis=dim)


def index_put(x: Any, indices: Any, values: Any, *, accumulate: bool = False) -> Any:
    """`index_put`."""
    at = tv.at(x, tuple(indices))
    return at.add(values) if accumulate else at.set(values)


def factors(x: Any, *, full: bool, transposed: bool = False) -> Any:
    """The SVD, without the signs of its vectors."""
    only(shared=not full)
    u, s, vh = la.svd(x, full_matrices=False)
    return magnitudes((u, s, vh.mT if transposed else vh))


def cosine_similarity(x: Any, y: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """`cosine_similarity` along axes of equal lengths."""
    at = last(dim, x, y)
    only(shared=0 < -at <= min(x.ndim, y.ndim) and x.shape[at] == y.shape[at])
    return la.cosine_similarity(x, y, axis=at, eps=eps)
