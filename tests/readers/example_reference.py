"""`tf.train.Example` messages in plain Python: what the native parser is held against."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from dynjax._readers.features import Feature
from dynjax._readers.wire import BYTES, FIXED32, VARINT, WireError, fields, floats, signed, varints

_LISTS = {1: "string", 2: "float32", 3: "int64"}


def parse_example(
    message: memoryview, features: Mapping[bytes, Feature]
) -> dict[bytes, np.ndarray]:
    """The wanted features of one record.

    A feature that the record lacks has its default; one of another type has no values, which for
    a fixed shape means zeros.

    Raises:
        WireError: the record is no such message, or a feature does not fit its shape.

    Source: tensorflow/core/example/example.proto, feature.proto.
    """
    found: dict[bytes, memoryview] = {}
    for number, kind, block in fields(message):
        if (number, kind) != (1, BYTES):
            continue
        for number, kind, entry in fields(block):
            if (number, kind) == (1, BYTES):
                _add_entry(entry, features, found)
    return {
        name: _values(name, found[name], feature) if name in found else _default(feature)
        for name, feature in features.items()
    }


def _add_entry(
    entry: memoryview, wanted: Mapping[bytes, Feature], found: dict[bytes, memoryview]
) -> None:
    name, value = b"", memoryview(b"")
    for number, kind, content in fields(entry):
        if (number, kind) == (1, BYTES):
            name = bytes(content)
            if name not in wanted:
                return
        elif (number, kind) == (2, BYTES):
            value = content
    found[name] = value


def _default(feature: Feature) -> np.ndarray:
    if feature.kind == "string":
        return np.frombuffer(feature.default, np.uint8)
    return feature.default


def _values(name: bytes, message: memoryview, feature: Feature) -> np.ndarray:
    parts: list[Any] = []
    for number, kind, content in fields(message):
        if kind == BYTES and _LISTS.get(number) == feature.kind:
            parts += _list_parts(content, feature.kind)
    if feature.kind == "string":
        return np.frombuffer(parts[0], np.uint8) if parts else np.zeros(0, np.uint8)
    flat = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, feature.dtype), *parts])
    return _shaped(name, flat, feature)


def _list_parts(content: memoryview, kind: str) -> list[Any]:
    """The values of a list, which may be packed, single, or both."""
    parts: list[Any] = []
    for number, wire, value in fields(content):
        if number != 1:
            continue
        if kind == "string" and wire == BYTES:
            parts.append(value)
        elif kind == "float32" and wire in (BYTES, FIXED32):
            parts.append(floats(value))
        elif kind == "int64" and wire == BYTES:
            parts.append(varints(value))
        elif kind == "int64" and wire == VARINT:
            parts.append(np.array([signed(value)], np.int64))
    return parts


def _shaped(name: bytes, flat: np.ndarray, feature: Feature) -> np.ndarray:
    size = prod(feature.shape)
    shown = name.decode(errors="replace")
    if feature.variable:
        if (len(flat) % size if size else len(flat)) != 0:
            raise WireError(f"feature {shown!r} has {len(flat)} values, no rows of {feature.shape}")
        return flat.reshape(len(flat) // size if size else 0, *feature.shape)
    if len(flat) > size:
        raise WireError(
            f"feature {shown!r} has {len(flat)} values, more than the shape {feature.shape} holds"
        )
    if len(flat) < size:
        flat = np.concatenate([flat, np.zeros(size - len(flat), flat.dtype)])
    return flat.reshape(feature.shape)
