"""`Batch`: many samples of equal rank and dtype; their shapes may differ."""

import builtins
from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any, overload

import jax
import jax.numpy as jnp
import numpy as np

from . import expressions
from . import storage as forms
from .columns import is_constant, is_traced
from .data import Data, ragged_error
from .errors import ArgumentError
from .printing import describe, describe_traced
from .spec import Spec
from .storage import Dense, Packed, Padded, Storage
from .tensor import Tensor
from .torch_bridge import to_torch


@jax.tree_util.register_pytree_node_class
class Batch(Data):
    """Samples of equal rank and dtype, with one layout; ragged shapes are allowed.

    Made by `batch`, `as_batch`, readers and operators; not called by users. A pytree: one array
    `[N, *shape]`, or for ragged samples the padded array and the extents `[N, rank]`. `jax.vmap`
    over it maps over the samples: the function sees a Tensor, and gives the samples of a batch.

    Example:
        >>> b = dynjax.batch([np.ones((2, 3)), np.ones((4, 3))])
        >>> b.shape
        [(2, 3), (4, 3)]
    """

    __slots__ = ()
    # `array - batch` asks the batch, as `batch - array` does. NumPy would take the samples for a
    # first axis, which its own would have to match. Its functions still see an array.
    __array_priority__ = 1000

    @property
    def batch_size(self) -> int:
        """Number of samples."""
        return self.spec.count

    @property
    def shape(self) -> list[tuple[int, ...]]:
        """The shape of each sample. Inside `jit`, extents that are data are JAX scalars."""
        spec = self.spec
        if spec.uniform:
            return [tuple(spec.shape)] * spec.count  # type: ignore[list-item]
        if is_traced(*spec.shape):
            return [spec.sample_shape(i) for i in range(spec.count)]
        columns = [[c] * spec.count if is_constant(c) else c.tolist() for c in spec.shape]
        return list(zip(*columns, strict=True))

    @property
    def tensors(self) -> "SampleList":
        """The samples as an indexable sequence of Tensors."""
        return SampleList(self, range(self.batch_size))

    @property
    def slice(self) -> "Slicer":
        """Indexing inside each sample: `batch.slice[1:, 0]`.

        An index or bound is an int, a scalar Tensor, or a Batch of one integer for each sample.
        """
        return Slicer(self)

    @property
    def valid(self) -> np.ndarray:
        """Bool `[N]`: which samples count; the others only fill the batch up."""
        source = self.source
        valid = None if source is None else source.valid
        return np.ones(self.batch_size, bool) if valid is None else valid.copy()

    @staticmethod
    def broadcast(sample: Any, batch_size: int, device: Any = None, dtype: Any = None) -> "Batch":
        """A batch that holds one sample `batch_size` times.

        Raises:
            ValueError: the sample is a Batch.
        """
        from .construct import repeated

        return repeated(sample, batch_size, device, dtype)

    @overload
    def select(self, sample_range: int | np.integer) -> Tensor: ...
    @overload
    def select(self, sample_range: builtins.slice | list[int] | EllipsisType) -> "Batch": ...
    def select(self, sample_range: Any) -> Any:
        """Picks samples.

        Args:
            sample_range: an int gives a Tensor; a slice or a list of ints a Batch; `...` the batch
                itself.

        Raises:
            IndexError: no such sample.
            TypeError: another kind of index.
        """
        if sample_range is Ellipsis:
            return self
        if isinstance(sample_range, int | np.integer) and not isinstance(sample_range, bool):
            return self._tensor(self._checked(int(sample_range)))
        if isinstance(sample_range, builtins.slice):
            return self._subset(range(self.batch_size)[sample_range])
        if isinstance(sample_range, list) and not any(
            isinstance(i, bool | np.bool_) for i in sample_range
        ):
            return self._subset([self._checked(int(i)) for i in sample_range])
        raise TypeError(
            f"Batch.select: {sample_range!r} picks no samples; expected an int, a slice or a list "
            "of ints. For a mask, pass np.flatnonzero(mask).tolist()."
        )

    def _checked(self, i: int) -> int:
        n = self.batch_size
        if not -n <= i < n:
            raise IndexError(f"Batch.select: sample {i} of a batch of {n}.")
        return i % n

    def _tensor(self, i: int) -> Tensor:
        storage, spec = self.storage, self.spec
        shape = tuple(int(c) if is_constant(c) else c[i : i + 1] for c in spec.shape)
        if isinstance(storage, Dense):
            # On the host a NumPy view; taking a row of a JAX array would compile a program.
            array = (
                storage.array
                if not storage.on_host or storage.is_traced()
                else (np.asarray(storage.array))
            )
            # A scalar taken from an array is no array; the ellipsis keeps it one.
            one: Storage = Dense(array[i, ...], batched=False)
        elif isinstance(storage, Padded) and not _is_host(storage):
            one = Padded(storage.array[i], storage.extent[i], batched=False)
        else:
            one = Dense(storage.sample(i), batched=False)
            shape = spec.sample_shape(i)
        one_spec = Spec(1, shape, spec.dtype, spec.layout, False, spec.device)
        source = self.source
        source = source[i : i + 1] if source is not None else None
        return Tensor._make(one_spec, one, source=source, external=self._external)

    def _subset(self, indices: Sequence[int]) -> "Batch":
        storage, spec = self.storage, self.spec
        picked = np.asarray(list(indices), np.int64)
        shape = tuple(c if is_constant(c) else c[picked] for c in spec.shape)
        if isinstance(storage, Packed):
            samples = [storage.sample(int(i)).reshape(-1) for i in picked]
            flat = np.concatenate(samples) if samples else np.empty(0, spec.dtype)
            subset: Storage = Packed(flat, storage.extent[picked])
        elif isinstance(storage, Padded):
            array = np.asarray(storage.array) if _is_host(storage) else storage.array
            subset = Padded(array[picked], storage.extent[picked])
        else:
            subset = Dense(
                np.asarray(storage.array)[picked] if _is_host(storage) else storage.array[picked]
            )
        new = Spec(len(picked), shape, spec.dtype, spec.layout, True, spec.device)
        source = self.source
        source = source[picked] if source is not None else None
        return Batch._make(new, subset, source=source)

    def __iter__(self) -> Iterator[Tensor]:
        for i in range(self.batch_size):
            yield self._tensor(i)

    def __getitem__(self, index):
        raise TypeError(
            f"Batch: batch[{index!r}] is ambiguous. Use batch.select(...) to pick samples, or "
            "batch.slice[...] to index inside each sample."
        )

    # Conversions ---------------------------------------------------------------------------

    def _padded_host(self, pad_to: Sequence[int] | None, fill) -> np.ndarray:
        """All samples in slots of the largest shape or of `pad_to`, `fill` outside them."""
        spec, storage = self.spec, forms.to_host(self.storage)
        extent = np.asarray(storage.extents(spec.shape, spec.count))
        slot = tuple(int(n) for n in extent.max(axis=0, initial=0))
        if pad_to is not None:
            if len(pad_to) != spec.ndim:
                raise ArgumentError(
                    f"Batch: pad_to={tuple(pad_to)} has {len(pad_to)} axes; samples have "
                    f"{spec.ndim}."
                )
            too_large = np.argwhere(extent > np.asarray(pad_to))
            if len(too_large):
                i, axis = map(int, too_large[0])
                raise ArgumentError(
                    f"Batch: sample {i} has shape {spec.sample_shape(i)} and does not fit "
                    f"pad_to={tuple(pad_to)} ({extent[i, axis]} > {pad_to[axis]})."
                )
            slot = tuple(pad_to)
        out = np.full((spec.count, *slot), fill, spec.dtype)
        for i in range(spec.count):
            sample = storage.sample(i)
            out[(i, *map(builtins.slice, sample.shape))] = sample
        return out

    def _padded_traced(self, pad_to: Sequence[int] | None, fill) -> jax.Array:
        """As `_padded_host`, inside `jit`."""
        array = self._slots(fill)
        if pad_to is None:
            return array
        slot = array.shape[1:]
        if len(pad_to) != len(slot) or any(n < s for n, s in zip(pad_to, slot, strict=True)):
            raise ArgumentError(
                f"Batch: pad_to={tuple(pad_to)} does not hold slots of {slot}; inside jit no "
                "sample is known to be smaller. Pad to at least that, or outside jit."
            )
        grown = [(0, 0), *((0, n - s) for n, s in zip(pad_to, slot, strict=True))]
        return jnp.pad(array, grown, constant_values=fill)

    def torch(self, copy: bool | None = None, pad: bool = False) -> Any:
        """A torch tensor `[N, ...]`.

        Args:
            copy: True copies; False raises ValueError where sharing memory is impossible; None
                shares where possible.
            pad: fill ragged samples with zeros at the end of each axis, to the largest extent.

        Raises:
            ValueError: ragged samples without `pad`, or `copy=False` where a copy is needed.
            ImportError: torch is not installed.
        """
        self._refuse_traced("torch()")
        ragged = pad and len(set(self.shape)) > 1
        if ragged and copy is False:
            raise ArgumentError("Batch.torch: ragged samples cannot be padded without a copy.")
        if not self.storage.on_host:
            return to_torch(self.jax(pad=ragged), copy=bool(copy))
        array = self._padded_host(None, 0) if ragged else self._dense_host()
        return to_torch(array, copy=bool(copy) and not ragged)

    def jax(
        self, pad: bool = False, pad_to: Sequence[int] | None = None, fill: Any = 0
    ) -> jax.Array:
        """A JAX array `[N, ...]` in JAX's current 32- or 64-bit mode.

        Args:
            pad: fill ragged samples at the end of each axis, to the largest extent; inside `jit`,
                where that is not known, to the slot's.
            pad_to: the shape to which every sample is filled; implies `pad`.
            fill: the value written outside the samples.

        Raises:
            ValueError: ragged samples without padding, or one larger than `pad_to`.
        """
        if not pad and pad_to is None:
            return self._jax(self._dense_host)
        if self.storage.is_traced():
            return self._padded_traced(pad_to, fill)
        return jax.device_put(self._padded_host(pad_to, fill), self.device.jax_device)

    @property
    def lengths(self) -> Any:
        """The first extent of each sample, int32 `[N]`; inside `jit` a JAX array."""
        storage, spec = self.storage, self.spec
        if spec.ndim == 0:
            raise ArgumentError("Batch.lengths: the samples are scalars and have no axis.")
        extents = storage.extents(spec.shape, spec.count)
        return extents[:, 0] if is_traced(extents) else np.asarray(extents)[:, 0].copy()

    def mask(self, length: int | None = None) -> Any:
        """Bool `[N, length]`: which rows of the padded array belong to a sample.

        Args:
            length: rows of the padded array. Default: as many as `jax(pad=True)` has: the largest
                extent, or inside `jit` those of the slot.
        """
        if length is not None and length < 0:
            raise ArgumentError(f"Batch.mask: length={length}; expected 0 or more.")
        lengths = self.lengths
        if is_traced(lengths):
            rows = self.storage.array.shape[1] if length is None else length
            return jnp.arange(rows)[None, :] < lengths[:, None]
        rows = int(lengths.max(initial=0)) if length is None else length
        return np.arange(rows)[None, :] < lengths[:, None]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        self._refuse_traced("conversion to NumPy")
        if not self.spec.uniform and len(set(self.shape)) > 1:
            raise ragged_error("Batch", self.spec)
        array = self._dense_host()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        if copy:
            return array.copy()
        array = array.view()
        array.flags.writeable = False
        return array

    def __repr__(self) -> str:
        if self.storage.is_traced():
            return describe_traced(self)
        return describe(self, [t.storage.sample(0) for t in self])

    __str__ = __repr__

    def tree_flatten(self):
        return self._leaves()

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls._from_leaves(aux, leaves)


