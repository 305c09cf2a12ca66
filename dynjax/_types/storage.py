"""The forms in which samples are stored. Only this module tells them apart.

* `Dense`: one array `[N, *shape]` (or `[*shape]` for a single sample).
* `Packed`: one flat buffer, sample after sample, and the table of their extents. Its size is the
  sum of the samples, not N times the largest.
* `Padded`: `[N, *bucket]` and extents: the form that crosses `jax.jit`.
* `Undecoded`: inside `jit`, files whose pictures have no static size yet.
"""

import atexit
import functools
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, final

import jax
import numpy as np
from jax.core import Tracer

from . import recycling
from .columns import Shape
from .device import JaxDevice, jax_devices

ArrayLike = Any  # np.ndarray, jax.Array, or what a pytree transformation puts in their place

# Handing a host array to a program costs more than most small results; a larger one would be held
# twice.
_MAX_MOVED = 1 << 16


def _host(array: ArrayLike) -> np.ndarray:
    """A NumPy view (CPU) or copy (elsewhere) of an array; waits for its value."""
    return array if isinstance(array, np.ndarray) else np.asarray(array)


def _address(array: ArrayLike) -> int:
    """Where a contiguous array lies in host memory; waits for its value."""
    if isinstance(array, np.ndarray):
        return array.__array_interface__["data"][0]
    array.block_until_ready()
    return array.unsafe_buffer_pointer()


@functools.lru_cache(maxsize=256)
def _steps(count: int, step: int) -> np.ndarray:
    """Offsets of equally spaced samples."""
    return np.arange(count, dtype=np.int64) * step


def _on_host(array: ArrayLike) -> bool:
    if isinstance(array, np.ndarray):
        return True
    return not isinstance(array, Tracer) and next(iter(array.devices())).platform == "cpu"


class Storage:
    """Samples in one of the forms. Immutable once made.

    Attributes:
        array: the data; a NumPy array or a JAX array.
        recyclable: the array is an XLA result that only this object holds on the library's side.
        borrowed: the array is memory that the user may change.
    """

    __slots__ = ("__weakref__", "_moved", "array", "borrowed", "recyclable")
    # None while the interpreter shuts down, when nothing can be relied on.
    _offer: ClassVar[Callable[[list], None] | None] = recycling.offer

    def __init__(self, array: ArrayLike, recyclable: bool = False):
        self.array: Any = array
        self.recyclable = recyclable
        self.borrowed = False
        self._moved: jax.Array | None = None

    def __del__(self):
        # A user's view keeps a reference to the array, and `offer` then lets it go. An object whose
        # making was interrupted has no attributes.
        if getattr(self, "recyclable", False) and (offer := type(self)._offer) is not None:
            holder = [self.array]
            self.array = None
            offer(holder)

    @property
    def nbytes(self) -> int:
        """Size of the data in memory, padding and spare capacity included."""
        return self.array.nbytes

    @property
    def on_host(self) -> bool:
        """Whether host code can read the data in place."""
        return _on_host(self.array)

    def operand(self) -> ArrayLike:
        """The array as a program on the CPU takes it: a small host array is moved once for all."""
        array = self.array
        if type(array) is not np.ndarray or self.borrowed or array.nbytes > _MAX_MOVED:
            return array
        if self._moved is None:
            self._moved = jax.device_put(array, jax_devices("cpu")[0])
        return self._moved

    def is_traced(self) -> bool:
        """Whether the data are known only while a compiled program runs."""
        return isinstance(self.array, Tracer)

    def extents(self, shape: Shape, count: int) -> Any:
        """True sizes, int32 `[N, rank]`."""
        raise NotImplementedError

    def addresses(self, count: int) -> np.ndarray:
        """Where each sample lies in host memory, int64 `[N]`."""
        raise NotImplementedError

    def sample(self, i: int) -> np.ndarray:
        """Sample `i` on the host: a view where the data already lie there."""
        raise NotImplementedError


