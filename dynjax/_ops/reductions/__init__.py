"""Reductions of each sample along some of its axes."""
