"""Parts of images on one canvas: `dynjax.multi_paste`."""

from collections.abc import Mapping, Sequence
from typing import Any, final

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, DTypeLike, Kernel, Output, PerSample, Table, operator
from .._types.columns import Column, any_of, first_of, is_traced, table, value_at, where
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.spec import Spec
from .._types.storage import Storage
from ._lib.bounds import largest
from ._lib.convert import convert, convert_host
from ._lib.host_samples import batching, collected, views
from ._lib.matrices import matrix_rows

_WHAT = "multi_paste"
_WHOLE = -1  # a region's extent that reaches to the end of its image
# Columns of a region: which image, then y and x of its first pixel there, of its extent and of its
# place on the canvas; each pair of fractions or pixels.
_COLUMNS = 7


def _sample(inputs, extents, out_extent, tables, out_shape, dtype, relative, chosen):
    if chosen:
        raise TypeError(
            f"{_WHAT}: in_ids takes other samples of the batch, which only the host can do: it "
            "cannot be used inside jit, vmap or grad. Pass the images as inputs of their own, such "
            "as the results of dynjax.permute_batch."
        )
    canvas = jnp.zeros(out_shape, dtype)
    for k, region in enumerate(tables[0].reshape(-1, _COLUMNS)):
        image, extent = inputs[k], extents[k]
        inside: Any = True
        for axis in (0, 1):
            where = image.ndim - 3 + axis
            first, size, place = _placed(
                jnp, region[1 + axis], region[3 + axis], region[5 + axis], extent[where],
                out_extent[where], relative,
            )  # fmt: skip
            index = jnp.arange(out_shape[where]) - place
            valid = (index >= 0) & (index < size)
            image = jnp.take(image, index + first, axis=where, mode="clip")
            shape = [1] * image.ndim
            shape[where] = -1
            inside = inside & valid.reshape(shape)
        channels = [slice(None)] * (image.ndim - 1) + [slice(0, out_shape[-1])]
        canvas = jnp.where(inside, convert(image, dtype)[tuple(channels)], canvas)
    return canvas


_kernel = Kernel(_WHAT, _sample, native=False)


@operator(
    _WHAT,
    layouts=("HWC", "FHWC"),
    ragged=(
        *("in_anchors", "in_anchors_rel", "in_ids", "out_anchors", "out_anchors_rel"),
        *("shapes", "shapes_rel"),
    ),
)
def multi_paste(
    input_0: Spec,
    /,
    *inputs: Spec,
    dtype: DTypeLike | None = None,
    in_anchors: PerSample[list[list[int]]] | None = None,
    in_anchors_rel: PerSample[list[list[float]]] | None = None,
    in_ids: PerSample[list[int]] | None = None,
    lengths: Mapping[str, Column] | None = None,
    out_anchors: PerSample[list[list[int]]] | None = None,
    out_anchors_rel: PerSample[list[list[float]]] | None = None,
    output_size: PerSample[list[int]] | None = None,
    shapes: PerSample[list[list[int]]] | None = None,
    shapes_rel: PerSample[list[list[float]]] | None = None,
) -> Output:
    """Pastes a region of each of several images onto a black canvas, later ones over earlier ones.

    The images are the inputs or, with one input and `in_ids`, samples of its batch.

    Args:
        input_0, inputs: images or sequences of one type and one number of channels; up to 64.
        dtype: type of the result; values are rounded and clamped. Default: the inputs'.
        in_anchors: first row and column of the region in each image, in pixels. Default: 0, 0.
        in_anchors_rel: the same in fractions of the image's extents, rounded down.
        in_ids: which samples of the batch to paste; samples may differ in how many they take.
        lengths: set by the call: how many numbers each sample has, by argument.
        out_anchors, out_anchors_rel: where on the canvas the region is placed, in pixels, or in
            fractions of its extents, rounded down. Default: 0, 0.
        output_size: height and width of the canvas. Default: those of the images, if they agree.
        shapes, shapes_rel: height and width of each region, in pixels, or in fractions of its
            image's, rounded up. Default: to the end of its image.

    Returns:
        The canvas, in the inputs' layout.

    Raises:
        OperatorError: regions that reach beyond their image or the canvas, not as many anchors or
            shapes as images, images of several sizes without `output_size`, of several types or
            numbers of channels, a sample that does not exist.

    Source: DALI `MultiPaste`; definition checked against recordings. Four images in a square make
    the mosaic of Bochkovskiy et al., "YOLOv4" (2020).

    Example:
        >>> a, b = np.full((1, 2, 1), 1, np.uint8), np.full((2, 1, 1), 2, np.uint8)
        >>> canvas = dynjax.multi_paste(a, b, output_size=[2, 3], out_anchors=[[0, 0], [0, 2]])
        >>> np.asarray(canvas)[:, :, 0]
        array([[1, 1, 2],
               [0, 0, 2]], dtype=uint8)
    """
    images = [input_0, *inputs]
    _check(images, in_ids)
    ids = list(in_ids) if in_ids is not None else [0] * len(images)
    regions = _Regions(len(ids), lengths or {})
    ids = regions.own(ids)
    pairs = [
        _pairs("in_anchors", in_anchors, in_anchors_rel, regions, 0),
        _pairs("shapes", shapes, shapes_rel, regions, _WHOLE),
        _pairs("out_anchors", out_anchors, out_anchors_rel, regions, 0),
    ]
    relative = tuple(r for _, r in pairs)
    columns = [
        column
        for k in range(regions.count)
        for column in (ids[k], *(v for rows, _ in pairs for v in rows[k]))
    ]
    out = input_0.dtype if dtype is None else np.dtype(numpy_dtype(dtype))
    height, width = _size(images, output_size)
    shape = (*input_0.shape[:-3], height, width, input_0.shape[-1])
    parameters = [*columns, *shape, *(c for s in images for c in s.shape)]
    return Apply(
        _kernel,
        shape,
        out,
        input_0.layout,
        tables=(Table(np.float32 if any(relative) else np.int32, columns),),
        static={"relative": relative, "chosen": in_ids is not None},
        bound=[*[None] * (input_0.ndim - 3), largest(height), largest(width), None],
        host=None
        if is_traced(*parameters)
        else _Host(images, shape, out, columns, relative, in_ids is not None),
    )


