"""The wanted shape of `reshape` and `reinterpret`."""

from collections.abc import Sequence
from typing import Any

from ..._schema import Bound
from ..._types.columns import (
    Column,
    Shape,
    any_of,
    as_double,
    as_integer,
    is_constant,
    maximum,
    round_half_away,
    where,
)
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .axes import constants


def wanted_shape(
    what: str,
    spec: Spec,
    shape: Sequence[Column] | None,
    rel_shape: Sequence[Column] | None,
    src_dims: Sequence[Any] | None,
    ratio: tuple[int, int] = (1, 1),
) -> Shape:
    """The result's extents.

    Args:
        shape: absolute extents; one may be -1.
        rel_shape: factors of the input's extents; one may be -1.
        src_dims: which of the input's extents to take; -1 is an extent of 1.
        ratio: item size of the input and of the result: the innermost extent is multiplied by
            their quotient unless it is given.
    """
    if shape is not None and rel_shape is not None:
        raise OperatorError(f"{what}: shape and rel_shape cannot be combined.")
    if shape is not None and src_dims is not None:
        raise OperatorError(f"{what}: shape and src_dims cannot be combined.")
    if shape is not None:
        return _with_wildcard(what, spec, [as_integer(n) for n in shape], ratio)
    taken = _taken(what, spec, src_dims)
    if rel_shape is not None:
        if src_dims is not None and len(rel_shape) != len(taken):
            raise OperatorError(
                f"{what}: rel_shape has {len(rel_shape)} values and src_dims {len(taken)}."
            )
        if len(rel_shape) > len(taken):
            raise OperatorError(
                f"{what}: rel_shape has {len(rel_shape)} values; the input has {len(taken)} axes."
            )
        return _with_wildcard(
            what,
            spec,
            [_scaled(f, n) for f, n in zip(rel_shape, taken, strict=False)],
            ratio,
        )
    if ratio[0] != ratio[1] and taken:
        taken[-1] = _rescaled(what, taken[-1], ratio)
    return tuple(taken)


def relative_bound(
    spec: Spec, rel_shape: Sequence[Column] | None, src_dims: Sequence[Any] | None
) -> Bound | None:
    """How large extents given as factors of the input's can be."""
    if rel_shape is None:
        return None

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        axes = range(spec.ndim) if src_dims is None else src_dims
        sizes = [1 if axis == -1 else slots[0][axis] for axis in axes]
        return [
            int(round_half_away(factor * size)) if is_constant(factor) and factor >= 0 else None
            for factor, size in zip(rel_shape, sizes, strict=False)
        ]

    return bound


def _taken(what: str, spec: Spec, src_dims: Sequence[Any] | None) -> list[Column]:
    if src_dims is None:
        return list(spec.shape)
    picked = constants(what, "src_dims", src_dims)
    for axis in picked:
        if not -1 <= axis < spec.ndim:
            raise OperatorError(
                f"{what}: src_dims holds {axis}; expected 0 to {spec.ndim - 1}, or -1 for a new "
                "axis."
            )
    return [1 if axis == -1 else spec.shape[axis] for axis in picked]


def _scaled(factor: Column, extent: Column) -> Column:
    if is_constant(factor):
        if factor < 0:
            return -1
        if factor == 1:
            return extent
    product = as_integer(round_half_away(as_double(factor) * as_double(extent)))
    return where(factor < 0, -1, product)


def _rescaled(what: str, extent: Column, ratio: tuple[int, int]) -> Column:
    total = extent * ratio[0]
    if any_of(total % ratio[1] != 0):
        raise OperatorError(
            f"{what}: the innermost extent, {extent} elements of {ratio[0]} bytes, is no multiple "
            f"of the new element's {ratio[1]} bytes."
        )
    return total // ratio[1]


def _with_wildcard(what: str, spec: Spec, shape: list[Column], ratio: tuple[int, int]) -> Shape:
    """Replaces a -1 by what makes the sizes equal."""
    if not any(any_of(n < 0) for n in shape):
        return tuple(shape)
    free: Column = 0
    total: Column = ratio[0]
    rest: Column = ratio[1]
    for n in spec.shape:
        total = total * n
    for n in shape:
        free = free + where(n < 0, 1, 0)
        rest = rest * where(n < 0, 1, n)
    if any_of(free > 1):
        raise OperatorError(f"{what}: only one extent may be -1.")
    filled = total // maximum(rest, 1)
    return tuple(where(n < 0, filled, n) for n in shape)
