"""Leaving out samples that do not count: `dynjax.drop_invalid`."""

import numpy as np

from .._types.batch import Batch
from .._types.errors import ArgumentError


def drop_invalid(batch: Batch, *others: Batch) -> tuple[Batch, ...]:
    """Keeps the valid samples of a batch, and of others what belongs to them.

    Args:
        batch: `batch.valid` says which of its samples count.
        others: batches beside it, such as labels: as many samples as `batch`, or as the batch of
            files from which `decoders.image(..., on_error="skip")` made it.

    Returns:
        All of them, with equally many samples in the same order.

    Raises:
        ArgumentError: another batch has another number of samples.

    Example:
        >>> import warnings
        >>> files = [np.frombuffer(b"no picture", np.uint8)] * 2
        >>> with warnings.catch_warnings(action="ignore"):
        ...     images = dynjax.decoders.image(dynjax.batch(files), on_error="fill")
        >>> images, labels = dynjax.drop_invalid(images, dynjax.batch([np.int32(5), np.int32(6)]))
        >>> images.batch_size, labels.batch_size
        (0, 0)
    """
    good = np.flatnonzero(batch.valid)
    source = batch.source
    kept = None if source is None else source.kept
    asked = batch.batch_size if source is None else source.asked
    results = [_picked(batch, good)]
    for k, other in enumerate(others, 1):
        if kept is not None and other.batch_size == asked:
            results.append(_picked(other, kept[good]))
        elif other.batch_size == batch.batch_size:
            results.append(_picked(other, good))
        else:
            raise ArgumentError(
                f"drop_invalid: batch {k} has {other.batch_size} samples; expected "
                f"{batch.batch_size}{'' if kept is None else f' or {asked}'}, as the first one."
            )
    return tuple(results)


def _picked(batch: Batch, which: np.ndarray) -> Batch:
    if len(which) == batch.batch_size and (which == np.arange(len(which))).all():
        return batch
    return batch.select(which.tolist())
