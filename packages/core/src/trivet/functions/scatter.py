"""Gathering and scattering along an axis, in every way to combine."""

__all__: list[str] = []
