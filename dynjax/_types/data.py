"""`Data`: what `Tensor` and `Batch` share: a description and a value that may still be pending."""

from collections.abc import Callable
from typing import Any, ClassVar, Self, final

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from . import storage as forms
from .columns import Shape, is_constant
from .device import Device
from .device import device as to_device_object
from .dtypes import DType, is_wide, public_dtype
from .errors import ArgumentError
from .expressions import Expressions
from .html import rich
from .pending import Pending
from .spec import Spec
from .storage import Dense, Packed, Padded, Storage, Undecoded

# The padded form of a ragged batch costs N times its largest sample. Beyond this it is refused at
# the border of `jit`, where it would be made without the user asking for it.
MAX_PADDED_BYTES = 4 << 30


@final
class LateSource:
    """The source of a result that is computed ahead, known once that was done."""

    __slots__ = ("ask",)

    def __init__(self, ask: Callable[[], Any]):
        self.ask = ask


@final
class _Leaves(Storage):
    """What a transformation put in the place of arrays (None, a device), given back as it is."""

    __slots__ = ("aux", "leaves")

    def __init__(self, leaves: tuple, aux: tuple):
        super().__init__(None)
        self.leaves = leaves
        self.aux = aux


class Data(Expressions):
    """One or many samples of equal rank and dtype. Abstract: see `Tensor` and `Batch`."""

    __slots__ = ("__weakref__", "_external", "_pending", "_source", "_spec", "_storage")
    __hash__ = None  # type: ignore[assignment]

    _kinds: ClassVar[dict[bool, type["Data"]]] = {}  # Tensor at False, Batch at True
    _spec: Spec | None
    _storage: Storage | None
    _pending: Pending | None

    @classmethod
    def _make(cls, spec, storage, pending=None, source=None, external=False):
        """Wraps a value that exists (`storage`) or is being computed (`pending`)."""
        self = object.__new__(cls)
        self._spec = spec
        self._storage = storage
        self._pending = pending
        self._source = source
        self._external = external
        if external:
            storage.borrowed = True
        return self

    @property
    def spec(self) -> Spec:
        """The description; raises the failure of a computation that never got that far."""
        if self._spec is None:
            if self._pending is None:
                raise TypeError(
                    f"{type(self).__name__}: its arrays have other axes than samples of this kind: "
                    "they were stacked, or changed by jax.tree.map. Map over them with jax.vmap "
                    "or jax.lax.scan."
                )
            spec: Spec = self._pending.spec()
            self._spec = spec
            return spec
        return self._spec

    @property
    def has_spec(self) -> bool:
        """Whether there is a description; what failed early has none."""
        if self._spec is None:
            try:
                _ = self.spec
            except Exception:
                return False
        return True

    @property
    def storage(self) -> Storage:
        """The samples; waits for them, or raises why there are none."""
        if self._storage is None:
            assert self._pending is not None
            self._storage = self._pending.result()
            if self._spec is None:
                self._spec = self._pending.spec()
            self._pending = None
        kind = type(self._storage)
        if kind is Padded:
            self.settle()
        elif kind is Undecoded:
            raise ArgumentError(
                f"{type(self).__name__}: inside jit the size of the pictures is not known. Resize "
                "or crop them to a constant size next. Pass bound=(height, width) to "
                "decoders.image for anything else, or decode before and pass the pictures in."
            )
        return self._storage  # type: ignore[return-value]

    def settle(self) -> None:
        """Brings the extents of what left `jit` to the host, where shapes are worked out.

        It waits for them, so it is put off until somebody wants more than to pass the value on.
        """
        storage = self._storage
        if type(storage) is not Padded or type(storage.extent) is np.ndarray:
            return
        if isinstance(storage.extent, Tracer):
            return
        extent = np.asarray(storage.extent)
        rows = extent if storage.batched else extent[None]
        columns = enumerate(self.spec.shape)
        shape = tuple(c if is_constant(c) else rows[:, a] for a, c in columns)
        self._spec = self.spec.replace(shape=shape)
        self._storage = Padded(storage.array, extent, storage.batched)

    @property
    def pending(self) -> Pending | None:
        """The background computation that has not been waited for, if any."""
        return self._pending

    @property
    def source(self) -> Any:
        """Which samples of which reader these are (`SampleSource`), if known."""
        if type(self._source) is LateSource:
            self._source = self._source.ask()
        return self._source

    @property
    def external(self) -> bool:
        """Whether the data lie in memory that the user may change."""
        return self._external

    # Metadata ------------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        """Number of axes of one sample."""
        return self.spec.ndim

    @property
    def dtype(self) -> DType:
        """Element type."""
        return public_dtype(self.spec.dtype)

    @property
    def layout(self) -> str | None:
        """One letter for each axis of a sample, such as `"HWC"`; None if unknown."""
        return self.spec.layout

    @property
    def device(self) -> Device:
        """Where the data live."""
        return self.spec.device

    # Evaluation and placement --------------------------------------------------------------

    def evaluate(self) -> Self:
        """Waits until the data exist; raises the error of a failed computation. Returns self."""
        storage = self.storage
        if isinstance(storage.array, jax.Array) and not storage.is_traced():
            storage.array.block_until_ready()
        return self

    def to_device(self, device: Any, force_copy: bool = False) -> Self:
        """The same data on another device; itself if there already and not forced to copy."""
        target = to_device_object(device)
        if target is None:
            raise ArgumentError("to_device: device is None; expected a device such as 'cpu'.")
        if target == self.device and not force_copy:
            return self
        storage = self.storage
        if target == Device.CPU:
            moved = forms.to_host(storage)
        else:
            moved = forms.to_device(storage, target.jax_device)
        if moved is storage:
            moved = forms.copied(storage)
        return self._make(self.spec.replace(device=target), moved, source=self._source)

    def cpu(self) -> Self:
        """The same data in host memory."""
        return self.to_device(Device.CPU)

    def gpu(self, index: int | None = None) -> Self:
        """The same data on a GPU. Raises RuntimeError if JAX sees none."""
        return self.to_device(Device("gpu", index))

    # Conversions ---------------------------------------------------------------------------

    def _repr_html_(self) -> str:
        return rich(self)

    def _dense_host(self) -> np.ndarray:
        """All samples as one host array; they must have one shape."""
        storage, spec = self.storage, self.spec
        self._refuse_traced("conversion to NumPy")
        if isinstance(storage, Dense):
            return np.asarray(storage.array)
        if not spec.batched:
            return storage.sample(0)
        shapes = {spec.sample_shape(i) for i in range(spec.count)}
        if len(shapes) > 1:
            raise ragged_error(type(self).__name__, spec)
        shape = (
            shapes.pop() if shapes else tuple(int(c) if is_constant(c) else 0 for c in spec.shape)
        )
        if isinstance(storage, Packed):
            volume = spec.count * int(np.prod(shape))
            return np.asarray(storage.array)[:volume].reshape(spec.count, *shape)
        if not spec.count:
            return np.empty((0, *shape), spec.dtype)
        return np.stack([storage.sample(i) for i in range(spec.count)])

    def _jax(self, host: Callable[[], np.ndarray]) -> jax.Array:
        """A JAX array of the dense form, in JAX's current 32- or 64-bit mode."""
        storage = self.storage
        if storage.is_traced() and not isinstance(storage, Dense):
            raise ArgumentError(
                f"{type(self).__name__}.jax: inside jit the samples' sizes are not known. Pass "
                "pad=True to get the slots, filled beyond each sample, or resize or crop first."
            )
        array = storage.array if isinstance(storage, Dense) else host()
        narrow = jax.dtypes.canonicalize_dtype(array.dtype)
        if array.dtype != narrow:
            array = np.asarray(array).astype(narrow)
        if isinstance(array, jax.Array):
            return array
        # The device's queue, not the host, decides when the copy happens: borrowed memory could
        # change before that.
        array = array.copy() if self._external else array
        return jax.device_put(array, self.device.jax_device)

    def _refuse_traced(self, what: str) -> None:
        """Raises TypeError inside `jit`, for what needs the values."""
        if self.storage.is_traced():
            name = type(self).__name__
            raise TypeError(
                f"{name}: {what} needs the values, which inside jit, vmap or grad are not known. "
                f"Use {name}.jax() there, or return the {name} and convert it afterwards."
            )

    def _slots(self, fill: Any) -> jax.Array:
        """Inside `jit`: the slots as they are, `fill` beyond each sample."""
        storage = self.storage
        array: Any = storage.array
        if not isinstance(storage, Padded):
            return array
        for axis in range(self.ndim):
            position = axis + storage.batched
            index = jnp.arange(array.shape[position])
            extent = storage.extent[..., axis]
            inside = index < extent[..., None] if storage.batched else index < extent
            shape = [1] * array.ndim
            shape[0] = array.shape[0] if storage.batched else 1
            shape[position] = len(index)
            array = jnp.where(inside.reshape(shape), array, jnp.asarray(fill, array.dtype))
        return array

    def _leaves(self) -> tuple[tuple[Any, ...], tuple]:
        """Pytree leaves and the static rest (layout, and the axes known to be constant)."""
        storage = self._storage if self._pending is None else self.storage
        if isinstance(storage, _Leaves):
            return storage.leaves, storage.aux
        if isinstance(storage, Undecoded):
            storage = self.storage  # raises
        assert storage is not None
        spec = self.spec
        if isinstance(storage, Dense):
            return (self._narrowed(storage.array),), ("dense", spec.layout, spec.ndim)
        constant = tuple(int(c) if is_constant(c) else None for c in spec.shape)
        if not isinstance(storage, Padded):
            storage = padded(self, storage)
        aux = ("padded", spec.layout, constant)
        return (self._narrowed(storage.array), storage.extent), aux

    @staticmethod
    def _narrowed(array):
        if isinstance(array, np.ndarray) and is_wide(array.dtype):
            return array.astype(jax.dtypes.canonicalize_dtype(array.dtype))
        return array

    @classmethod
    def _from_leaves(cls, aux, leaves):
        """Rebuilds a value from pytree leaves, whatever a transformation made of them.

        What decides between a Tensor and a Batch is the number of axes of the arrays: `vmap` over a
        batch shows its function one sample, and makes a batch of the samples that it gives.
        """
        form, layout, known = aux
        rank = known if form == "dense" else len(known)
        array = leaves[0]
        lead = array.ndim - rank if hasattr(array, "ndim") and hasattr(array, "dtype") else None
        whole = form == "dense" or (
            isinstance(leaves[1], np.ndarray | jax.Array) and leaves[1].ndim - 1 == lead
        )
        if lead not in (0, 1) or not whole:
            return cls._make(None, _Leaves(tuple(leaves), aux))
        batched = lead == 1
        count = array.shape[0] if batched else 1
        if form == "dense":
            shape: Shape = tuple(array.shape[lead:])
            storage = Dense(array, batched)
        else:
            extent = leaves[1]
            rows = extent if batched else extent[None]
            shape = tuple(rows[:, a] if size is None else size for a, size in enumerate(known))
            storage = Padded(array, extent, batched)
        concrete = isinstance(array, jax.Array) and not storage.is_traced()
        device = Device.of(array) if concrete else Device.CPU
        spec = Spec(count, shape, np.dtype(array.dtype), layout, batched, device)
        return Data._kinds[batched]._make(spec, storage)


