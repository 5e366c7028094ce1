"""Discrete Fourier transforms."""

__all__: list[str] = []
