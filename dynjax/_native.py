"""The compiled extension: loaded once, its FFI targets registered at the first native call."""

import atexit
import enum
import functools
from typing import Any

import jax

from . import _dynjax_ops as native

__all__ = ["FFI_DTYPE", "StatusCode", "ensure_registered", "native"]

# Values of xla::ffi::DataType.
FFI_DTYPE = {
    "bool": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint8": 6, "uint16": 7,
    "uint32": 8, "uint64": 9, "float16": 10, "float32": 11, "float64": 12, "bfloat16": 16,
}  # fmt: skip


class StatusCode(enum.IntEnum):
    """Outcome of one sample in a native kernel; kept in step with `ops/base/status.h`."""

    OK = 0
    TRUNCATED = 1
    CORRUPT = 2
    UNRECOGNISED = 3
    UNSUPPORTED = 4
    TOO_LARGE = 5
    SHAPE_MISMATCH = 6
    IO = 7
    OUTSIDE = 8


@functools.cache
def ensure_registered() -> None:
    """Registers every FFI target with JAX. Not at import: it must not touch JAX's state."""
    targets: dict[str, Any] = native.registrations()
    for name, capsule in targets.items():
        jax.ffi.register_ffi_target(f"dynjax_{name}", capsule, platform="cpu")


# The workers must be gone before the interpreter unloads the extension.
atexit.register(native.shut_down)
