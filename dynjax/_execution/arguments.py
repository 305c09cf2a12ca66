"""From what the user passed to what a rule takes: constants and columns."""

import enum
import inspect
import math
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax.core import Tracer

from .._schema import Argument, Operator
from .._types.batch import Batch
from .._types.columns import from_table
from .._types.data import Data, padded
from .._types.dtypes import DType, numpy_dtype
from .._types.enums import DALIImageType, DALIInterpType
from .._types.errors import ArgumentError, ArgumentTypeError
from .._types.frames import Frames, map_columns
from .._types.invariant import plain
from .._types.storage import Packed, Padded, Storage
from .per_frame import all_frames, is_per_frame


class NotConstantError(Exception):
    """A value that cannot be part of a cache key."""


def frozen(value: Any) -> Any:
    """A hashable equivalent of a constant argument. Raises NotConstantError for anything else.

    Equivalents are equal only where results are: Python finds 1, 1.0 and True equal, 0.0 and -0.0
    too, and no NaN equal to another.
    """
    kind = type(value)
    if kind is float:
        if value != value:
            return (kind, "nan")
        return (kind, value) if value else (kind, value, math.copysign(1.0, value))
    if kind in _ATOMS:
        return value
    if kind is list or kind is tuple:
        return tuple(map(frozen, value))
    if kind is bool or isinstance(value, enum.Enum | DType | np.dtype):
        return (kind, value)
    if isinstance(value, np.generic) and not value.dtype.hasobject:
        return (value.dtype.str, value.tobytes())
    raise NotConstantError


_ATOMS = frozenset({int, str, bytes, type(None), type})


