"""Rectangles of an image filled with one value: `dynjax.erase`."""

from collections.abc import Mapping, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, PerSample, Table, operator
from .._types.columns import Column, any_of, first_of, is_constant, is_traced, value_at
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.convert import convert
from ._lib.layouts import axis_of

_DTYPES = (
    *("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
    *("float16", "bfloat16", "float32", "float64"),
)


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axes: tuple[int, ...],
    fill_axis: int,
) -> Any:
    del extents, out_extent, out_shape
    image, (limits, fill) = inputs[0], tables
    # [regions, first and last, axes]
    limits = limits.reshape(-1, 2, len(axes))
    erased: Any = jnp.zeros((1,) * image.ndim, jnp.bool_)
    for first, last in limits:
        inside: Any = True
        for k, axis in enumerate(axes):
            index = jnp.arange(image.shape[axis])
            inside = inside & _along((index >= first[k]) & (index < last[k]), axis, image.ndim)
        erased = erased | inside
    values = convert(fill, dtype)
    values = values[0] if fill_axis < 0 else _along(values, fill_axis, image.ndim)
    return jnp.where(erased, values, image)


def _along(values: Any, axis: int, ndim: int) -> Any:
    shape = [1] * ndim
    shape[axis] = -1
    return values.reshape(shape)


_kernel = Kernel("erase", _sample)


@operator("erase", ragged=("anchor", "shape"))
def erase(
    image: Spec,
    /,
    *,
    anchor: PerSample[list[list[float]]] = (),  # type: ignore[assignment]
    axes: list[int] | None = None,
    axis_names: str | None = None,
    centered_anchor: bool = False,
    fill_value: PerSample[list[float]] = (0.0,),  # type: ignore[assignment]
    lengths: Mapping[str, Column] | None = None,
    normalized: bool | None = None,
    normalized_anchor: bool | None = None,
    normalized_shape: bool | None = None,
    shape: PerSample[list[list[float]]] = (),  # type: ignore[assignment]
) -> Output:
    """Fills rectangles with one value.

        [trunc(anchor), trunc(anchor + shape))      along each of the axes

    Args:
        image: numbers in any layout.
        anchor: first corner of each region: its place along each of the axes, in pixels, region
            after region. Samples may differ in how many they have. Default: 0.
        axes: the axes, instead of `axis_names`; negative ones count from the end.
        axis_names: their letters. Default: all axes but `C`.
        centered_anchor: `anchor` is the middle of the region.
        fill_value: one value, or one for each channel; rounded and clamped. Default: 0.
        lengths: set by the call: how many numbers each sample has, by argument.
        normalized: anchors and shapes are relative to the extents.
        normalized_anchor, normalized_shape: the same for each of them.
        shape: extents of each region. What lies outside the image is left out. Default: no region.

    Returns:
        The image with its regions filled, in its dtype and layout.

    Raises:
        OperatorError: as many anchors as shapes are not given, axes that the image does not have, a
            wrong number of fill values, bool data, `normalized` beside the others.

    Source: DALI `Erase`; definition checked against recordings. Zhong et al., "Random Erasing Data
    Augmentation" (2017).

    Example:
        >>> image = dynjax.tensor(np.ones((2, 4), np.uint8), layout="HW")
        >>> np.asarray(dynjax.erase(image, anchor=[0, 1], shape=[1, 2]))
        array([[1, 0, 0, 1],
               [1, 1, 1, 1]], dtype=uint8)
    """
    if image.dtype.name not in _DTYPES:
        raise OperatorError(
            f"erase: the input is {image.dtype.name}; expected numbers. Use dynjax.cast before."
        )
    if normalized is not None and (normalized_anchor is not None or normalized_shape is not None):
        raise OperatorError(
            "erase: normalized cannot be combined with normalized_anchor and normalized_shape."
        )
    along = _axes(image, axes, axis_names)
    anchors, shapes = (_numbers(v) for v in (anchor, shape))
    _check_numbers(len(along), anchors, shapes, lengths or {})
    # Regions that a sample does not have are empty.
    size = max(len(anchors), len(shapes))
    size += -size % len(along)
    anchors += [0.0] * (size - len(anchors))
    shapes += [0.0] * (size - len(shapes))
    limits = _limits(
        [image.shape[a] for a in along],
        *(anchors, shapes, centered_anchor),
        *(bool(normalized or normalized_anchor), bool(normalized or normalized_shape)),
    )
    fill, fill_axis = _fill(image, fill_value or (0.0,))
    return Apply(
        _kernel,
        image.shape,
        image.dtype,
        image.layout,
        tables=(Table(np.int32, limits), Table(np.float32, fill)),
        static={"axes": along, "fill_axis": fill_axis},
    )


