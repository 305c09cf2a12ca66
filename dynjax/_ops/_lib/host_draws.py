"""Random numbers on the host, for rules that look at data: the words of `draws`, in NumPy."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._random.threefry import threefry2x32
from ..._types.columns import Column


def words(
    key: Sequence[Column], block: int, count: int, start: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Two uint32 words `[N, count]`: block `block` of each sample's elements from `start` on."""
    first, second = (np.asarray(k, np.uint32)[:, None] for k in key)
    index = np.arange(start, start + count, dtype=np.uint32)[None]
    high = np.full_like(index, block)
    with np.errstate(over="ignore"):
        return threefry2x32((first, second), (high, index))


def mixed(key: Sequence[Column], block: int, count: int, start: int = 0) -> np.ndarray:
    """One word for each element."""
    first, second = words(key, block, count, start)
    return first ^ second


def unit(word: np.ndarray) -> np.ndarray:
    """Uniform on [0, 1), float32: the upper 24 bits."""
    return (word >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)


def below(word: np.ndarray, count: Any) -> np.ndarray:
    """Uniform on {0, ..., count - 1}, int64; counts below 2**32."""
    return (word.astype(np.uint64) * np.asarray(count, np.uint64) >> np.uint64(32)).astype(np.int64)
