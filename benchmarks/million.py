"""What every op costs on a million elements, over the NumPy expression for it.

    python benchmarks/million.py [--rounds N] [--json PATH] [TEXT...]

One thread; the slowest of ours come first. A line over 1.05 times NumPy's time is
measured again, since others on the machine disturb some. It exits with 1 if one stays
there. Special functions stand beside SciPy's where it is installed.
"""

import argparse
import importlib.util
import json
import operator
import sys
from pathlib import Path
from typing import Any

import timing  # before NumPy: it sets the number of threads

# isort: split
import numpy as np

import trivet as tv

GOAL, CALL, TRIES = 1.05, 0.05, 3  # times NumPy; the price of a call in ms; attempts
SIDE, N = 1000, 1_000_000
RNG = np.random.default_rng(0)


def arrays() -> dict[str, Any]:
    """The operands by the names that the expressions use."""
    x, y = RNG.standard_normal((2, SIDE, SIDE), dtype=np.float32)
    small = x[:512, :512].copy()
    whole = RNG.integers(1, 30, (SIDE, SIDE))
    return {
        "x": x,
        "y": y,
        "p": RNG.random((SIDE, SIDE), dtype=np.float32),  # from 0 to 1
        "d": x.astype(np.float64),
        "h": x.astype(np.float16),
        "z": (x + 1j * y).astype(np.complex64),
        "i": whole,
        "j": whole % 8,
        "m": whole > 15,
        "never": whole > 30,
        "gaps": np.where(x > 1, np.float32(np.nan), x),
        "cube": x.reshape(100, 100, 100).copy(),
        "v": x.reshape(N).copy(),
        "w": np.abs(x).reshape(N),
        "row": y[0].copy(),
        "row_mask": whole[0] > 15,
        "ten_k": RNG.integers(0, 10_000, N),
        "few": RNG.integers(0, 10_000, 100),
        "flat": RNG.integers(0, N, N),
        "rows": RNG.integers(0, SIDE, SIDE),
        "bins": RNG.integers(0, SIDE, N),
        "along": RNG.integers(0, SIDE, (SIDE, SIDE)),
        "counts": RNG.integers(0, 3, SIDE),
        "many": RNG.integers(0, 3, N),
        "line": np.sort(x.reshape(N)),
        "knots": np.arange(-6.0, 7.0, dtype=np.float32),
        "levels": np.cos(np.arange(13, dtype=np.float32)),
        "wide": np.arange(N, dtype=np.float32) ** 1.2,  # NumPy tells even places
        "edges": np.sort(y[0, :100]),
        "some": x[whole > 15],
        "tall": x[:, :100].copy(),
        "thin": x.reshape(-1, 4)[:, :3].copy(),
        "s": small,
        "spd": small @ small.T / 512 + np.eye(512, dtype=np.float32),
    }


