"""Writes the seeds of the fuzz targets: small, made here, the same at every run.

    python tests/native/corpus/make.py

Kernels draw shapes and arguments from the bytes (`ops/base/fuzz_input.h`), so that any bytes are a
seed; parsers get small files of every kind that they know.
"""

import io
import random
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from support.tiff import PALETTE, SEPARATED, tiff  # noqa: E402

KERNELS = (
    *("audio", "colour", "convert", "erase", "filters", "grid_mask"),
    *("normalise", "picture_chain", "random", "read_files", "resample", "strided_copy"),
    *("threefry", "warp"),
)


def kernel_seeds(target: str) -> Iterator[tuple[str, bytes]]:
    """Bytes of several kinds: each first byte, which picks the kernel, and plain or wild rests."""
    source = random.Random(target)
    for first in range(8):
        yield f"{first}", bytes([first]) + source.randbytes(96)
    yield "zeros", bytes(64)
    yield "steps", bytes(range(0, 256, 3))


def pictures() -> Iterator[tuple[str, bytes]]:
    rows = np.add.outer(np.arange(19) * 9, np.arange(22) * 4).astype(np.uint8)
    rgb = Image.fromarray(np.stack([rows, rows[::-1], rows[:, ::-1]], axis=-1))
    grey = rgb.convert("L")
    turned = Image.Exif()
    turned[0x0112] = 6
    yield "rgb.jpg", saved(rgb, "JPEG", quality=80)
    yield "full.jpg", saved(rgb, "JPEG", quality=60, subsampling=0)
    yield "progressive.jpg", saved(rgb, "JPEG", progressive=True, exif=turned)
    yield "restarts.jpg", saved(rgb, "JPEG", restart_marker_blocks=1)
    yield "grey.jpg", saved(grey, "JPEG")
    yield "cmyk.jpg", saved(rgb.convert("CMYK"), "JPEG", quality=50)
    yield "rgb.png", saved(rgb, "PNG")
    yield "alpha.png", saved(rgb.convert("RGBA"), "PNG")
    yield "palette.png", saved(rgb.quantize(16), "PNG", transparency=3)
    yield "bits.png", saved(grey.convert("1"), "PNG")
    yield "deep.png", saved(Image.fromarray(rows.astype(np.uint16) * 257), "PNG")
    yield "lossy.webp", saved(rgb, "WEBP", quality=50)
    clear = rgb.copy()
    clear.putalpha(grey)
    yield "clear.webp", saved(clear, "WEBP", quality=50, exif=turned)
    yield "lossless.webp", saved(rgb.convert("RGBA"), "WEBP", lossless=True)
    yield (
        "animated.webp",
        saved(rgb, "WEBP", quality=30, save_all=True, append_images=[rgb.rotate(90)], duration=9),
    )


def progressive_pictures() -> Iterator[tuple[str, bytes]]:
    """Enough detail for scans of every kind of symbol."""
    noise = random.Random("progressive").randbytes(40 * 44 * 3)
    rgb = Image.frombytes("RGB", (44, 40), noise).resize((66, 60), Image.Resampling.BICUBIC)
    for sampling in range(3):
        options = {"progressive": True, "subsampling": sampling, "quality": 95 - 20 * sampling}
        yield f"progressive{sampling}.jpg", saved(rgb, "JPEG", **options)
        yield (
            f"progressive_restarts{sampling}.jpg",
            saved(rgb, "JPEG", restart_marker_blocks=3, **options),
        )
    yield "progressive_grey.jpg", saved(rgb.convert("L"), "JPEG", progressive=True)


