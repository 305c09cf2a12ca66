"""A window of pictures by position or fraction: `dynjax.decoders.image_slice`."""

from typing import Any

import numpy as np

from ..._schema import DTypeLike, Output, PerSample, operator
from ..._types.columns import Column
from ..._types.data import Data
from ..._types.enums import DALIImageType
from ..._types.spec import Spec
from .._lib.axes import chosen
from .._lib.host_samples import batching
from .._lib.slicing import Bounds, windows_of
from .._lib.traced_headers import in_double_precision, read_headers

_WHAT = "decoders.image_slice"


@operator(
    _WHAT,
    reads_data=True,
    takes_traced=True,
    late_inputs=("anchor", "shape_input"),
    chain="begins",
)
def image_slice(
    data: Data,
    /,
    *,
    adjust_orientation: bool = True,
    affine: bool = True,
    anchor: PerSample[list[Any]] | None = None,
    axes: PerSample[list[int]] | None = None,
    axis_names: str | None = None,
    device_memory_padding: int = 16777216,
    device_memory_padding_jpeg2k: int = 0,
    dtype: DTypeLike = np.uint8,
    end: PerSample[list[int]] | None = None,
    host_memory_padding: int = 8388608,
    host_memory_padding_jpeg2k: int = 0,
    hw_decoder_load: float = 0.65,
    hybrid_huffman_threshold: int = 1000000,
    jpeg_fancy_upsampling: bool = False,
    memory_stats: bool = False,
    normalized_anchor: bool = True,
    normalized_shape: bool = True,
    output_type: DALIImageType = DALIImageType.RGB,
    preallocate_height_hint: int = 0,
    preallocate_width_hint: int = 0,
    rel_end: PerSample[list[float]] | None = None,
    rel_shape: PerSample[list[float]] | None = None,
    rel_start: PerSample[list[float]] | None = None,
    shape: PerSample[list[int]] | None = None,
    shape_input: PerSample[list[Any]] | None = None,
    split_stages: bool = False,
    start: PerSample[list[int]] | None = None,
    use_chunk_allocator: bool = False,
    use_fast_idct: bool = False,
) -> Output | Data:
    """Decodes a window of pictures: `slice(decoders.image(x), ...)`, pixel by pixel.

    As with `decoders.image_crop`, what lies outside the window is decoded as little as the format
    allows, also inside `jit`. There constant numbers of pixels in `shape` give the result its size.

    Args:
        data: the bytes of each file, uint8, one axis.
        anchor, shape_input: start and extent of the window as second and third input. Floats are
            fractions of the extent, integers are positions.
        axes: along which axes of `"HWC"`, in the order of the values.
        axis_names: their letters. Default: `"WH"`.
        start, rel_start: where the window starts, as positions or fractions. Default: 0.
        end, rel_end, shape, rel_shape: where it ends, or its extent. Default: to the end.
        normalized_anchor, normalized_shape: whether floats among the inputs are fractions.
        adjust_orientation, dtype, output_type: as for `decoders.image`. The window is one of the
            upright picture.
        affine, device_memory_padding, hw_decoder_load and their like: hints of the original,
            without effect here.

    Returns:
        The window of each picture, layout `"HWC"`.

    Raises:
        OperatorError: as for `decoders.image`, a window that does not fit, other axes than height
            and width, arguments that exclude each other.

    Source: DALI `decoders.ImageSlice`.

    Example:
        >>> import io
        >>> from PIL import Image
        >>> buffer = io.BytesIO()
        >>> Image.new("RGB", (30, 20), "red").save(buffer, "PNG")
        >>> encoded = np.frombuffer(buffer.getvalue(), np.uint8)
        >>> dynjax.decoders.image_slice(encoded, rel_start=[0.5, 0.5]).shape
        (10, 15, 3)
    """
    del affine, device_memory_padding, device_memory_padding_jpeg2k, host_memory_padding
    del host_memory_padding_jpeg2k, hw_decoder_load, hybrid_huffman_threshold
    del jpeg_fancy_upsampling, memory_stats, preallocate_height_hint, preallocate_width_hint
    del split_stages, use_chunk_allocator, use_fast_idct
    spec = data.spec
    picture = Spec(spec.count, (0, 0), spec.dtype, "HW", spec.batched, spec.device)
    along = chosen(_WHAT, picture, axes, axis_names or ("WH" if axes is None else None))
    bounds = Bounds(_WHAT, len(along))
    bounds.add_input("anchor", anchor, normalized_anchor)
    bounds.add_input("shape", shape_input, normalized_shape)
    named = {"start": start, "rel_start": rel_start, "end": end, "rel_end": rel_end}
    for name, values in {**named, "shape": shape, "rel_shape": rel_shape}.items():
        bounds.add(name, values)
    given: list[Column] = [v for side in (bounds.start, bounds.end) if side for v in side[1]]
    count, _ = batching([spec], *given)
    headers = read_headers(_WHAT, data, output_type, adjust_orientation, count, *given)
    extents: list[Column] = [headers.height, headers.width]
    firsts: list[Column] = [0, 0]
    sizes = list(extents)
    with in_double_precision(headers):
        placed = windows_of(_WHAT, [extents[a] for a in along], bounds, "error")
    for axis, first, size in zip(along, *placed, strict=True):
        firsts[axis], sizes[axis] = first, size
    return headers.decoded(dtype, (*firsts, *sizes))
