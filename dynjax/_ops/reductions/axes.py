"""Which axes an operator reduces, and what is left of shape and layout."""

from collections.abc import Sequence

from ..._types.columns import Shape
from ..._types.errors import ArgumentError, OperatorError, at_call
from ..._types.spec import Spec


def chosen_axes(
    what: str, spec: Spec, axes: Sequence[int] | None, axis_names: str | None
) -> tuple[int, ...] | None:
    """The axes that a caller chose by number or by name, unchecked; None if neither."""
    if axis_names is None:
        return None if axes is None else tuple(axes)
    if axes is not None:
        raise OperatorError(f"{what}: axes and axis_names exclude each other; pass one of them.")
    layout = spec.layout or ""
    for letter in axis_names:
        if letter not in layout:
            raise OperatorError(
                f"{what}: axis_names={axis_names!r} needs axis {letter!r}; the input has layout "
                f"{spec.layout!r}. Set it with dynjax.as_batch(data, layout=...)."
            )
    return tuple(map(layout.index, axis_names))


def reduced_axes(
    what: str, spec: Spec, axes: Sequence[int] | None, axis_names: str | None
) -> tuple[int, ...]:
    """The axes to reduce, ascending, from 0; all if none are named.

    Raises:
        IndexError, ArgumentError: an axis that does not exist, or twice; at the call.
    """
    chosen = chosen_axes(what, spec, axes, axis_names)
    if chosen is None:
        return tuple(range(spec.ndim))
    for axis in chosen:
        if not -spec.ndim <= axis < spec.ndim:
            error = IndexError(
                f"{what}: axis {axis} is out of range; the input has {spec.ndim} axes."
            )
            raise at_call(error)
    positive = sorted(axis % spec.ndim for axis in chosen)
    if len(set(positive)) < len(positive):
        raise at_call(ArgumentError(f"{what}: axes={tuple(chosen)!r} names an axis twice."))
    return tuple(positive)


def reduced_shape(shape: Shape, axes: Sequence[int], keep_dims: bool) -> Shape:
    """The shape without the reduced axes, or with extents of 1."""
    kept = (1 if a in axes else c for a, c in enumerate(shape) if keep_dims or a not in axes)
    return tuple(kept)


def reduced_layout(layout: str | None, axes: Sequence[int], keep_dims: bool) -> str | None:
    """The layout without the letters of the reduced axes."""
    if layout is None or keep_dims:
        return layout
    return "".join(x for a, x in enumerate(layout) if a not in axes) or None
