"""Rules for products of vectors and matrices."""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.recorders import unbroadcast
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("matmul", linear=True)
def matmul(b: Backend[Any]) -> Any:
    """g @ x2.mT and x1.mT @ g, with vectors taken as matrices of one row or column."""

    def pull1(g: Any, saved: Any) -> Any:
        x2, shape1 = saved
        column = len(x2.shape) == 1
        right = b.reshape(x2, shape=(*x2.shape, 1)) if column else x2
        g = _as_matrices(b, g, row=len(shape1) == 1, column=column)
        whole = shape1 if len(shape1) > 1 else (1, *shape1)
        back = unbroadcast(b, b.matmul(g, b.matrix_transpose(right)), whole)
        return b.reshape(back, shape=shape1) if len(shape1) == 1 else back

    def pull2(g: Any, saved: Any) -> Any:
        x1, shape2 = saved
        row = len(x1.shape) == 1
        left = b.reshape(x1, shape=(1, *x1.shape)) if row else x1
        g = _as_matrices(b, g, row=row, column=len(shape2) == 1)
        whole = shape2 if len(shape2) > 1 else (*shape2, 1)
        back = unbroadcast(b, b.matmul(b.matrix_transpose(left), g), whole)
        return b.reshape(back, shape=shape2) if len(shape2) == 1 else back

    def pull1_matrix(g: Any, x2: Any) -> Any:
        return b.matmul(g, b.matrix_transpose(x2))

    def pull2_matrix(g: Any, x1: Any) -> Any:
        return b.matmul(b.matrix_transpose(x1), g)

    def record(out: Any, x1: Any, x2: Any) -> Any:
        if len(x1.shape) == len(x2.shape) == 2:  # the commonest case
            return (pull1_matrix, x2), (pull2_matrix, x1)
        return (pull1, (x2, tuple(x1.shape))), (pull2, (x1, tuple(x2.shape)))

    return record


def _as_matrices(b: Backend[Any], g: Any, *, row: bool, column: bool) -> Any:
    """The cotangent with the axes that the product of a vector dropped."""
    shape = tuple(g.shape)
    if column:
        shape = (*shape, 1)
    if row:
        shape = (*shape[:-1], 1, shape[-1])
    return g if shape == tuple(g.shape) else b.reshape(g, shape=shape)
