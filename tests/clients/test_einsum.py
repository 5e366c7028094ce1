"""einops and opt_einsum take our tensors as they are."""

import einops.array_api
import opt_einsum


def test_einops_rearranges_axes(place, X):
    place.has(
        einops.array_api.rearrange(X, "(a c) b -> c (b a)", c=2),
        [[1, 5, 2, 6.5], [3, 7, 4, 8]],
    )


def test_einops_reduces_axes(place, X):
    # ((1 + 3) / 2, (5 + 7) / 2), ((2 + 4) / 2, (6.5 + 8) / 2)
    place.has(
        einops.array_api.reduce(X, "(a c) b -> b a", "mean", c=2),
        [[2, 6], [3, 7.25]],
    )


def test_opt_einsum_contracts_a_chain_of_matrices(place, X):
    A, B = place.tensor([[1, 0], [0, 2]]), place.tensor([[1, 1], [0, 1]])

    place.has(
        opt_einsum.contract("ij,jk,kl->il", X, A, B),
        [[1, 5], [3, 11], [5, 18], [7, 23]],
    )


def test_opt_einsum_transposes_and_traces(place, X):
    place.has(opt_einsum.contract("ij->ji", X), [[1, 3, 5, 7], [2, 4, 6.5, 8]])
    # 1 + 4
    place.has(opt_einsum.contract("ii->", X[:2, :]), 5)
