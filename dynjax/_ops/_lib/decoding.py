"""From encoded pictures to sizes, before anything is decoded."""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple, final

import numpy as np

from ..._native import StatusCode, native
from ..._schema import Apply, Kernel, Table
from ..._statuses import place, sample_error
from ..._types.columns import Column
from ..._types.data import Data
from ..._types.dtypes import numpy_dtype
from ..._types.enums import DALIImageType
from ..._types.errors import OperatorError
from ..._types.storage import Scattered, to_host
from .limits import get_max_image_pixels
from .pillow import PillowPicture

decode = Kernel("decode", reports=True, cost=32, chains=True)

DTYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32")
_CHANNELS = {
    DALIImageType.RGB: 3,
    DALIImageType.BGR: 3,
    DALIImageType.YCbCr: 3,
    DALIImageType.GRAY: 1,
}
FULL_SCALE = 8  # sizes of decoded JPEG pictures are counted in eighths
_JPEG = 1
_HEADER_COLUMNS = 9
# Kinds of source for the native kernel beside encoded (0); see ops/decoders/decode.h.
_RAW8, _RAW16 = 1, 2


@functools.lru_cache(maxsize=256, typed=True)
def pixel_dtype(what: str, dtype: Any) -> np.dtype:
    """The type of the result; raises OperatorError for one that is none of `DTYPES`."""
    out_dtype = np.dtype(numpy_dtype(dtype))
    if out_dtype.name not in DTYPES:
        raise OperatorError(f"{what}: dtype={out_dtype.name}; expected one of {', '.join(DTYPES)}.")
    return out_dtype


def channels_of(output_type: DALIImageType) -> int | None:
    """Channels of the result; None for those of the file."""
    return _CHANNELS.get(output_type)


class _Sizes(NamedTuple):
    """Columns that follow from headers alone; see `Headers`.

    `decoded` holds the outputs that were described with them, by their types.
    """

    height: np.ndarray
    width: np.ndarray
    parameters: tuple[np.ndarray, ...]
    decoded: dict[Any, Apply]


