"""Images whose pixels are scattered: `dynjax.jitter`."""

from collections.abc import Sequence

import numpy as np

from .._schema import Output, PerSample, Table, operator
from .._types.columns import Column
from .._types.enums import DALIInterpType
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import draws
from ._lib.displacement import displaced, displacement


def _positions(y, x, height, width, parameters, further):
    slot = (y.shape[0], x.shape[1])
    words = draws.words(further[0], draws.element_index((height, width), slot))
    dy, dx = ((draws.unit(word) - 0.5) * parameters[0] for word in words)
    return y + 0.5 + dy, x + 0.5 + dx


_jitter = displacement("jitter", _positions, native=False)


@operator("jitter", layouts=("HWC",), random=True)
def jitter(
    image: Spec,
    /,
    *,
    fill_value: float = 0.0,
    interp_type: DALIInterpType = DALIInterpType.INTERP_NN,
    mask: PerSample[int] = 1,
    nDegree: int = 2,  # noqa: N803 the original's name
    key: Sequence[Column],
) -> Output:
    """Reads each pixel from a random place nearby.

        out(p) = image(p + d),   d uniform on [-nDegree / 2, nDegree / 2) in x and in y

    Args:
        image: uint8 or float32.
        fill_value: what is outside the image.
        interp_type: `INTERP_NN` or `INTERP_LINEAR`.
        mask: 0 leaves the sample as it is.
        nDegree: width of the range, in pixels; 0 or more.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        An image of the same size.

    Raises:
        OperatorError: a negative `nDegree`, a type or an interpolation that is not supported.

    Source: DALI `Jitter`, which runs on the GPU only: written from its documentation.

    Example:
        >>> image = dynjax.tensor(np.full((4, 4, 1), 7, np.uint8), layout="HWC")
        >>> out = dynjax.jitter(image, fill_value=7, key=jax.random.key(1))
        >>> (np.asarray(out) == 7).all().item()
        True
    """
    if nDegree < 0:
        raise OperatorError(f"jitter: nDegree={nDegree}; expected 0 or more.")
    return displaced(
        *("jitter", _jitter, image),
        parameters=(float(nDegree),),
        mask=mask,
        fill_value=fill_value,
        interp_type=interp_type,
        further=(Table(np.uint32, key),),
    )
