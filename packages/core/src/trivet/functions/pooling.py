"""Pooling over windows, in one to three dimensions."""

__all__: list[str] = []