def _sizes(rows: np.ndarray, turn: bool, scale: int) -> _Sizes:
    """From the int64 rows that `native.peek_images` gives."""
    height, width, channels, orientation = rows[:, 4], rows[:, 5], rows[:, 6], rows[:, 8]
    # What is decoded natively and has the number of JPEG; see ops/decoders/image_info.h.
    scaled = (rows[:, 2] == _JPEG) & (rows[:, 3] != 0)
    eighths = np.where(scaled, scale, FULL_SCALE)
    high, wide = (-(-n * eighths // FULL_SCALE) for n in (height, width))
    turned = (orientation >= 5) & turn
    kind = np.zeros_like(height)
    parameters = (kind, height, width, channels, orientation)
    return _Sizes(np.where(turned, wide, high), np.where(turned, high, wide), parameters, {})


@functools.lru_cache(maxsize=64)
def _common_sizes(headers: bytes, turn: bool, scale: int, largest: int) -> _Sizes | None:
    """The same for headers as they often follow each other in data sets of one size.

    Args:
        headers: the int32 rows.
        turn, scale: see `Headers`.
        largest: number of pixels.

    Returns:
        Arrays that nobody may change; None if there is a sample that needs a closer look.
    """
    rows = np.frombuffer(headers, np.int32).reshape(-1, _HEADER_COLUMNS).astype(np.int64)
    if rows[:, 0].any() or not rows[:, 3].all() or (rows[:, 4] * rows[:, 5] > largest).any():
        return None
    return _sizes(rows, turn, scale)


@final
class Headers:
    """The headers of a batch of encoded pictures.

    Attributes:
        height, width: int arrays `[N]`, with the orientation applied if asked for.
        channels: of the result: one number, or an array for `ANY_DATA`.
        parameters: columns of the decode kernel: source kind, raw height, width, channels,
            orientation.
        status: of each sample, int64 `[N, 2]`: code and detail.
        static: parameters of the decode kernel.
    """

    def __init__(
        self,
        what: str,
        encoded: Data,
        output_type: DALIImageType,
        turn: bool,
        count: int | None = None,
        *,
        scale: int = FULL_SCALE,
        bound: tuple[int, int] | None = None,
        tolerant: bool = False,
    ):
        """Reads them.

        Args:
            what: the operator, for messages.
            encoded: the files.
            output_type: colour channels of the result.
            turn: apply the orientation.
            count: the number of samples of the call, if it is not that of the data: one file then
                serves all of them.
            scale: eighths of their size to which JPEG pictures are decoded.
            bound: the largest height and width.
            tolerant: leave pictures that cannot be decoded to the caller.

        Raises:
            OperatorError: data that are no picture or too large, with the sample's name, unless
                tolerant.
        """
        spec = encoded.spec
        count = spec.count if count is None else count
        if spec.ndim != 1 or spec.dtype != np.uint8:
            raise OperatorError(
                f"{what}: the input has {spec.ndim} axes of {spec.dtype.name}; expected encoded "
                "files as one axis of uint8."
            )
        self._storage = to_host(encoded.storage)
        self._source = encoded.source
        self._what = what
        lengths = self._storage.extents(spec.shape, spec.count)[:, 0].astype(np.int64)
        if count != spec.count:
            lengths = np.ascontiguousarray(np.broadcast_to(lengths, count))
        addresses = self._storage.addresses(count)
        rows = native.peek_images(addresses, lengths)
        self._pillow: dict[int, PillowPicture] = {}
        self.status: np.ndarray
        largest = get_max_image_pixels()
        sizes = _common_sizes(rows.tobytes(), turn, scale, largest)
        if sizes is None:
            rows = rows.astype(np.int64)
            self.status = self._all_statuses(rows, output_type, largest)
            if self.status[:, 0].any() and not tolerant:
                raise sample_error(what, self.status, encoded.source)
            sizes = _sizes(rows, turn, scale)
            for i, picture in self._pillow.items():
                sizes.parameters[0][i] = _RAW16 if picture.deep else _RAW8
        else:
            self.status = np.zeros((count, 2), np.int64)
        self.height, self.width, self.parameters = sizes[:3]
        self._sizes = sizes
        if bound is not None:
            self._check_bound(bound, tolerant)
        self.channels: Any = _CHANNELS.get(output_type, self.parameters[3])
        self.static = {
            "output_type": int(output_type),
            "adjust_orientation": turn,
            "scale": scale,
        }

    def _all_statuses(
        self, rows: np.ndarray, output_type: DALIImageType, largest: int
    ) -> np.ndarray:
        """The status of each sample; fills the rows of those that native code does not read."""
        status = rows[:, :2].copy()
        code = status[:, 0]
        foreign = (rows[:, 3] == 0) & ((code == StatusCode.OK) | (code == StatusCode.UNRECOGNISED))
        for i in np.flatnonzero(foreign).tolist():
            known = status[i, 0] == StatusCode.OK
            status[i, 0] = self._open(i, rows[i], output_type)
            if known and status[i, 0] == StatusCode.UNRECOGNISED:
                # A JPEG file's header was read: only its precision or coding can be the reason.
                whole = rows[i, 2] == _JPEG
                status[i, 0] = StatusCode.UNSUPPORTED if whole else StatusCode.CORRUPT
        too_large = rows[:, 4] * rows[:, 5] > largest
        status[too_large & (status[:, 0] == StatusCode.OK), 0] = StatusCode.TOO_LARGE
        return status

    def decoded(
        self, dtype: Any, part: tuple[Column, Column, Column, Column] | None = None
    ) -> Apply:
        """The pictures, or a part of each: first row and column, height and width.

        Raises:
            OperatorError: a dtype that is none of `DTYPES`.
        """
        out_dtype = pixel_dtype(self._what, dtype)
        kind = (out_dtype, self.static["output_type"])
        if part is None and (known := self._sizes.decoded.get(kind)) is not None:
            return known
        y, x, height, width = part or (0, 0, self.height, self.width)
        apply = Apply(
            decode,
            (height, width, self.channels),
            out_dtype,
            "HWC",
            tables=(Table(np.int32, (*self.parameters, *((y, x) if part else ()))),),
            static=self.static,
            prepared=self.sources if self._pillow else None,
        )
        if part is None and not self._pillow:
            self._sizes.decoded[kind] = apply
        return apply

    def _check_bound(self, bound: tuple[int, int], tolerant: bool) -> None:
        beyond = (self.status[:, 0] == StatusCode.OK) & (
            (self.height > bound[0]) | (self.width > bound[1])
        )
        if tolerant:
            self.status[beyond, 0] = StatusCode.TOO_LARGE
        elif beyond.any():
            i = int(np.flatnonzero(beyond)[0])
            raise OperatorError(
                f"{self._what}: {place(i, self._source)}: the picture has {self.height[i]} x "
                f"{self.width[i]} pixels and bound={bound}. Raise the bound, or leave it out "
                "outside jit."
            )

    def _open(self, i: int, row: np.ndarray, output_type: DALIImageType) -> StatusCode:
        """Reads one header through Pillow into the row that native code could not fill."""
        keep = output_type is DALIImageType.ANY_DATA
        picture = PillowPicture(self._storage.sample(i).tobytes(), keep)
        self._pillow[i] = picture
        row[4:7] = picture.height, picture.width, picture.channels
        row[8] = picture.orientation
        return picture.status

    def sources(self) -> list[Scattered]:
        """The kernel's input where some pictures need Pillow: those as raw pixels."""
        parts, status = self.parts(range(len(self.height)))
        if status[:, 0].any():
            raise sample_error(self._what, status, self._source)
        return [Scattered(parts)]

    def parts(self, samples: Sequence[int]) -> tuple[list[np.ndarray], np.ndarray]:
        """The kernel's input for some of the samples, and how Pillow fared with them."""
        status = np.zeros((len(samples), 2), np.int64)
        parts = []
        for k, i in enumerate(samples):
            if i in self._pillow:
                parts.append(self._pillow[i].pixels().view(np.uint8).reshape(-1))
                status[k, 0] = self._pillow[i].status
            else:
                parts.append(self._storage.sample(i))
        return parts, status
