"""Python numbers and nested lists, which may hold arrays, as one array."""

from collections.abc import Mapping
from typing import Any

import jax
import ml_dtypes
import numpy as np

from .errors import ArgumentError, ArgumentTypeError


def is_sequence(data: Any) -> bool:
    """Whether an object is a buffer, as a bytearray is, or has elements by number."""
    by_number = hasattr(data, "__len__") and hasattr(data, "__getitem__")
    return by_number and not isinstance(data, Mapping)


def path_remedy(what: str) -> str:
    """Advice for text that a decoder was given: a path, most likely."""
    if not what.startswith("decoders."):
        return ""
    return " A file is read with dynjax.imread or dynjax.io.file.read."


def python_array(data: Any, dtype: np.dtype | None, what: str) -> np.ndarray:
    """A new array of a number, a buffer or a nested sequence, which may hold arrays.

    Integers of 64 bits become int32, or uint32 where they are too large for it; floats of 64 bits
    float32: Python's own numbers and NumPy's alike, since NumPy's promotion mixes them.
    """
    if isinstance(data, range):
        data = list(data)
    elif isinstance(data, list | tuple):
        data = _with_arrays(data, what)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            array = np.array(data, dtype)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise ArgumentError(f"{what}: {data!r:.60} as {dtype}: {error}.") from error
        raise ArgumentError(
            f"{what}: a nested list must have one shape, got {error}. Use dynjax.batch for "
            "samples of different shapes."
        ) from error
    except OverflowError as error:
        raise OverflowError(f"{what}: {data!r:.60} as {dtype}: {error}.") from error
    except TypeError as error:
        if isinstance(error, jax.errors.JAXTypeError):
            raise
        raise ArgumentTypeError(f"{what}: {data!r:.60} as {dtype}: {error}.") from error
    if dtype is not None:
        return array
    kind = array.dtype.kind
    if kind == "O":
        if all(isinstance(v, int) for v in array.reshape(-1)):
            raise OverflowError(f"{what}: {data!r:.60} does not fit a 32-bit integer.")
        raise ArgumentTypeError(
            f"{what}: cannot make an array of {type(data).__name__} {data!r:.80}."
        )
    if kind in "Mm":
        raise ArgumentError(f"{what}: elements of type {array.dtype} are not supported.")
    if kind not in "biuf" and array.dtype != ml_dtypes.bfloat16:
        remedy = " Use np.frombuffer(item, np.uint8) for each." if kind == "S" else ""
        remedy = remedy or path_remedy(what)
        raise RuntimeError(
            f"{what}: cannot make a tensor of {data!r:.60}; expected numbers.{remedy}"
        )
    return _narrowed(array, what)


def _narrowed(array: np.ndarray, what: str) -> np.ndarray:
    """The array in NumPy's byte order, with elements of 32 bits where it has 64."""
    if array.dtype.itemsize < 8:
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            return array.astype(np.float32)
    low, high = (array.min(), array.max()) if array.size else (0, 0)
    if low >= -(2**31) and high < 2**31:
        return array.astype(np.int32)
    if low >= 0 and high < 2**32:
        return array.astype(np.uint32)
    raise OverflowError(
        f"{what}: {high if high > 0 else low} does not fit a 32-bit integer. Pass dtype=."
    )


def _with_arrays(data: list | tuple, what: str) -> list | tuple:
    """A list with arrays in place of tensors and other objects that hold one."""
    whole = [hasattr(d, "__array__") and not isinstance(d, np.generic) for d in data]
    if not any(whole):
        return data
    data = [np.asarray(d) if is_array else d for d, is_array in zip(data, whole, strict=True)]
    if all(whole) and len({d.shape for d in data}) > 1:
        raise ArgumentError(
            f"{what}: a list of arrays must have one shape, got {data[0].shape} and others."
            " Use dynjax.batch for samples of different shapes."
        )
    return data
