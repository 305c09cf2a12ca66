"""Blurring with a Gaussian window: `dynjax.gaussian_blur`."""

from typing import Any

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.columns import Column
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.frames import as_frames, frame_count
from .._types.spec import Spec
from ._lib.element_types import check_same_or_float
from ._lib.filter_axes import filtered_axes, per_axis
from ._lib.gaussian_windows import gaussian_window, largest_radius, sigma_and_size
from ._lib.separable import filtered


@operator("gaussian_blur")
def gaussian_blur(
    image: Spec,
    /,
    *,
    dtype: DTypeLike | None = None,
    sigma: PerFrame[list[float]] | None = None,
    window_size: PerFrame[list[int]] | None = None,
) -> Output:
    """Blurs images, sequences or volumes with a Gaussian window.

        out = sum_t w[t] in[x + t],    w[t] = exp(-t**2 / (2 sigma**2)) / sum

    along each axis but frames and channels. Beyond the border the image is mirrored about its
    outermost pixels. Integers are rounded to nearest.

    Args:
        image: numbers; channels first or last, frames first.
        dtype: the input's (default) or float32.
        sigma: standard deviation in pixels: one value, or one for each axis in the layout's order.
            Default: `((window_size - 1) / 2 - 1) * 0.3 + 0.8`. May vary by sample or frame.
        window_size: number of weights, odd: one value, or one for each axis. Default:
            `2 * ceil(3 * sigma) + 1`. May vary by sample or frame.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: neither `sigma` nor `window_size`, an even window, bool data.

    Inside `jit`, a `sigma` that is traced gives windows of at most 63 weights.

    Source: DALI `GaussianBlur`; definition checked against recordings.

    Example:
        >>> row = dynjax.tensor(np.float32([[0, 0, 1, 0, 0]]), layout="HW")
        >>> np.asarray(dynjax.gaussian_blur(row, window_size=[1, 3])).round(2)
        array([[0.  , 0.24, 0.52, 0.24, 0.  ]], dtype=float32)
    """
    axes = filtered_axes("gaussian_blur", image.layout, image.ndim)
    out_dtype = image.dtype if dtype is None else numpy_dtype(dtype)
    if image.dtype.kind not in "iuf":
        raise OperatorError(
            f"gaussian_blur: the input is {image.dtype.name}; expected numbers. Convert it with "
            "dynjax.cast."
        )
    check_same_or_float("gaussian_blur", image.dtype, out_dtype)
    sigmas, sizes = as_frames(sigma), as_frames(window_size)
    count = frame_count("gaussian_blur", image, sigma=sigmas, window_size=sizes)
    frames = [_parameters(sigmas[f], sizes[f], len(axes)) for f in range(count)]
    radius = largest_radius([size for frame in frames for _, size in frame])
    windows = [[[gaussian_window(*axis, radius) for axis in frame]] for frame in frames]
    return filtered(image, axes, windows, out_dtype)


def _parameters(sigma: Any, size: Any, axes: int) -> list[tuple[Column, Column]]:
    """Sigma and size of each axis' window."""
    sigmas = per_axis("gaussian_blur", "sigma", (0.0,) if sigma is None else sigma, axes)
    sizes = per_axis("gaussian_blur", "window_size", (0,) if size is None else size, axes)
    return [sigma_and_size("gaussian_blur", s, n) for s, n in zip(sigmas, sizes, strict=True)]
