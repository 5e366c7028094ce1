"""Order statistics, histograms, and reductions that leave out NaN."""

__all__: list[str] = []
