"""Reductions of each sample along some of its axes: `dynjax.reductions`."""

from ._ops.reductions.extrema import max, min
from ._ops.reductions.spread import std_dev, variance
from ._ops.reductions.sums import mean, mean_square, rms, sum

__all__ = ["max", "mean", "mean_square", "min", "rms", "std_dev", "sum", "variance"]
