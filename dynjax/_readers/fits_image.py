"""Images in FITS files."""

import io
from dataclasses import dataclass
from math import prod
from typing import Any, final

import numpy as np

_BLOCK, _CARD = 2880, 80
_MAX_CARDS = 36 * 1000
_MAX_AXES = 32  # which every NumPy has
_TYPES = {8: "u1", 16: ">i2", 32: ">i4", 64: ">i8", -32: ">f4", -64: ">f8"}
# An integer image with this offset holds numbers of the other signedness.
_OFFSETS: dict[tuple[int, int], Any] = {
    (8, -128): np.int8,
    (16, 1 << 15): np.uint16,
    (32, 1 << 31): np.uint32,
    (64, 1 << 63): np.uint64,
}


class FitsError(ValueError):
    """The bytes are no FITS file, or lack the image."""


@final
@dataclass(frozen=True)
class _Header:
    """The cards of a unit by keyword, and where its data start."""

    cards: dict[str, str]
    end: int

    def integer(self, key: str, default: int) -> int:
        text = self.cards.get(key)
        try:
            return default if text is None else int(text)
        except ValueError:
            raise FitsError(f"{key} = {text!r} is no integer") from None

    def real(self, key: str, default: float) -> float:
        text = self.cards.get(key)
        try:
            return default if text is None else float(text.replace("D", "E"))
        except ValueError:
            raise FitsError(f"{key} = {text!r} is no number") from None

    @property
    def shape(self) -> tuple[int, ...]:
        """Slowest axis first."""
        rank = self.integer("NAXIS", 0)
        if not 0 <= rank <= _MAX_AXES:
            raise FitsError(f"NAXIS = {rank}")
        dims = tuple(self.integer(f"NAXIS{k}", -1) for k in range(rank, 0, -1))
        if min(dims, default=0) < 0:
            raise FitsError(f"an axis of {dims} is missing or negative")
        return dims

    @property
    def data_size(self) -> int:
        """Bytes of the data, the table's heap counted, without padding."""
        count = prod(self.shape) if self.shape else 0
        pixels = count + self.integer("PCOUNT", 0)
        return abs(self.integer("BITPIX", 8)) // 8 * self.integer("GCOUNT", 1) * pixels


def parse_fits(content: np.ndarray, number: int) -> np.ndarray:
    """The image of a header and data unit, in C order.

    Integers with scale or offset become floats, but for the offsets that stand for the other
    signedness.

    Args:
        content: the file's bytes.
        number: of the unit; 1 is the primary one.

    Raises:
        FitsError: the file is malformed, or that unit holds no image.

    Source: FITS Standard 4.0, sections 3, 4.4 and 5.
    """
    at = 0
    for current in range(1, number + 1):
        if at >= len(content):
            raise FitsError(f"it has {current - 1} units; unit {number} is wanted")
        header = _header(content, at)
        if current == number:
            return _image(content, header, number)
        size = header.data_size
        if size < 0:
            raise FitsError(f"the data of unit {current} have {size} bytes")
        at = header.end + -(-size // _BLOCK) * _BLOCK
    raise FitsError(f"there is no unit {number}; they count from 1")


def _header(content: np.ndarray, at: int) -> _Header:
    cards: dict[str, str] = {}
    for start in range(at, min(len(content), at + _MAX_CARDS * _CARD), _CARD):
        card = content[start : start + _CARD].tobytes().decode("latin-1")
        key = card[:8].rstrip()
        if key == "END":
            return _Header(cards, at + -(-(start + _CARD - at) // _BLOCK) * _BLOCK)
        if card[8:10] == "= ":
            value = card[10:].strip()
            cards[key] = (
                value[1:].split("'")[0].rstrip()
                if value[:1] == "'"
                else (value.split("/")[0].strip())
            )
    raise FitsError(f"the header at byte {at} has no end")


def _image(content: np.ndarray, header: _Header, number: int) -> np.ndarray:
    if header.cards.get("ZIMAGE") == "T":
        return _compressed(content, number)
    if header.cards.get("XTENSION", "IMAGE") != "IMAGE":
        raise FitsError(f"unit {number} is no image")
    shape, bits = header.shape, header.integer("BITPIX", 0)
    if not shape or bits not in _TYPES:
        raise FitsError(f"unit {number} holds no image (BITPIX {bits}, {len(shape)} axes)")
    dtype = np.dtype(_TYPES[bits])
    size = prod(shape) * dtype.itemsize
    block = content[header.end : header.end + size]
    if len(block) < size:
        raise FitsError(f"unit {number} is cut off: {len(block)} of {size} bytes")
    values = np.frombuffer(block.tobytes(), dtype).reshape(shape)
    return _scaled(values, bits, header.real("BSCALE", 1.0), header.real("BZERO", 0.0))


def _scaled(values: np.ndarray, bits: int, scale: float, zero: float) -> np.ndarray:
    native: np.dtype[Any] = values.dtype.newbyteorder("=")
    if scale == 1.0 and zero == 0.0:
        return values.astype(native)
    unsigned = _OFFSETS.get((bits, int(zero))) if scale == 1.0 and zero.is_integer() else None
    if unsigned is not None:
        # Adding half the range is flipping the highest bit.
        flip = np.array(1, np.dtype(unsigned).str.replace("i", "u")) << np.uint8(abs(bits) - 1)
        raw = values.astype(native).view(flip.dtype)
        return (raw ^ flip).view(unsigned)
    wide = np.float32 if bits in (8, 16, -32) else np.float64
    return (values.astype(np.float64) * scale + zero).astype(wide)


def _compressed(content: np.ndarray, number: int) -> np.ndarray:
    try:
        from astropy.io import fits  # type: ignore[import-not-found]
    except ImportError:
        raise FitsError(
            f"unit {number} is compressed; that needs a package: pip install astropy"
        ) from None
    try:
        with fits.open(io.BytesIO(content.tobytes())) as units:
            unit: Any = units[number - 1]
            values = np.asarray(unit.data)
    except Exception as error:  # damage shows as errors of many types
        raise FitsError(f"unit {number}: {type(error).__name__}: {error}") from None
    return values.astype(values.dtype.newbyteorder("="))