def tiff_pictures() -> Iterator[tuple[str, bytes]]:
    rows = np.add.outer(np.arange(19) * 9, np.arange(22) * 4).astype(np.uint8)
    rgb = np.stack([rows, rows[::-1], rows[:, ::-1]], axis=-1)
    four = np.concatenate([rgb, rows[..., None]], axis=2)
    picture = Image.fromarray(rgb)
    for name, mode, compression in (
        *(("lzw", "RGB", "tiff_lzw"), ("jpeg", "YCbCr", "jpeg"), ("ink_jpeg", "CMYK", "jpeg")),
        *(("fax3", "1", "group3"), ("fax4", "1", "group4"), ("rle", "1", "tiff_ccitt")),
        ("zstd", "L", "zstd"),
    ):
        yield f"{name}.tif", saved(picture.convert(mode), "TIFF", compression=compression)
    colours = {320: ("H", [k * 257 for k in range(16)] * 3)}
    turned = {274: ("H", [6])}
    yield "plain.tif", tiff(rgb).tobytes()
    yield "deep.tif", tiff(rgb.astype(np.uint16) * 4, bits=10, tags=turned).tobytes()
    yield "tiles.tif", tiff(four, tile=(16, 16), compression="deflate").tobytes()
    yield "planes.tif", tiff(four, planar=True, compression="packbits").tobytes()
    yield "plane_tiles.tif", tiff(rgb, planar=True, tile=(16, 16), order=">").tobytes()
    yield "palette.tif", tiff(rgb[..., :1], bits=4, photometric=PALETTE, tags=colours).tobytes()
    yield "ink.tif", tiff(four.astype(np.uint16), photometric=SEPARATED, big=True).tobytes()
    yield "floats.tif", tiff(rgb / np.float32(255), big=True, order=">").tobytes()


def saved(picture: Image.Image, kind: str, **options) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def field(number: int, content: bytes) -> bytes:
    assert len(content) < 128
    return bytes([number << 3 | 2, len(content)]) + content


def example() -> bytes:
    """A `tf.train.Example` with features a (bytes), b (int64) and c (float)."""
    features = (
        (b"a", field(1, field(1, b"text"))),
        (b"b", field(3, field(1, bytes([3, 0xFF, 0x01, 7])))),
        (b"c", field(2, field(1, struct.pack("<2f", 0.5, -2.0)))),
    )
    return field(
        1, b"".join(field(1, field(1, name) + field(2, value)) for name, value in features)
    )


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(content: bytes) -> bytes:
    length = struct.pack("<Q", len(content))
    return b"".join(
        (
            *(length, struct.pack("<I", masked_crc(length))),
            *(content, struct.pack("<I", masked_crc(content))),
        )
    )


def sounds() -> Iterator[tuple[str, bytes]]:
    """FLAC files behind the length of their first frame's header, and the frame's in two bytes."""
    n = np.arange(600)[:, None]
    noise = np.random.default_rng(0).integers(-200, 200, (600, 2))
    sine = (9000 * np.sin(n / (9, 9.1)) + noise // 20).astype(np.int16)
    yield "mono", flac(sine[:, 0], "PCM_16")
    yield "stereo", flac(sine, "PCM_16")
    yield "noise", flac((noise << 23).astype(np.int32), "PCM_24")
    yield "constant", flac(np.full(600, 257, np.int16), "PCM_S8")
    yield "surround", flac(np.repeat(sine[:90] * 2, 3, axis=1), "PCM_16")


def flac(samples: np.ndarray, subtype: str) -> bytes:
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, samples, 16000, format="FLAC", subtype=subtype)
    whole = buffer.getvalue()
    # Without what only pads.
    start, header = 42, whole[:42]
    while not whole[start] & 0x80:
        start += 4 + int.from_bytes(whole[start + 1 : start + 4], "big")
    frames = whole[start + 4 + int.from_bytes(whole[start + 1 : start + 4], "big") :]
    assert frames[:2] == b"\xff\xf8"
    return (
        bytes([7 if len(samples) > 256 else 6])
        + struct.pack(">H", len(frames))
        + header[:4]
        + b"\x80"
        + header[5:]
        + frames
    )


def seeds() -> Iterator[tuple[str, str, bytes]]:
    for target in KERNELS:
        for name, content in kernel_seeds(target):
            yield target, name, content
    for name, content in pictures():
        yield "decode", name, content
        if name.endswith(".jpg") and name != "cmyk.jpg":
            yield "jpeg_fast", name, content
    for name, content in progressive_pictures():
        yield "jpeg_fast", name, content
    for name, content in tiff_pictures():
        yield "decode", name, content
    for name, content in sounds():
        yield "flac", name, content
    yield "example", "three", example()
    yield "example", "empty", field(1, b"")
    # The first byte says whether checksums are compared.
    yield "tfrecord", "checked", b"\1" + record(example())
    yield "tfrecord", "plain", b"\0" + record(example())
    yield "tfrecord", "cut", b"\0" + record(example())[:-9]


if __name__ == "__main__":
    for target, name, content in seeds():
        folder = HERE / f"{target}_fuzz"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
