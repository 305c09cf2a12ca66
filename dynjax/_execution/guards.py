"""What a call depends on, as a hashable value: equal content means the same result.

A value produced in the same step is told by where it comes from, everything else by what it is.
So neither the place of a call in the source text matters, nor how an argument is written there.
"""

import enum
import math
from typing import Any

import jax
import numpy as np

from .._types.data import Data
from .._types.device import Device
from .._types.dtypes import DType
from .._types.invariant import Invariant, plain

# Arrays up to this size are compared by value. Larger ones may change unseen.
MAX_ARRAY_BYTES = 64 << 10


class NotGuardedError(Exception):
    """A value whose changes cannot be noticed, and why."""


_ATOMS = frozenset({int, bool, str, bytes, type(None), type, complex})


def guard(value: Any) -> Any:
    """A hashable equivalent of a value that was not produced in this step.

    Types are part of it: 2 and 2.0 make results of different types.

    Raises:
        NotGuardedError: a value of another type, or one too large.
    """
    kind = type(value)
    if kind in _ATOMS:
        return (kind, value)
    if kind is float:
        return (kind, value, math.copysign(1.0, value)) if value == 0 else (kind, value)
    if kind is list or kind is tuple:
        return (kind, *map(guard, value))
    if kind is DType:
        return (kind, id(value))  # its own comparison is slow
    if isinstance(value, enum.Enum | np.dtype):
        return (kind, value)
    if isinstance(value, Device):
        return (Device, str(value))
    if isinstance(value, np.ndarray | np.generic):
        return _array(value)
    if isinstance(value, jax.Array):
        return (jax.Array, id(value))
    if isinstance(value, Data):
        return _data(value)
    if kind is dict:
        return (dict, *((k, guard(v)) for k, v in value.items()))
    raise NotGuardedError(f"a {kind.__name__} cannot be compared from step to step")


def _array(value: np.ndarray | np.generic) -> Any:
    if value.nbytes > MAX_ARRAY_BYTES or value.dtype.hasobject:
        raise NotGuardedError(
            f"an array of {value.nbytes} bytes is not compared from step to step (limit "
            f"{MAX_ARRAY_BYTES}); make a Tensor of it before the loop, with dynjax.tensor"
        )
    return (type(value), value.dtype.str, value.shape, value.tobytes())


def _data(value: Data) -> Any:
    if value.external:
        raise NotGuardedError(
            "its memory belongs to an array that may change; copy it with dynjax.tensor or batch"
        )
    return (Data, id(value))  # it never changes


def snapshot(value: Any) -> Any:
    """The value, independent of what the user does to the object later."""
    if type(value) is Invariant:
        return plain(value)
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) is list or type(value) is tuple:
        return type(value)(map(snapshot, value))
    if type(value) is dict:
        return {k: snapshot(v) for k, v in value.items()}
    return value
