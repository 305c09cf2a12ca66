"""Added normal noise: `dynjax.noise.gaussian`."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column
from ..._types.spec import Spec
from .._lib import draws
from .._lib.noise import check_noise_dtype
from .._lib.normal_draws import normal
from .._lib.rounding import saturate


def _sample(inputs, extents, out_extent, tables, out_shape, dtype):
    del extents
    key, (mean, stddev) = tables
    z = normal(*draws.words(key, draws.element_index(out_extent, out_shape)))
    return saturate(inputs[0].astype(jnp.float32) + (mean + stddev * z), dtype)


_gaussian = Kernel("gaussian_noise", _sample, cost=8)


@operator("noise.gaussian", random=True)
def gaussian(
    image: Spec,
    /,
    *,
    mean: PerSample[float] = 0.0,
    stddev: PerSample[float] = 1.0,
    key: Sequence[Column],
) -> Output:
    """Adds normally distributed noise to each element.

    Args:
        image: integers or float32, in any layout.
        mean: of the noise, in units of the input.
        stddev: its standard deviation, in units of the input.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        The noisy input in its dtype, rounded and clamped.

    Raises:
        OperatorError: another dtype.

    Source: DALI `noise.Gaussian`.

    Example:
        >>> image = dynjax.tensor(np.full((4, 4, 3), 100, np.uint8), layout="HWC")
        >>> dynjax.noise.gaussian(image, stddev=5.0, key=jax.random.key(1)).shape
        (4, 4, 3)
    """
    check_noise_dtype("noise.gaussian", image.dtype)
    tables = (Table(np.uint32, key), Table(np.float32, (mean, stddev)))
    return Apply(_gaussian, image.shape, image.dtype, image.layout, tables=tables)
