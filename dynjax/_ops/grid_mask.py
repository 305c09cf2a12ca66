"""A grid of squares blackened: `dynjax.grid_mask`."""

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, PerSample, Table, operator
from .._types.columns import Column, any_of, array_module, first_of, is_constant, value_at
from .._types.errors import OperatorError
from .._types.spec import Spec

_DTYPES = ("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "float32")


def _sample(inputs, extents, out_extent, tables, out_shape, dtype, axes):
    del extents, out_extent, out_shape
    image = inputs[0]
    ratio, cos, sin, shift_x, shift_y = tables[0]
    shape = [1] * image.ndim
    places = []
    for axis in axes:
        shape[axis] = -1
        places.append(jnp.arange(image.shape[axis], dtype=jnp.float32).reshape(shape))
        shape[axis] = 1
    y, x = places
    u, v = cos * x - sin * y - shift_x, sin * x + cos * y - shift_y
    masked = (u - jnp.floor(u) < ratio) & (v - jnp.floor(v) < ratio)
    return jnp.where(masked, jnp.zeros((), dtype), image)


_kernel = Kernel("grid_mask", _sample, cost=2)
# The native kernel goes through rows.
_transposed_kernel = Kernel("grid_mask_transposed", _sample, native=False, cost=2)


@operator("grid_mask")
def grid_mask(
    image: Spec,
    /,
    *,
    angle: PerSample[float] = 0.0,
    ratio: PerSample[float] = 0.5,
    shift_x: PerSample[float] = 0.0,
    shift_y: PerSample[float] = 0.0,
    tile: PerSample[int] = 100,
) -> Output:
    """Sets the squares of a grid to zero.

        u = x cos(angle) - y sin(angle) - shift_x,  v = x sin(angle) + y cos(angle) - shift_y

    A pixel is zero where the fractional parts of u / tile and v / tile are both less than `ratio`.

    Args:
        image: in any layout with H and W; without one, its first two axes are they.
        angle: of the grid, in radians. Default: 0.
        ratio: side of a square divided by `tile`. Default: 0.5.
        shift_x, shift_y: move the grid, in pixels. Default: 0.
        tile: period of the grid, in pixels. Default: 100.

    Returns:
        The masked image.

    Raises:
        OperatorError: a tile that is not positive, a layout without H and W, 64-bit data.

    Source: Chen et al., "GridMask Data Augmentation" (2020); DALI `GridMask`.

    Example:
        >>> image = dynjax.tensor(np.ones((2, 4), np.uint8), layout="HW")
        >>> np.asarray(dynjax.grid_mask(image, tile=4))
        array([[0, 0, 1, 1],
               [0, 0, 1, 1]], dtype=uint8)
    """
    if image.dtype.name not in _DTYPES:
        raise OperatorError(
            f"grid_mask: the input is {image.dtype.name}; expected one of {', '.join(_DTYPES)}. "
            "Use dynjax.cast before."
        )
    layout = image.layout or "HWC"
    axes = (layout.find("H"), layout.find("W"))
    if min(axes) < 0 or max(axes) >= image.ndim:
        raise OperatorError(
            f"grid_mask: the input has {image.ndim} axes and the layout {image.layout!r}; expected "
            "one with H and W."
        )
    if any_of(tile <= 0):
        i = first_of(tile <= 0)
        raise OperatorError(f"grid_mask: tile={value_at(tile, i)}; expected 1 or more.")
    cos, sin = _applied("cos", angle), _applied("sin", angle)
    parameters = (ratio, *(v / tile for v in (cos, sin, shift_x, shift_y)))
    return Apply(
        _kernel if axes[0] < axes[1] else _transposed_kernel,
        image.shape,
        image.dtype,
        image.layout,
        tables=(Table(np.float32, parameters),),
        static={"axes": axes},
    )


def _applied(name: str, angle: Column) -> Column:
    xp = array_module(angle)
    return float(getattr(np, name)(angle)) if is_constant(angle) else getattr(xp, name)(angle)
