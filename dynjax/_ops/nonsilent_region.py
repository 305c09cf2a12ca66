"""Where a signal is not silent: `dynjax.nonsilent_region`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, Table, operator
from .._types.columns import is_traced
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.loud_regions import region_hosts
from ._lib.moving_mean_square import moving_mean_square

_INTEGERS = tuple(f"{sign}int{bits}" for sign in ("u", "") for bits in (8, 16, 32, 64))


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    window: int,
    what: str,
) -> Any:
    del out_extent, out_shape
    length = extents[0][0]
    x = inputs[0].astype(jnp.float32)
    if not x.size:
        return jnp.zeros((), dtype)
    index = jnp.arange(x.shape[0])
    valid = index < length
    power = moving_mean_square(jnp.where(valid, x, 0), window)
    reference, ratio = tables[0]
    largest = jnp.max(jnp.where(valid, power, 0))
    # A signal shorter than the window is a window of its own.
    share = jnp.minimum(length, window) / jnp.float32(window)
    threshold = jnp.where(reference == 0, largest, reference * share) * ratio
    loud = valid & (power >= threshold)
    first = jnp.maximum(jnp.argmax(loud) - window + 1, 0)
    last = x.shape[0] - 1 - jnp.argmax(jnp.flip(loud))
    result = first if what == "begin" else last - first + 1
    return jnp.where(jnp.any(loud), result, 0).astype(dtype)


_kernel = Kernel("nonsilent_region", _sample, native=False, cost=8)


@operator("nonsilent_region", outputs=2)
def nonsilent_region(
    signal: Spec,
    /,
    *,
    cutoff_db: float = -60.0,
    reference_power: float = 0.0,
    reset_interval: int = 8192,
    window_length: int = 2048,
) -> tuple[Output, ...]:
    """Finds the part of a signal between leading and trailing silence.

    The mean square over a window that ends at each sample, of at most the signal's length, is
    compared with `reference_power 10^(cutoff_db / 10)`. The region goes from the start of the first
    window that reaches it to the end of the last one.

    Args:
        signal: integers or float32, one axis.
        cutoff_db: the threshold in dB.
        reference_power: the power of 0 dB. Default, and for 0: the largest mean square of each
            sample.
        reset_interval: a multiple of the window, or -1. Without effect: sums do not lose precision
            here.
        window_length: in samples.

    Returns:
        The first sample of the region and its length, int32 numbers; 0 and 0 if all is silent.

    Raises:
        OperatorError: another type, several axes, a window below 1, a negative `reference_power`,
            another `reset_interval`.

    Source: DALI `NonsilentRegion`; definition checked against recordings.

    Example:
        >>> wave = np.float32([0, 0, 0, 0, 1, -1, 1, 0, 0, 0, 0, 0])
        >>> begin, length = dynjax.nonsilent_region(wave, window_length=1)
        >>> begin.item(), length.item()
        (4, 3)
    """
    what = "nonsilent_region"
    if signal.dtype.name not in (*_INTEGERS, "float32"):
        raise OperatorError(
            f"{what}: the input is {signal.dtype.name}; expected integers or float32. Use "
            "dynjax.cast."
        )
    if signal.ndim != 1:
        raise OperatorError(
            f"{what}: the input has {signal.ndim} axes; expected one. Decode with downmix=True, or "
            "use dynjax.squeeze."
        )
    if window_length < 1:
        raise OperatorError(f"{what}: window_length={window_length}; expected at least 1.")
    if reset_interval != -1 and (reset_interval < 1 or reset_interval % window_length):
        raise OperatorError(
            f"{what}: reset_interval={reset_interval}; expected -1 or a multiple of "
            f"window_length={window_length}."
        )
    if reference_power < 0:
        raise OperatorError(
            f"{what}: reference_power={reference_power}; expected 0 (the signal's largest) or more."
        )
    ratio = 10.0 ** min(cutoff_db / 10, 38.0)
    table = Table(np.float32, (reference_power, ratio))
    hosts = (None, None)
    if not is_traced(*signal.shape):
        hosts = region_hosts(signal, window_length, reference_power, ratio)
    return tuple(
        Apply(
            _kernel,
            (),
            np.dtype(np.int32),
            None,
            tables=(table,),
            static={"window": window_length, "what": which},
            host=host,
        )
        for which, host in zip(("begin", "length"), hosts, strict=True)
    )