def _axes(image: Spec, axes: Sequence[int] | None, names: str | None) -> tuple[int, ...]:
    layout = image.layout or ""
    if names is not None:
        along = tuple(axis_of(layout, letter) for letter in names)
        if -1 in along or len(set(along)) != len(along):
            raise OperatorError(
                f"erase: axis_names={names!r}, but the layout is {image.layout!r}. Pass axes, or "
                "set a layout with dynjax.as_tensor(data, layout=...)."
            )
        return along
    if axes is not None:
        along = tuple(a + image.ndim if a < 0 else a for a in axes)
        if any(not 0 <= a < image.ndim for a in along) or len(set(along)) != len(along):
            raise OperatorError(
                f"erase: axes={list(axes)}; expected different axes of the {image.ndim} there are."
            )
        return along
    along = tuple(a for a, letter in enumerate(layout) if letter != "C")
    if not along:
        raise OperatorError(
            f"erase: the layout is {image.layout!r}; expected one with axes beside C. Pass axes, "
            "or set a layout with dynjax.as_tensor(data, layout=...)."
        )
    return along


def _check_numbers(
    axes: int, anchors: Sequence[Any], shapes: Sequence[Any], lengths: Mapping[str, Column]
) -> None:
    """Refuses anchors and shapes that do not make regions."""
    sizes = lengths.get("shape", len(shapes))
    starts = lengths.get("anchor", len(anchors)) if anchors else sizes
    wrong = (starts != sizes) | (sizes % axes != 0)
    if any_of(wrong):
        i = first_of(wrong)
        raise OperatorError(
            f"erase: {f'sample {i}: ' if lengths else ''}anchor has {value_at(starts, i)} values "
            f"and shape {value_at(sizes, i)}; expected as many, {axes} for each region."
        )


def _numbers(values: Sequence[Any]) -> list[Column]:
    """One list, whether the regions were rows or one after another."""
    return [v for row in values for v in (row if isinstance(row, tuple) else (row,))]


def _limits(
    extents: Sequence[Column],
    anchors: Sequence[Column],
    shapes: Sequence[Column],
    centered: bool,
    relative_anchor: bool,
    relative_shape: bool,
) -> list[Column]:
    """First and one past the last index: for each region, first for all axes, then last."""
    limits: list[Column] = []
    for region in range(0, len(shapes), len(extents)):
        firsts: list[Column] = []
        lasts: list[Column] = []
        for k, extent in enumerate(extents):
            anchor, size = _single(anchors[region + k]), _single(shapes[region + k])
            if relative_anchor:
                anchor = anchor * _single(extent)
            if relative_shape:
                size = size * _single(extent)
            if centered:
                anchor = anchor - size * np.float32(0.5)
            firsts.append(_whole(anchor))
            lasts.append(_whole(anchor + size))
        limits += [*firsts, *lasts]
    return limits


def _single(column: Column) -> Any:
    """In single precision, which decides what is truncated."""
    if is_traced(column):
        return column.astype(jnp.float32)
    return np.float32(column) if is_constant(column) else np.asarray(column, np.float32)


def _whole(value: Any) -> Column:
    if is_traced(value):
        return jnp.trunc(value).astype(jnp.int32)
    whole = np.clip(np.trunc(value), -(2.0**31), 2.0**31 - 256)
    return int(whole) if np.ndim(whole) == 0 else whole.astype(np.int64)


def _fill(image: Spec, values: Sequence[Column]) -> tuple[Sequence[Column], int]:
    """The values, and the axis along which they vary: -1 if there is one value for all."""
    if len(values) == 1:
        return values, -1
    axis = axis_of(image.layout or "", "C")
    if axis < 0:
        raise OperatorError(
            f"erase: fill_value has {len(values)} values, but the layout {image.layout!r} has no "
            "channel axis. Give one value."
        )
    channels = image.shape[axis]
    if not is_traced(channels) and np.any(np.asarray(channels) != len(values)):
        raise OperatorError(
            f"erase: fill_value has {len(values)} values; expected 1 or one for each channel."
        )
    return values, axis
