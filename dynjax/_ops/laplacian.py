"""Sum of second derivatives: `dynjax.laplacian`."""

from typing import Any

from .._schema import DTypeLike, Output, PerFrame, operator
from .._types.columns import Column, is_constant
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.frames import as_frames, frame_count
from .._types.spec import Spec
from ._lib.derivative_windows import LARGEST, check_size, derivative_window, smoothing_window
from ._lib.element_types import check_same_or_float
from ._lib.filter_axes import filtered_axes, per_axis
from ._lib.gaussian_windows import largest_radius
from ._lib.separable import filtered


@operator("laplacian")
def laplacian(
    image: Spec,
    /,
    *,
    dtype: DTypeLike | None = None,
    normalized_kernel: bool = False,
    scale: PerFrame[list[float]] | None = None,
    smoothing_size: PerFrame[list[int]] | None = None,
    window_size: PerFrame[list[int]] = (3,),  # type: ignore[assignment]
) -> Output:
    """Sums, over the axes, the second derivative along one and the smoothing along the others.

    The windows are those of the Sobel family: 1 -2 1 and 1 0 -2 0 1 for derivatives of size 3 and
    5, 1 2 1 and 1 4 6 4 1 for smoothing. Beyond the border the image is mirrored about its
    outermost pixels. Integers are rounded to nearest and clamped.

    Args:
        image: numbers; channels first or last, frames first.
        dtype: the input's (default) or float32.
        normalized_kernel: divide each derivative by the sum of its weights' magnitudes.
        scale: factor of each axis' derivative: one value, or one for each axis in the layout's
            order. May vary by sample or frame, as the next two.
        smoothing_size: size of the smoothing along each axis, odd, 1 to 31. Default: beside each
            derivative its own size, along all other axes.
        window_size: size of the derivatives, odd, 3 to 31.

    Returns:
        Shape and layout of the input.

    Raises:
        OperatorError: a size that is even or out of range, `scale` with `normalized_kernel`, bool
            data.

    Source: DALI `Laplacian`; definition checked against recordings.

    Example:
        >>> point = dynjax.tensor(np.float32([[0, 0, 0], [0, 1, 0], [0, 0, 0]]), layout="HW")
        >>> np.asarray(dynjax.laplacian(point, smoothing_size=1))
        array([[ 0.,  2.,  0.],
               [ 2., -4.,  2.],
               [ 0.,  2.,  0.]], dtype=float32)
    """
    axes = filtered_axes("laplacian", image.layout, image.ndim)
    out_dtype = image.dtype if dtype is None else numpy_dtype(dtype)
    if image.dtype.kind not in "iuf" or (image.dtype.itemsize > 4 and image.dtype.kind == "f"):
        raise OperatorError(
            f"laplacian: the input is {image.dtype.name}; expected integers, float16 or float32. "
            "Convert it with dynjax.cast."
        )
    check_same_or_float("laplacian", image.dtype, out_dtype)
    if normalized_kernel and scale is not None:
        raise OperatorError("laplacian: scale cannot be combined with normalized_kernel=True.")
    given = {
        "window_size": as_frames(window_size),
        "smoothing_size": as_frames(smoothing_size),
        "scale": as_frames(None if normalized_kernel else (scale or (1.0,))),
    }
    count = frame_count("laplacian", image, **given)
    frames = [_parameters(len(axes), *(v[f] for v in given.values())) for f in range(count)]
    sizes = [n for frame in frames for size, smooth, _ in frame for n in (size, *smooth)]
    radius = min(largest_radius(sizes), LARGEST // 2)
    return filtered(image, axes, [_windows(frame, radius) for frame in frames], out_dtype)


def _parameters(axes: int, size: Any, smoothing: Any, scale: Any) -> list[tuple[Any, ...]]:
    """Of the derivative along each axis: size, sizes of smoothing along all axes, scale."""
    sizes = per_axis("laplacian", "window_size", size, axes)
    given = None if smoothing is None else per_axis("laplacian", "smoothing_size", smoothing, axes)
    for derivative in sizes:
        check_size("laplacian", "window_size", derivative, 3)
    for beside in given or ():
        check_size("laplacian", "smoothing_size", beside, 1)
    smooth = [[size] * axes if given is None else given for size in sizes]
    if scale is None:
        scales = [
            _norm(n, s[:k] + s[k + 1 :]) for k, (n, s) in enumerate(zip(sizes, smooth, strict=True))
        ]
    else:
        scales = per_axis("laplacian", "scale", scale, axes)
    return list(zip(sizes, smooth, scales, strict=True))


def _norm(size: Column, beside: list[Any]) -> Column:
    """One over the magnitude of a derivative's weights, with smoothing `beside` it."""
    exponent = len(beside) + 3 - size - sum(beside)
    return 2.0**exponent if is_constant(exponent) else 2.0 ** exponent.astype("float32")


def _windows(parameters: list[tuple[Any, ...]], radius: int) -> list[list[list[Column]]]:
    """The windows of each derivative, its own and those beside it."""
    terms = []
    for k, (size, smooth, scale) in enumerate(parameters):
        windows = [
            derivative_window(size, radius) if k == a else smoothing_window(beside, radius)
            for a, beside in enumerate(smooth)
        ]
        windows[0] = [weight * scale for weight in windows[0]]
        terms.append(windows)
    return terms