# one expression for both; `xp` is the library
UNARY = """
abs ceil floor trunc round negative positive sign square exp expm1 sin cos tan sinh cosh
tanh asinh atan signbit isnan isinf isfinite logical_not reciprocal conj real imag
"""
POSITIVE = "log log1p log2 log10 sqrt asin acos atanh"
BINARY = """
add subtract multiply divide floor_divide remainder maximum minimum hypot copysign
nextafter logaddexp atan2 equal not_equal less less_equal greater greater_equal
logical_and logical_or logical_xor
"""
WHOLE = "add multiply divide floor_divide remainder bitwise_and bitwise_or bitwise_xor"
REDUCTIONS = {
    "x": "sum prod max min mean std var argmax argmin any all count_nonzero median",
    "i": "sum max mean argmax",
    "m": "sum mean any all count_nonzero",
    "never": "any",
    "gaps": "nansum nanprod nanmean nanvar nanstd nanmax nanmin nanargmax nanargmin "
    "nanmedian",
}
SAME = """
xp.pow(p, y) | x + 2.0 | 2.0 - x | x ** 2 | x ** 3 | p ** 0.5 | i ** 2 | x > 0
x + row | x + y[:, :1] | xp.clip(x, -0.5, 0.5) | xp.clip(x, -p, p) | ~i | -i
xp.bitwise_left_shift(i, j) | xp.bitwise_right_shift(i, j) | z * z | z + z
xp.astype(x, xp.float64) | xp.astype(x, xp.int64) | xp.astype(x, xp.bool)
xp.isclose(x, y) | xp.allclose(x, x) | xp.nan_to_num(gaps)
xp.zeros_like(x) | xp.ones_like(x) | xp.full_like(x, 3.0) | xp.arange(1000000)
xp.zeros((1000, 1000), dtype=xp.float32) | xp.full((1000, 1000), 3.0, dtype=xp.float32)
xp.linspace(0.0, 1.0, 1000000, dtype=xp.float32) | xp.eye(1000, dtype=xp.float32)
xp.tril(x) | xp.triu(x, k=1) | xp.tril_indices(1000) | xp.triu_indices(1000)
xp.meshgrid(row, row) | xp.asarray(x, copy=True) | xp.asarray(x.T, copy=True)
xp.sum(cube, axis=(0, 2)) | xp.max(cube, axis=(0, 2)) | xp.mean(cube, axis=(0, 2))
xp.std(cube, axis=(0, 2)) | xp.any(cube, axis=(0, 2)) | xp.sum(cube, axis=(1, 2))
xp.max(cube, axis=(1, 2)) | xp.sum(d) | xp.mean(d) | xp.max(d) | xp.sum(h, axis=1)
xp.diff(x, axis=0) | xp.diff(x, axis=1) | xp.quantile(x, 0.3)
xp.quantile(x, (0.1, 0.5, 0.9), axis=1) | xp.cov(x[:100]) | xp.corrcoef(x[:100])
xp.bincount(bins) | xp.bincount(bins, weights=w) | xp.histogram(v, 50)
xp.histogram(v, edges) | xp.histogram(v, 50, weights=w)
xp.concat([x, x]) | xp.concat([x, x], axis=1) | xp.stack([x, x])
xp.stack([x, x], axis=2) | xp.reshape(x.T, (1000000,))
xp.asarray(xp.flip(x), copy=True)
xp.roll(x, 3) | xp.roll(x, 3, axis=0) | xp.roll(x, 3, axis=1)
xp.roll(x, (3, 4), axis=(0, 1)) | xp.tile(x, (2, 2)) | xp.repeat(x, 2)
xp.repeat(x, 2, axis=0) | xp.repeat(x, 2, axis=1) | xp.repeat(x, counts, axis=0)
xp.repeat(x, counts, axis=1) | xp.repeat(v, many) | xp.unstack(cube[:10])
xp.asarray(xp.rot90(x), copy=True) | xp.diag(row) | xp.kron(row, row)
xp.outer(row, row)
xp.asarray(xp.broadcast_to(row, (1000, 1000)), copy=True)
xp.pad(x, ((9, 9), (9, 9))) | xp.pad(x, ((9, 9), (9, 9)), mode='edge')
xp.pad(x, ((9, 9), (9, 9)), mode='reflect')
xp.where(m, x, y) | xp.where(x[:, :1] > 0, x, y) | xp.where(m, x, 0.0)
xp.where(m, 1.0, x) | xp.where(m, x, row) | xp.where(row_mask, x, y)
xp.where(m, i, 0) | xp.where(m, i, j) | xp.where(m, m, row_mask) | xp.where(m, d, d + 1)
xp.where(m, z, 0.0) | xp.where(m, x, d) | xp.where(m, 1.0, 0.0)
x[m] | x[row_mask] | x[:, row_mask] | x[rows] | x[:, rows] | v[flat]
x[rows[:, None], rows] | xp.asarray(x[::-2, 1:], copy=True)
xp.take(x, rows, axis=0) | xp.take(x, rows, axis=1) | xp.take(v, flat)
xp.take_along_axis(x, along, axis=0) | xp.take_along_axis(x, along, axis=1)
put(x, m, 0.0) | put(x, m, some) | put(x, slice(1, None), y[1:]) | put(x, rows, y)
put(v, flat, w) | put(x, (slice(None), rows), y) | xp.nonzero(m)
xp.searchsorted(line, x) | xp.isin(ten_k, few)
xp.interp(v, knots, levels) | xp.gradient(x, axis=0) | xp.gradient(x, axis=1)
xp.gradient(v, wide) | xp.trapezoid(x) | xp.trapezoid(x, row) | xp.average(x, axis=1)
xp.average(x, axis=1, weights=p) | xp.ptp(x, axis=1) | xp.percentile(x, 30.0)
xp.nanquantile(gaps, 0.3) | xp.nanquantile(gaps, 0.3, axis=1) | xp.argwhere(m)
xp.digitize(x, edges) | xp.logspace(0.0, 3.0, 1000000, dtype=xp.float64)
xp.geomspace(1.0, 9.0, 1000000, dtype=xp.float64)
xp.divmod(x, y) | xp.divmod(i, j + 1) | xp.fmod(x, y) | xp.fmod(i, j + 1) | xp.exp2(x)
xp.deg2rad(x) | xp.rad2deg(x) | xp.array_equal(x, y) | xp.array_equal(x, x)
xp.hstack([x, y]) | xp.vstack([x, y])
x @ y | x @ y.T | cube @ cube | x @ row | xp.tensordot(x, y, axes=1)
xp.tensordot(cube, cube, axes=((2, 0), (1, 2))) | xp.vecdot(x, y)
xp.linalg.cross(thin, thin) | xp.linalg.trace(cube) | xp.linalg.vector_norm(x)
xp.linalg.vector_norm(x, axis=0) | xp.linalg.vector_norm(x, axis=1)
xp.linalg.vector_norm(x, axis=1, ord=1) | xp.linalg.vector_norm(x, axis=1, ord=3)
xp.linalg.vector_norm(x, axis=1, ord=float('inf')) | xp.linalg.matrix_norm(x)
xp.linalg.matrix_norm(x, ord=1) | xp.linalg.multi_dot([x, tall, tall.T])
xp.linalg.solve(spd, s) | xp.linalg.solve(spd, row[:512]) | xp.linalg.inv(spd)
xp.linalg.matrix_power(spd, 5) | xp.linalg.cond(spd) | xp.linalg.cholesky(spd)
xp.linalg.det(spd) | xp.linalg.slogdet(spd) | xp.linalg.eigvalsh(spd)
xp.linalg.pinv(spd) | xp.linalg.matrix_rank(spd) | xp.linalg.svdvals(spd)
abs(xp.linalg.qr(s)[1]) | xp.linalg.svd(s)[1] | xp.linalg.eigh(spd)[0]
xp.fft.fft(z) | xp.fft.ifft(z) | xp.fft.fft(z, axis=0) | xp.fft.fft(x) | xp.fft.rfft(x)
xp.fft.irfft(z) | xp.fft.hfft(z) | xp.fft.ihfft(x) | xp.fft.fftn(z) | xp.fft.ifftn(z)
xp.fft.rfftn(x) | xp.fft.irfftn(z) | xp.fft.fftshift(x) | xp.fft.ifftshift(x)

"""
EINSUMS = {
    "ij,jk": "x, y",
    "ij->ji": "x",
    "ii": "x",
    "ij->j": "x",
    "ij->": "x",
    "ij,ij->ij": "x, y",
    "ij,ij->i": "x, y",
    "ij,ij": "x, y",
    "bij,bjk": "cube, cube",
    "i,j": "row, row",
    "bij,j->bi": "cube, row[:100]",
    "abc,acd->abd": "cube, cube",
}
# ours, and how one writes it with NumPy
OTHERS = {
    "tv.concat([x, x], axis=None)": "np.concat([x, x], axis=None)",
    "tv.split(x, 100)": "np.split(x, 10)",
    "tv.pad(x, ((9, 9), (9, 9)), mode='circular')": "np.pad(x, 9, mode='wrap')",
    "tv.nn.one_hot(rows, 1000)": "np.eye(1000, dtype=int)[rows]",
    "tv.cumulative_sum(x, axis=0)": "np.cumsum(x, 0)",
    "tv.cumulative_sum(x, axis=1)": "np.cumsum(x, 1)",
    "tv.cumulative_sum(i, axis=1)": "np.cumsum(i, 1)",
    "tv.cumulative_prod(x, axis=1)": "np.cumprod(x, 1)",
    "tv.cumulative_max(x, axis=0)": "np.maximum.accumulate(x, 0)",
    "tv.cumulative_max(x, axis=1)": "np.maximum.accumulate(x, 1)",
    "tv.logcumsumexp(x, axis=1)": "np.logaddexp.accumulate(x, 1)",
    "tv.special.logsumexp(x, axis=1)": "np.log(np.exp(x - x.max(1)[:, None]).sum(1))"
    " + x.max(1)",
    "tv.lerp(x, y, 0.3)": "x + 0.3 * (y - x)",
    "tv.rsqrt(p)": "1 / np.sqrt(p)",
    "tv.lerp(x, y, p)": "np.where(p < 0.5, x + p * (y - x), y - (1 - p) * (y - x))",
    "tv.var_mean(x, axis=1)": "(x.var(1), x.mean(1))",
    "tv.masked_fill(x, m, 0.0)": "put(x.copy(), m, 0)",
    "tv.masked_select(x, m)": "x[m]",
    "tv.scatter(v, flat, w)": "put(v.copy(), flat, w)",
    "tv.scatter(v, flat, w, mode='add')": "at(np.add, v, flat, w)",
    "tv.scatter(v, flat, w, mode='maximum')": "at(np.maximum, v, flat, w)",
    "tv.scatter(row, bins, w, mode='add')": "at(np.add, row, bins, w)",
    "tv.scatter(flat, flat, ten_k, mode='add')": "at(np.add, flat, flat, ten_k)",
    "tv.scatter(x, along, y, axis=0, mode='add')": "at(np.add, x, (along, "
    "np.arange(1000)), y)",
    "tv.scatter(x, along, y, axis=1, mode='add')": "at(np.add, x, "
    "(np.arange(1000)[:, None], along), y)",
    "tv.at(x, rows).add(y)": "at(np.add, x, rows, y)",
    "tv.at(x, rows).set(y)": "put(x.copy(), rows, y)",
    "tv.put_along_axis(x, along, y, axis=0)": "along_axis(x, along, y, 0)",
    "tv.put_along_axis(x, along, y, axis=1)": "along_axis(x, along, y, 1)",
    "tv.sort(x)": "np.sort(x, kind='stable')",
    "tv.sort(x, axis=0)": "np.sort(x, 0, kind='stable')",
    "tv.sort(x, stable=False)": "np.sort(x)",
    "tv.sort(v)": "np.sort(v, kind='stable')",
    "tv.sort(ten_k)": "np.sort(ten_k, kind='stable')",
    "tv.sort(x, descending=True)": "np.flip(np.sort(x, kind='stable'), 1)",
    "tv.argsort(x)": "np.argsort(x, kind='stable')",
    "tv.argsort(x, axis=0)": "np.argsort(x, 0, kind='stable')",
    "tv.argsort(x, stable=False)": "np.argsort(x)",
    "tv.argsort(x, descending=True)": "np.argsort(-x, kind='stable')",
    "tv.argtopk(x, 10, sorted=False)": "np.argpartition(x, 990)[:, 990:]",
    "tv.kthvalue(x, 10)[0]": "x[np.arange(1000), np.argpartition(x, 9)[:, 9]]",
    "tv.unique_values(ten_k)": "np.unique(ten_k)",
    "tv.unique_values(v)": "np.unique(v)",
    "tv.unique_counts(ten_k)": "np.unique_counts(ten_k)",
    "tv.unique_inverse(ten_k)": "np.unique_inverse(ten_k)",
    "tv.unique_all(ten_k)": "np.unique_all(ten_k)",
    "tv.vecdot(x, y, axis=-2)": "(x * y).sum(0)",
    "tv.linalg.cosine_similarity(x, y)": "np.vecdot(x, y) / (np.linalg.norm(x, axis=1)"
    " * np.linalg.norm(y, axis=1))",
    "tv.linalg.lstsq(tall, row)[0]": "np.linalg.lstsq(tall, row)[0]",
}
SPECIAL = {
    "v": "erf erfc expit log_expit ndtr log_ndtr i0 i0e i1 i1e exprel",
    "q": "erfinv logit entr ndtri",
    "w": "digamma gammaln",
    "w, w": "xlogy xlog1py beta betaln gammainc gammaincc",
    "w, q": "rel_entr kl_div",
    "w, w, q": "betainc",
}


