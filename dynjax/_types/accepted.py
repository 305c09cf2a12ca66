"""What public functions accept, for type checkers: the vocabulary of the stub files."""

from typing import Any, Protocol

from .batch import Batch
from .device import Device
from .tensor import Tensor


class _HasReshape(Protocol):
    """Arrays and scalars of NumPy, JAX, PyTorch; a Batch is none, and has no `reshape`."""

    @property
    def reshape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...


class _HasArrayInterface(Protocol):
    """Pictures of Pillow and the like."""

    @property
    def __array_interface__(self) -> Any: ...


class _HasPlatform(Protocol):
    """`jax.Device`."""

    @property
    def platform(self) -> str: ...


class _HasTypeAndIndex(Protocol):
    """`torch.device`."""

    @property
    def type(self) -> str: ...
    @property
    def index(self) -> Any: ...


Array = Tensor | _HasReshape | _HasArrayInterface
# What becomes a Tensor where data are expected. A str is a Sequence too, so those are spelt out.
Sample = Array | bool | int | float | list[Any] | tuple[Any, ...] | range
Data = Sample | Batch
# One value for each sample, or the same for all, beside Python's own values.
Values = Array | Batch
DeviceLike = Device | str | _HasPlatform | _HasTypeAndIndex
