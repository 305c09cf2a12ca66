"""A window of any data, by position or in fractions of the extent: `dynjax.slice`."""

from typing import Any

import numpy as np

from .._schema import DTypeLike, Output, PerSample, operator
from .._types.dtypes import numpy_dtype
from .._types.enums import DALIImageType
from .._types.spec import Spec
from ._lib.axes import chosen
from ._lib.bounds import window_bound
from ._lib.gather_window import window
from ._lib.slicing import Bounds, windows_of
from ._lib.window_fill import fill_of

# What data without a layout are taken for, by their number of axes.
_ASSUMED = {2: "HW", 3: "HWC", 4: "DHWC"}


@operator("slice", late_inputs=("anchor_input", "shape_input"), chain="continues")
def slice(
    data: Spec,
    /,
    *,
    anchor_input: PerSample[list[Any]] | None = None,
    axes: PerSample[list[int]] | None = None,
    axis_names: str | None = None,
    dtype: DTypeLike | None = None,
    end: PerSample[list[int]] | None = None,
    fill_values: list[float] = (0.0,),  # type: ignore[assignment]
    image_type: DALIImageType | None = None,
    normalized_anchor: bool = True,
    normalized_shape: bool = True,
    out_of_bounds_policy: str = "error",
    output_dtype: DTypeLike | None = None,
    rel_end: PerSample[list[float]] | None = None,
    rel_shape: PerSample[list[float]] | None = None,
    rel_start: PerSample[list[float]] | None = None,
    shape: PerSample[list[int]] | None = None,
    shape_input: PerSample[list[Any]] | None = None,
    start: PerSample[list[int]] | None = None,
) -> Output:
    """Cuts a window along some axes.

        begin = round(start),  end = round(start + shape)

    A fraction is multiplied by the extent before it is rounded.

    Args:
        data: any data.
        anchor_input, shape_input: start and extent of the window as second and third input. Floats
            are fractions of the extent, integers are positions.
        axes: along which axes, in the order of the values; negative ones count from the end; all if
            there are none.
        axis_names: their letters in the layout. Default: `"WH"`. Data of 2, 3 or 4 axes without a
            layout are taken for HW, HWC or DHWC.
        dtype: type of the result. Default: the input's. `output_dtype` is its old name.
        start, rel_start: where the window starts, as positions or fractions. Default: 0.
        end, rel_end, shape, rel_shape: where it ends, or its extent. Default: to the end.
        fill_values: what a window beyond the data holds: one value, or one for each channel.
        image_type: without effect; accepted for old programs.
        normalized_anchor, normalized_shape: whether floats among the inputs are fractions.
        out_of_bounds_policy: for windows beyond the data: `"error"`, `"pad"` or
            `"trim_to_shape"`.

    Returns:
        The window, in the input's layout.

    Raises:
        OperatorError: a window that does not fit, arguments that exclude each other, a wrong
            number of values, an axis that does not exist.

    Source: DALI `Slice`; definition checked against recordings.

    Example:
        >>> x = dynjax.tensor(np.arange(10))
        >>> np.asarray(dynjax.slice(x, rel_start=[0.5], shape=[2], axes=[0]))
        array([5, 6])
    """
    del image_type
    names = "WH" if axes is None and axis_names is None else axis_names
    labelled = _labelled(data, names or "")
    along = chosen("slice", labelled, axes or None, names)
    bounds = Bounds("slice", len(along))
    bounds.add_input("anchor", anchor_input, normalized_anchor)
    bounds.add_input("shape", shape_input, normalized_shape)
    bounds.add("start", start)
    bounds.add("rel_start", rel_start)
    bounds.add("end", end)
    bounds.add("rel_end", rel_end)
    bounds.add("shape", shape)
    bounds.add("rel_shape", rel_shape)
    extents = [data.shape[a] for a in along]
    anchors, sizes = windows_of("slice", extents, bounds, out_of_bounds_policy)
    fill, fill_axis = fill_of("slice", labelled, fill_values)
    given = output_dtype if dtype is None else dtype
    return window(
        data,
        along,
        anchors,
        sizes,
        what="slice",
        fill=fill,
        fill_axis=fill_axis,
        dtype=data.dtype if given is None else np.dtype(numpy_dtype(given)),
        bound=window_bound(data.ndim, along, out_of_bounds_policy, bounds.largest),
    )


def _labelled(data: Spec, names: str) -> Spec:
    """The data with a layout that has these letters, where there is none."""
    layout = _ASSUMED.get(data.ndim, "")
    return data if data.layout or not set(names) <= set(layout) else data.replace(layout=layout)
