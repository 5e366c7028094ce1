"""Numbers whose logarithms are evenly spaced."""

import math
from typing import Any, SupportsIndex, TypeVar, overload

from trivet import dtypes
from trivet.arguments import integer, real
from trivet.contract import Backend, Device
from trivet.dispatch import call, wrap
from trivet.errors import ArgumentError
from trivet.functions.creation import Place, chosen, full_like
from trivet.functions.joining import concat
from trivet.shapes import as_shape
from trivet.tensor import Tensor

__all__ = ["geomspace", "logspace"]

B = TypeVar("B", bound=Backend[Any])
_MOST = dtypes.finfo(dtypes.float64).max


@overload
def logspace(
    start: float,
    stop: float,
    /,
    num: SupportsIndex,
    *,
    base: float = 10.0,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: B,
) -> Tensor[B]: ...


@overload
def logspace(
    start: float,
    stop: float,
    /,
    num: SupportsIndex,
    *,
    base: float = 10.0,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: str | None = None,
) -> Tensor[Any]: ...


def logspace(
    start: float,
    stop: float,
    /,
    num: SupportsIndex,
    *,
    base: float = 10.0,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: Any = None,
) -> Tensor[Any]:
    """`base` to the powers of `num` evenly spaced numbers from `start` to `stop`.

    `stop` is the last power unless `endpoint=False`. For an integer dtype the results
    lose their fraction. Raises `ValueError` for a negative `num`, or a base that is not
    positive.

    >>> import trivet as tv
    >>> tv.logspace(0, 3, 4, base=2.0).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    first, last, number = (
        real("logspace", name, value)
        for name, value in (("start", start), ("stop", stop), ("base", base))
    )
    if not 0 < number < math.inf:
        raise ArgumentError(f"logspace: base={base} is not positive and finite.")
    found, place, wanted = chosen(dtype, device, backend)
    powers = _line("logspace", first, last, num, endpoint, found, place)
    return call("astype", call("pow", float(number), powers), dtype=wanted)


def _line(
    op: str,
    start: float,
    stop: float,
    num: SupportsIndex,
    endpoint: bool,  # noqa: FBT001  # passed on as it came
    backend: Backend[Any],
    device: Device,
) -> Tensor[Any]:
    """Evenly spaced numbers, in the dtype in which their powers are most exact."""
    count = integer(op, "num", num)
    if count < 0:
        raise ArgumentError(f"{op}: num={count} is negative.")
    as_shape(op, count)
    known = backend.dtypes(device)
    default = backend.default_dtypes(device).real_floating
    wide = dtypes.float64 if dtypes.float64 in known else default
    handle = backend.linspace(
        start=float(start),
        stop=float(stop),
        num=count,
        dtype=wide,
        device=device,
        endpoint=endpoint,
    )
    return wrap(handle, backend)


@overload
def geomspace(
    start: float,
    stop: float,
    /,
    num: SupportsIndex,
    *,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: B,
) -> Tensor[B]: ...


@overload
def geomspace(
    start: float,
    stop: float,
    /,
    num: SupportsIndex,
    *,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: str | None = None,
) -> Tensor[Any]: ...


def geomspace(
    start: float,
    stop: float,
    /,
    num: SupportsIndex,
    *,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: Any = None,
) -> Tensor[Any]:
    """`num` numbers from `start` to `stop`, each the same times the one before.

    Both ends are met exactly; `stop` is the last number unless `endpoint=False`.
    Raises `ValueError` for a negative `num`, and unless the ends are finite, not 0, and
    of one sign.

    >>> import trivet as tv
    >>> tv.geomspace(1, 16, 5).tolist()
    [1.0, 2.0, 4.0, 8.0, 16.0]
    """
    first, last = real("geomspace", "start", start), real("geomspace", "stop", stop)
    sign = math.copysign(1.0, first)
    if not all(0 < sign * end <= _MOST for end in (first, last)):
        raise ArgumentError(
            f"geomspace: from {start} to {stop} no number is the same times the one "
            "before. Both must be finite, not 0, and of one sign."
        )
    found, place, wanted = chosen(dtype, device, backend)
    logs = math.log2(sign * first), math.log2(sign * last)
    powers = _line("geomspace", *logs, num, endpoint, found, place)
    line = call("exp2", powers)
    line = call("astype", line if sign > 0 else -line, dtype=wanted)
    ends = [first, last] if endpoint else [first]
    given = [full_like(powers[:1], float(end)) for end in ends[: powers.size]]
    return _met(line, [call("astype", end, dtype=wanted) for end in given])


def _met(line: Tensor[Any], ends: list[Tensor[Any]]) -> Tensor[Any]:
    """The line with its ends as they were given, which powers of logarithms are not."""
    if not ends:
        return line
    inner = line[1 : line.size + 1 - len(ends)]
    return concat([ends[0], inner, *ends[1:]])
