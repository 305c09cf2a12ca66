"""What audio operators expect of their inputs."""

import numpy as np

from ..._types.columns import any_of, first_of, is_traced, value_at
from ..._types.errors import OperatorError
from ..._types.spec import Spec

MAX_NFFT = 1 << 26


def check_float(what: str, spec: Spec) -> None:
    """Raises OperatorError for another type than float32."""
    if spec.dtype != np.float32:
        raise OperatorError(
            f"{what}: the input is {spec.dtype.name}; expected float32. Convert it with "
            "dynjax.cast, or decode with dtype=dynjax.float32."
        )


def time_axis(what: str, spec: Spec) -> int | None:
    """The axis along which a signal of one channel runs; None for a single number.

    Raises:
        OperatorError: more than one axis has an extent other than 1.
    """
    if spec.ndim <= 1:
        return 0 if spec.ndim else None
    axes = [a for a, n in enumerate(spec.shape) if is_traced(n) or any_of(n != 1)]
    if len(axes) > 1:
        raise OperatorError(
            f"{what}: the input has shape {spec.sample_shape(0)}; expected one axis of samples in "
            "time, or further axes of extent 1. Decode with downmix=True, or pick a channel."
        )
    return axes[0] if axes else 0


def check_not_empty(what: str, spec: Spec) -> None:
    """Raises OperatorError if a sample has no elements."""
    for n in spec.shape:
        empty = n == 0
        if any_of(empty):
            sample = first_of(empty)
            shape = tuple(value_at(c, sample) for c in spec.shape)
            raise OperatorError(
                f"{what}: sample {sample} is empty, shape {shape}; expected at least one element."
            )