@atexit.register
def _stop_recycling() -> None:
    Storage._offer = None


@final
class Dense(Storage):
    """All samples of one shape. `batched` says whether the first axis counts samples."""

    __slots__ = ("batched",)

    def __init__(self, array: ArrayLike, batched: bool = True, recyclable: bool = False):
        super().__init__(array, recyclable)
        self.batched = batched

    def extents(self, shape: Shape, count: int) -> np.ndarray:
        return np.broadcast_to(np.asarray(shape, np.int32), (count, len(shape)))

    def addresses(self, count: int) -> np.ndarray:
        # A single sample beside a batch serves every sample of it.
        step = self.array.nbytes // count if self.batched and count else 0
        return _steps(count, step) + _address(self.array)

    def sample(self, i: int) -> np.ndarray:
        return _host(self.array)[i] if self.batched else _host(self.array)


@final
class Packed(Storage):
    """A flat buffer with samples one after another, and their extents int32 `[N, rank]`.

    The buffer may be longer than the samples: its capacity grows in few steps, so that few
    programs are compiled for it.
    """

    __slots__ = ("_offsets", "extent")

    def __init__(self, buffer: ArrayLike, extent: np.ndarray, recyclable: bool = False):
        super().__init__(buffer, recyclable)
        self.extent = extent
        self._offsets = None

    @property
    def offsets(self) -> np.ndarray:
        """First element of each sample and, last, the end of the data: int64 `[N + 1]`."""
        if self._offsets is None:
            offsets = np.zeros(len(self.extent) + 1, np.int64)
            np.cumsum(self.extent.prod(axis=1, dtype=np.int64), out=offsets[1:])
            self._offsets = offsets
        return self._offsets

    def extents(self, shape: Shape, count: int) -> np.ndarray:
        return self.extent

    def addresses(self, count: int) -> np.ndarray:
        return self.offsets[:-1] * self.array.dtype.itemsize + _address(self.array)

    def sample(self, i: int) -> np.ndarray:
        flat = _host(self.array)[self.offsets[i] : self.offsets[i + 1]]
        return flat.reshape(self.extent[i])


@final
class Padded(Storage):
    """Slots of one size `[N, *bucket]` with extents `[N, rank]`; zeros outside the extents.

    For a single sample the leading axis is absent from both.
    """

    __slots__ = ("batched", "extent")

    def __init__(self, array: ArrayLike, extent: ArrayLike, batched: bool = True):
        super().__init__(array)
        self.extent = extent
        self.batched = batched

    def extents(self, shape: Shape, count: int) -> Any:
        return self.extent if self.batched else self.extent[None]

    def addresses(self, count: int) -> np.ndarray:
        raise NotImplementedError("padded samples have gaps; see without_gaps")

    def sample(self, i: int) -> np.ndarray:
        slot = _host(self.array)[i] if self.batched else _host(self.array)
        extent = _host(self.extent)[i] if self.batched else _host(self.extent)
        return slot[tuple(slice(0, int(n)) for n in extent)]


@final
class Undecoded(Storage):
    """Files inside `jit` as they lie in `array`, `[N, bytes]`, and what is to become of them.

    Their pictures have no static size, and so no slots, until a step gives them one. Then all steps
    are computed at once. Only what adds a step may ask for this storage.

    Attributes:
        extent: the lengths of the files, `[N, 1]`.
        steps: outputs (`Apply`), the first of which decodes.
        decoder: the operator that this one is of, for messages.
    """

    __slots__ = ("decoder", "extent", "steps")

    def __init__(self, array: ArrayLike, extent: ArrayLike, steps: tuple[Any, ...], decoder: str):
        super().__init__(array)
        self.extent = extent
        self.steps = steps
        self.decoder = decoder

    def is_traced(self) -> bool:
        return True  # its steps are, even where the files are known


