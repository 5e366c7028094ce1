"""Sums of products by index letters."""

__all__: list[str] = []
