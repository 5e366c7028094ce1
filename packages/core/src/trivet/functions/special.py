"""Special functions of mathematics and statistics."""

__all__: list[str] = []
