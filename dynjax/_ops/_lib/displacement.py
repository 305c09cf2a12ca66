"""What `sphere`, `water` and `jitter` share: each pixel of the result is read from elsewhere."""

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import Column
from ..._types.enums import DALIInterpType
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .borders import CONSTANT
from .sampling import LINEAR, NEAREST, interpolation, sample_at

# `(y, x, height, width, parameters, further tables) -> (y, x)`: from the pixel numbers of the
# result to positions in the image, from its corner.
Positions = Callable[[Any, Any, Any, Any, Any, Sequence[Any]], tuple[Any, Any]]

_DTYPES = ("uint8", "float32")


def displacement(name: str, positions: Positions, *, native: bool) -> Kernel:
    """A kernel of tables mask, fill and parameters, and of further ones."""

    def sample(
        inputs: Sequence[Any],
        extents: Sequence[Sequence[Any]],
        out_extent: Any,
        tables: Sequence[Any],
        *,
        out_shape: tuple[int, ...],
        dtype: Any,
        interp: int,
    ) -> Any:
        del out_extent
        mask, fill, parameters, *further = tables
        height, width, _ = extents[0]
        y = jnp.arange(out_shape[0], dtype=jnp.float32)[:, None]
        x = jnp.arange(out_shape[1], dtype=jnp.float32)[None, :]
        where = positions(y, x, height, width, parameters, further)
        moved = sample_at(
            inputs[0],
            [jnp.broadcast_to(p, out_shape[:2]) for p in where],
            (height, width),
            interp=interp,
            border=CONSTANT,
            fill=fill,
            dtype=dtype,
        )
        return jnp.where(mask[0] != 0, moved, inputs[0])

    return Kernel(name, sample, native=native, cost=4)


def displaced(
    what: str,
    kernel: Kernel,
    image: Spec,
    *,
    parameters: Sequence[Column],
    mask: Column,
    fill_value: float,
    interp_type: DALIInterpType,
    further: Sequence[Table] = (),
) -> Apply:
    """The output of such a kernel.

    Raises:
        OperatorError: a type or an interpolation that is not supported.
    """
    if image.dtype.name not in _DTYPES:
        raise OperatorError(
            f"{what}: the input is {image.dtype.name}; expected one of {', '.join(_DTYPES)}. "
            "Convert it with dynjax.cast."
        )
    tables = [
        Table(np.int32, (mask,)),
        Table(np.float32, (fill_value,)),
        Table(np.float32, parameters),
        *further,
    ]
    interp = interpolation(what, interp_type, (NEAREST, LINEAR))
    return Apply(
        kernel, image.shape, image.dtype, image.layout, tables=tables, static={"interp": interp}
    )
