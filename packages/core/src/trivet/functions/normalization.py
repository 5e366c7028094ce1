"""Normalisation over batches, layers, groups and instances."""

__all__: list[str] = []