def lines() -> dict[str, str]:
    """Our expressions, and NumPy's."""
    same = [f"xp.{op}(x)" for op in UNARY.split()]
    same += [f"xp.{op}(p)" for op in POSITIVE.split()]
    same += [f"xp.{op}(x, y)" for op in BINARY.split()]
    same += [f"xp.{op}(i, j)" for op in WHOLE.replace("remainder", "less").split()]
    same += ["xp.remainder(j, i)", "xp.acosh(p + 1)"]
    same += [f"xp.{op}(z)" for op in ["abs", "exp", "conj", "real", "imag"]]
    same += [
        f"xp.{op}({name}, axis={axis})"
        for name, ops in REDUCTIONS.items()
        for op in ops.split()
        for axis in (None, 0, 1)
    ]
    same += [
        part.strip() for row in SAME.strip().split("\n") for part in row.split("|")
    ]
    found = {one.replace("xp.", "tv."): one.replace("xp.", "np.") for one in same}
    for text, operands in EINSUMS.items():
        call = f"einsum('{text}', {operands}"
        found[f"tv.{call})"] = f"np.{call}, optimize=True)"
    if importlib.util.find_spec("scipy"):
        found |= {
            f"tv.special.{op}({operands})": f"special.{op}({operands})"
            for operands, ops in SPECIAL.items()
            for op in ops.split()
        }
    return found | OTHERS


