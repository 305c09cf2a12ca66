"""Caffe2's `TensorProtos` messages."""

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from .wire import BYTES, FIXED32, VARINT, WireError, fields, floats, signed, varints

_FLOAT, _INT32, _BYTE, _STRING = 1, 2, 3, 4


def tensors(message: memoryview) -> Iterator[np.ndarray]:
    """The tensors of a message in order: float32, int32, or uint8 for bytes and strings.

    Strings have the shape `(n,)`, the others the one that is stored with them.

    Raises:
        WireError: the message is malformed, or holds tensors of another type.

    Source: caffe2.proto.
    """
    for number, kind, block in fields(message):
        if (number, kind) == (1, BYTES):
            yield _tensor(block)


def _tensor(block: memoryview) -> np.ndarray:
    dims: list[int] = []
    kind = _FLOAT
    found: dict[int, list[Any]] = {3: [], 4: [], 5: [], 6: []}
    for number, wire, value in fields(block):
        if number == 1:
            dims += [signed(value)] if wire == VARINT else varints(value).tolist()
        elif (number, wire) == (2, VARINT):
            kind = value
        elif number == 3 and wire in (BYTES, FIXED32):
            found[3].append(floats(value))
        elif number == 4 and wire == VARINT:
            found[4].append(np.array([signed(value)]))
        elif number == 4 and wire == BYTES:
            found[4].append(varints(value))
        elif number in (5, 6) and wire == BYTES:
            found[number].append(np.frombuffer(value, np.uint8))
    if kind == _STRING:
        if not found[6]:
            raise WireError("a tensor of strings is empty")
        return found[6][0]
    field, dtype = {_FLOAT: (3, np.float32), _INT32: (4, np.int32), _BYTE: (5, np.uint8)}.get(
        kind, (0, None)
    )
    if dtype is None:
        raise WireError(f"a tensor is of type {kind}; expected float, int32, byte or string")
    parts = found[field]
    values = np.concatenate(parts).astype(dtype) if parts else np.zeros(0, dtype)
    shape = tuple(dims) if dims else (len(values),)
    if min(shape, default=0) < 0 or prod(shape) != len(values):
        raise WireError(f"a tensor has {len(values)} values, none of shape {shape}")
    return values.reshape(shape)
