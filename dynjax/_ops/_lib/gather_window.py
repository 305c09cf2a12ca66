"""The kernel of `crop`, `slice`, `flip` and `pad`: a window of each axis, possibly reversed.

Where the window lies beyond the input, the result holds a fill value.
"""

import functools
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import Column, Shape, is_constant, table
from ..._types.spec import Spec
from ..._types.storage import Dense, Storage
from .convert import convert, convert_host
from .host_samples import batching, collected, views, whole


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axes: tuple[int, ...],
    fill_axis: int,
) -> Any:
    window, fill = tables
    image = inputs[0]
    inside: Any = True
    for k, axis in enumerate(axes):
        index = jnp.arange(out_shape[axis])
        reverse = window[len(axes) + k] != 0
        index = jnp.where(reverse, out_extent[axis] - 1 - index, index) + window[k]
        valid = (index >= 0) & (index < extents[0][axis])
        if image.shape[axis] == 0:
            image = jnp.zeros((*image.shape[:axis], len(index), *image.shape[axis + 1 :]), dtype)
        else:
            # Gathering outside is harmless: those elements are replaced.
            image = jnp.take(image, jnp.clip(index, 0, image.shape[axis] - 1), axis=axis)
        inside = inside & _along(valid, axis, image.ndim)
    fill = convert(fill, dtype)
    filled = fill[0] if fill_axis < 0 else _along(fill, fill_axis, image.ndim)
    return jnp.where(inside, convert(image, dtype), filled)


def _along(values: Any, axis: int, ndim: int) -> Any:
    """A vector as an array of `ndim` axes that varies along one of them."""
    shape = [1] * ndim
    shape[axis] = -1
    return values.reshape(shape)


_kernel = Kernel("gather_window", _sample, native=False)


def window(
    spec: Spec,
    axes: Sequence[int],
    anchors: Sequence[Column],
    sizes: Sequence[Column],
    *,
    reverse: Sequence[Column] | None = None,
    fill: Sequence[Column] = (0.0,),
    fill_axis: int = -1,
    dtype: np.dtype | None = None,
    bound: Sequence[int | None] | None = None,
) -> Apply:
    """The output that holds a window of the input.

    Args:
        spec: the input.
        axes: those along which the window differs from the input.
        anchors: first index of the window along each of them; may be negative.
        sizes: the window's extents.
        reverse: not 0 where the window is taken from its end to its start.
        fill: value beyond the input: one, or one for each position of `fill_axis`.
        fill_axis: see `fill`; -1 for one value.
        dtype: of the result.
        bound: see `Apply.bound`.
    """
    reverse = [0] * len(axes) if reverse is None else reverse
    out_dtype = spec.dtype if dtype is None else dtype
    shape = list(spec.shape)
    for axis, size in zip(axes, sizes, strict=True):
        shape[axis] = size
    host = _Host(spec, tuple(shape), out_dtype, tuple(axes), anchors, reverse, fill, fill_axis)
    return Apply(
        _kernel,
        tuple(shape),
        out_dtype,
        spec.layout,
        tables=(Table(np.int32, [*anchors, *reverse]), Table(np.float32, fill)),
        static={"axes": tuple(axes), "fill_axis": fill_axis},
        bound=bound,
        host=host,
    )


class _Host:
    """The same with NumPy views, which need no program."""

    def __init__(
        self,
        spec: Spec,
        shape: Shape,
        dtype: np.dtype,
        axes: tuple[int, ...],
        anchors: Sequence[Column],
        reverse: Sequence[Column],
        fill: Sequence[Column],
        fill_axis: int,
    ):
        self._spec = spec
        self._shape = shape
        self._dtype = dtype
        self._axes = axes
        self._columns = [*anchors, *reverse]
        self._fill = fill
        self._fill_axis = fill_axis

    def __call__(self, storages: Sequence[Storage]) -> Storage:
        spec, columns = self._spec, [*self._columns, *self._fill]
        sizes = () if spec.batched else self._shape
        count, batched = batching([spec], *columns, *sizes)
        array = whole(storages[0], spec)
        if array is not None and all(map(is_constant, (*columns, *self._shape))):
            lead = 1 if spec.batched else 0
            out = np.empty((*array.shape[:lead], *self._shape), self._dtype)
            self._cut(array, out, lead, self._columns, self._fill)
            return Dense(out, spec.batched)
        windows = table(self._columns, count, np.int64).tolist()
        fills = table(self._fill, count, np.float32)
        samples = views(storages[0], spec, count)

        def write(i: int, target: np.ndarray) -> None:
            self._cut(samples[i], target, 0, windows[i], fills[i])

        return collected(self._shape, self._dtype, count, batched, write)

    def _cut(self, source: np.ndarray, target: np.ndarray, lead: int, window, fill) -> None:
        """Fills `target`; `lead` axes come before the sample's own."""
        taken, placed, complete = _plan(self._axes, lead, tuple(window), source.shape, target.shape)
        if not complete:
            values = convert_host(np.asarray(fill, np.float32), self._dtype)
            if self._fill_axis < 0:
                target[...] = values[0]
            else:
                shape = [1] * target.ndim
                shape[self._fill_axis + lead] = -1
                target[...] = values.reshape(shape)
        part = source[taken]
        target[placed] = part if part.dtype == self._dtype else convert_host(part, self._dtype)


@functools.lru_cache(maxsize=1024)
def _plan(
    axes: tuple[int, ...],
    lead: int,
    window: tuple[int, ...],
    source: tuple[int, ...],
    target: tuple[int, ...],
) -> tuple[tuple[slice, ...], tuple[slice, ...], bool]:
    """What is taken from the source, where it is placed, and whether that fills the target."""
    taken = [slice(None)] * len(source)
    placed = [slice(None)] * len(source)
    complete = True
    for k, axis in enumerate(axes):
        size, extent = target[axis + lead], source[axis + lead]
        first = max(window[k], 0)
        last = max(first, min(window[k] + size, extent))
        complete = complete and last - first == size
        start, stop = first - window[k], last - window[k]
        taken[axis + lead] = slice(first, last)
        placed[axis + lead] = slice(start, stop)
        if window[len(axes) + k]:
            start, stop = size - stop, size - start
            backwards = slice(stop - 1, start - 1 if start else None, -1)
            placed[axis + lead] = backwards if first < last else slice(0, 0)
    return tuple(taken), tuple(placed), complete
