"""Random crop windows for images of given sizes: `dynjax.random_crop_generator`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, PerSample, Table, operator
from .._types.columns import Column, any_of, is_traced
from .._types.errors import OperatorError
from .._types.spec import Spec
from .._types.storage import Dense, Storage
from ._lib.host_samples import views
from ._lib.random_windows import WindowRule, random_window, window_rule

_WHAT = "random_crop_generator"
_DTYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "int64", "uint64")


def _sample(inputs, extents, out_extent, tables, out_shape, dtype, attempts, part):
    del extents, out_extent, out_shape
    key, ranges = tables
    rule = WindowRule((ranges[0], ranges[1]), (ranges[2], ranges[3]), attempts)
    window = random_window(jnp, key, inputs[0][0], inputs[0][1], rule)
    return jnp.stack(window[part : part + 2]).astype(dtype)


_kernel = Kernel("random_window", _sample, native=False)


@operator(_WHAT, outputs=2, random=True)
def random_crop_generator(
    shape: Spec,
    /,
    *,
    num_attempts: int = 10,
    random_area: PerSample[list[float]] = (0.08, 1.0),
    random_aspect_ratio: PerSample[list[float]] = (3 / 4, 4 / 3),
    key: Sequence[Column],
) -> tuple[Output, Output]:
    """Draws a window: its share of the area uniformly, its aspect log-uniformly, then its place.

        w = round(sqrt(a H W r)),  h = round(sqrt(a H W / r)),  a in random_area, r in
        random_aspect_ratio

    until it fits into the image; after `num_attempts` the largest window is taken whose aspect is
    nearest to the image's.

    Args:
        shape: integers, height and width of an image, perhaps with its channels: `[2]` or `[3]`.
        num_attempts: see above.
        random_area: smallest and largest share: two numbers, or two for each sample. Inside `jit`
            they may be traced: one program then serves all.
        random_aspect_ratio: smallest and largest width / height, likewise.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        Anchor and shape of the window, int32 `[2]` each, height first.

    Raises:
        OperatorError: no two or three integers, an empty range, a negative number of attempts.

    Source: DALI `RandomCropGenerator`; Szegedy et al., "Going deeper with convolutions" (2015).

    Example:
        >>> window = dynjax.random_crop_generator(np.array([480, 640]), key=jax.random.key(1))
        >>> anchor, shape = map(np.asarray, window)
        >>> ((anchor >= 0) & (anchor + shape <= [480, 640])).all().item()
        True
    """
    rule = window_rule(_WHAT, random_area, random_aspect_ratio, num_attempts)
    if shape.dtype.name not in _DTYPES or shape.ndim != 1 or _wrong(shape.shape[0]):
        raise OperatorError(
            f"{_WHAT}: the input has type {shape.dtype.name} and {shape.ndim} axes; expected "
            "integers of shape (2,) or (3,): height, width and perhaps channels."
        )
    return _output(shape, rule, key, 0), _output(shape, rule, key, 2)


def _wrong(length: Column) -> bool:
    return not is_traced(length) and any_of((length != 2) & (length != 3))


def _output(shape: Spec, rule: WindowRule, key: Sequence[Column], part: int) -> Apply:
    """Anchor (part 0) or shape (part 2)."""
    first, second = key
    count = max(len(first), shape.count)
    # One window for a single sample, whatever kind of call it is.
    batched = shape.batched or count > 1

    def host(storages: Sequence[Storage]) -> Storage:
        sizes = [view[:2] for view in views(storages[0], shape, count)]
        height, width = np.stack(sizes).T if sizes else np.zeros((2, 0), np.int32)
        window = random_window(np, (first, second), height, width, rule)
        values = np.stack(window[part : part + 2], axis=-1).astype(np.int32)
        return Dense(values if batched else values[0], batched)

    return Apply(
        *(_kernel, (2,), np.dtype(np.int32), None),
        # The ranges are no constants of the kernel: one program serves all.
        tables=(Table(np.uint32, (first, second)), Table(np.float32, rule.columns)),
        static={"attempts": rule.attempts, "part": part},
        host=None if is_traced(first, second, *rule.columns) else host,
        check=_check,
    )


def _check(arrays: Sequence[Any]) -> None:
    """Sizes are counted in 32 bits."""
    if arrays[0].size and (arrays[0].min() < 0 or arrays[0].max() >= 2**31):
        raise OperatorError(f"{_WHAT}: the input holds {arrays[0].tolist()}; expected sizes.")
