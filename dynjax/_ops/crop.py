"""A window of an image: `dynjax.crop`."""

import numpy as np

from .._schema import DTypeLike, Output, PerSample, operator
from .._types.dtypes import numpy_dtype
from .._types.enums import DALIImageType
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import windows
from ._lib.gather_window import window
from ._lib.window_fill import fill_of

_LAYOUTS = (
    *("HWC", "CHW", "DHWC", "CDHW", "FHWC", "FCHW"),
    *("CFHW", "FDHWC", "FCDHW", "CFDHW"),
)


@operator("crop", layouts=_LAYOUTS, chain="continues")
def crop(
    image: Spec,
    /,
    *,
    crop: PerSample[list[float]] | None = None,
    crop_d: PerSample[float] | None = None,
    crop_h: PerSample[float] | None = None,
    crop_pos_x: PerSample[float] = 0.5,
    crop_pos_y: PerSample[float] = 0.5,
    crop_pos_z: PerSample[float] = 0.5,
    crop_w: PerSample[float] | None = None,
    dtype: DTypeLike | None = None,
    fill_values: list[float] = (0.0,),  # type: ignore[assignment]
    image_type: DALIImageType | None = None,
    out_of_bounds_policy: str = "error",
    output_dtype: DTypeLike | None = None,
    rounding: str = "round",
) -> Output:
    """Cuts a window out of an image, a volume or a sequence.

        anchor = round(position * (extent - window))

    Args:
        image: in any image, sequence or volume layout; not bool.
        crop: height and width of the window, or depth, height and width, in pixels. Frames are cut
            as a depth is; a depth that images do not have is ignored. Default: all.
        crop_d, crop_h, crop_w: the same by name, alternatively.
        crop_pos_x, crop_pos_y, crop_pos_z: place of the window, 0 (start) to 1 (end).
        dtype: type of the result. Default: the input's. `output_dtype` is its old name.
        fill_values: what a window beyond the image holds: one value, or one for each channel.
        image_type: without effect; accepted for old programs.
        out_of_bounds_policy: for windows beyond the image: `"error"`, `"pad"` or
            `"trim_to_shape"`.
        rounding: of the anchor: `"round"` or `"truncate"`, towards 0.

    Returns:
        The window, in the input's layout.

    Raises:
        OperatorError: a window that does not fit, a wrong number of values, bool data.

    Source: DALI `Crop`; definition checked against recordings.

    Example:
        >>> image = dynjax.tensor(np.zeros((7, 9, 3), np.uint8), layout="HWC")
        >>> dynjax.crop(image, crop=[2, 4]).shape
        (2, 4, 3)
    """
    del image_type
    assert image.layout is not None
    if image.dtype.kind == "b":
        raise OperatorError("crop: the input is bool; expected numbers. Use dynjax.cast before.")
    given = output_dtype if dtype is None else dtype
    axes, letters = windows.crop_axes(image.layout, crop, crop_d)
    positions = {"D": crop_pos_z, "H": crop_pos_y, "W": crop_pos_x}
    wanted = windows.crop_sizes("crop", letters, crop, crop_d, crop_h, crop_w)
    anchors, sizes = windows.place(
        "crop",
        [image.shape[a] for a in axes],
        wanted,
        [positions[x] for x in letters],
        rounding=rounding,
        policy=out_of_bounds_policy,
    )
    fill, fill_axis = fill_of("crop", image, fill_values)
    return window(
        image,
        axes,
        anchors,
        sizes,
        fill=fill,
        fill_axis=fill_axis,
        dtype=image.dtype if given is None else np.dtype(numpy_dtype(given)),
        bound=windows.crop_bound(image, axes, wanted, out_of_bounds_policy),
    )
