"""A random window, resized: `dynjax.random_resized_crop`."""

from collections.abc import Sequence

from .._schema import DTypeLike, Output, PerSample, operator
from .._types.columns import Column, array_module
from .._types.enums import DALIInterpType
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.layouts import spatial_axes
from ._lib.random_windows import random_window, window_rule
from ._lib.resizing import filters_of, per_axis, resampled_output, resized_dtype
from ._lib.sizes import resampling

_WHAT = "random_resized_crop"
_LINEAR = DALIInterpType.INTERP_LINEAR


@operator(_WHAT, layouts=("HWC", "CHW", "FHWC", "FCHW", "CFHW"), random=True, chain="continues")
def random_resized_crop(
    image: Spec,
    /,
    *,
    antialias: bool = True,
    dtype: DTypeLike | None = None,
    interp_type: PerSample[DALIInterpType] | None = None,
    mag_filter: PerSample[DALIInterpType] = _LINEAR,
    min_filter: PerSample[DALIInterpType] = _LINEAR,
    minibatch_size: int = 32,
    num_attempts: int = 10,
    random_area: PerSample[list[float]] = (0.08, 1.0),
    random_aspect_ratio: PerSample[list[float]] = (3 / 4, 4 / 3),
    size: list[int],
    temp_buffer_hint: int = 0,
    key: Sequence[Column],
) -> Output:
    """Resizes a window that `random_crop_generator` draws.

    As with every source region of `resize`, filters reach pixels outside the window where the
    image has them.

    Args:
        image: uint8, int16, uint16 or float32. All frames of a sequence share the window.
        size: height and width of the result in pixels, or one number for both.
        num_attempts, random_area, random_aspect_ratio: as of `random_crop_generator`.
        antialias, dtype, interp_type, min_filter, mag_filter: as of `resize`.
        minibatch_size, temp_buffer_hint: accepted for compatibility; without effect.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        The window, resized, in the input's layout.

    Raises:
        OperatorError: a number of sizes that does not fit, or sizes below 1; an empty range; a
            negative number of attempts; a type that cannot be resized.

    Source: DALI `RandomResizedCrop`.

    Example:
        >>> image = dynjax.tensor(np.zeros((100, 150, 3), np.uint8), layout="HWC")
        >>> dynjax.random_resized_crop(image, size=[32, 48], key=jax.random.key(1)).shape
        (32, 48, 3)
    """
    del minibatch_size, temp_buffer_hint
    assert image.layout is not None
    out_dtype = resized_dtype(_WHAT, image, dtype)
    rule = window_rule(_WHAT, random_area, random_aspect_ratio, num_attempts)
    sizes = per_axis(_WHAT, "size", size, 2)
    if min(sizes) < 1:
        raise OperatorError(f"{_WHAT}: size={list(size)}; expected 1 pixel or more.")
    axes = spatial_axes(image.layout)
    extents = [image.shape[a] for a in axes]
    first, second = key
    xp = array_module(first, second, *extents, *rule.columns)
    tall, wide = extents
    y, x, height, width = random_window(xp, (first, second), tall, wide, rule)
    resampled = resampling(
        *(_WHAT, extents, sizes),
        mode="default",
        max_size=None,
        roi=((y, x), (y + height, x + width)),
        keep_scale=True,
    )
    return resampled_output(
        *(_WHAT, image, axes, resampled),
        dtype=out_dtype,
        filters=filters_of(resampled, interp_type, min_filter, mag_filter),
        antialias=antialias,
    )
