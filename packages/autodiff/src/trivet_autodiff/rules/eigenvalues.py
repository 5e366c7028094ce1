"""Rules for `eig` and `eigvals`, whose matrices need not be Hermitian.

A gradient needs as many independent vectors as there are; a matrix without them has
none, and gets NaN. Those of equal eigenvalues are not determined, and neither is their
gradient, which is NaN; that of the values is as ever.

Source: Boeddeker et al., On the computation of complex-valued gradients with
application to statistically optimum beamforming (2017), arXiv:1701.00392, and for real
matrices Giles, An extended collection of matrix derivative results (2008).
"""

import math
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.complexes import conjugate, is_complex
from trivet_autodiff.rules.matrices import columns, gaps, identity, shaped
from trivet_autodiff.rules.registry import body, several

__all__: list[str] = []


@several("eig")
def eig(b: Backend[Any]) -> Any:
    """V^-T diag(g) V^T for the values; for the vectors, V^-T (F * core) V^T.

    F_ij = 1 / (v_j - v_i), and core = V^T g - (V^H V)^T diag(V^T g): the part of g
    along a vector stays out, because that keeps norm 1 and its phase. Boeddeker et al.,
    equation 4.77, for losses that no phase changes; they have a real diagonal here.
    """
    t = b.matrix_transpose

    def turned(core: Any, vectors: Any) -> Any:
        """V^-T core V^T, and NaN where V has no inverse."""
        singular = shaped(b, b.equal(b.slogdet(vectors)[0], 0), 2)
        eye = identity(b, vectors, vectors.shape[-1])
        safe = b.where(singular, eye, vectors)
        found = b.solve(t(safe), b.matmul(core, t(vectors)))
        return b.where(singular, math.nan, found)

    def for_values(g: Any, outs: Any) -> Any:
        _, vectors = outs
        eye = identity(b, vectors, vectors.shape[-1])
        return turned(columns(b, eye, g), vectors)

    def for_vectors(g: Any, outs: Any) -> Any:
        values, vectors = outs
        along = b.sum(
            b.multiply(vectors, g),
            axis=(len(values.shape) - 1,),
            dtype=None,
            keepdims=False,
        )
        overlaps = b.matmul(t(vectors), conjugate(b, vectors))
        core = b.subtract(b.matmul(t(vectors), g), columns(b, overlaps, along))
        return turned(b.multiply(gaps(b, values), core), vectors)

    def record(outs: Any, x: Any) -> Any:
        if is_complex(b, x):
            return ((for_values, outs),), ((for_vectors, outs),)
        return (
            ((lambda g, outs: b.real(for_values(g, outs)), outs),),
            ((lambda g, outs: b.real(for_vectors(g, outs)), outs),),
        )

    return record


@body("eigvals")
def eigvals(b: Backend[Any], x: Any) -> Any:
    """Those of `eig`: a library may order the values otherwise when asked for no more.

    LAPACK does from about 200 rows on, and a gradient needs the vector of each value.
    """
    return b.eig(x)[0]
