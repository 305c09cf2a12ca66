"""Images as seen on a sphere: `dynjax.sphere`."""

import jax.numpy as jnp

from .._schema import Output, PerSample, operator
from .._types.enums import DALIInterpType
from .._types.spec import Spec
from ._lib.displacement import displaced, displacement


def _positions(y, x, height, width, parameters, further):
    del parameters, further
    centre_y, centre_x = height * 0.5, width * 0.5
    dy, dx = y + 0.5 - centre_y, x + 0.5 - centre_x
    radius = jnp.maximum(jnp.maximum(height, width) // 2, 1).astype(jnp.float32)
    distance = jnp.sqrt(dx * dx + dy * dy) * (1.0 / radius)
    return centre_y + dy * distance, centre_x + dx * distance


_sphere = displacement("sphere", _positions, native=True)


@operator("sphere", layouts=("HWC",))
def sphere(
    image: Spec,
    /,
    *,
    fill_value: float = 0.0,
    interp_type: DALIInterpType = DALIInterpType.INTERP_NN,
    mask: PerSample[int] = 1,
) -> Output:
    """Magnifies the middle, as a sphere of the image's size would.

        out(c + d) = image(c + d |d| / r),   r = max(H, W) // 2

    with the centre `c` of the image and distances `d` from it, in pixels.

    Args:
        image: uint8 or float32.
        fill_value: what is outside the image.
        interp_type: `INTERP_NN` or `INTERP_LINEAR`.
        mask: 0 leaves the sample as it is.

    Returns:
        An image of the same size.

    Raises:
        OperatorError: a type or an interpolation that is not supported.

    Source: DALI `Sphere`; definition checked against recordings. A literal `mask=0`, which the
    original ignores, is honoured.

    Example:
        >>> row = np.array([[[1], [2], [3], [4], [5], [6]]], np.uint8)
        >>> np.asarray(dynjax.sphere(dynjax.tensor(row, layout="HWC"))).ravel().tolist()
        [1, 3, 3, 4, 4, 6]
    """
    return displaced(
        *("sphere", _sphere, image),
        parameters=(),
        mask=mask,
        fill_value=fill_value,
        interp_type=interp_type,
    )