def _check(images: Sequence[Spec], in_ids: Sequence[Column] | None) -> None:
    if in_ids is not None and len(images) > 1:
        raise OperatorError(f"{_WHAT}: in_ids goes with one input; got {len(images)}.")
    first = images[0]
    if first.dtype.kind not in "iuf":
        raise OperatorError(f"{_WHAT}: images are {first.dtype.name}; expected numbers.")
    for k, image in enumerate(images[1:], 1):
        if image.dtype != first.dtype or image.ndim != first.ndim:
            raise OperatorError(
                f"{_WHAT}: input {k} has {image.ndim} axes of {image.dtype.name}, input 0 "
                f"{first.ndim} of {first.dtype.name}; expected the same."
            )
        for axis in (*range(first.ndim - 3), first.ndim - 1):
            a, b = image.shape[axis], first.shape[axis]
            if not is_traced(a, b) and any_of(a != b):
                raise OperatorError(
                    f"{_WHAT}: input {k} has another number of channels or frames than input 0."
                )


@final
class _Regions:
    """How many regions each sample has; `count` is what lists have room for."""

    def __init__(self, count: int, lengths: Mapping[str, Column]):
        self.count = count
        self.lengths = lengths
        self._own = lengths.get("in_ids", count)

    def own(self, columns: Sequence[Column]) -> list[Column]:
        """The values of the regions that a sample has; the others are empty, at the corner."""
        if "in_ids" not in self.lengths:
            return list(columns)
        return [where(self._own > k, column, 0) for k, column in enumerate(columns)]

    def check(self, name: str, width: int, rows: int) -> None:
        """Refuses an argument that has not one row for each region."""
        has = self.lengths[name] // width if name in self.lengths else rows
        wrong = has != self._own
        if any_of(wrong):
            i = first_of(wrong)
            raise OperatorError(
                f"{_WHAT}: {f'sample {i}: ' if self.lengths else ''}{name} has "
                f"{value_at(has, i)} rows; expected {value_at(self._own, i)}, one for each pasted "
                "region."
            )


def _pairs(
    name: str,
    pixels: Sequence[Any] | None,
    fractions: Sequence[Any] | None,
    regions: _Regions,
    default: int,
) -> tuple[list[list[Column]], bool]:
    """Row and column of each region, and whether they are fractions."""
    if pixels is not None and fractions is not None:
        raise OperatorError(f"{_WHAT}: {name} and {name}_rel are both given; pass one of them.")
    given = fractions if pixels is None else pixels
    if given is None:
        rows = [[default, default]] * regions.count
    else:
        argument = name if fractions is None else f"{name}_rel"
        if argument in regions.lengths and len(given) % 2:
            given = [*given, 0]  # a list has room for more than the most
        rows = matrix_rows(_WHAT, argument, given, 2)
        regions.check(argument, 2, len(rows))
        rows = [*rows, *[[0, 0]] * regions.count][: regions.count]
    first, second = (regions.own([row[k] for row in rows]) for k in (0, 1))
    return [list(row) for row in zip(first, second, strict=True)], fractions is not None


