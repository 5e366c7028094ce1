"""Interpolation to other sizes and sampling on grids."""

__all__: list[str] = []
