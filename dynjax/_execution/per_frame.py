"""Arguments marked with `per_frame`: their values frame by frame."""

from typing import Any

import numpy as np

from .._types.batch import Batch
from .._types.columns import Column, array_module, is_constant, is_traced
from .._types.data import Data, padded
from .._types.errors import ArgumentError
from .._types.spec import Spec
from .._types.storage import Dense, Padded


def is_per_frame(value: Any) -> bool:
    """Whether an argument's first axis counts frames."""
    return isinstance(value, Data) and value.spec.has_frames


def all_frames(what: str, value: Data) -> tuple[Batch, int, Column]:
    """The values of all frames of all samples as one batch, and how many frames there are.

    Args:
        what: operator and argument, for messages.
        value: of shape `[F, ...]`; where F differs, shorter sequences end in their first value.

    Returns:
        The batch, of which each sample has as many as the longest; that number; and how many each
        sample really has.

    Raises:
        ArgumentError: samples differ in more than the number of frames, or have no frames.
    """
    spec, storage = value.spec, value.storage
    if is_traced(*spec.shape[1:]):
        raise ArgumentError(
            f"{what}: inside jit the shape of a frame's values is not known. Call per_frame before "
            "and pass its result in."
        )
    if any(np.any(np.not_equal(n, np.ravel(n)[:1])) for n in spec.shape[1:]):
        raise ArgumentError(f"{what}: the values of a frame differ in shape.")
    lengths: Column
    if isinstance(storage, Dense):
        array, lengths = storage.array, int(spec.shape[0])
    else:
        slots = storage if isinstance(storage, Padded) else padded(value, storage)
        array = slots.array
        lengths = slots.extents(spec.shape, spec.count)[:, 0]
    if not isinstance(value, Batch):
        if not isinstance(storage, Dense):
            raise ArgumentError(f"{what}: inside jit the number of frames must be constant.")
        array = array[None]
    rest = tuple(int(np.max(n)) for n in spec.shape[1:]) if spec.count else array.shape[2:]
    array = array[:, :, *(slice(n) for n in rest)]
    if not is_constant(lengths):
        # The first serves all frames where it is alone, and is as good as any beyond the end.
        inside = np.arange(array.shape[1]) < lengths[:, None]
        inside = inside.reshape(*inside.shape, *(1 for _ in rest))
        array = array_module(array, lengths).where(inside, array, array[:, :1])
    count, frames = array.shape[:2]
    if not frames:
        raise ArgumentError(f"{what}: there are no frames.")
    every = Spec(count * frames, rest, np.dtype(spec.dtype), None, True, spec.device)
    return Batch._make(every, Dense(array.reshape(count * frames, *rest))), frames, lengths
