"""Samples of sound as numbers of several types."""

import numpy as np


class SoundError(ValueError):
    """The bytes are no sound that can be read. Says why, and what to do if something helps."""


def converted(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Floats of full scale 1 as float32, int16 or int32; integers are rounded and clamped."""
    if dtype.kind == "f":
        return values.astype(dtype, copy=False)
    info = np.iinfo(dtype)
    scaled = np.rint(values.astype(np.float64) * info.max)
    return np.clip(scaled, info.min, info.max).astype(dtype)
