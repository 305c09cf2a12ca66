"""The files of the readers' rows: photographs in records, small files, and a long index."""

import io
import random
import struct
import tarfile
from collections.abc import Callable
from pathlib import Path

SMALL_FILES = 20_000
ENTRIES = 1_000_000


def _varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def _block(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _example(image: bytes, label: int) -> bytes:
    """A `tf.train.Example` with a text and a number."""
    features = (("image", _block(1, _block(1, image))), ("label", _block(3, b"\x08%c" % label)))
    entries = (_block(1, _block(1, n.encode()) + _block(2, f)) for n, f in features)
    return _block(1, b"".join(entries))


def _tfrecord(folder: Path, photos: list[str]) -> list[str]:
    data, index = folder / "photos.tfrecord", folder / "photos.idx"
    offset = 0
    with data.open("wb") as out, index.open("w") as lines:
        for i, photo in enumerate(photos):
            record = _example(Path(photo).read_bytes(), i % 10)
            # Checksums that neither side looks at.
            framed = struct.pack("<QI", len(record), 0) + record + bytes(4)
            lines.write(f"{offset} {len(framed)}\n")
            offset += out.write(framed)
    return [str(data), str(index)]


def _tar(folder: Path, photos: list[str]) -> list[str]:
    path = folder / "photos.tar"
    with tarfile.open(path, "w") as archive:
        for i, photo in enumerate(photos):
            for ending, content in (("jpg", Path(photo).read_bytes()), ("cls", b"%d" % (i % 10))):
                member = tarfile.TarInfo(f"{i:06}.{ending}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return [str(path)]


def _small_files(folder: Path, _photos: list[str]) -> list[str]:
    inside = folder / "files_2k"
    inside.mkdir()
    content = random.Random(0).randbytes(2048)
    paths = [inside / f"{i:05}.jpg" for i in range(SMALL_FILES)]
    for path in paths:
        path.write_bytes(content)
    return [str(path) for path in paths]


def _long_list(folder: Path, _photos: list[str]) -> list[str]:
    path = folder / "million.txt"
    with path.open("w") as lines:
        lines.writelines(f"train/n{i % 1000:08}/{i:08}.jpg {i % 1000}\n" for i in range(ENTRIES))
    return [str(path)]


def _long_tar(folder: Path, _photos: list[str]) -> list[str]:
    """Members without content: what an index costs does not depend on it."""
    path = folder / "million.tar"
    with path.open("wb") as archive:
        for i in range(ENTRIES):
            member = tarfile.TarInfo(f"train/n{i % 1000:08}/{i:08}.cls")
            if i == 0:
                plain = bytearray(member.tobuf(tarfile.USTAR_FORMAT))
            name = member.name.encode()
            plain[: len(name)] = name
            plain[148:156] = b" " * 8
            plain[148:156] = b"%06o\0 " % sum(plain)
            archive.write(plain)
        archive.write(bytes(1024))
    return [str(path)]


# Each takes a folder and the photographs.
MAKERS: dict[str, Callable[[Path, list[str]], list[str]]] = {
    "tfrecord": _tfrecord,
    "tar": _tar,
    "files_2k": _small_files,
    "million": _long_list,
    "million_tar": _long_tar,
}
