"""Data sources: an index of samples, an order, and a fetch that reads ahead."""