def bind(record: Operator, given: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The rule's keyword arguments; what is None or not given is left to its defaults.

    Raises:
        TypeError: an unknown or missing argument.
        ArgumentError: a value that is not accepted; ArgumentTypeError if its type never is.
    """
    bound: dict[str, Any] = {}
    lengths: dict[str, Any] = {}
    for name, value in given.items():
        argument = record.arguments.get(name)
        if argument is None:
            known = ", ".join(record.arguments)
            raise TypeError(f"{record.name}: unknown argument {name!r}; it takes {known}.")
        value = plain(value)
        if value is None:
            continue
        if name in record.ragged and isinstance(value, Data) and not value.spec.uniform:
            bound[name], lengths[name] = _padded_list(record, argument, value, count)
            continue
        bound[name] = _converted(record, argument, value, count)
    if lengths:
        bound["lengths"] = lengths
    for name, argument in record.arguments.items():
        if name not in bound and argument.default is inspect.Parameter.empty:
            raise TypeError(f"{record.name}: argument {name!r} is required.")
    return bound


def late_inputs(
    record: Operator, inputs: tuple[Any, ...], given: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The first input, and the later ones among the arguments that they stand for.

    Raises:
        TypeError: one of them is given by name.
    """
    for name in record.late_inputs:
        if name in given:
            raise TypeError(f"{record.name}: {name} is an input; give it by position.")
    late = zip(record.late_inputs, inputs[1:], strict=False)
    return inputs[:1], {**given, **dict(late)}


def _padded_list(record: Operator, argument: Argument, value: Data, count: int) -> tuple[Any, Any]:
    """Lists of several lengths: columns as for the longest, and the lengths.

    The rows of a matrix follow each other. Inside `jit`, one sample's list has any length too.
    """
    batched = isinstance(value, Batch)
    if batched:
        _check_size(record, argument, value, count)
    storage, spec = value.storage, value.spec
    if batched and value.ndim == 2 and argument.matrix and _same_width(storage):
        lengths = storage.extents((), count).prod(axis=1, dtype=np.int32)
        storage = Packed(storage.array, lengths[:, None])
        spec = spec.replace(shape=(lengths,))
        value = Batch._make(spec, storage)
    if spec.ndim != 1:
        expected = "lists, or rows of one length" if argument.matrix else "lists"
        raise ArgumentError(
            f"{record.name}: {argument.name} has samples of {spec.ndim} axes and different "
            f"shapes; expected {expected}."
        )
    slots = storage if isinstance(storage, Padded) else padded(value, storage)
    array, extent = slots.array, slots.extent
    if not batched:
        array, extent = array[None], extent[None]
    return from_table(_cast(record, argument, array)), extent[:, 0]


def _same_width(storage: Storage) -> bool:
    """Whether matrices one after another have rows of one length."""
    return isinstance(storage, Packed) and len(set(storage.extent[:, 1].tolist())) == 1


def _converted(record: Operator, argument: Argument, value: Any, count: int) -> Any:
    if argument.per_frame:
        return _frames(record, argument, value, count)
    return _value(record, argument, value, count)


def _frames(record: Operator, argument: Argument, value: Any, count: int) -> Frames:
    if not is_per_frame(value):
        return Frames(_value(record, argument, value, count))
    batched = isinstance(value, Batch)
    if batched:
        _check_size(record, argument, value, count)
    every, frames, lengths = all_frames(f"{record.name}: {argument.name}", value)
    columns = _value(record, argument, every, every.batch_size)
    by_frame = map_columns(columns, lambda c: c.reshape(-1, frames))
    return Frames(by_frame, frames, lengths, not batched and not value.storage.is_traced())


def _value(record: Operator, argument: Argument, value: Any, count: int) -> Any:
    if isinstance(value, Data | np.ndarray | jax.Array):
        if not argument.per_sample:
            if isinstance(value, np.ndarray) and argument.listed:
                return _constant(record, argument, value.tolist())
            raise TypeError(
                f"{record.name}: {argument.name} must be a constant, got {type(value).__name__}."
            )
        return _columns(record, argument, value, count)
    return _constant(record, argument, value)


def _check_size(record: Operator, argument: Argument, value: Batch, count: int) -> None:
    if value.batch_size != count:
        raise ArgumentError(
            f"{record.name}: {argument.name} has {value.batch_size} samples; the batch has {count}."
        )


def _columns(record: Operator, argument: Argument, value: Any, count: int) -> Any:
    """The columns of a tensor argument: one for a scalar argument, a tuple for a list."""
    batched = isinstance(value, Batch)
    if batched:
        _check_size(record, argument, value, count)
    if not isinstance(value, Data):
        array = value
    elif value.storage.is_traced():
        array = value.storage.array
    else:
        try:
            array = value._dense_host()
        except ArgumentError as error:
            raise ArgumentError(f"{record.name}: {argument.name}: {error}") from None
    array = _cast(record, argument, array)
    if not batched:
        if isinstance(array, Tracer):
            array = array[None]
            batched = True
        else:
            return _constant(record, argument, np.asarray(array).tolist())
    if argument.matrix and array.ndim == 3:
        return tuple(from_table(array[:, row]) for row in range(array.shape[1]))
    if argument.listed and array.ndim > 2:
        shape = tuple(array.shape[1:])
        raise ArgumentError(f"{record.name}: {argument.name} has shape {shape}; expected a list.")
    rows = array.reshape(array.shape[0], math.prod(array.shape[1:]))
    if argument.listed:
        return from_table(rows)
    if rows.shape[1] != 1:
        raise ArgumentError(
            f"{record.name}: {argument.name} must be one value for each sample, got shape "
            f"{tuple(array.shape[1:])}."
        )
    return rows[:, 0]


def _cast(record: Operator, argument: Argument, array: Any) -> Any:
    element = argument.element
    if element is float:
        return array.astype(np.float32)
    if element is int or (element is not None and issubclass(element, enum.Enum)):
        if array.dtype.kind == "f":
            xp = np if isinstance(array, np.ndarray) else jax.numpy
            array = xp.sign(array) * xp.floor(xp.abs(array) + 0.5)
        array = array.astype(np.int32)
        if element is not int and isinstance(array, np.ndarray):
            for value in set(array.reshape(-1).tolist()):
                _scalar(record, argument, element, value)
        return array
    if element is bool:
        return array != 0
    return array


def _constant(record: Operator, argument: Argument, value: Any) -> Any:
    element = argument.element
    if argument.listed:
        if not isinstance(value, Sequence | np.ndarray) or isinstance(value, str | bytes):
            return (_scalar(record, argument, element, value),)
        if any(map(_is_list, value)):
            return _constant_rows(record, argument, value)
        return tuple(_scalar(record, argument, element, v) for v in value)
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    return _scalar(record, argument, element, value)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _constant_rows(record: Operator, argument: Argument, value: Any) -> tuple[tuple, ...]:
    """A nested list, as rows of one length."""
    what = f"{record.name}: {argument.name}={value!r:.80}"
    if not argument.matrix:
        raise ArgumentError(f"{what} is nested; expected one list of numbers.")
    rows = [list(row) if _is_list(row) else [] for row in value]
    if len({len(row) for row in rows}) != 1 or not rows[0] or any(map(_is_list, rows[0])):
        raise ArgumentError(f"{what}; expected rows of one length.")
    element = argument.element
    return tuple(tuple(_scalar(record, argument, element, v) for v in row) for row in rows)


_ENUM_PREFIX = {DALIInterpType: "INTERP_", DALIImageType: ""}


def _scalar(record: Operator, argument: Argument, element: type | None, value: Any) -> Any:
    """One constant of the argument's type.

    Raises:
        ArgumentError: a value that is none of the type.
        ArgumentTypeError: a value of a type that never is.
    """
    failure = ArgumentError
    try:
        if element is DType:
            if value in (int, float):
                raise TypeError("names no one type")
            return numpy_dtype(value)
        if element is str:
            if isinstance(value, bytes):
                return value.decode()
            if isinstance(value, str):
                return value
            raise TypeError("no text")
        elif element in _ENUM_PREFIX:
            return _enum_value(element, value)
        elif element is float and argument.per_sample and not isinstance(value, str | bytes):
            # The original holds these in float32, which decides roundings such as crop anchors.
            if value is not None:
                with np.errstate(over="ignore"):
                    return float(np.float32(value))
        elif element in (int, float, bool):
            if not isinstance(value, str | bytes):
                # Python finds all objects true or false.
                return element(float(value) if element is bool else value)
        else:
            return value
    except TypeError:
        failure = ArgumentTypeError
    except (ValueError, KeyError, OverflowError):
        pass
    expected = _expected(element, argument.listed)
    raise failure(f"{record.name}: {argument.name}={value!r}; expected {expected}.")


_NUMBERS = {float: "a number", int: "a whole number"}


def _expected(element: type | None, listed: bool = False) -> str:
    if element in _NUMBERS:
        return f"{_NUMBERS[element]}{' or a list of them' if listed else ''}"
    if element is DType:
        return "an element type, such as dynjax.uint8 or 'float32'"
    if element in _ENUM_PREFIX:
        return f"one of {', '.join(m.name for m in element)}"
    return element.__name__ if element is not None else "another value"


def _enum_value(kind: Any, value: Any) -> Any:
    if isinstance(value, str):
        names = {m.name.removeprefix(_ENUM_PREFIX[kind]).lower(): m for m in kind}
        return names[value.removeprefix(_ENUM_PREFIX[kind]).lower()]
    try:
        return kind(int(value))
    except ValueError as error:
        raise KeyError(value) from error
