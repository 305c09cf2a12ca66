"""`Spec`: what is known of a value before it is computed."""

from typing import Any, final

import numpy as np

from .columns import Shape, is_constant, is_traced, value_at
from .device import Device
from .dtypes import enum_name

# Beyond this, comparing shapes costs as much as working them out again.
_MAX_KEY_SAMPLES = 1024


@final
class Spec:
    """Describes a batch, or a single sample (`batched` false and `count` 1).

    Attributes:
        count: number of samples.
        shape: one column for each axis of a sample.
        dtype: NumPy dtype of the elements.
        layout: one letter for each axis, or None.
        batched: whether the value is a batch.
        device: where the data live.
        uniform: whether all samples have one shape by construction.
    """

    __slots__ = ("_key", "batched", "count", "device", "dtype", "layout", "shape", "uniform")

    def __init__(
        self,
        count: int,
        shape: Shape,
        dtype: np.dtype,
        layout: str | None,
        batched: bool,
        device: Device,
    ):
        self.count = count
        self.shape = shape
        self.dtype = dtype
        self.layout = layout
        self.batched = batched
        self.device = device
        self.uniform = all(map(is_constant, shape))
        self._key: Any = ()

    @property
    def key(self) -> tuple | None:
        """A hashable equivalent; None if shapes are traced or too many to compare."""
        if self._key == ():
            self._key = self._make_key()
        return self._key

    def _make_key(self) -> tuple | None:
        shape = self.shape
        if not self.uniform:
            if self.count > _MAX_KEY_SAMPLES or is_traced(*shape):
                return None
            shape = tuple(c if is_constant(c) else c.tobytes() for c in shape)  # type: ignore
        where = (self.device.device_type, self.device.device_id)
        # NumPy compares dtypes without the note that tells an enumeration.
        dtype = self.dtype if self.dtype.metadata is None else (self.dtype, enum_name(self.dtype))
        return (self.count, shape, dtype, self.layout, self.batched, *where)

    @property
    def ndim(self) -> int:
        """Axes of one sample."""
        return len(self.shape)

    @property
    def has_frames(self) -> bool:
        """Whether the first axis of a sample counts frames."""
        return self.layout is not None and self.layout.startswith("F")

    @property
    def nbytes(self) -> int:
        """Size of the samples in memory; NumPy's columns only."""
        elements: Any = 1
        for column in self.shape:
            elements = elements * column
        total = self.count * elements if is_constant(elements) else elements.sum()
        return int(total) * self.dtype.itemsize

    def sample_shape(self, i: int) -> tuple[int, ...]:
        """The shape of sample `i`; inside `jit`, extents that are data are JAX scalars."""
        return tuple(c[i] if is_traced(c) else int(value_at(c, i)) for c in self.shape)

    def replace(self, **changes) -> "Spec":
        """A copy with some fields changed."""
        names = ("count", "shape", "dtype", "layout", "batched", "device")
        return Spec(*(changes.get(name, getattr(self, name)) for name in names))
