"""Losses: how far predictions are from targets."""

__all__: list[str] = []