Data._kinds[True] = Batch


def _is_host(storage: Storage) -> bool:
    return not storage.is_traced() and storage.on_host


class Slicer:
    """What `batch.slice` gives: to be indexed."""

    __slots__ = ("_batch",)

    def __init__(self, batch: Batch):
        self._batch = batch

    def __getitem__(self, key: Any) -> Batch:
        return expressions.indexed(self._batch, key)


class SampleList(Sequence):
    """The samples of a batch, or some of them, as a sequence of Tensors."""

    __slots__ = ("_batch", "_indices")

    def __init__(self, batch: Batch, indices: Sequence[int]):
        self._batch = batch
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    def __getitem__(self, which) -> Any:
        if isinstance(which, builtins.slice):
            return SampleList(self._batch, self._indices[which])
        if isinstance(which, list):
            return SampleList(self._batch, [self._indices[i] for i in which])
        return self._batch.select(self._indices[which])

    def select(self, which) -> Any:
        """As `Batch.select`, within these samples; batches become sequences."""
        return self if which is Ellipsis else self[which]

    def tolist(self) -> list[Tensor]:
        """A list of Tensors."""
        return list(self)

    def as_batch(self, copy: bool = False) -> Batch:
        """These samples as a Batch."""
        del copy  # a selection is always a batch of its own
        return self._batch.select(list(self._indices))
