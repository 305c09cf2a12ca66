"""The kernel of separable filters: a sum of products of windows; natively `ops/filters/`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import Column
from ..._types.spec import Spec
from .borders import MODES, widened
from .by_frame import by_frame
from .rounding import saturate

# Windows as columns: of each term, for each axis, an odd number of weights.
Windows = Sequence[Sequence[Sequence[Column]]]
_REFLECT = MODES.index("reflect_101")
_NATIVE = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "float32")


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    first_axis: int,
    axes: int,
    terms: int,
    frames: int,
) -> Any:
    del out_extent

    def apply(image: Any, row: Any, dropped: int) -> Any:
        windows = row.reshape(terms, axes, -1)
        total: Any = 0.0
        for term in range(terms):
            filtered = image.astype(jnp.float32)
            for k in range(axes):
                axis = first_axis + k
                sizes = (extents[0][axis], out_shape[axis])
                filtered = _filtered(filtered, axis - dropped, *sizes, windows[term, k])
            total = total + filtered
        return saturate(total, dtype)

    return by_frame(apply, inputs[0], tables[0].reshape(frames, -1))


def _filtered(image: Any, axis: int, extent: Any, size: int, window: Any) -> Any:
    """Correlation with a window about each element of an axis."""
    taps = window.shape[0]
    if taps == 1:
        return image * window[0]
    wide = widened(image, axis, extent, taps // 2, size + taps - 1, _REFLECT)
    if taps <= 16:
        pieces = [jax.lax.slice_in_dim(wide, t, t + size, axis=axis) for t in range(taps)]
        return sum(p * window[t] for t, p in enumerate(pieces))

    def add(t: Any, total: Any) -> Any:
        return total + jax.lax.dynamic_slice_in_dim(wide, t, size, axis) * window[t]

    # A loop: so many slices side by side would take long to compile.
    return jax.lax.fori_loop(0, taps, add, jnp.zeros(image.shape, jnp.float32))


_kernel = Kernel("separable", _sample, cost=16)
_kernel_of_wide_types = Kernel("separable", _sample, native=False, cost=16)


def filtered(image: Spec, axes: Sequence[int], frames: Sequence[Windows], dtype: np.dtype) -> Apply:
    """The output `sum over terms of (window_0 x window_1 x ...) * image`.

    The border is mirrored about the outermost elements, which are not repeated.

    Args:
        axes: the filtered ones, side by side.
        frames: for each frame, or once for all, windows as columns; all windows of a call have the
            same odd number of weights.
    """
    native = image.dtype.name in _NATIVE and dtype.name in _NATIVE
    columns = [w for terms in frames for term in terms for window in term for w in window]
    return Apply(
        _kernel if native else _kernel_of_wide_types,
        image.shape,
        dtype,
        image.layout,
        tables=(Table(np.float32, columns),),
        static={
            "first_axis": axes[0],
            "axes": len(axes),
            "terms": len(frames[0]),
            "frames": len(frames),
        },
    )
