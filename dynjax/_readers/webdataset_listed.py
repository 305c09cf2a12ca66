"""Index files of tar archives, as `wds2idx` makes them."""

import os
from array import array

import numpy as np

from .._types.errors import OperatorError
from .arguments import PathLike
from .paths import open_file

# So that no offset and no size passes 2^62.
_DIGITS = 18
# As `TarEntry` in ops/io/tar_index.h.
_ENTRY = np.dtype(
    {
        "names": ["offset", "size", "name", "name_size", "extension", "extension_size", "sample"],
        "formats": ["i8", "i8", "i8", "i4", "i4", "i4", "i4"],
    }
)


def listed(operator: str, index_path: PathLike) -> tuple[np.ndarray, np.ndarray]:
    """The members that an index file lists, in the native form, and their names.

    Its first line is `version count`, each other one a sample: for each component extension,
    offset and size, and since version 1.2 the name.

    Raises:
        OperatorError: it cannot be read, or is none.
    """
    shown = os.fspath(index_path)
    # Offset and size; sizes of name and extension; sample.
    numbers, sizes, names = array("q"), array("i"), bytearray()
    add_number, add_size = numbers.append, sizes.append
    try:
        with open_file(index_path) as lines:
            version, _, count = lines.readline().partition(b" ")
            if version not in (b"v1.1", b"v1.2") or not count.strip().isdigit():
                raise OperatorError(
                    f"{operator}: index_paths: {shown!r} is no index; expected a first line "
                    "'v1.2 <samples>'. Leave index_paths out to scan the archives."
                )
            width = 4 if version == b"v1.2" else 3
            for number, line in enumerate(lines, start=2):
                words = line.split()
                if not words or len(words) % width:
                    raise OperatorError(
                        f"{operator}: index_paths: {shown!r}, line {number}: {len(words)} words; "
                        f"expected {width} for each component. Make the index anew."
                    )
                for i in range(0, len(words), width):
                    # The extension column decides, not the name, as in the original.
                    extension, offset, size = words[i : i + 3]
                    if not (offset.isdigit() and size.isdigit()) or (
                        max(len(offset), len(size)) > _DIGITS
                    ):
                        raise OperatorError(
                            f"{operator}: index_paths: {shown!r}, line {number}: offset "
                            f"{offset!r}, size {size!r}; expected bytes. Make the index anew."
                        )
                    name = words[i + 3] if width == 4 else b""
                    if not name.endswith(b"." + extension):
                        name += b"." + extension
                    names += name
                    add_number(int(offset))
                    add_number(int(size))
                    add_size(len(name))
                    add_size(len(extension))
                    add_size(number)
    except OSError as error:
        raise OperatorError(
            f"{operator}: index_paths: {shown!r}: {error.strerror}. Leave index_paths out to scan "
            "the archives."
        ) from None
    table = np.array(sizes, np.int32).reshape(-1, 3)
    entries = np.zeros(len(table), _ENTRY)
    entries["offset"], entries["size"] = np.array(numbers, np.int64).reshape(-1, 2).T
    entries["name"] = np.cumsum(table[:, 0], dtype=np.int64) - table[:, 0]
    entries["name_size"], entries["extension_size"], entries["sample"] = table.T
    entries["extension"] = table[:, 0] - table[:, 1]
    return entries.view(np.uint8), np.frombuffer(bytes(names), np.uint8)
