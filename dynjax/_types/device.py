"""`Device`: where data lives, by kind and number, and the JAX device behind it."""

import threading
from typing import Any, ClassVar

import jax

JaxDevice = Any  # `jax.Device`, which JAX does not export as a type

# A public device type and the JAX platforms that serve it, best first. Tests map "gpu" to a second
# virtual CPU device by replacing an entry of `_OVERRIDES`.
_PLATFORMS = {"cpu": ("cpu",), "gpu": ("cuda", "rocm", "gpu"), "tpu": ("tpu",)}
_ALIASES = {"cuda": "gpu"}
_DLPACK_TYPES = {1: "cpu", 2: "gpu"}
_OVERRIDES: dict[str, list[JaxDevice]] = {}
_INSTALL = {
    "gpu": 'install dynjax with GPU support (pip install "dynjax[cuda12]")',
    "tpu": 'install JAX with TPU support (pip install "jax[tpu]")',
}


def jax_devices(device_type: str) -> list[JaxDevice]:
    """JAX's devices of a type; empty when it has none."""
    if device_type in _OVERRIDES:
        return _OVERRIDES[device_type]
    for platform in _PLATFORMS[device_type]:
        try:
            return jax.devices(platform)
        except RuntimeError:
            continue
    return []


class Device:
    """A device: `"cpu"`, `"gpu"` or `"tpu"`, and its number.

    As a context manager it becomes the thread's current device.

    Args:
        name: `"cpu"`, `"gpu"`, `"cuda"`, `"tpu"`, or with a number: `"gpu:1"`.
        device_id: number of the device; default 0. CPUs have none.

    Raises:
        ValueError: an unknown name or number.
        RuntimeError: JAX has no device of that type.

    Example:
        >>> str(dynjax.Device("cpu"))
        'cpu'
    """

    CPU: ClassVar["Device"]
    __slots__ = ("device_id", "device_type")

    def __init__(self, name: str, device_id: int | None = None):
        if not isinstance(name, str):
            raise ValueError(f"device: the name must be a string, got {name!r}.")
        kind, colon, number = name.partition(":")
        kind = _ALIASES.get(kind, kind)
        if kind not in _PLATFORMS:
            raise ValueError(
                f"device: {name!r} is no device; expected 'cpu', 'gpu', 'gpu:N' or 'tpu'."
                + (" 'mixed' belongs to pipelines; pass device='gpu'." if name == "mixed" else "")
            )
        if kind == "cpu" and (colon or device_id is not None):
            shown = repr(name) if colon else f"device_id={device_id!r}"
            raise ValueError(f"device: got {shown}; the CPU has no number. Pass 'cpu'.")
        if colon:
            if not number.isdecimal():
                raise ValueError(
                    f"device: {name!r} is no device; expected a number after the colon."
                )
            if device_id is not None:
                raise ValueError(f"device: {name!r} has a number already, got {device_id!r} too.")
            device_id = int(number)
        self.device_type = kind
        self.device_id = None if kind == "cpu" else self._checked_id(kind, device_id)

    @staticmethod
    def _checked_id(kind: str, device_id: int | None) -> int:
        count = len(jax_devices(kind))
        if count == 0:
            raise RuntimeError(
                f"device: JAX sees no {kind.upper()}. To use one, {_INSTALL[kind]}; "
                "otherwise pass device='cpu'."
            )
        device_id = 0 if device_id is None else device_id
        if not 0 <= device_id < count:
            raise ValueError(f"device: no {kind}:{device_id}; JAX sees {count} of them.")
        return device_id

    @property
    def jax_device(self) -> JaxDevice:
        """The JAX device that holds this device's data."""
        return jax_devices(self.device_type)[self.device_id or 0]

    @staticmethod
    def of(array: jax.Array) -> "Device":
        """The device that holds a JAX array."""
        holder = next(iter(array.devices()))
        for kind in ("gpu", "tpu", "cpu"):
            if holder.platform == "cpu" and kind != "cpu" and kind not in _OVERRIDES:
                continue  # asking for a GPU's devices would start its back end
            devices = jax_devices(kind)
            if holder in devices:
                return Device.CPU if kind == "cpu" else Device(kind, devices.index(holder))
        return Device.CPU

    @classmethod
    def current(cls) -> "Device":
        """The innermost device whose `with` block this thread is in; else a GPU, or the CPU."""
        if stack := getattr(_STACK, "devices", None):
            return stack[-1]
        return cls("gpu") if jax_devices("gpu") else cls.CPU

    @staticmethod
    def default_device_id(device_type: str) -> int | None:
        """The number used when none is given."""
        if device_type not in _PLATFORMS:
            raise ValueError(f"device: {device_type!r} is no device type.")
        return None if device_type == "cpu" else Device(device_type).device_id

    @staticmethod
    def type_from_dlpack(dev_type: int) -> str:
        """The device type behind DLPack's number: 1 is `"cpu"`, 2 is `"gpu"`.

        Raises:
            ValueError: another number.
        """
        if dev_type not in _DLPACK_TYPES:
            raise ValueError(
                f"device: DLPack's device type {int(dev_type)} is neither cpu nor gpu."
            )
        return _DLPACK_TYPES[dev_type]

    @classmethod
    def from_dlpack(cls, dlpack_device: Any) -> "Device":
        """The device that holds an object with `__dlpack_device__`."""
        kind, number = dlpack_device.__dlpack_device__()
        device_type = cls.type_from_dlpack(kind)
        return cls(device_type, None if device_type == "cpu" else number)

    def __enter__(self):
        if not hasattr(_STACK, "devices"):
            _STACK.devices = []
        _STACK.devices.append(self)

    def __exit__(self, *_):
        _STACK.devices.pop()

    def __eq__(self, other):
        if not isinstance(other, Device):
            return NotImplemented
        return (self.device_type, self.device_id) == (other.device_type, other.device_id)

    def __hash__(self):
        return hash((self.device_type, self.device_id))

    def __str__(self):
        return (
            self.device_type if self.device_id is None else f"{self.device_type}:{self.device_id}"
        )

    def __repr__(self):
        number = "" if self.device_id is None else f", device_id={self.device_id}"
        return f"Device(device_type={self.device_type!r}{number})"


_STACK = threading.local()
Device.CPU = Device("cpu")


def device(obj, id: int | None = None) -> Device | None:
    """Converts to a `Device`: a name, a Device, a `torch.device` or a `jax.Device`.

    Raises:
        TypeError: not convertible.
        ValueError: an unknown device, or `id` beside something that already has one.
    """
    if obj is None:
        return None
    if isinstance(obj, str):
        return Device(obj, id)
    if id is not None:
        raise ValueError(f"device: id={id!r} given beside {obj!r}, which is a device already.")
    if isinstance(obj, Device):
        return obj
    if isinstance(obj, jax.Device):
        platform: str = obj.platform
        kind = "gpu" if platform in _PLATFORMS["gpu"] else platform
        return Device(kind, None if kind == "cpu" else jax_devices(kind).index(obj))
    if type(obj).__module__ == "torch" and hasattr(obj, "type"):
        kind: str = obj.type
        return Device(kind, None if kind == "cpu" else obj.index)
    raise TypeError(f"device: cannot make a device of {obj!r}.")