def put(x: Any, key: Any, value: Any) -> Any:
    """`x[key] = value`, in place."""
    operator.setitem(x, key, value)
    return x


def at(ufunc: Any, x: Any, key: Any, values: Any) -> Any:
    """NumPy's scatter, of a copy."""
    done = x.copy()
    ufunc.at(done, key, values)
    return done


def along_axis(x: Any, indices: Any, values: Any, axis: int) -> Any:
    """NumPy's `put_along_axis`, of a copy."""
    done = x.copy()
    np.put_along_axis(done, indices, values, axis)
    return done


def names() -> tuple[dict[str, Any], dict[str, Any]]:
    """What the expressions of ours see, and what NumPy's see."""
    theirs = arrays()
    theirs["q"] = theirs["p"].reshape(N)
    mine = {
        name: tv.asarray(a, backend="ndarray", copy=True) for name, a in theirs.items()
    }
    theirs |= {"np": np, "put": put, "at": at, "along_axis": along_axis}
    if importlib.util.find_spec("scipy"):
        from scipy import special

        theirs["special"] = special
    return mine | {"tv": tv, "put": put}, theirs


def check(line: dict[str, timing.Candidate]) -> None:
    """Both sides give the same, so that they are comparable."""
    sides = [_parts(function()) for function in line.values()]
    for mine, theirs in zip(*sides, strict=True):
        np.testing.assert_allclose(mine, theirs, 2e-3, 2e-3)


