"""`Frames`: an argument's values for the frames of a sequence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from .columns import (
    Column,
    any_of,
    array_module,
    first_of,
    is_constant,
    is_traced,
    value_at,
)
from .errors import OperatorError
from .spec import Spec


@final
@dataclass(frozen=True, eq=False, slots=True)
class Frames:
    """Values of an argument that may vary from frame to frame.

    Attributes:
        values: for each frame what a `PerSample` argument gives: a column, a tuple of columns, or
            the rows of a matrix. One value serves all frames.
        lengths: how many of them each sample has, or None if the argument was not marked with
            `per_frame`: then there is one.
    """

    values: tuple[Any, ...]
    lengths: Column | None = None

    def __getitem__(self, frame: int) -> Any:
        # Where a sample has more frames than there are values, its one value is in all of them.
        return self.values[min(frame, len(self.values) - 1)]

    def columns(self, count: int) -> Any:
        """The values of so many frames at once, columns as in `ColumnsByFrame`."""
        kept = count if len(self.values) > 1 else 1
        return _by_frame([self[k] for k in range(kept)])


def _by_frame(values: Sequence[Any]) -> Any:
    first = values[0]
    if first is None:
        return None
    if isinstance(first, tuple):
        return tuple(_by_frame(parts) for parts in zip(*values, strict=True))
    if not is_constant(first):
        return array_module(*values).stack(values, axis=1)
    return first if len(values) == 1 else np.array([values], np.float64)


def as_frames(value: Any) -> Frames:
    """A rule's default as what a bound argument gives."""
    return value if isinstance(value, Frames) else Frames((value,))


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
    return max((len(f.values) for f in arguments.values()), default=1)


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


def each(frames: Frames, count: int) -> Sequence[Any]:
    """The values of `count` frames."""
    return [frames[f] for f in range(count)]
