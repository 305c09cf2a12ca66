"""Images read at given positions: `dynjax.experimental.remap`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Output, Table, operator
from ..._types.columns import any_of, first_of, is_traced
from ..._types.enums import DALIInterpType
from ..._types.errors import ArgumentError, OperatorError
from ..._types.spec import Spec
from .._lib.borders import CONSTANT
from .._lib.sampling import CUBIC, LINEAR, NEAREST, interpolation, sample_at

_WHAT = "experimental.remap"
_DTYPES = ("uint8", "int16", "uint16", "float32")


def _sample(
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
    image = inputs[0]
    (shift,) = tables[0]
    height, width = extents[0][-3:-1]
    pictures = image.reshape(-1, *image.shape[-3:])
    target = out_shape[-3:-1]
    maps = [m.reshape(-1, *target) + shift for m in inputs[1:]]

    def one(picture: Any, x: Any, y: Any) -> Any:
        return sample_at(
            picture,
            (y, x),
            (height, width),
            interp=interp,
            border=CONSTANT,
            fill=jnp.zeros(1, jnp.float32),
            dtype=dtype,
        )

    shared = len(maps[0]) == 1
    if shared:
        maps = [m[0] for m in maps]
    along = None if shared else 0
    return jax.vmap(one, in_axes=(0, along, along))(pictures, *maps).reshape(out_shape)


_remap = Kernel("remap", _sample, cost=8)


@operator(_WHAT)
def remap(
    input: Spec,
    mapx: Spec,
    mapy: Spec,
    /,
    *,
    interp: DALIInterpType = DALIInterpType.INTERP_LINEAR,
    pixel_origin: str = "corner",
) -> Output:
    """Reads the image at the positions that two maps hold.

        out(x, y) = input(mapx(x, y), mapy(x, y))

    Args:
        input: uint8, int16, uint16 or float32; layout `HWC` or `FHWC`.
        mapx, mapy: float32 positions in pixels, `[H, W]` or `[H, W, 1]`; for sequences also with
            the frames' axis first.
        interp: `INTERP_LINEAR`, `INTERP_NN` or `INTERP_CUBIC` (Keys' filter, a = -0.75).
        pixel_origin: where a pixel's position is: `"corner"`, so that its centre is at `i + 0.5`,
            or `"center"`.

    Returns:
        An image of the maps' size; 0 where they point outside.

    Raises:
        ArgumentError: a layout that is not supported.
        OperatorError: maps that fit neither each other nor the input, a type, an origin or an
            interpolation that is not supported.

    Source: DALI `experimental.Remap`, which runs on the GPU only: written from its documentation.

    Example:
        >>> image = dynjax.tensor(np.array([[[1], [2], [3]]], np.uint8), layout="HWC")
        >>> x, y = np.float32([[2.5, 0.5]]), np.float32([[0.5, 0.5]])
        >>> np.asarray(dynjax.experimental.remap(image, x, y)).ravel().tolist()
        [3, 1]
    """
    layout = input.layout or {3: "HWC", 4: "FHWC"}.get(input.ndim)
    if layout not in ("HWC", "FHWC"):
        raise ArgumentError(
            f"{_WHAT}: the input has {input.ndim} axes and layout {input.layout!r}; expected HWC "
            "or FHWC. Set it with dynjax.as_batch(data, layout=...)."
        )
    if input.dtype.name not in _DTYPES:
        raise OperatorError(
            f"{_WHAT}: the input is {input.dtype.name}; expected one of {', '.join(_DTYPES)}."
        )
    if pixel_origin not in ("corner", "center"):
        raise OperatorError(
            f"{_WHAT}: pixel_origin={pixel_origin!r}; expected 'corner' or 'center'."
        )
    sizes = [_map_size(name, m, input) for name, m in (("mapx", mapx), ("mapy", mapy))]
    _check_equal(mapx, mapy)
    return Apply(
        _remap,
        (*input.shape[:-3], *sizes[0], input.shape[-1]),
        input.dtype,
        layout,
        tables=(Table(np.float32, (0.0 if pixel_origin == "corner" else 0.5,)),),
        static={"interp": interpolation(_WHAT, interp, (NEAREST, LINEAR, CUBIC))},
    )


def _map_size(name: str, positions: Spec, image: Spec) -> Sequence[Any]:
    """Height and width of a map."""
    if positions.dtype != np.float32:
        raise OperatorError(f"{_WHAT}: {name} is {positions.dtype.name}; expected float32.")
    shape = list(positions.shape)
    frames = positions.has_frames or len(shape) == 4
    if len(shape) == 3 + frames and isinstance(shape[-1], int) and shape[-1] == 1:
        shape.pop()
    if len(shape) != 2 + frames or (frames and image.ndim != 4):
        raise OperatorError(
            f"{_WHAT}: {name} has {positions.ndim} axes (layout {positions.layout!r}); expected "
            "height and width, and frames only where the input has them."
        )
    if frames and not is_traced(shape[0], image.shape[0]) and any_of(shape[0] != image.shape[0]):
        i = first_of(shape[0] != image.shape[0])
        raise OperatorError(
            f"{_WHAT}: sample {i}: {name} is for {positions.sample_shape(i)[0]} frames; the input "
            f"has {image.sample_shape(i)[0]}."
        )
    return shape[-2:]


def _check_equal(mapx: Spec, mapy: Spec) -> None:
    if mapx.ndim != mapy.ndim:
        raise OperatorError(f"{_WHAT}: mapx has {mapx.ndim} axes and mapy {mapy.ndim}.")
    for a, b in zip(mapx.shape, mapy.shape, strict=True):
        if not is_traced(a, b) and any_of(a != b):
            i = first_of(a != b)
            raise OperatorError(
                f"{_WHAT}: sample {i}: mapx has shape {mapx.sample_shape(i)} and mapy "
                f"{mapy.sample_shape(i)}; expected the same."
            )
