"""The kernel of linear colour operators: a matrix for each pixel; natively `ops/colour/`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import Column
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .by_frame import by_frame
from .channels import channel_count
from .rounding import saturate


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Sequence[Any],
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    inputs_count: int,
    outputs_count: int,
) -> Any:
    del extents, out_extent, out_shape

    def apply(image: Any, row: Any, dropped: int) -> Any:
        del dropped
        affine = row.reshape(outputs_count, inputs_count + 1)
        channels = [image[..., i].astype(jnp.float32) for i in range(inputs_count)]
        rows = [sum((a[i] * x for i, x in enumerate(channels)), a[inputs_count]) for a in affine]
        return saturate(jnp.stack(rows, axis=-1), dtype)

    return by_frame(apply, inputs[0], tables[0].reshape(-1, outputs_count * (inputs_count + 1)))


_kernel = Kernel("color_matrix", _sample, cost=2)


def recoloured(
    what: str, image: Spec, frames: Sequence[Sequence[Sequence[Column]]], dtype: np.dtype
) -> Apply:
    """The output `matrix @ pixel + offset`, rounded to nearest and clamped.

    Args:
        what: the operator, for messages.
        image: channels last; frames first, where there is more than one set of rows.
        frames: for each frame, or once for all, the rows of columns `[*matrix[o], offset[o]]`: one
            for each channel of the result.
        dtype: of the result.

    Raises:
        OperatorError: the image has another number of channels than the matrix.
    """
    wanted, made = len(frames[0][0]) - 1, len(frames[0])
    channels = channel_count(what, image)
    if channels != wanted and image.count:
        raise OperatorError(
            f"{what}: the input has {channels} channels; expected {wanted}, for the last axis of "
            f"layout {image.layout!r}."
        )
    return Apply(
        _kernel,
        (*image.shape[:-1], made),
        dtype,
        image.layout,
        tables=(Table(np.float32, [x for rows in frames for row in rows for x in row]),),
        static={"inputs_count": wanted, "outputs_count": made},
    )