@final
class Scattered(Storage):
    """Host arrays wherever they lie: an input of one native call, never the storage of a batch."""

    __slots__ = ("_arrays", "extent")

    def __init__(self, arrays: Sequence[np.ndarray]):
        super().__init__(None)
        self._arrays = arrays
        self.extent = np.array([a.shape for a in arrays], np.int32)

    def extents(self, shape: Shape, count: int) -> np.ndarray:
        return self.extent

    def addresses(self, count: int) -> np.ndarray:
        return np.array([_address(a) for a in self._arrays], np.int64)

    def sample(self, i: int) -> np.ndarray:
        return self._arrays[i]


def capacity(elements: int) -> int:
    """The capacity in which a packed buffer of `elements` is allocated.

    Powers of two: a buffer's untouched tail takes address space but no memory, so coarse steps
    cost nothing and keep the number of compiled programs small.
    """
    return 1 << max(elements - 1, 63).bit_length()


def in_common_capacity(storages: Sequence[Storage]) -> Sequence[Storage]:
    """The same host samples; flat buffers of the same number of elements are equally long."""
    lengths = {len(s.array) for s in storages if type(s) is Packed}
    if len(lengths) == 1 and all(n & (n - 1) == 0 for n in lengths):
        return storages
    return [_in_capacity(s) if type(s) is Packed else s for s in storages]


def _in_capacity(storage: Packed) -> Packed:
    """What NumPy made or selected is exactly as long as its elements: a program for each size."""
    total = int(storage.offsets[-1])
    length = capacity(total)
    if len(storage.array) == length:
        return storage
    buffer = np.zeros(length, storage.array.dtype)
    buffer[:total] = _host(storage.array)[:total]
    return Packed(buffer, storage.extent)


def bucket(extent: int) -> int:
    """The slot size in which an axis of length `extent` is padded: about 20% steps.

    Two significant binary digits and a half: 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, ...
    """
    if extent <= 8:
        return max(extent, 1)
    step = 1 << (extent - 1).bit_length() - 3
    return -(-extent // step) * step


def without_gaps(storage: Storage) -> Storage:
    """The same host samples in a form in which each of them is contiguous."""
    if not isinstance(storage, Padded):
        return storage
    extent = np.asarray(storage.extents((), 0), np.int32)
    samples = [storage.sample(i).reshape(-1) for i in range(len(extent))]
    return Packed(np.concatenate(samples) if samples else storage.array.reshape(-1), extent)


def elements(storage: Storage) -> np.ndarray:
    """The values of host samples: `[N, ...]` or flat, without spare capacity and padding."""
    if isinstance(storage, Padded):
        storage = without_gaps(storage)
    array = _host(storage.array)
    return array[: storage.offsets[-1]] if isinstance(storage, Packed) else array


def to_host(storage: Storage) -> Storage:
    """The same samples in host memory."""
    if storage.on_host:
        return storage
    return with_array(storage, np.asarray(storage.array))


def to_device(storage: Storage, target: JaxDevice) -> Storage:
    """The same samples as a JAX array on `target`; the transfer is not waited for."""
    array = storage.array
    if isinstance(array, jax.Array) and array.devices() == {target}:
        return storage
    if isinstance(storage, Packed) and storage.on_host:
        # The unused tail is not worth a transfer; still only few sizes, so few programs.
        array = _host(array)[: bucket(int(storage.offsets[-1]))]
    with jax.enable_x64(True):  # otherwise a transfer would narrow 64-bit elements
        return with_array(storage, jax.device_put(array, target))


def with_array(storage: Storage, array: ArrayLike) -> Storage:
    """The same form with other data."""
    if isinstance(storage, Dense):
        return Dense(array, storage.batched)
    if isinstance(storage, Padded):
        return Padded(array, storage.extent, storage.batched)
    assert isinstance(storage, Packed)
    return Packed(array, storage.extent)


def copied(storage: Storage) -> Storage:
    """The same samples in memory of their own."""
    return with_array(storage, storage.array.copy())