def _size(images: Sequence[Spec], given: Sequence[Column] | None) -> tuple[Column, Column]:
    """Height and width of the canvas."""
    if given is not None:
        if len(given) != 2:
            raise OperatorError(
                f"{_WHAT}: output_size has {len(given)} values; expected height and width."
            )
        return given[0], given[1]
    own = [s.shape[-3:-1] for s in images]
    for other in own[1:]:
        for a, b in zip(own[0], other, strict=True):
            if is_traced(a, b) or any_of(a != b):
                raise OperatorError(
                    f"{_WHAT}: the images have several sizes. Pass output_size, the extents of "
                    "the canvas."
                )
    return own[0][0], own[0][1]


def _placed(
    xp: Any, first: Any, size: Any, place: Any, extent: Any, canvas: Any, relative: Any
) -> tuple[Any, Any, Any]:
    """First pixel, extent and place of a region along one axis, in pixels."""
    if relative[0]:
        first = xp.floor(first * extent)
    if relative[2]:
        place = xp.floor(place * canvas)
    whole = size < 0
    if relative[1]:
        size = xp.ceil(size * extent)
    size = xp.where(whole, extent - first, size)
    return tuple(xp.asarray(v).astype(np.int32) for v in (first, size, place))  # type: ignore


class _Host:
    """The same with NumPy views, which need no program."""

    def __init__(
        self,
        images: Sequence[Spec],
        shape: Sequence[Column],
        dtype: np.dtype,
        columns: Sequence[Column],
        relative: tuple[bool, ...],
        chosen: bool,
    ):
        self._images = images
        self._shape = shape
        self._dtype = dtype
        self._columns = columns
        self._relative = relative
        self._chosen = chosen

    def __call__(self, storages: Sequence[Storage]) -> Storage:
        sizes = () if self._images[0].batched else self._shape
        count, batched = batching(self._images, *self._columns, *sizes)
        kind = np.float32 if any(self._relative) else np.int64
        regions = table(self._columns, count, kind).reshape(count, -1, _COLUMNS)
        samples = [views(s, x, count) for s, x in zip(storages, self._images, strict=True)]

        def write(i: int, target: np.ndarray) -> None:
            target[...] = 0
            for k, region in enumerate(regions[i]):
                if self._chosen:
                    source = self._picked(samples[0], int(region[0]), i)
                else:
                    source = samples[k][i]
                self._paste(source, target, region, i, k)

        return collected(tuple(self._shape), self._dtype, count, batched, write)

    def _picked(self, samples: Sequence[np.ndarray], number: int, i: int) -> np.ndarray:
        if not 0 <= number < len(samples):
            raise OperatorError(
                f"{_WHAT}: sample {i}: in_ids names sample {number}; the batch has {len(samples)}."
            )
        return samples[number]

    def _paste(
        self, source: np.ndarray, target: np.ndarray, region: np.ndarray, i: int, k: int
    ) -> None:
        taken: list[Any] = [Ellipsis]
        placed: list[Any] = [Ellipsis]
        for axis in (0, 1):
            where = source.ndim - 3 + axis
            extent, canvas = source.shape[where], target.shape[where]
            values = (region[1 + axis], region[3 + axis], region[5 + axis])
            first, size, place = map(int, _placed(np, *values, extent, canvas, self._relative))
            if first < 0 or size < 0 or first + size > extent:
                raise OperatorError(
                    f"{_WHAT}: sample {i}: region {k} is [{first}, {first + size}) of an image of "
                    f"{extent} pixels; expected a region within the image."
                )
            if place < 0 or place + size > canvas:
                raise OperatorError(
                    f"{_WHAT}: sample {i}: region {k} is placed at [{place}, {place + size}) of a "
                    f"canvas of {canvas} pixels; expected a place within it."
                )
            taken.append(slice(first, first + size))
            placed.append(slice(place, place + size))
        channels = slice(None)
        part = source[(*taken, channels)]
        target[(*placed, channels)] = (
            part if part.dtype == self._dtype else convert_host(part, self._dtype)
        )
