"""The kernel of `dilate` and `erode`: extremes of rectangles; natively `ops/filters/`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import any_of, first_of, is_constant, is_traced, value_at, where
from ..._types.errors import OperatorError
from ..._types.frames import as_frames, frame_count
from ..._types.spec import Spec
from .borders import MODES, widened
from .by_frame import by_frame
from .element_types import check_input_type
from .filter_axes import per_axis

LAYOUTS = ("HW", "HWC", "FHWC", "CHW", "FCHW")
_DTYPES = ("uint8", "uint16", "float32")
_BORDERS = {
    "constant": MODES.index("constant"),
    "replicate": MODES.index("clamp"),
    "reflect": MODES.index("reflect_1001"),
    "reflect_101": MODES.index("reflect_101"),
    "wrap": MODES.index("wrap"),
}
_TRACED_SIZE = 15  # room for masks whose size only a compiled program knows


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    first_axis: int,
    sizes: tuple[int, int],
    border: int,
    iterations: int,
    largest: bool,
) -> Any:
    del out_extent

    def apply(image: Any, row: Any, dropped: int) -> Any:
        for _ in range(iterations):
            for k, size in enumerate(sizes):
                axis = first_axis + k
                room = (extents[0][axis], out_shape[axis])
                reach = (row[k], row[2 + k])
                image = _extreme(image, axis - dropped, *room, size, reach, border, largest)
        return image.astype(dtype)

    return by_frame(apply, inputs[0], tables[0].reshape(-1, 4))


def _extreme(image, axis, extent, room, size, reach, border, largest) -> Any:
    """The largest or smallest value under a mask along one axis."""
    mask, anchor = reach
    neutral = _neutral(image.dtype, largest)
    wide = widened(image, axis, extent, anchor, room + size - 1, border, neutral)
    pick = jnp.maximum if largest else jnp.minimum
    result = jnp.full(image.shape, neutral, image.dtype)
    for t in range(size):
        piece = jax.lax.slice_in_dim(wide, t, t + room, axis=axis)
        result = pick(result, jnp.where(t < mask, piece, neutral))
    return result


def _neutral(dtype: Any, largest: bool) -> Any:
    """The value that never is the extreme."""
    if jnp.issubdtype(dtype, jnp.floating):
        return np.asarray(-np.inf if largest else np.inf, dtype)
    info = jnp.iinfo(dtype)
    return np.asarray(info.min if largest else info.max, dtype)


_kernel = Kernel("extremes", _sample, cost=4)


def extremes(
    what: str,
    image: Spec,
    *,
    anchor: Any,
    border_mode: str,
    iterations: int,
    mask_size: Any,
    largest: bool,
) -> Apply:
    """The output: the largest (smallest) value under a rectangle about each pixel."""
    assert image.layout is not None
    check_input_type(what, image.dtype, _DTYPES)
    if border_mode not in _BORDERS:
        raise OperatorError(
            f"{what}: border_mode={border_mode!r}; expected one of {', '.join(_BORDERS)}."
        )
    if iterations < 0:
        raise OperatorError(f"{what}: iterations={iterations}; expected 0 or more.")
    masks, anchors = as_frames(mask_size), as_frames(anchor)
    columns: list[Any] = []
    sizes = [1, 1]
    for frame in range(frame_count(what, image, mask_size=masks, anchor=anchors)):
        mask = per_axis(what, "mask_size", masks[frame], 2)
        sizes = [
            max(n, largest_size(what, "mask_size", m)) for n, m in zip(sizes, mask, strict=True)
        ]
        columns += [*mask, *_anchors(what, mask, per_axis(what, "anchor", anchors[frame], 2))]
    return Apply(
        _kernel,
        image.shape,
        image.dtype,
        image.layout,
        tables=(Table(np.int32, columns),),
        static={
            "first_axis": image.layout.index("H"),
            "sizes": tuple(sizes),
            "border": _BORDERS[border_mode],
            "iterations": iterations,
            "largest": largest,
        },
    )


def _anchors(what: str, masks: list[Any], anchors: list[Any]) -> list[Any]:
    placed = [where(a < 0, m // 2, a) for m, a in zip(masks, anchors, strict=True)]
    for mask, anchor in zip(masks, placed, strict=True):
        if any_of(anchor >= mask):
            i = first_of(anchor >= mask)
            raise OperatorError(
                f"{what}: sample {i}: anchor {value_at(anchor, i)} lies outside a mask of "
                f"{value_at(mask, i)}."
            )
    return placed


def largest_size(what: str, name: str, size: Any) -> int:
    """The size that serves all samples, in few steps.

    Raises:
        OperatorError: a size below 1.
    """
    if is_traced(size):
        return _TRACED_SIZE
    if any_of(size < 1):
        i = first_of(size < 1)
        raise OperatorError(
            f"{what}: sample {i}: {name} is {value_at(size, i)}; expected 1 or more."
        )
    if is_constant(size):
        return int(size)
    largest = int(np.max(size, initial=1))
    return 1 << (largest - 1).bit_length() if largest > 3 else largest
