"""A kernel inside somebody's `jit`: the native form on the CPU, the JAX form elsewhere.

The compiler gets the one of the platform it compiles for (`_by_platform.py`). Derivatives
are those of the JAX form, so that they exist on every platform.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._by_platform import by_platform, native_type
from .._native import ensure_registered
from .._schema import Kernel
from .programs import ffi_attributes
from .sampled import map_samples
from .threads import apply_num_threads


def embed(
    kernel: Kernel,
    static: dict[str, Any],
    arrays: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    slot: tuple[int, ...],
    dtype: np.dtype,
    count: int,
) -> Any:
    """The kernel's result `[N, *slot]`; arguments as in `sampled.map_samples`."""
    constants = tuple(map(_constant, extents))
    same = (kernel, tuple(static.items()), constants, _constant(out_extent), slot, dtype, count)
    everywhere = _form(_sampled, *same)
    sizes = [jnp.zeros((0,), jnp.int32) if isinstance(e, tuple) else e for e in extents]
    out_size = jnp.zeros((0,), jnp.int32) if isinstance(out_extent, tuple) else out_extent
    if not kernel.native:
        return everywhere(list(arrays), sizes, out_size, list(tables))
    ensure_registered()
    apply_num_threads()
    native = _form(_native, *same)

    @jax.custom_jvp
    def compute(arrays, sizes, out_size, tables):
        (result,) = by_platform(
            *(f"dynjax_{kernel.name}", native, everywhere),
            [jax.ShapeDtypeStruct((count, *slot), dtype)],
            (arrays, sizes, out_size, tables),
        )
        return result

    @compute.defjvp
    def _derivative(primals, tangents):
        return compute(*primals), _derivative_of(everywhere)(primals, tangents)

    return compute(list(arrays), sizes, out_size, list(tables))


# The same object for the same call: outside `jit` programs are found again by their functions.
@functools.lru_cache(maxsize=256)
def _form(function: Callable[..., Any], kernel: Kernel, static: Any, *same: Any) -> Any:
    return functools.partial(function, kernel, dict(static), *same)


@functools.lru_cache(maxsize=256)
def _derivative_of(everywhere: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled as one: outside `jit` each of its many small steps would be compiled apart."""
    return jax.jit(lambda primals, tangents: jax.jvp(everywhere, primals, tangents)[1])


def _constant(extent: Any) -> tuple[int, ...] | None:
    return extent if isinstance(extent, tuple) else None


def _sampled(kernel, static, constants, out_constant, slot, dtype, count, *operands) -> Any:
    arrays, sizes, out_size, tables = operands
    extents = [s if c is None else c for c, s in zip(constants, sizes, strict=True)]
    target = out_size if out_constant is None else out_constant
    return map_samples(kernel, static, arrays, extents, target, tables, slot, dtype, count)


def _native(kernel, static, extents, out_extent, slot, dtype, count, *operands) -> Any:
    arrays, sizes, out_size, tables = operands
    call = jax.ffi.ffi_call(
        f"dynjax_{kernel.name}",
        native_type((count, *slot), dtype, jax.tree.leaves(operands)),
        vmap_method="broadcast_all",
    )
    inputs = []
    for array, constant, size in zip(arrays, extents, sizes, strict=True):
        inputs += [array, _table(constant, size, count)]
    source_dtype = np.dtype(arrays[0].dtype if arrays else np.uint8)
    attributes = ffi_attributes(static, addressed=False, source_dtype=source_dtype)
    return call(
        jnp.zeros((1,), jnp.int32),
        *inputs,
        _table(out_extent, out_size, count),
        *tables,
        **attributes,
    )


def _table(constant: Any, size: Any, count: int) -> Any:
    """Extents as a table `[N, rank]`."""
    if not isinstance(constant, tuple):
        return size
    return jnp.broadcast_to(jnp.asarray(constant, jnp.int32), (count, len(constant)))
