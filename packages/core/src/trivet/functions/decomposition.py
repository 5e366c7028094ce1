"""Factorisations of matrices, and what is solved by them."""

__all__: list[str] = []
