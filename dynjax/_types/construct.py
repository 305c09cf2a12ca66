"""`tensor`, `as_tensor`, `batch`, `as_batch`: values from the user's data."""

from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from . import host
from . import storage as forms
from .batch import Batch
from .columns import round_half_away
from .data import Data
from .device import Device
from .dtypes import ENUM_DTYPES, enum_name, numpy_dtype
from .errors import ArgumentError, ArgumentTypeError, RankError
from .nested import is_sequence, path_remedy, python_array
from .spec import Spec
from .storage import Dense
from .tensor import Tensor


def cast_rounded(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Converts as the operator `cast` does: to nearest, halves away from zero, then clamped."""
    if array.dtype == dtype:
        return array
    if dtype.kind == "b":
        return array != 0 if array.dtype.kind in "iub" else _rounded(array) != 0
    if dtype.kind not in "iu":
        with np.errstate(over="ignore"):
            return array.astype(dtype)
    info = np.iinfo(dtype)
    if array.dtype.kind in "iub":
        given = np.iinfo(array.dtype) if array.dtype.kind != "b" else np.iinfo(np.uint8)
        return np.clip(array, max(info.min, given.min), min(info.max, given.max)).astype(dtype)
    rounded = _rounded(array.astype(np.float64))
    # A float cannot hold 2**63 - 1 and its like: the limits are put in as integers.
    too_high, too_low = rounded >= float(info.max), rounded <= float(info.min)
    nan = np.isnan(rounded)
    result = np.where(too_high | too_low | nan, 0.0, rounded).astype(dtype).reshape(-1)
    too_high, too_low, nan = too_high.reshape(-1), too_low.reshape(-1), nan.reshape(-1)
    result[too_high] = info.max
    result[too_low] = info.min
    result[nan] = info.min if dtype.name in ("int32", "int64") else 0
    return result.reshape(array.shape)


def _rounded(array: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):  # an infinity has no fraction
        return np.asarray(round_half_away(array))


def _array(
    data: Any, dtype: np.dtype | None, copy: bool, what: str
) -> tuple[np.ndarray | jax.Array, bool]:
    """The array behind `data`, and whether its memory is the user's; `what` is for messages."""
    kind = type(data[0]) if isinstance(data, list | tuple) and data else type(data)
    if kind in ENUM_DTYPES and (dtype is None or enum_name(dtype) is not None):
        return np.asarray(data, numpy_dtype(ENUM_DTYPES[kind])), False
    if data is None:
        raise ArgumentTypeError(f"{what}: got None; expected an array, a number or a nested list.")
    if isinstance(data, str | bytes):
        remedy = " Use np.frombuffer(data, np.uint8)." if isinstance(data, bytes) else ""
        remedy = remedy or path_remedy(what)
        raise RuntimeError(
            f"{what}: cannot make a tensor of {data!r:.60}; expected numbers.{remedy}"
        )
    if isinstance(data, bool | int | float | list | tuple | range) and not isinstance(
        data, np.generic
    ):
        return python_array(data, dtype, what), False
    if isinstance(data, Tracer):
        return data if dtype is None else _traced_cast(data, dtype, what), False
    if isinstance(data, jax.Array):
        return data if dtype is None else _converted(np.asarray(data), dtype), False
    if isinstance(data, np.ndarray | np.generic) or hasattr(data, "__array__"):
        array = np.asarray(data)
    elif hasattr(data, "__dlpack__"):
        array = np.from_dlpack(data)
    elif hasattr(data, "__array_interface__"):
        array = np.asarray(data)
    elif is_sequence(data) or (dtype is not None and hasattr(data, "__float__")):
        return python_array(data, dtype, what), False
    else:
        raise TypeError(f"{what}: cannot make a tensor of {type(data).__name__}.")
    if array.dtype.kind in "cOSU":
        raise RuntimeError(f"{what}: elements of type {array.dtype} are not supported.")
    if array.dtype.kind in "Mm":
        raise ArgumentError(f"{what}: elements of type {array.dtype} are not supported.")
    converted = np.ascontiguousarray(_converted(array, dtype)).reshape(array.shape)
    if not converted.dtype.isnative:
        converted = converted.astype(converted.dtype.newbyteorder("="))
    borrowed = converted is array or np.shares_memory(converted, array)
    if borrowed and (copy or not array.flags.writeable):
        return converted.copy(), False
    return converted, borrowed


def _traced_cast(array: Any, dtype: np.dtype, what: str) -> Any:
    """An array inside `jit`, where only conversions that need no rounding are done here."""
    if array.dtype == dtype:
        return array
    if array.dtype.kind not in "iub" and dtype.kind in "iub":
        raise ArgumentError(
            f"{what}: inside jit dtype={dtype.name} of data that are {array.dtype.name} is not "
            "supported. Use dynjax.cast."
        )
    return array.astype(jax.dtypes.canonicalize_dtype(dtype))


def _converted(array: np.ndarray, dtype: np.dtype | None) -> np.ndarray:
    return array if dtype is None else cast_rounded(array, dtype)


def _checked_layout(layout: Any, ndim: int, what: str) -> str | None:
    if layout is None or layout == "":
        return None
    if not isinstance(layout, str):
        raise ArgumentError(f"{what}: layout must be a string, got {layout!r}.")
    if len(layout) != ndim:
        raise ArgumentError(
            f"{what}: layout {layout!r} has {len(layout)} letters; a sample has {ndim} axes."
        )
    return layout


def _tensor(data, dtype, device, layout, pad, copy: bool, what: str = "tensor") -> Tensor:
    stored = None if dtype is None else numpy_dtype(dtype)
    if isinstance(data, Batch):
        return _stacked(data, stored, device, layout, pad, what)
    if isinstance(data, Tensor):
        spec = data.spec
        layout = _checked_layout(layout, spec.ndim, what) or spec.layout
        if stored is not None and stored != spec.dtype:
            if data.storage.is_traced():
                array = _traced_cast(data.jax(), stored, what)
                return _tensor(array, None, device, layout, False, copy, what)
            source = cast_rounded(np.asarray(data.cpu()), stored)
            result = host.tensor(source, layout=layout)
        else:
            storage = forms.copied(data.storage) if copy else data.storage
            result = Tensor._make(
                spec.replace(layout=layout, dtype=stored or spec.dtype),
                *(storage, None, data.source, data.external),
            )
        return result if device is None else result.to_device(device)
    array, borrowed = _array(data, stored, copy, what)
    layout = _checked_layout(layout, array.ndim, what)
    where = Device.CPU
    if isinstance(array, jax.Array) and not isinstance(array, Tracer):
        where = Device.of(array)
    kind = stored if stored is not None else np.dtype(array.dtype)
    spec = Spec(1, tuple(array.shape), kind, layout, False, where)
    result = Tensor._make(spec, Dense(array, batched=False), external=borrowed)
    return result if device is None else result.to_device(device)


def _stacked(data: Batch, dtype, device, layout, pad, what: str) -> Tensor:
    if layout is None and (data.layout or data.ndim == 0):
        layout = "N" + (data.layout or "")
    if data.storage.is_traced():
        return _tensor(data.jax(pad=pad), dtype, device, layout, False, False, what)
    array = data._padded_host(None, 0) if pad else data._dense_host()
    layout = _checked_layout(layout, array.ndim, what)
    result = host.tensor(_converted(array, dtype), layout=layout)
    return result if device is None else result.to_device(device)


def tensor(
    data: Any, dtype: Any = None, device: Any = None, layout: str | None = None, pad: bool = False
) -> Tensor:
    """Makes a tensor by copying.

    Args:
        data: a number, a nested list or other sequence, an array, a buffer, a DLPack object, a
            Tensor, or a Batch (stacked). With `dtype` also what `float` takes, such as a Fraction.
        dtype: element type. Default: the array's own; in lists int32 and float32 instead of 64-bit
            types. An array is converted to nearest and clamped; elements of a list as NumPy
            converts them, fractions truncated.
        device: where to put it. Default: where the data are.
        layout: one letter for each axis. Default: that of the data, for a batch behind an `N`.
        pad: fill a ragged batch with zeros to its largest extents.

    Raises:
        ValueError: None, a ragged list or batch, a layout of another length.
        TypeError, RuntimeError: not convertible.

    Example:
        >>> dynjax.tensor([1, 2]).dtype
        DType(kind=Kind.signed, bits=32)
    """
    return _tensor(data, dtype, device, layout, pad, copy=True)


def as_tensor(
    data: Any, dtype: Any = None, device: Any = None, layout: str | None = None, pad: bool = False
) -> Tensor:
    """As `tensor`, but shares the memory of a writeable host array where possible.

    The array must not change while results that depend on it are in use.
    """
    return _tensor(data, dtype, device, layout, pad, copy=False, what="as_tensor")


def _sample_array(item: Any, dtype: np.dtype | None, what: str) -> np.ndarray:
    if isinstance(item, Batch) or item is None:
        raise TypeError(f"{what}: a sample cannot be {type(item).__name__}.")
    if isinstance(item, Tensor):
        return _converted(np.asarray(item.cpu()), dtype)
    return np.asarray(_array(item, dtype, False, what)[0])


def _batch(data, dtype, device, layout, copy: bool, what: str) -> Batch:
    stored = None if dtype is None else numpy_dtype(dtype)
    if data is None:
        raise ArgumentTypeError(f"{what}: got None; expected samples.")
    if isinstance(data, Batch):
        result = _rebatched(data, stored, layout, copy, what)
    elif isinstance(data, Tensor) or hasattr(data, "__array__") or hasattr(data, "__dlpack__"):
        result = _split(data, stored, layout, copy, what)
    elif not isinstance(data, str | bytes | dict) and (
        isinstance(data, Iterable) or is_sequence(data)
    ):
        result = _gathered(list(data), stored, layout, what)
    else:
        raise TypeError(f"{what}: expected a list of samples or an array, got {data!r:.60}.")
    return result if device is None else result.to_device(device)


def _rebatched(data: Batch, dtype, layout, copy: bool, what: str) -> Batch:
    spec = data.spec
    layout = spec.layout if layout is None else _checked_layout(layout, spec.ndim, what)
    if dtype is not None and dtype != spec.dtype:
        return _gathered(list(data), dtype, layout or "", what)
    if not copy and layout == spec.layout:
        return data
    storage = forms.copied(data.storage) if copy else data.storage
    return Batch._make(spec.replace(layout=layout), storage, source=data.source)


def _split(data, dtype, layout, copy: bool, what: str) -> Batch:
    whole = _tensor(data, dtype, None, None, False, copy, what)
    spec = whole.spec
    if spec.ndim == 0:
        raise ArgumentError(f"{what}: a scalar has no axis that could count samples.")
    if layout is None and spec.layout is not None:
        layout = spec.layout[1:]
    layout = _checked_layout(layout, spec.ndim - 1, what)
    array = (
        whole._dense_host()
        if whole.storage.on_host and not whole.storage.is_traced()
        else (whole.storage.array)
    )
    split = Spec(array.shape[0], tuple(array.shape[1:]), spec.dtype, layout, True, spec.device)
    return Batch._make(split, Dense(array), external=whole.external)


def _gathered(items: list, dtype, layout, what: str) -> Batch:
    if not items:
        if dtype is None:
            raise ArgumentError(f"{what}: no samples; pass dtype= to make an empty batch.")
        return host.dense_batch(np.empty((0,), dtype), layout=None)
    if layout is None and isinstance(items[0], Tensor):
        layout = items[0].layout
    if any(map(_is_traced, items)):
        return _gathered_traced(items, dtype, layout, what)
    first = _sample_array(items[0], dtype, what)
    arrays = [first, *(_sample_array(item, first.dtype, what) for item in items[1:])]
    for i, array in enumerate(arrays):
        if array.ndim != first.ndim:
            raise RankError(
                f"{what}: sample {i} has {array.ndim} axes, sample 0 has {first.ndim}; "
                "all samples of a batch must have the same number."
            )
    layout = _checked_layout(layout, first.ndim, what)
    if all(a.shape == first.shape for a in arrays):
        result = host.dense_batch(np.stack(arrays), layout=layout)
    else:
        result = host.packed_batch(*host.rows(arrays), layout=layout)
    # NumPy forgets the note on the dtype of an enumeration.
    return Batch._make(result.spec.replace(dtype=_element(items[0], dtype, first)), result.storage)


def _is_traced(item: Any) -> bool:
    return item.storage.is_traced() if isinstance(item, Data) else isinstance(item, Tracer)


def _gathered_traced(items: list, dtype, layout, what: str) -> Batch:
    """A batch of samples of one shape inside `jit`."""
    tensors = [_tensor(item, dtype, None, None, False, False, what) for item in items]
    shapes = [t.spec.shape if t.spec.uniform else None for t in tensors]
    if None in shapes or len(set(shapes)) > 1:
        raise ArgumentError(
            f"{what}: inside jit all samples must have one static shape. Crop, pad or resize them "
            "first, or make the batch outside."
        )
    arrays = [jnp.asarray(t.storage.array) for t in tensors]
    stacked = jnp.stack([a.astype(arrays[0].dtype) for a in arrays])
    return _split(stacked, None, layout, False, what)


def _element(item: Any, dtype: np.dtype | None, array: np.ndarray) -> np.dtype:
    """The dtype of a batch whose first sample this is."""
    if dtype is not None:
        return dtype
    return item.spec.dtype if isinstance(item, Tensor) else array.dtype


def repeated(sample: Any, batch_size: int, device: Any, dtype: Any) -> Batch:
    """See `Batch.broadcast`."""
    if isinstance(sample, Batch):
        raise ArgumentError("Batch.broadcast: the sample is a Batch; expected one sample.")
    if not isinstance(batch_size, int | np.integer) or isinstance(batch_size, bool):
        raise TypeError(f"Batch.broadcast: batch_size={batch_size!r}; expected an int.")
    if batch_size < 0:
        raise ArgumentError(f"Batch.broadcast: batch_size={batch_size}; expected 0 or more.")
    one = as_tensor(sample, dtype=dtype)
    if one.storage.is_traced():
        xp, array = jnp, one.storage.array
    else:
        xp, array = np, one.cpu()._dense_host()
    many = xp.repeat(array[None], batch_size, axis=0)
    spec = one.spec.replace(count=batch_size, batched=True, device=Device.CPU)
    result = Batch._make(spec, Dense(many))
    target = one.device if device is None else device
    return result if one.storage.is_traced() else result.to_device(target)


def batch(tensors: Any, dtype: Any = None, device: Any = None, layout: str | None = None) -> Batch:
    """Makes a batch by copying.

    Args:
        tensors: a list of samples (shapes may differ, ranks not), an array or Tensor whose first
            axis counts samples, or a Batch.
        dtype: element type. Default: that of the first sample.
        device: where to put it.
        layout: one letter for each axis of a sample. Default: that of the first sample or of the
            data; an empty one removes it.

    Raises:
        ValueError: nothing to make a batch of, or a layout of another length.
        TypeError: samples of different rank.

    Example:
        >>> dynjax.batch([[1, 2], [3, 4]]).batch_size
        2
    """
    return _batch(tensors, dtype, device, layout, copy=True, what="batch")


def as_batch(
    tensors: Any, dtype: Any = None, device: Any = None, layout: str | None = None
) -> Batch:
    """As `batch`, but shares memory where possible: an array's, not a list's."""
    return _batch(tensors, dtype, device, layout, copy=False, what="as_batch")


def as_data(value: Any, what: str = "tensor") -> Data:
    """An operator's input as a Tensor or Batch: those themselves, anything else as a Tensor.

    `what` names the operator in messages.
    """
    if isinstance(value, Data):
        return value
    return _tensor(value, None, None, None, False, copy=False, what=what)
