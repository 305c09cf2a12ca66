"""Noise of counted photons: `dynjax.noise.shot`."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column
from ..._types.spec import Spec
from .._lib import draws
from .._lib.noise import check_noise_dtype
from .._lib.poisson_draws import poisson
from .._lib.rounding import saturate


def _sample(inputs, extents, out_extent, tables, out_shape, dtype):
    del extents
    key, (factor,) = tables
    # A factor of 0 gives zeros. Multiplied, since compilers multiply by the inverse of a constant.
    rate = inputs[0].astype(jnp.float32) * jnp.where(factor == 0, 0.0, 1.0 / factor)
    rate = jnp.where(rate > 0, rate, 0.0)
    count = poisson(rate, key, draws.element_index(out_extent, out_shape))
    return saturate(factor * count, dtype)


_shot = Kernel("shot_noise", _sample, cost=16)


@operator("noise.shot", random=True)
def shot(image: Spec, /, *, factor: PerSample[float] = 12.0, key: Sequence[Column]) -> Output:
    """Replaces each element x by `factor * Poisson(x / factor)`, whose mean is x.

    Args:
        image: integers or float32, in any layout; negative values count as 0.
        factor: strength of the noise, in units of the input; 0 gives zeros.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        The noisy input in its dtype, rounded and clamped.

    Raises:
        OperatorError: another dtype.

    Source: DALI `noise.Shot`, whose default is 12 although its schema says 20.

    Example:
        >>> image = dynjax.tensor(np.full((4, 4, 3), 100, np.uint8), layout="HWC")
        >>> dynjax.noise.shot(image, factor=5.0, key=jax.random.key(1)).shape
        (4, 4, 3)
    """
    check_noise_dtype("noise.shot", image.dtype)
    tables = (Table(np.uint32, key), Table(np.float32, (factor,)))
    return Apply(_shot, image.shape, image.dtype, image.layout, tables=tables)
