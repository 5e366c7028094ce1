"""The largest elements, and elements chosen by a mask."""

__all__: list[str] = []
