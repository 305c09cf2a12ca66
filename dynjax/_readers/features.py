"""Descriptions of the features of a TFRecord: `dynjax.tfrecord`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from .._types.dtypes import DType, numpy_dtype
from .._types.errors import ArgumentError

FeatureType = Literal["string", "int64", "float32"]
_DTYPES: dict[str, np.dtype[Any]] = {
    "string": np.dtype(np.uint8),
    "int64": np.dtype(np.int64),
    "float32": np.dtype(np.float32),
}

string: FeatureType = "string"
int64: FeatureType = "int64"
float32: FeatureType = "float32"


@final
@dataclass(frozen=True)
class Feature:
    """One feature of a record; made by `FixedLenFeature` and `VarLenFeature`.

    Attributes:
        kind: the type of its values in the record.
        shape: the shape of its values; of one row of them if `variable`.
        variable: whether the number of rows is the record's.
        default: what a record without the feature has.
    """

    kind: FeatureType
    shape: tuple[int, ...]
    variable: bool
    default: Any

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the reader's output; the characters of a string are uint8."""
        return _DTYPES[self.kind]


def by_name(operator: str, features: Any) -> dict[bytes, Feature]:
    """A reader's argument `features`, under the names that stand in the records.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(features, Mapping) or not all(
        isinstance(feature, Feature) for feature in features.values()
    ):
        raise TypeError(
            f"{operator}: features={features!r:.80}; expected a dict of name to "
            "tfrecord.FixedLenFeature or tfrecord.VarLenFeature."
        )
    return {name.encode(): feature for name, feature in features.items()}


def FixedLenFeature(  # noqa: N802 the original's name
    shape: Sequence[int] | int,
    dtype: FeatureType | DType | np.dtype[Any],
    default_value: Any = None,
) -> Feature:
    """A feature with a fixed number of values.

    Args:
        shape: their shape, filled in row-major order; what a record leaves open is 0. Strings have
            the length that they have.
        dtype: `tfrecord.string`, `tfrecord.int64` or `tfrecord.float32`.
        default_value: for records without the feature: a number, a string, or as many values as
            the shape holds. Default: 0, or an empty string.

    Raises:
        ValueError: another dtype, or a default that does not fit.
        TypeError: the shape is none.

    Example:
        >>> dynjax.tfrecord.FixedLenFeature([2], dynjax.tfrecord.int64, -1).shape
        (2,)
    """
    kind = _kind("FixedLenFeature", dtype)
    dims = _dims("FixedLenFeature", shape)
    if kind == "string":
        return Feature(kind, (), False, _text("FixedLenFeature", default_value))
    try:
        filled = np.broadcast_to(np.asarray(default_value or 0, _DTYPES[kind]), dims).copy()
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"FixedLenFeature: default_value={default_value!r}: {error}; expected a number, or "
            f"values of shape {dims}."
        ) from None
    return Feature(kind, dims, False, filled)


def VarLenFeature(*args: Any) -> Feature:  # noqa: N802 the original's name
    """A feature with as many values as the record holds.

    Called as `VarLenFeature(dtype, default_value)` or `VarLenFeature(shape, dtype,
    default_value)`; the default value may be left out, and has no effect: a record without the
    feature has no values.

    Args:
        *args: `shape`, if given, is that of one row: the result is `(rows, *shape)`; without it
            `(values,)`. `dtype` and `default_value` as in `FixedLenFeature`.

    Raises:
        ValueError: another dtype.
        TypeError: another number of arguments, or a shape that is none.

    Example:
        >>> dynjax.tfrecord.VarLenFeature([4], dynjax.tfrecord.float32, 0.0).shape
        (4,)
    """
    shaped = bool(args) and (isinstance(args[0], int) or _is_shape(args[0]))
    given = args if shaped else ((), *args)
    if not 2 <= len(given) <= 3:
        raise TypeError(
            f"VarLenFeature: {len(args)} arguments; expected [shape,] dtype[, default_value]."
        )
    kind = _kind("VarLenFeature", given[1])
    dims = _dims("VarLenFeature", given[0])
    if kind == "string":
        return Feature(kind, (), False, b"")
    return Feature(kind, dims, True, np.zeros((0, *dims), _DTYPES[kind]))


def _is_shape(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _kind(what: str, dtype: Any) -> FeatureType:
    if isinstance(dtype, str) and dtype in _DTYPES:
        return dtype  # type: ignore[return-value]
    try:
        name = numpy_dtype(dtype).name
    except (TypeError, ValueError):
        name = None
    if name == "int64" or name == "float32":
        return name
    raise ArgumentError(
        f"{what}: dtype={dtype!r}; expected tfrecord.string, tfrecord.int64 or tfrecord.float32."
    )


def _dims(what: str, shape: Any) -> tuple[int, ...]:
    dims = (shape,) if isinstance(shape, int) else shape
    if not _is_shape(dims) or not all(isinstance(n, int) and n >= 0 for n in dims):
        raise TypeError(f"{what}: shape={shape!r}; expected a list of non-negative ints.")
    return tuple(dims)


def _text(what: str, value: Any) -> bytes:
    if value is None:
        return b""
    if isinstance(value, str | bytes):
        return value.encode() if isinstance(value, str) else value
    raise ArgumentError(f"{what}: default_value={value!r}; expected a str for tfrecord.string.")
