"""Keys that belong to samples of a data source: `dynjax.random.sample_keys`."""

from typing import Any

import numpy as np

from ..._random.threefry import fold_in
from ..._random.words import key_words
from ..._schema import Known, Output, operator
from ..._types.batch import Batch
from ..._types.errors import ArgumentError


@operator("random.sample_keys", reads_data=True, hidden=True)
def _keys(batch: Batch, /, *, words: list[int], epoch: int | None = None) -> Output:
    """The rule: an operator, so that captured loops compute the keys ahead."""
    source = batch.source
    of_epoch = np.array([source.epoch if epoch is None else epoch], np.int64).astype(np.uint32)
    numbers = np.asarray(source.indices).astype(np.uint32)
    key = np.array(words, np.int64).astype(np.uint32)
    keys = fold_in(fold_in((key[:1], key[1:]), of_epoch), numbers)
    return Known(keys, np.dtype(np.uint32))


def sample_keys(batch: Batch, key: Any, epoch: int | None = None) -> Batch:
    """Makes a key for each sample from what the sample is, not from where it stands.

        keys[i] = fold_in(fold_in(key, epoch), number of sample i in the data source)

    The keys, and what is drawn from them, do not depend on batch size, order, prefetching or
    threads.

    Args:
        batch: what a reader gave, or a result of operators on it.
        key: a JAX key, or its uint32 words.
        epoch: Default: the epoch in which the reader gave the batch.

    Returns:
        uint32 `[2]` for each sample, for the `key=` of random operators.

    Raises:
        ArgumentError: a batch that comes from no reader, or no single key.

    Example:
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = [f"{folder}/{name}" for name in "abc"]
        ...     for file in files:
        ...         _ = pathlib.Path(file).write_bytes(b"-")
        ...     data, _ = next(dynjax.readers.File(files=files).next_epoch(batch_size=3))
        >>> keys = dynjax.random.sample_keys(data, jax.random.key(1))
        >>> dynjax.random.uniform(key=keys).shape
        [(), (), ()]
    """
    if batch.source is None or not batch.source.is_named:
        raise ArgumentError(
            "sample_keys: the batch does not say which samples it holds. Pass one that a reader "
            "gave, or a result of operators on it."
        )
    words = key_words(key)
    if words is None or words.ndim != 1:
        raise ArgumentError(f"sample_keys: key={key!r}; expected one JAX key or its words.")
    return _keys(batch, words=[int(w) for w in words], epoch=epoch)
