"""Convolutions and their transposes, in one to three dimensions."""

__all__: list[str] = []