def _parts(result: Any) -> list[Any]:
    many = isinstance(result, tuple | list)
    return [np.asarray(part) for part in (result if many else [result])]


def is_slow(times: dict[str, float]) -> bool:
    """Whether ours is over the goal by more than a call costs."""
    return times["ours"] > max(GOAL * times["numpy"], times["numpy"] + CALL)


def measured(line: dict[str, timing.Candidate], rounds: int) -> dict[str, float]:
    """Milliseconds of both, and the ratio, of the best try."""
    tries: list[dict[str, float]] = []
    while len(tries) < TRIES and all(map(is_slow, tries)):
        times = timing.measure(line, rounds)
        tries.append({name: us / 1e3 for name, us in times.items()})
        tries[-1]["ratio"] = tries[-1]["ours"] / tries[-1]["numpy"]
    return min(tries, key=lambda times: times["ratio"])


def main() -> int:
    """Measure all lines and print them, the slowest of ours first."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("texts", nargs="*", help="parts of the expressions to time")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    np.seterr(all="ignore")
    mine, theirs = names()
    found = {}
    for text, other in lines().items():
        if options.texts and not any(part in text for part in options.texts):
            continue
        line = {
            "ours": eval(f"lambda: {text}", mine),  # the table above
            "numpy": eval(f"lambda: {other}", theirs),
        }
        check(line)
        found[text] = measured(line, options.rounds)
    return report(found, options.json)


def report(found: dict[str, dict[str, float]], path: Path | None) -> int:
    """Print the table; 1 if a line is slow."""
    print(f"{'ms':52}{'ours':>10}{'NumPy':>10}{'ratio':>8}")
    order = sorted(found, key=lambda text: -found[text]["ratio"])
    for text in order:
        times = found[text]
        cells = f"{times['ours']:10.3f}{times['numpy']:10.3f}{times['ratio']:8.2f}"
        print(f"{text:52}{cells}{'  over' if is_slow(times) else ''}")
    slow = [text for text in order if is_slow(found[text])]
    print(f"{len(slow)} of {len(found)} lines are over {GOAL} times NumPy:")
    print(*slow, sep="\n")
    if path:
        path.write_text(json.dumps(found, indent=2))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
