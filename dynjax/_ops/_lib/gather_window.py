"""The windows of `crop`, `slice`, `flip` and `pad`: a part of each axis, possibly reversed.

Where the window lies beyond the input, the result holds a fill value.
"""

from collections.abc import Sequence

import numpy as np

from ..._schema import Apply, Bound
from ..._types.columns import Column, is_constant, where
from ..._types.spec import Spec
from .strided_copy import strided


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
    bound: Bound | None = None,
    what: str = "window",
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
        what: the operator, for messages.
    """
    reverse = [0] * len(axes) if reverse is None else reverse
    shape = list(spec.shape)
    moved: list[int] = []
    starts: list[Column] = []
    steps: list[Column] = []
    for axis, anchor, size, backwards in zip(axes, anchors, sizes, reverse, strict=True):
        forwards = is_constant(backwards) and backwards == 0
        if forwards and is_constant(anchor) and anchor == 0 and _same(size, shape[axis]):
            continue
        shape[axis] = size
        moved.append(axis)
        turned = backwards != 0
        starts.append(anchor if forwards else where(turned, anchor + size - 1, anchor))
        steps.append(1 if forwards else where(turned, -1, 1))
    return strided(
        what,
        spec,
        tuple(shape),
        axes=moved,
        anchors=starts,
        steps=steps,
        fill=fill,
        fill_axis=fill_axis,
        dtype=dtype,
        layout=spec.layout,
        bound=bound,
    )


def _same(a: Column, b: Column) -> bool:
    return a is b or (is_constant(a) and is_constant(b) and a == b)
