"""Writers of the record formats, written from their specifications for the tests."""

import struct

import numpy as np


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n >= 128:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def block(number, content):
    """A protobuf field of bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def number(field, value):
    """A protobuf field of one integer."""
    return varint(field << 3) + varint(value)


def example(**features):
    """A tf.train.Example: bytes, lists of ints or lists of floats; a tuple is not packed."""
    entries = b""
    for name, value in features.items():
        if isinstance(value, bytes):
            feature = block(1, block(1, value))
        elif any(isinstance(v, float) for v in value):
            packed = np.array(value, "<f4").tobytes()
            single = b"".join(varint(1 << 3 | 5) + struct.pack("<f", v) for v in value)
            feature = block(2, single if isinstance(value, tuple) else block(1, packed))
        else:
            packed = b"".join(map(varint, value))
            single = b"".join(number(1, v) for v in value)
            feature = block(3, single if isinstance(value, tuple) else block(1, packed))
        entries += block(1, block(1, name.encode()) + block(2, feature))
    return block(1, entries)


def write_tfrecords(path, records, index_path=None):
    """A TFRecord file with wrong checksums, which nobody checks, and its index."""
    data, index = b"", ""
    for record in records:
        framed = struct.pack("<Q", len(record)) + b"crc1" + record + b"crc2"
        index += f"{len(data)} {len(framed)}\n"
        data += framed
    path.write_bytes(data)
    if index_path is not None:
        index_path.write_text(index)


def recordio(parts):
    """One RecordIO record, stored in the given parts."""
    kinds = [0] if len(parts) == 1 else [1, *[2] * (len(parts) - 2), 3]
    return b"".join(
        struct.pack("<II", 0xCED7230A, kind << 29 | len(part)) + part + bytes(-len(part) % 4)
        for kind, part in zip(kinds, parts, strict=True)
    )


def write_lmdb(folder, values, *, page=4096, leaf_entries=3):
    """An LMDB database with the values under ascending keys: leaves below one branch."""
    folder.mkdir()
    pages = {}
    overflow, leaves = [], []
    next_page = 2
    chunks = [values[i : i + leaf_entries] for i in range(0, len(values), leaf_entries)]
    for chunk in chunks:
        leaf, next_page = next_page, next_page + 1
        nodes = []
        for k, value in enumerate(chunk):
            key = b"%08d" % (leaf * 100 + k)
            if len(value) > 1000:
                count = -(-(16 + len(value)) // page)
                head = struct.pack("<QHHI", next_page, 0, 4, count)
                overflow.append((next_page, head + value))
                content, flags = struct.pack("<Q", next_page), 1
                next_page += count
            else:
                content, flags = value, 0
            size = struct.pack("<HHHH", len(value) & 0xFFFF, len(value) >> 16, flags, len(key))
            nodes.append(size + key + content)
        pages[leaf] = _page(leaf, 2, nodes, page)
        leaves.append(leaf)
    root = next_page if len(leaves) > 1 else (*leaves, (1 << 64) - 1)[0]
    if len(leaves) > 1:
        nodes = [
            struct.pack("<HHHH", leaf & 0xFFFF, leaf >> 16, 0, 8 if k else 0)
            + (b"%08d" % (leaf * 100) if k else b"")
            for k, leaf in enumerate(leaves)
        ]
        pages[root] = _page(root, 1, nodes, page)
        next_page += 1
    table = struct.pack("<IHH5Q", page, 0, 2, 1, len(leaves), 0, len(values), root)
    free = struct.pack("<IHH5Q", page, 0, 0, 0, 0, 0, 0, (1 << 64) - 1)
    empty = struct.pack("<IHH5Q", page, 0, 0, 0, 0, 0, 0, (1 << 64) - 1)
    out = bytearray(next_page * page)
    for k, main in enumerate((empty, table)):  # the second transaction is the newer one
        meta = struct.pack("<QHHI", k, 0, 8, 0) + struct.pack("<IIQQ", 0xBEEFC0DE, 1, 0, 1 << 20)
        meta += free + main + struct.pack("<QQ", next_page - 1, k)
        out[k * page : k * page + len(meta)] = meta
    for where, content in [*pages.items(), *overflow]:
        out[where * page : where * page + len(content)] = content
    (folder / "data.mdb").write_bytes(out)
    return folder


def _page(where, kind, nodes, page):
    """Header, offsets of the nodes, and the nodes from the end backwards."""
    out, upper, offsets = bytearray(page), page, []
    for node in nodes:
        upper -= len(node) + len(node) % 2
        out[upper : upper + len(node)] = node
        offsets.append(upper)
    lower = 16 + 2 * len(nodes)
    out[:lower] = struct.pack("<QHHHH", where, 0, kind, lower, upper) + struct.pack(
        f"<{len(nodes)}H", *offsets
    )
    return bytes(out)


def tensor_proto(kind, values, dims=None):
    """A Caffe2 TensorProto: float 1, int32 2, byte 3, string 4."""
    out = b"".join(number(1, d) for d in dims or []) + number(2, kind)
    if kind == 1:
        return out + b"".join(varint(3 << 3 | 5) + struct.pack("<f", v) for v in values)
    if kind == 2:
        return out + b"".join(number(4, v) for v in values)
    return out + block(5 if kind == 3 else 6, values)
