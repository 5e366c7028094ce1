"""Sets of values: what is unique, and what is in another set."""

__all__: list[str] = []
