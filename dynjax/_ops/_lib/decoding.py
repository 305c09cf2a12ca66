"""From encoded pictures to sizes, before anything is decoded."""

from typing import Any, final

import numpy as np

from ..._native import StatusCode, native
from ..._schema import Apply, Kernel, Table
from ..._statuses import sample_error
from ..._types.columns import Column
from ..._types.data import Data
from ..._types.dtypes import numpy_dtype
from ..._types.enums import DALIImageType
from ..._types.errors import OperatorError
from ..._types.storage import Scattered, to_host
from .limits import get_max_image_pixels
from .pillow import PillowPicture

decode = Kernel("decode", reports=True, cost=32)

DTYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32")
_CHANNELS = {
    DALIImageType.RGB: 3,
    DALIImageType.BGR: 3,
    DALIImageType.YCbCr: 3,
    DALIImageType.GRAY: 1,
}
# Kinds of source for the native kernel beside encoded (0); see ops/decoders/decode.h.
_RAW8, _RAW16 = 1, 2


@final
class Headers:
    """The headers of a batch of encoded pictures.

    Attributes:
        height, width: int arrays `[N]`, with the orientation applied if asked for.
        channels: of the result: one number, or an array for `ANY_DATA`.
        parameters: columns of the decode kernel: source kind, raw height, width, channels,
            orientation.
    """

    def __init__(
        self,
        what: str,
        encoded: Data,
        output_type: DALIImageType,
        turn: bool,
        count: int | None = None,
    ):
        """Raises OperatorError, naming the sample, for data that are no picture or too large.

        `count` is the number of samples of the call, if it is not that of the data: one file then
        serves all of them.
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
        lengths = np.ascontiguousarray(np.broadcast_to(lengths, count))
        addresses = self._storage.addresses(count)
        rows = native.peek_images(addresses, lengths).astype(np.int64)
        status = rows[:, :2].copy()
        self._pillow: dict[int, PillowPicture] = {}
        foreign = (rows[:, 3] == 0) & np.isin(
            status[:, 0], (StatusCode.OK, StatusCode.UNRECOGNISED)
        )
        for i in np.flatnonzero(foreign).tolist():
            known = status[i, 0] == StatusCode.OK
            status[i, 0] = self._open(i, rows[i], output_type)
            if known and status[i, 0] == StatusCode.UNRECOGNISED:
                status[i, 0] = StatusCode.CORRUPT
        height, width, orientation = rows[:, 4], rows[:, 5], rows[:, 8]
        too_large = height * width > get_max_image_pixels()
        status[too_large & (status[:, 0] == StatusCode.OK), 0] = StatusCode.TOO_LARGE
        if status[:, 0].any():
            raise sample_error(what, status, encoded.source)
        turned = (orientation >= 5) & turn
        self.height = np.where(turned, width, height)
        self.width = np.where(turned, height, width)
        self.channels: Any = _CHANNELS.get(output_type, rows[:, 6])
        kind = np.zeros_like(height)
        for i, picture in self._pillow.items():
            kind[i] = _RAW16 if picture.deep else _RAW8
        self.parameters = (kind, height, width, rows[:, 6], orientation)
        self._static = {"output_type": int(output_type), "adjust_orientation": turn}

    def decoded(
        self, dtype: Any, part: tuple[Column, Column, Column, Column] | None = None
    ) -> Apply:
        """The pictures, or a part of each: first row and column, height and width.

        Raises:
            OperatorError: a dtype that is none of `DTYPES`.
        """
        out_dtype = np.dtype(numpy_dtype(dtype))
        if out_dtype.name not in DTYPES:
            raise OperatorError(
                f"{self._what}: dtype={out_dtype.name}; expected one of {', '.join(DTYPES)}."
            )
        y, x, height, width = part or (0, 0, self.height, self.width)
        return Apply(
            decode,
            (height, width, self.channels),
            out_dtype,
            "HWC",
            tables=(Table(np.int32, (*self.parameters, *((y, x) if part else ()))),),
            static=self._static,
            prepared=self.sources,
        )

    def _open(self, i: int, row: np.ndarray, output_type: DALIImageType) -> StatusCode:
        """Reads one header through Pillow into the row that native code could not fill."""
        keep = output_type is DALIImageType.ANY_DATA
        picture = PillowPicture(self._storage.sample(i).tobytes(), keep)
        self._pillow[i] = picture
        row[4:7] = picture.height, picture.width, picture.channels
        row[8] = picture.orientation
        return picture.status

    def sources(self) -> list[Scattered] | None:
        """The kernel's input where some pictures need Pillow: those as raw pixels."""
        if not self._pillow:
            return None
        count = len(self.height)
        status = np.zeros((count, 2), np.int64)
        parts = []
        for i in range(count):
            if i in self._pillow:
                parts.append(self._pillow[i].pixels().view(np.uint8).reshape(-1))
                status[i, 0] = self._pillow[i].status
            else:
                parts.append(self._storage.sample(i))
        if status[:, 0].any():
            raise sample_error(self._what, status, self._source)
        return [Scattered(parts)]
