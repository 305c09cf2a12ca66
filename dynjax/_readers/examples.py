"""Batches of `tf.train.Example` records, parsed by native code."""

from collections.abc import Mapping
from math import prod
from typing import Any, final

import numpy as np

from .._native import native
from .features import Feature
from .source import Output, Ragged, ReadError, Uniform

# As `RecordFault` and `FeatureKind` in ops/io/.
_LENGTH, _CHECKSUM, _MALFORMED = 1, 2, 3
_KINDS = {"string": 1, "float32": 2, "int64": 3}
_COPIES: dict[str, Any] = {"float32": native.copy_floats, "int64": native.copy_int64}
_REASONS = {
    _LENGTH: "the record's header says {header} bytes, its index {indexed}. Make the index anew.",
    _CHECKSUM: "its checksum is not that of its bytes: the file is damaged. Replace it.",
    _MALFORMED: "it is no tf.train.Example: a field is malformed or cut off. Check the file.",
}
# Length and its checksum before a record, a checksum behind it.
_FRAME = 16


@final
class Examples:
    """The parser of one reader's records.

    A feature that a record lacks has its default; one of another type has no values, which for a
    fixed shape means zeros.

    Args:
        features: what is wanted, by name.
        checksums: whether the records' checksums are compared.
    """

    def __init__(self, features: Mapping[bytes, Feature], *, checksums: bool):
        self._features = features
        kinds = [_KINDS[feature.kind] for feature in features.values()]
        self._parser: Any = native.ExampleParser(list(features), kinds, checksums)

    def outputs(
        self, data: np.ndarray, lengths: np.ndarray, samples: np.ndarray
    ) -> tuple[Output, ...]:
        """One output for each feature.

        Args:
            data: uint8, records as they lie in their files, one after another; overwritten.
            lengths: int64 `[N]`, their sizes.
            samples: int64 `[N]`, their numbers, for errors.

        Raises:
            ReadError: a record is damaged or does not fit its features.
        """
        rows, faults = self._parser.find(data, lengths)
        if faults.any():
            raise _fault(data, lengths, samples, faults)
        # present, offset and bytes of the message, offset of the text, its bytes or a count
        table = {name: rows[:, k].T.copy() for k, name in enumerate(self._features)}
        texts = [name for name, feature in self._features.items() if feature.kind == "string"]
        outputs: dict[bytes, Output] = {
            name: _numbers(name, feature, data, table[name], samples)
            for name, feature in self._features.items()
            if feature.kind != "string"
        }
        # The longest stays in the memory of the records: a second block for it would cost a page
        # fault every 4 KiB, which is more than the copy. It comes last, since it overwrites them.
        texts.sort(key=lambda name: int(table[name][4].sum()))
        for name in texts:
            last = name == texts[-1] and not self._features[name].default
            outputs[name] = _texts(self._features[name], data, table[name], in_place=last)
        return tuple(outputs[name] for name in self._features)


def _fault(
    data: np.ndarray, lengths: np.ndarray, samples: np.ndarray, faults: np.ndarray
) -> ReadError:
    first = int(np.flatnonzero(faults)[0])
    at, size = int(lengths[:first].sum()), int(lengths[first])
    header = int.from_bytes(data[at : at + min(size, 8)].tobytes(), "little")
    reason = _REASONS[int(faults[first])].format(header=header, indexed=size - _FRAME)
    return ReadError(int(samples[first]), reason)


def _texts(feature: Feature, data: np.ndarray, found: np.ndarray, *, in_place: bool) -> Output:
    present, _, _, offsets, lengths = found
    default = feature.default
    if default and not present.all():
        data = np.concatenate([data, np.frombuffer(default, np.uint8)])
        offsets = np.where(present, offsets, len(data) - len(default))
        lengths = np.where(present, lengths, len(default))
    total = int(lengths.sum())
    values = data if in_place else np.empty(total, np.uint8)
    native.gather_pieces(data, offsets, lengths, values)
    return Ragged(values[:total], lengths[:, None])


def _numbers(
    name: bytes, feature: Feature, data: np.ndarray, found: np.ndarray, samples: np.ndarray
) -> Output:
    present, offsets, sizes, _, counts = found
    count, size = len(samples), prod(feature.shape)
    shown = name.decode(errors="replace")
    if feature.variable:
        wrong = counts % size != 0 if size else counts != 0
        problem = f"values, no rows of {feature.shape}"
    else:
        wrong = counts > size
        problem = f"values, more than the shape {feature.shape} holds"
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise ReadError(
            int(samples[first]), f"feature {shown!r} has {counts[first]} {problem}. Check features."
        )
    copy = _COPIES[feature.kind]
    if feature.variable:
        ends = np.cumsum(counts)
        values = np.empty(int(ends[-1]), feature.dtype)
        copy(data, offsets, sizes, counts, ends - counts, values)
        rows = counts // size if size else np.zeros_like(counts)
        shapes = np.empty((count, 1 + len(feature.shape)), np.int64)
        shapes[:, 0], shapes[:, 1:] = rows, feature.shape
        return Ragged(values, shapes)
    filled = np.zeros((count, *feature.shape), feature.dtype)
    if not present.all():
        filled[present == 0] = feature.default
    copy(data, offsets, sizes, counts, np.arange(count, dtype=np.int64) * size, filled.reshape(-1))
    return Uniform(filled)
