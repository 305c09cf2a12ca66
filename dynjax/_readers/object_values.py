"""Samples that users' data sets give: one value, a tuple of them, or a dict."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

# Outputs by name, by number, or the one output there is.
Shape = tuple[str, ...] | int | None


class SampleError(ValueError):
    """A sample is none that can be read; the text says why."""


def shape_of(sample: Any) -> Shape:
    """The outputs that a sample has."""
    if _is_encoded(sample):
        return None
    if isinstance(sample, Mapping):
        return tuple(map(str, sample))
    if isinstance(sample, tuple):
        return len(sample)
    return None


def flattened(sample: Any, shape: Shape) -> list[np.ndarray]:
    """The values of a sample as arrays, in the order of the outputs.

    Raises:
        SampleError: it has other outputs, or a value is no array of numbers.
    """
    found = shape_of(sample)
    if found != shape and not (
        isinstance(found, tuple) and isinstance(shape, tuple) and set(found) == set(shape)
    ):
        raise SampleError(f"it has {_shown(found)}; the first that was read has {_shown(shape)}")
    if shape is None:
        return [_array("it", sample)]
    if isinstance(shape, int):
        return [_array(f"value {k}", value) for k, value in enumerate(sample)]
    by_name = {str(name): value for name, value in sample.items()}
    return [_array(repr(name), by_name[name]) for name in shape]


def _shown(shape: Shape) -> str:
    if shape is None:
        return "one value"
    return f"{shape} values" if isinstance(shape, int) else f"the names {list(shape)!r:.120}"


def _is_encoded(value: Any) -> bool:
    """Whether a value is a file's bytes as Hugging Face `datasets` hold them."""
    return isinstance(value, Mapping) and set(value) == {"bytes", "path"}


def _array(what: str, value: Any) -> np.ndarray:
    """A value as an array in C order. Python's ints become int32 where they fit, floats float32."""
    if _is_encoded(value):
        value = value["bytes"]
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes | bytearray | memoryview):
        return np.frombuffer(value, np.uint8)
    plain = isinstance(value, bool | int | float | Sequence)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise SampleError(f"{what} is no array: {error}") from None
    if array.dtype.kind not in "biufV" or (array.dtype.kind == "V" and array.dtype.names):
        raise SampleError(
            f"{what} is {type(value).__name__} {value!r:.60}; expected numbers, bytes or text"
        )
    if plain and array.dtype == np.int64:
        limits = np.iinfo(np.int32)
        if not array.size or (limits.min <= array.min() and array.max() <= limits.max):
            array = array.astype(np.int32)
    elif plain and array.dtype == np.float64:
        array = array.astype(np.float32)
    return np.ascontiguousarray(array) if array.ndim else array


def same_kind(values: Sequence[np.ndarray]) -> int | None:
    """The number of the first value whose dtype or rank is not that of the first; else None."""
    first = values[0]
    for k, value in enumerate(values):
        if (value.dtype, value.ndim) != (first.dtype, first.ndim):
            return k
    return None
