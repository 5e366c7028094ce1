"""Activation functions of neural networks."""

__all__: list[str] = []
