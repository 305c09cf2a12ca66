"""LZ4 blocks.

Source: the block format's description, github.com/lz4/lz4/doc/lz4_Block_format.md.
"""

_LEAST_MATCH = 4


def decompressed(block: bytes, size: int, complete: bool = False) -> bytes:
    """The `size` bytes that a block holds; zeros behind its end unless it has to be `complete`.

    Raises:
        ValueError: no block, or one that holds more.
    """
    out = bytearray()
    at = 0
    while at < len(block):
        token = block[at]
        at += 1
        length, at = _length(block, at, token >> 4)
        if length > len(block) - at or length > size - len(out):
            raise ValueError("the block is damaged, or holds more than the shape asks for.")
        out += block[at : at + length]
        at += length
        if at == len(block):
            break
        if len(block) - at < 2:
            raise ValueError("the block ends within a match.")
        distance = block[at] | block[at + 1] << 8
        length, at = _length(block, at + 2, token & 15)
        length += _LEAST_MATCH
        if not 0 < distance <= len(out) or length > size - len(out):
            raise ValueError("the block is damaged, or holds more than the shape asks for.")
        # A match may overlap what it makes: its bytes repeat.
        source = bytes(out[len(out) - distance : len(out) - distance + length])
        out += (source * (-(-length // len(source))))[:length]
    if complete and len(out) != size:
        raise ValueError(f"the block holds {len(out)} bytes; the shape asks for {size}.")
    return bytes(out) + bytes(size - len(out))


def _length(block: bytes, at: int, length: int) -> tuple[int, int]:
    """A length whose first four bits are given, and where what follows it starts."""
    if length < 15:
        return length, at
    while at < len(block):
        length += block[at]
        at += 1
        if block[at - 1] != 255:
            return length, at
    raise ValueError("the block ends within a length.")
