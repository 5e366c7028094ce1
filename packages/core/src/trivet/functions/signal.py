"""Windows and short-time Fourier transforms."""

__all__: list[str] = []
