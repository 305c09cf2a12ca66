"""Pixels replaced by extremes: `dynjax.noise.salt_and_pepper`."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column, any_of
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib import draws
from .._lib.noise import check_noise_dtype
from .._lib.rounding import saturate


def _sample(inputs, extents, out_extent, tables, out_shape, dtype, **static):
    del extents
    key, (probability, salt_share, salt, pepper) = tables
    extent, slot = list(out_extent), list(out_shape)
    if (together := static["together"]) >= 0:
        extent[together] = slot[together] = 1
    replaced, which = draws.words(key, draws.element_index(extent, slot))
    extremes = (1.0, -1.0)
    if jnp.issubdtype(dtype, jnp.integer):
        extremes = (jnp.iinfo(dtype).max, jnp.iinfo(dtype).min)
    values = [
        jnp.asarray(extreme, dtype) if default else saturate(value, dtype)
        for extreme, default, value in (
            (extremes[0], static["default_salt"], salt),
            (extremes[1], static["default_pepper"], pepper),
        )
    ]
    noise = jnp.where(draws.unit(which) < salt_share, *values)
    return jnp.where(draws.unit(replaced) < probability, noise, inputs[0])


_salt_and_pepper = Kernel("salt_and_pepper", _sample, cost=4)


@operator("noise.salt_and_pepper", random=True)
def salt_and_pepper(
    image: Spec,
    /,
    *,
    pepper_val: PerSample[float] | None = None,
    per_channel: bool = False,
    prob: PerSample[float] = 0.05,
    salt_val: PerSample[float] | None = None,
    salt_vs_pepper: PerSample[float] = 0.5,
    key: Sequence[Column],
) -> Output:
    """Replaces random pixels by a high or a low value.

    Args:
        image: integers or float32, in any layout; without one the last axis is the channels'.
        prob: probability that a pixel is replaced, from 0 to 1.
        salt_vs_pepper: probability that it is replaced by salt, from 0 to 1.
        salt_val: Default: the dtype's maximum, 1.0 for floats.
        pepper_val: Default: the dtype's minimum, -1.0 for floats.
        per_channel: draw for each channel apart, not for all of a pixel together.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        The noisy input in its dtype.

    Raises:
        OperatorError: a probability outside [0, 1], another dtype.

    Source: DALI `noise.SaltAndPepper`. Here values beyond the dtype's range are clamped.

    Example:
        >>> image = dynjax.tensor(np.full((1, 2, 1), 100, np.uint8), layout="HWC")
        >>> noisy = dynjax.noise.salt_and_pepper(
        ...     image, prob=1.0, salt_vs_pepper=1.0, key=jax.random.key(1)
        ... )
        >>> np.asarray(noisy).ravel()
        array([255, 255], dtype=uint8)
    """
    check_noise_dtype("noise.salt_and_pepper", image.dtype)
    for name, value in (("prob", prob), ("salt_vs_pepper", salt_vs_pepper)):
        if any_of(value < 0) or any_of(value > 1):
            raise OperatorError(f"noise.salt_and_pepper: {name}={value!r}; expected 0 to 1.")
    values = [0.0 if v is None else v for v in (salt_val, pepper_val)]
    return Apply(
        _salt_and_pepper,
        image.shape,
        image.dtype,
        image.layout,
        tables=(Table(np.uint32, key), Table(np.float32, (prob, salt_vs_pepper, *values))),
        static={
            "together": -1 if per_channel else _channel_axis(image),
            "default_salt": salt_val is None,
            "default_pepper": pepper_val is None,
        },
    )


def _channel_axis(image: Spec) -> int:
    """-1 if there is none."""
    return image.ndim - 1 if image.layout is None else image.layout.find("C")
