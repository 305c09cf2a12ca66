"""Columns: one quantity of every sample of a batch, such as its height.

A column is a plain number when all samples share it by construction, and an array `[N]` when it
may differ: NumPy on the host, a JAX tracer inside `jit`. Shape rules are written once, over
columns; a dense batch costs only Python arithmetic, and what is a number is static under `jit`.
"""

import math
import operator
from collections.abc import Sequence
from typing import Any, final

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

# Any: arithmetic on a column works alike for a number and for an array, which no union type says.
Column = Any
Shape = tuple[Column, ...]


def is_constant(column: Column) -> bool:
    """Whether the column is one number for all samples."""
    return isinstance(column, int | float)


# What need not be asked whether it is JAX's: rules ask hundreds of times in a call.
_PLAIN = frozenset({np.ndarray, int, float, bool, np.bool_, np.float64, np.int64})


def is_traced(*columns: Column) -> bool:
    """Whether any column is known only while a compiled program runs."""
    for c in columns:  # noqa: SIM110 a generator costs more than this loop
        if type(c) not in _PLAIN and isinstance(c, Tracer):
            return True
    return False


def array_module(*columns: Column) -> Any:
    """`jnp` if any column is a JAX array, else `np`."""
    for c in columns:
        if type(c) not in _PLAIN and isinstance(c, jax.Array):
            return jnp
    return np


def _mapped(scalar, name: str):
    def apply(*columns: Column) -> Any:
        for c in columns:
            if not isinstance(c, int | float):
                return getattr(array_module(*columns), name)(*columns)
        return scalar(*columns)

    apply.__name__ = name
    apply.__doc__ = f"`{name}`, column by column."
    return apply


minimum = _mapped(min, "minimum")
maximum = _mapped(max, "maximum")
floor = _mapped(math.floor, "floor")
ceil = _mapped(math.ceil, "ceil")
trunc = _mapped(math.trunc, "trunc")


def where(condition, yes: Column, no: Column) -> Any:
    """`yes` where the condition holds, else `no`."""
    if isinstance(condition, bool | np.bool_):
        return yes if condition else no
    return array_module(condition, yes, no).where(condition, yes, no)


def both(a, b) -> Any:
    """Logical and of two conditions."""
    return (a and b) if isinstance(a, bool) and isinstance(b, bool) else operator.and_(a, b)


def absolute(column: Column) -> Any:
    """Absolute value."""
    return abs(column)


def round_half_away(column: Column) -> Any:
    """To the nearest integer, halves away from zero; still of its own type if an array."""
    if isinstance(column, int):
        return column
    if isinstance(column, float):
        whole = math.trunc(column)
        return whole + (abs(column - whole) >= 0.5) * (1 if column >= 0 else -1)
    xp = array_module(column)
    whole = xp.trunc(column)
    return whole + xp.sign(column) * (xp.abs(column - whole) >= 0.5)


def as_double(column: Column) -> Any:
    """In double precision on the host, in the widest float that `jit` allows otherwise."""
    if type(column) is np.ndarray:
        return column.astype(np.float64, copy=False)
    if isinstance(column, int | float):
        return float(column)
    if is_traced(column):
        return column.astype(jax.dtypes.canonicalize_dtype(np.float64))
    return np.asarray(column, np.float64)


def as_single(column: Column) -> Any:
    """Rounded to single precision; of the type that `as_double` gives."""
    if is_traced(column):
        return as_double(column.astype(jnp.float32))
    if is_constant(column):
        return float(np.float32(column))
    return np.asarray(column, np.float32).astype(np.float64)


def as_integer(column: Column) -> Any:
    """A column of whole numbers as integers."""
    if isinstance(column, int | float):
        return int(column)
    return column.astype(jnp.int32) if is_traced(column) else np.asarray(column).astype(np.int64)


def any_of(condition) -> bool:
    """Whether a condition holds for any sample; False where that is not known yet."""
    if isinstance(condition, bool | np.bool_):
        return bool(condition)
    return False if is_traced(condition) else bool(condition.any())


def first_of(condition) -> int:
    """The first sample for which a condition holds."""
    return 0 if isinstance(condition, bool | np.bool_) else int(np.argmax(condition))


def value_at(column: Column, sample: int) -> Any:
    """The column's value for one sample: a number, or a JAX scalar inside `jit`."""
    if isinstance(column, int | float):
        return column
    return column[sample] if is_traced(column) else np.asarray(column)[sample].item()


@final
class ColumnsByFrame:
    """Columns that vary by frame too: numbers, or arrays `[N, F]` of which either axis may be 1.

    As a table they have one row for each sample, frame after frame. A program with a column for
    each value of each frame takes minutes to compile where frames are many.
    """

    __slots__ = ("entries", "frames")

    def __init__(self, entries: Sequence[Column], frames: int):
        self.entries = entries
        self.frames = frames

    def __len__(self) -> int:
        return self.frames * len(self.entries)

    def table(self, count: int, dtype) -> Any:
        """The array `[count, len(self)]`."""
        xp = array_module(*self.entries)
        dtype = jax.dtypes.canonicalize_dtype(dtype) if xp is jnp else dtype
        shape = (count, self.frames)
        parts = [xp.broadcast_to(xp.asarray(e, dtype), shape) for e in self.entries]
        return xp.stack(parts, axis=-1).reshape(count, len(self))


def by_frame(entries: Sequence[Column], frames: int) -> Sequence[Column] | ColumnsByFrame:
    """Columns of so many frames, as `Frames.columns` gives them, for a table."""
    return entries if frames == 1 else ColumnsByFrame(entries, frames)


def table(columns: Sequence[Column] | ColumnsByFrame, count: int, dtype) -> Any:
    """Stacks columns into an array `[count, len(columns)]`."""
    if isinstance(columns, ColumnsByFrame):
        return columns.table(count, dtype)
    if array_module(*columns) is jnp:
        dtype = jax.dtypes.canonicalize_dtype(dtype)
        parts = [jnp.broadcast_to(jnp.asarray(c, dtype), (count,)) for c in columns]
        return jnp.stack(parts, axis=-1) if parts else jnp.zeros((count, 0), dtype)
    out = np.empty((count, len(columns)), dtype)
    for k, column in enumerate(columns):
        out[:, k] = column
    return out


def from_table(values) -> Shape:
    """The columns of an array `[N, rank]`."""
    return tuple(values[:, a] for a in range(values.shape[1]))
