"""Padding, splitting, windows and diagonals."""

__all__: list[str] = []
