"""Pictures that no native decoder takes, through Pillow."""

import functools
import io
import warnings
from typing import Any, final

import numpy as np
from PIL import Image, TiffImagePlugin, UnidentifiedImageError

from ..._native import StatusCode
from .jp2_palette import jp2_palette

_ORIENTATION_TAG = 0x0112
_BITS_TAG = 258  # TIFF's bits of each channel
# Formats that are pictures and nothing else: no plug-in that starts another program.
_FORMATS = (
    *("AVIF", "BMP", "DIB", "GIF", "ICO", "JPEG", "JPEG2000", "MPO", "PCX", "PNG", "PPM", "QOI"),
    *("SGI", "TGA", "TIFF", "WEBP"),
)


@functools.cache
def _formats() -> tuple[str, ...]:
    """Those of `_FORMATS` that this build of Pillow reads."""
    Image.init()
    return tuple(name for name in _FORMATS if name in Image.OPEN)


# What each of Pillow's modes is converted to before its pixels are taken: the mode, the channels.
_MODES = {
    "1": ("L", 1), "L": ("L", 1), "LA": ("LA", 2), "P": ("RGB", 3), "PA": ("RGBA", 4),
    "RGB": ("RGB", 3), "RGBA": ("RGBA", 4), "RGBX": ("RGB", 3), "YCbCr": ("RGB", 3),
    "LAB": ("RGB", 3), "HSV": ("RGB", 3), "CMYK": ("CMYK", 4), "La": ("LA", 2),
    "RGBa": ("RGBA", 4), "I": ("I;16", 1), "I;16": ("I;16", 1), "I;16B": ("I;16", 1),
    "I;16L": ("I;16", 1), "F": ("F", 1),
}  # fmt: skip


@final
class PillowPicture:
    """An encoded picture: its size from the header, its pixels on demand.

    Attributes:
        status: why it cannot be read, or OK.
        height, width, channels: as stored, before the orientation is applied.
        orientation: EXIF orientation, 1 to 8.
        deep: whether the pixels have 16 bits.
    """

    def __init__(self, encoded: bytes, keep_channels: bool):
        self.status = StatusCode.OK
        self.height = self.width = self.channels = 0
        self.orientation = 1
        self.deep = False
        self._mode = ""
        self._largest = 65535  # of 16-bit pixels
        self._is_turned = False
        self._palette: np.ndarray | None = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the size limit is checked by the caller
                self._image = Image.open(io.BytesIO(encoded), formats=_formats())
                self._read_header(keep_channels)
                if self._image.format == "JPEG2000" and self._image.mode == "P":
                    self._take_palette(encoded)
        except UnidentifiedImageError:
            self.status = _status_of_unidentified(encoded)
        except Exception as error:  # Pillow's plug-ins raise what comes: SyntaxError, struct.error
            self.status = _status_of(error)

    def _read_header(self, keep_channels: bool) -> None:
        image: Any = self._image
        if image.mode not in _MODES:
            self.status = StatusCode.UNSUPPORTED
            return
        self._mode, self.channels = _MODES[image.mode]
        if image.mode == "P" and "transparency" in image.info:
            self._mode, self.channels = "RGBA", 4
        if image.mode == "CMYK" and not keep_channels:
            self._mode, self.channels = "RGB", 3
        self.deep = self._mode == "I;16"
        self.width, self.height = image.size
        if image.format == "TIFF" and image.tag_v2.get(_BITS_TAG) == (12,):
            self._largest = 4095
        self.orientation = _orientation(image)
        if image.format == "TIFF":
            # Pillow turns these itself, and gives the size that results.
            self._is_turned = True
            if self.orientation >= 5:
                self.height, self.width = self.width, self.height

    def _take_palette(self, encoded: bytes) -> None:
        self._palette = jp2_palette(encoded)
        if self._palette is not None:
            self.channels = self._palette.shape[1]

    def pixels(self) -> np.ndarray:
        """`[height, width, channels]`, uint8 or uint16. Sets `status` if it fails."""
        shape = (self.height, self.width, self.channels)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                values = self._values()
            if self._is_turned:
                values = _stored(values, self.orientation)
            return np.ascontiguousarray(values).reshape(shape)
        except Exception as error:
            self.status = _status_of(error)
            return np.zeros(shape, np.uint16 if self.deep else np.uint8)

    def _values(self) -> np.ndarray:
        image = self._image
        image.load()
        if self._mode == "F":
            values = np.asarray(image, np.float32)
            return np.clip(values * 255.0 + 0.5, 0, 255).astype(np.uint8)
        if self.deep:
            values = np.clip(np.asarray(image), 0, self._largest).astype(np.uint32)
            values = (values * 65535 + self._largest // 2) // self._largest
            return values.astype(np.uint16)
        if self._palette is not None:
            return self._palette[np.minimum(np.asarray(image), len(self._palette) - 1)]
        return np.asarray(image.convert(self._mode), np.uint8)


def _status_of_unidentified(encoded: bytes) -> StatusCode:
    """Of what no plug-in took: a TIFF file may be whole and only of unusual pixels."""
    if encoded[:2] in (b"II", b"MM"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                TiffImagePlugin.TiffImageFile(io.BytesIO(encoded))
        except Exception as error:
            if "unknown pixel mode" in str(error):
                return StatusCode.UNSUPPORTED
    return StatusCode.UNRECOGNISED


def _status_of(error: Exception) -> StatusCode:
    if isinstance(error, MemoryError | Image.DecompressionBombError):
        return StatusCode.TOO_LARGE
    text = str(error).lower()
    return StatusCode.TRUNCATED if "truncated" in text else StatusCode.CORRUPT


def _stored(upright: np.ndarray, orientation: int) -> np.ndarray:
    """The pixels as they were before they were turned upright."""
    if orientation in (2, 3, 7):
        upright = upright[:, ::-1]
    if orientation in (3, 4, 7):
        upright = upright[::-1]
    if orientation in (6, 8):
        return np.rot90(upright, 1 if orientation == 6 else -1)
    return upright.swapaxes(0, 1) if orientation in (5, 7) else upright


def _orientation(image: Any) -> int:
    try:
        value = image.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:  # a damaged block counts as none
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1
