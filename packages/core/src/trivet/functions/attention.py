"""Linear maps, embeddings, attention and dropout."""

__all__: list[str] = []
