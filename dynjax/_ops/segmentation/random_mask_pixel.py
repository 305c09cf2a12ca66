"""A pixel picked at random: `dynjax.segmentation.random_mask_pixel`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column, any_of, is_constant, is_traced
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from ..._types.storage import Dense, Storage
from .._lib import draws, host_draws
from .._lib.host_samples import batching, views

_WHAT = "segmentation.random_mask_pixel"
_DTYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    "float32",
)


def _sample(inputs, extents, out_extent, tables, out_shape, dtype, by_value):
    del out_extent, out_shape
    mask = inputs[0]
    key, (foreground, value), (threshold,) = tables
    inside: Any = True
    for axis, size in enumerate(mask.shape):
        shape = [1] * mask.ndim
        shape[axis] = size
        inside = inside & (jnp.arange(size) < extents[0][axis]).reshape(shape)
    inside = jnp.broadcast_to(inside, mask.shape)
    wanted = mask == value.astype(mask.dtype) if by_value else mask > threshold
    wanted = inside & wanted
    # Without a pixel of the foreground, any pixel will do.
    chosen = jnp.where((foreground != 0) & jnp.any(wanted), wanted, inside).reshape(-1)
    first, second = draws.words(key, jnp.zeros((), jnp.uint32))
    number = draws.below(first ^ second, jnp.sum(chosen)).astype(jnp.int32)
    flat = jnp.searchsorted(jnp.cumsum(chosen), number + 1)
    place = jnp.unravel_index(flat, mask.shape)
    return jnp.stack([p.astype(dtype) for p in place])


_kernel = Kernel("random_mask_pixel", _sample, native=False, cost=16)


@operator(_WHAT, random=True, devices=("cpu",))
def random_mask_pixel(
    mask: Spec,
    /,
    *,
    foreground: PerSample[int] = 0,
    threshold: PerSample[float] | None = None,
    value: PerSample[int] | None = None,
    key: Sequence[Column],
) -> Output:
    """Picks a pixel of a mask, each with the same probability.

    Args:
        mask: numbers, any number of axes.
        foreground: not 0: pick among the pixels of the foreground, if there are any. Default: 0,
            among all.
        threshold: the foreground is what is greater. Default: 0.
        value: the foreground is what equals it, instead.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        The pixel's position, int64, one number for each axis.

    Raises:
        OperatorError: a mask without pixels, another dtype, `value` and `threshold` both given.

    Source: DALI `segmentation.RandomMaskPixel`.

    Example:
        >>> mask = np.array([[0, 0, 0], [0, 0, 1]])
        >>> np.asarray(dynjax.segmentation.random_mask_pixel(mask, foreground=1))
        array([1, 2])
    """
    if mask.dtype.name not in _DTYPES or not mask.ndim:
        raise OperatorError(
            f"{_WHAT}: the mask has {mask.ndim} axes of {mask.dtype.name}; expected at least one "
            f"axis of {', '.join(_DTYPES)}. Use dynjax.cast before."
        )
    if value is not None and threshold is not None:
        raise OperatorError(f"{_WHAT}: value and threshold are both given; pass one of them.")
    if any(any_of(extent <= 0) for extent in mask.shape):
        raise OperatorError(f"{_WHAT}: the mask has no pixels; there is nothing to pick.")
    limit = 0.0 if threshold is None else threshold
    equal = 0 if value is None else value
    columns = (foreground, limit, equal)
    on_host = mask.device.device_type == "cpu" and not is_traced(*columns, *mask.shape)
    host = None
    if on_host and not is_traced(*key):
        host = _host(mask, columns, value is not None, key)
    return Apply(
        _kernel,
        (mask.ndim,),
        np.dtype(np.int64),
        None,
        tables=(
            Table(np.uint32, key),
            Table(np.int32, (foreground, equal)),
            Table(np.float32, (limit,)),
        ),
        static={"by_value": value is not None},
        host=host,
    )


def _host(mask: Spec, columns: Sequence[Column], by_value: bool, key: Sequence[Column]) -> Any:
    def host(storages: Sequence[Storage]) -> Storage:
        count = len(key[0])
        batched = batching([mask], *columns)[1] or count > 1
        word = host_draws.mixed(key, 0, 1)[:, 0]
        out = np.zeros((count, mask.ndim), np.int64)
        for i, labels in enumerate(views(storages[0], mask, count)):
            wanted, limit, equal = (c if is_constant(c) else np.asarray(c)[i] for c in columns)
            chosen = np.zeros(0, np.int64)
            if wanted:
                match = labels == equal if by_value else labels > np.float32(limit)
                chosen = np.flatnonzero(match)
            number = int(host_draws.below(word[i], len(chosen) or labels.size))
            flat = chosen[number] if len(chosen) else number
            out[i] = np.unravel_index(flat, labels.shape)
        return Dense(out if batched else out[0], batched)

    return host
