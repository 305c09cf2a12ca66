"""The fill values of windows beyond the input."""

from collections.abc import Sequence

from ..._types.columns import is_constant
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .layouts import axis_of


def fill_of(what: str, spec: Spec, values: Sequence[float]) -> tuple[Sequence[float], int]:
    """The values, and the axis along which they vary: -1 if there is one value for all."""
    if len(values) <= 1:
        return (tuple(values) or (0.0,)), -1
    axis = axis_of(spec.layout or "", "C")
    if axis < 0:
        raise OperatorError(
            f"{what}: fill_values has {len(values)} values, but the layout {spec.layout!r} has no "
            "channel axis. Give one value."
        )
    channels = spec.shape[axis]
    if is_constant(channels) and channels != len(values):
        raise OperatorError(
            f"{what}: fill_values has {len(values)} values; expected 1 or {channels}, the number "
            "of channels."
        )
    return values, axis
