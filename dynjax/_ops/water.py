"""Images as seen through waves: `dynjax.water`."""

import jax.numpy as jnp

from .._schema import Output, PerSample, operator
from .._types.enums import DALIInterpType
from .._types.spec import Spec
from ._lib.displacement import displaced, displacement


def _positions(y, x, height, width, parameters, further):
    del height, width, further
    ampl_x, freq_x, phase_x, ampl_y, freq_y, phase_y = parameters
    return (
        y + ampl_y * jnp.cos(freq_y * x + phase_y),
        x + ampl_x * jnp.sin(freq_x * y + phase_x),
    )


_water = displacement("water", _positions, native=True)


@operator("water", layouts=("HWC",))
def water(
    image: Spec,
    /,
    *,
    ampl_x: float = 10.0,
    ampl_y: float = 10.0,
    fill_value: float = 0.0,
    freq_x: float = 0.049087,
    freq_y: float = 0.049087,
    interp_type: DALIInterpType = DALIInterpType.INTERP_NN,
    mask: PerSample[int] = 1,
    phase_x: float = 0.0,
    phase_y: float = 0.0,
) -> Output:
    """Moves rows and columns along waves.

        out(x, y) = image(x + ampl_x sin(freq_x y + phase_x), y + ampl_y cos(freq_y x + phase_y))

    with the numbers of pixels, x and y, on the left and positions from the corner on the right.

    Args:
        image: uint8 or float32.
        ampl_x, ampl_y: in pixels.
        freq_x, freq_y: in radians a pixel.
        phase_x, phase_y: in radians.
        fill_value: what is outside the image.
        interp_type: `INTERP_NN` or `INTERP_LINEAR`.
        mask: 0 leaves the sample as it is.

    Returns:
        An image of the same size.

    Raises:
        OperatorError: a type or an interpolation that is not supported.

    Source: DALI `Water`; definition checked against recordings. A literal `mask=0`, which the
    original ignores, is honoured.

    Example:
        >>> row = np.array([[[1], [2], [3], [4]]], np.uint8)
        >>> shift = {"ampl_x": 1.0, "ampl_y": 0.0, "phase_x": np.pi / 2}
        >>> np.asarray(dynjax.water(dynjax.tensor(row, layout="HWC"), **shift)).ravel().tolist()
        [2, 3, 4, 0]
    """
    return displaced(
        *("water", _water, image),
        parameters=(ampl_x, freq_x, phase_x, ampl_y, freq_y, phase_y),
        mask=mask,
        fill_value=fill_value,
        interp_type=interp_type,
    )
