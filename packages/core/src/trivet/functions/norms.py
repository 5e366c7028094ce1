"""Norms of vectors and matrices, and what is measured by them."""

__all__: list[str] = []