def padded(data: Data, storage: Storage, pad_to: tuple[int, ...] | None = None) -> Padded:
    """The padded form of ragged host data; slots are the smallest buckets, or `pad_to`."""
    spec = data.spec
    extent = np.ascontiguousarray(storage.extents(spec.shape, spec.count), np.int32)
    largest = extent.max(axis=0, initial=0)
    slot = pad_to or tuple(
        int(c) if is_constant(c) else forms.bucket(int(n))
        for c, n in zip(spec.shape, largest, strict=True)
    )
    size = spec.count * int(np.prod(slot, dtype=np.int64)) * spec.dtype.itemsize
    if size > MAX_PADDED_BYTES:
        raise ArgumentError(
            f"{type(data).__name__}: padded to {slot}, {spec.count} samples take {size} bytes; "
            f"the limit is {MAX_PADDED_BYTES}. Crop or resize them first, or pass pad_to=."
        )
    out = np.zeros((spec.count, *slot), spec.dtype)
    for i in range(spec.count):
        sample = storage.sample(i)
        out[(i, *map(slice, sample.shape))] = sample
    if spec.batched:
        return Padded(out, extent)
    return Padded(out[0], extent[0], batched=False)


def ragged_error(what: str, spec: Spec) -> ArgumentError:
    """Samples of several shapes cannot become one array."""
    shapes = list(dict.fromkeys(spec.sample_shape(i) for i in range(spec.count)))
    shown = ", ".join(map(str, shapes[:4])) + (", ..." if len(shapes) > 4 else "")
    return ArgumentError(
        f"{what}: samples have different shapes ({shown}) and do not fit one array. "
        "Padding (pad=True) or resizing gives them one shape."
    )
