"""`decoders.numpy` and `decoders.inflate`."""

import io

import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd


def saved(array) -> np.ndarray:
    file = io.BytesIO()
    np.save(file, array)
    return np.frombuffer(file.getvalue(), np.uint8)


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int16", "int64", "float16", "float32", "float64"]
)
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3, 4)])
def test_arrays(dtype, shape):
    array = (np.arange(np.prod(shape)).reshape(shape) % 5).astype(dtype)
    for kept in (array, array.copy("F"), array.astype(array.dtype.newbyteorder(">"))):
        got = np.asarray(ndd.decoders.numpy(saved(kept)))
        np.testing.assert_array_equal(got, array, strict=True)


def test_batches_and_conversion():
    a, b = np.array([[1, 2]], np.int16), np.array([[3], [300]], np.int16)
    got = ndd.decoders.numpy(ndd.batch([saved(a), saved(b)]))
    assert got.shape == [(1, 2), (2, 1)]
    np.testing.assert_array_equal(arrays(got)[1], b)
    mixed = ndd.decoders.numpy(ndd.batch([saved(a), saved(b / 7)]), dtype=ndd.uint8)
    np.testing.assert_array_equal(arrays(mixed)[1], [[0], [43]])


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (saved(np.arange(9))[:-3], "data end before"),
        (saved(np.arange(9))[:40], "sample 0"),
        (np.zeros(9, np.uint8), "sample 0"),
        (saved(np.array(["a"])), "elements are <U1"),
        (saved(np.array([1j])), "elements are complex"),
    ],
)
def test_errors(data, text):
    with pytest.raises(ndd.OperatorError, match=f"decoders.numpy: .*{text}"):
        ndd.decoders.numpy(data).evaluate()


def test_arrays_of_a_batch_must_agree():
    batch = ndd.batch([saved(np.zeros(3)), saved(np.zeros((1, 3)))])
    with pytest.raises(ndd.OperatorError, match="differ: 1 axes of float64, 2 axes of float64"):
        ndd.decoders.numpy(batch).evaluate()


# LZ4 ------------------------------------------------------------------------------------------


def compressed(data: bytes) -> np.ndarray:
    """A block as a greedy compressor writes it."""
    out, at, start = bytearray(), 0, 0
    seen: dict[bytes, int] = {}

    def lengths(literals: bytes, match: int | None) -> None:
        a, b = len(literals), 0 if match is None else match - 4
        out.append(min(a, 15) << 4 | min(b, 15))
        _rest(a)
        out.extend(literals)

    def _rest(length: int) -> None:
        length -= 15
        while length >= 255:
            out.append(255)
            length -= 255
        if length >= 0:
            out.append(length)

    while at + 12 < len(data):
        key = data[at : at + 4]
        found = seen.get(key)
        seen[key] = at
        if found is None or at - found > 65535:
            at += 1
            continue
        length = 4
        while at + length < len(data) - 5 and data[found + length] == data[at + length]:
            length += 1
        lengths(data[start:at], length)
        out.extend((at - found).to_bytes(2, "little"))
        _rest(length - 4)
        at += length
        start = at
    lengths(data[start:], None)
    return np.frombuffer(bytes(out), np.uint8)


@pytest.mark.parametrize("kind", ["text", "zeros", "noise"])
def test_blocks(kind):
    rng = np.random.default_rng(1)
    data = {
        "text": b"the cat and the hat and the bat " * 40,
        "zeros": bytes(5000),
        "noise": rng.integers(0, 256, 700, np.uint8).tobytes(),
    }[kind]
    block = compressed(data)
    got = ndd.decoders.inflate(block, shape=[len(data) // 4, 4], layout="HW", dtype=ndd.uint8)
    assert (got.layout, np.asarray(got).tobytes()) == ("HW", data)


def test_chunks_become_a_sequence():
    frames = [np.full((2, 3), k, np.int16) for k in range(3)]
    blocks = [compressed(f.tobytes()) for f in frames]
    sizes = [len(b) for b in blocks]
    for how in ({"chunk_sizes": sizes}, {"chunk_offsets": np.cumsum([0, *sizes[:-1]]).tolist()}):
        got = ndd.decoders.inflate(
            np.concatenate(blocks), shape=[2, 3], dtype=ndd.int16, layout="HW", **how
        )
        assert got.layout == "FHW"
        np.testing.assert_array_equal(np.asarray(got), np.stack(frames))


@pytest.mark.parametrize(
    ("block", "given", "text"),
    [
        (b"\x50hell", {}, "damaged"),
        (b"\x10a\x09\x00", {}, "damaged"),
        (b"\x60hello!", {}, "damaged, or holds more"),
        (b"\x30hel", {"check_output_size": True}, "holds 3 bytes"),
        (b"\x50hello", {"algorithm": "zip"}, "algorithm='zip'"),
        (b"\x50hello", {"chunk_sizes": [9]}, "outside the 6 bytes"),
    ],
)
def test_errors_of_inflate(block, given, text):
    with pytest.raises(ndd.OperatorError, match=f"decoders.inflate: .*{text}"):
        ndd.decoders.inflate(np.frombuffer(block, np.uint8), shape=[5], **given).evaluate()
