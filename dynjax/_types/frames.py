"""`Frames`: an argument's values for the frames of a sequence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .columns import Column, any_of, first_of, is_constant, is_traced, value_at
from .errors import OperatorError
from .spec import Spec


@final
@dataclass(frozen=True, eq=False, slots=True)
class Frames:
    """Values of an argument that may vary from frame to frame.

    Attributes:
        value: what a `PerSample` argument gives: a column, a tuple of columns, or the rows of a
            matrix. If it was marked with `per_frame`, the columns are arrays `[N, F]`, or `[1, F]`
            for numbers that all samples share.
        count: for how many frames there are values; one serves all.
        lengths: how many of them each sample has, or None if the argument was not marked.
        shares: whether all samples share the values of a marked argument.
    """

    value: Any
    count: int = 1
    lengths: Column | None = None
    shares: bool = True

    def __getitem__(self, frame: int) -> Any:
        if self.lengths is None:
            return self.value
        # Where a sample has more frames than there are values, its one value is in all of them.
        k = min(frame, self.count - 1)
        return map_columns(self.value, lambda c: c[0, k].item() if self.shares else c[:, k])

    @property
    def is_constant(self) -> bool:
        """Whether all samples share the values."""
        if self.lengths is not None:
            return self.shares
        return all(map(is_constant, self.leaves()))

    def leaves(self) -> list[Column]:
        """The columns, one after another."""
        columns: list[Column] = []
        map_columns(self.value, columns.append)
        return columns

    def columns(self, count: int) -> Any:
        """The values of so many frames at once, columns as in `ColumnsByFrame`; of one: its own."""
        if count == 1:
            return self[0]
        if self.lengths is None:
            return map_columns(self.value, lambda c: over_frames(c, count))
        return map_columns(self.value, lambda c: extended(c, count, axis=1))


def map_columns(value: Any, of_column: Callable[[Column], Any]) -> Any:
    """What `of_column` gives for each column of an argument's value, in the value's structure."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(map_columns(part, of_column) for part in value)
    return of_column(value)


def extended(values: Any, count: int, axis: int) -> Any:
    """An array with so many frames along an axis, the last one repeated, or with one for all."""
    have = values.shape[axis]
    if have in (1, count):
        return values
    return values.take(np.minimum(np.arange(count), have - 1), axis=axis)


def over_frames(column: Column, count: int) -> Column:
    """A column of samples as one of so many frames, which share it."""
    return column if count == 1 or is_constant(column) else column[:, None]


def as_frames(value: Any) -> Frames:
    """A rule's default as what a bound argument gives."""
    return value if isinstance(value, Frames) else Frames(value)


def frame_count(what: str, spec: Spec, **arguments: Frames) -> int:
    """How many frames have values of their own: 1, or the largest number that a sample has.

    Args:
        what: the operator, for messages.
        spec: the input; its layout starts with `F` if it has frames.
        arguments: by name.

    Raises:
        OperatorError: an argument has neither one value nor one for each frame.
    """
    check_lengths(what, spec.shape[0] if spec.has_frames else 1, "the input has", arguments)
    return most_values(arguments)


def most_values(arguments: Mapping[str, Frames]) -> int:
    """The largest number of values that an argument has."""
    return max((f.count for f in arguments.values()), default=1)


def check_lengths(what: str, have: Column, who: str, arguments: Mapping[str, Frames]) -> None:
    """Raises OperatorError where an argument has neither one value nor one for each frame.

    Args:
        what: the operator, for messages.
        have: how many frames each sample has.
        who: has them, for messages.
        arguments: by name.
    """
    for name, frames in arguments.items():
        lengths = frames.lengths
        if lengths is None or is_traced(lengths, have):
            continue
        wrong = (lengths != have) & (lengths != 1)
        if any_of(wrong):
            i = first_of(wrong)
            raise OperatorError(
                f"{what}: sample {i}: {name} has values for {value_at(lengths, i)} frames; {who} "
                f"{value_at(have, i)}. Give one for each frame, or one for all."
            )
