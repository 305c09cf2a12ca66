"""Compiled programs: one jitted function for each kernel, form and static parameters.

A native kernel reads its inputs by address where they lie in plain host memory, so the program does
not depend on how large they are. Its result goes to a recycled buffer where that pays.
"""

import functools
from typing import Any

import jax
import numpy as np

from .._native import FFI_DTYPE, ensure_registered
from .._schema import Kernel
from .._types import recycling
from .._types.device import JaxDevice, jax_devices
from .._types.dtypes import is_wide
from .threads import apply_num_threads


def _attribute(value: Any) -> Any:
    """A static parameter in the type that the handlers bind."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return np.int32(value)
    if isinstance(value, float):
        return np.float32(value)
    return np.asarray(value, np.int64)


def ffi_attributes(static: dict[str, Any], *, addressed: bool, source_dtype: np.dtype) -> dict:
    """The attributes of a native call."""
    attributes = {name: _attribute(value) for name, value in static.items()}
    attributes["addressed"] = addressed
    attributes["source_dtype"] = np.int32(FFI_DTYPE[source_dtype.name])
    return attributes


@functools.cache
def _cpu() -> JaxDevice:
    return jax_devices("cpu")[0]


@functools.cache
def placeholder() -> jax.Array:
    """An operand that only says that a program runs on the CPU."""
    return jax.device_put(np.zeros(1, np.int32), _cpu())


def constant_operand(array: np.ndarray, device: JaxDevice) -> jax.Array:
    """An operand of many calls, moved once."""
    return jax.device_put(array.copy(), device)


@functools.cache
def native_program(
    kernel: Kernel,
    static: tuple[tuple[str, Any], ...],
    addressed: bool,
    source_dtype: np.dtype,
    out_shape: tuple[int, ...],
    out_dtype: np.dtype,
    count: int,
    recycled: bool,
) -> Any:
    """`(into, source, extent, ..., out_extent, *tables) -> (result[, status])`, compiled."""
    ensure_registered()
    apply_num_threads()
    results = [jax.ShapeDtypeStruct(out_shape, out_dtype)]
    if kernel.reports:
        results.append(jax.ShapeDtypeStruct((count, 2), np.int32))
    call = jax.ffi.ffi_call(
        f"dynjax_{kernel.name}", results, input_output_aliases={0: 0} if recycled else None
    )
    attributes = ffi_attributes(dict(static), addressed=addressed, source_dtype=source_dtype)

    def program(into, *operands):
        return call(into, *operands, **attributes)

    program.__name__ = program.__qualname__ = f"dynjax_{kernel.name}"
    return jax.jit(program, donate_argnums=(0,) if recycled else ())


@functools.cache
def _empty_program(shape: tuple[int, ...], dtype: np.dtype) -> Any:
    ensure_registered()
    call = jax.ffi.ffi_call("dynjax_empty", jax.ShapeDtypeStruct(shape, dtype))

    def dynjax_empty(anchor):
        return call(anchor)

    return jax.jit(dynjax_empty)


def run_native(program: Any, operands: list, out_shape, out_dtype, recycled: bool) -> Any:
    """Runs a native program; its result buffer is recycled or fresh."""
    if is_wide(out_dtype):
        with jax.enable_x64(True):
            return program(result_buffer(out_shape, out_dtype, recycled), *operands)
    return program(result_buffer(out_shape, out_dtype, recycled), *operands)


def result_buffer(shape: tuple[int, ...], dtype: np.dtype, recycled: bool) -> jax.Array:
    """The operand that a result on the CPU is written to, or one that only names the device."""
    if not recycled:
        return placeholder()
    kept = recycling.take(shape, dtype)
    return kept if kept is not None else _empty_program(shape, dtype)(placeholder())


def recycles(nbytes: int) -> bool:
    """Whether a result is large enough for its buffer to be recycled."""
    return nbytes >= recycling.MIN_BYTES
