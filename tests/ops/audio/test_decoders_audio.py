"""decoders.audio: WAV against the standard library's, other formats against soundfile's."""

import io
import json
import struct
import sys
import wave

import numpy as np
import pytest
from support.samples import arrays
from support.shared import shared_folder

import dynjax

RNG = np.random.default_rng(4)
SPEECH = shared_folder("data/audio")
INTEGERS = RNG.integers(-32768, 32768, (50, 2)).astype(np.int16)


def encoded(data: bytes) -> np.ndarray:
    return np.frombuffer(data, np.uint8)


def pcm(width: int, values: bytes, channels: int = 2, rate: int = 8000) -> np.ndarray:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((channels, width, rate, 0, "NONE", ""))
        out.writeframes(values)
    return encoded(file.getvalue())


def floats(values: np.ndarray) -> np.ndarray:
    """A WAV file of floats, with a chunk to pass over before its data."""
    bits = 8 * values.itemsize
    rows = struct.pack(
        "<HHIIHH", 3, values.shape[1], 8000, 8000 * values[0].nbytes, values[0].nbytes, bits
    )
    data = values.tobytes()
    chunks = b"fmt " + struct.pack("<I", 16) + rows + b"junk" + struct.pack("<I", 3) + b"abc\0"
    chunks += b"data" + struct.pack("<I", len(data)) + data
    return encoded(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)


SIXTEEN = pcm(2, INTEGERS.tobytes())


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_pcm(width):
    raw = RNG.integers(0, 256, 100 * width).astype(np.uint8)
    bits = 8 * width
    values = [
        int.from_bytes(raw[i : i + width].tobytes(), "little") for i in range(0, len(raw), width)
    ]
    centre = 1 << (bits - 1)
    signed = np.array([v - centre if width == 1 else (v ^ centre) - centre for v in values])
    signed = signed.reshape(50, 2)
    data = pcm(width, raw.tobytes())
    got, rate = dynjax.decoders.audio(data)
    assert (got.dtype, got.layout, rate.shape, rate.item()) == (dynjax.float32, None, (), 8000.0)
    np.testing.assert_allclose(np.asarray(got), signed / centre, rtol=1e-7)
    for kind, wanted_bits in (("int16", 16), ("int32", 32)):
        got = np.asarray(dynjax.decoders.audio(data, dtype=kind)[0])
        shift = wanted_bits - bits
        np.testing.assert_array_equal(got, signed << shift if shift >= 0 else signed >> -shift)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats(dtype):
    x = (RNG.random((50, 2)) * 3 - 1.5).astype(dtype)
    got = np.asarray(dynjax.decoders.audio(floats(x))[0])
    np.testing.assert_array_equal(got, x.astype(np.float32))
    whole = np.asarray(dynjax.decoders.audio(floats(x), dtype="int16")[0])
    np.testing.assert_allclose(whole, np.clip(x * 32767, -32768, 32767), atol=0.51)


def test_downmix_resampling_and_ragged_batches():
    mono = pcm(2, INTEGERS.tobytes(), channels=1, rate=4000)
    batch = dynjax.batch([SIXTEEN, mono])
    samples, rates = dynjax.decoders.audio(batch, downmix=True)
    assert [r.item() for r in rates] == [8000.0, 4000.0]
    assert samples.shape == [(50,), (100,)]
    np.testing.assert_allclose(arrays(samples)[0], INTEGERS.mean(axis=1) / 32768, atol=1e-6)
    both, _ = dynjax.decoders.audio(batch)
    assert both.shape == [(50, 2), (100, 1)]
    wanted = np.float32([0, 6000])
    resampled, rates = dynjax.decoders.audio(
        batch, downmix=True, sample_rate=dynjax.batch(list(wanted))
    )
    assert [r.item() for r in rates] == [8000.0, 6000.0]
    by_hand = dynjax.audio_resample(arrays(samples)[1], in_rate=4000.0, out_rate=6000.0)
    np.testing.assert_allclose(arrays(resampled)[1], np.asarray(by_hand), atol=1e-5)
    np.testing.assert_array_equal(arrays(resampled)[0], arrays(samples)[0])


def test_streams_of_unknown_length():
    data = SIXTEEN.copy()
    data[40:44] = 255
    assert dynjax.decoders.audio(data)[0].shape == (50, 2)


def patched(at: int, *values: int) -> np.ndarray:
    data = SIXTEEN.copy()
    data[at : at + len(values)] = values
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (SIXTEEN[:0], "the data are empty"),
        (SIXTEEN[:20], "format is truncated"),
        (SIXTEEN[:36], "ends before its data"),
        (SIXTEEN[:44], "truncated: 0 of 200 bytes"),
        (SIXTEEN[:101], "truncated: 57 of 200 bytes"),
        (patched(22, 0, 0), "0 channels at 8000 Hz"),
        (patched(24, 0, 0, 0, 0), "2 channels at 0 Hz"),
        (encoded(b"\x89PNG\r\n\x1a\n" + bytes(40)), "no known format"),
    ],
)
def test_bad_files_name_the_sample(data, message):
    with pytest.raises(dynjax.OperatorError, match=rf"decoders\.audio: sample 1: .*{message}"):
        dynjax.decoders.audio(dynjax.batch([SIXTEEN, data]))[0].evaluate()


@pytest.mark.parametrize("count", [0, 1 << 31, 1 << 33, (1 << 36) - 1])
def test_headers_that_claim_too_much(tmp_path, count):
    soundfile = pytest.importorskip("soundfile")
    file = io.BytesIO()
    soundfile.write(file, np.zeros(900), 8000, format="FLAC")
    content = bytearray(file.getvalue())
    content[21] = content[21] & 0xF0 | count >> 32  # of STREAMINFO; 0 stands for unknown
    content[22:26] = (count & 0xFFFFFFFF).to_bytes(4, "big")
    data = np.frombuffer(bytes(content), np.uint8)
    message = r"sample 0.*header claims \d+ samples .* or does not say"
    for options in ({}, {"sample_rate": 4000}, {"dtype": dynjax.int16, "downmix": True}):
        with pytest.raises(dynjax.OperatorError, match=message):
            dynjax.decoders.audio(dynjax.batch([data]), **options)[0].evaluate()
    (tmp_path / "a.flac").write_bytes(content)
    (tmp_path / "list").write_text(json.dumps({"audio_filepath": str(tmp_path / "a.flac")}))
    reader = dynjax.readers.NemoAsr(manifest_filepaths=tmp_path / "list")
    with pytest.raises(dynjax.OperatorError, match=rf"{message}.*manifest"):
        next(reader.next_epoch(1))


def test_no_memory_for_samples(monkeypatch):
    soundfile = pytest.importorskip("soundfile")
    file = io.BytesIO()
    soundfile.write(file, np.zeros(900), 8000, format="OGG")

    def read(self, **options):
        raise MemoryError("Unable to allocate 64. GiB")

    monkeypatch.setattr(soundfile.SoundFile, "read", read)
    with pytest.raises(dynjax.OperatorError, match=r"sample 0.*no memory for its 900"):
        dynjax.decoders.audio(np.frombuffer(file.getvalue(), np.uint8))[0].evaluate()


def test_bad_files_are_named(tmp_path):
    path = tmp_path / "speech.wav"
    path.write_bytes(SIXTEEN[:101].tobytes())
    read = dynjax.io.file.read(np.frombuffer(str(path).encode(), np.uint8))
    reader = dynjax.readers.File(files=[str(path)])
    for batch, _ in reader.next_epoch(batch_size=1):
        with pytest.raises(dynjax.OperatorError, match=r"sample 0 \(.*speech\.wav\): .*truncated"):
            dynjax.decoders.audio(batch)[0].evaluate()
    with pytest.raises(dynjax.OperatorError, match="truncated"):
        dynjax.decoders.audio(read)[0].evaluate()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dtype": "uint8"}, "dtype=uint8; expected one of float32, int16, int32"),
        ({"quality": 101.0}, "quality=101.0"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(dynjax.OperatorError, match=message):
        dynjax.decoders.audio(SIXTEEN, **arguments)[0].evaluate()


def test_wrong_inputs():
    for data in (SIXTEEN.astype(np.float32), SIXTEEN.reshape(2, -1)):
        with pytest.raises(dynjax.OperatorError, match="one axis of uint8"):
            dynjax.decoders.audio(data)[0].evaluate()


def test_without_soundfile_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "soundfile", None)
    assert dynjax.decoders.audio(SIXTEEN)[0].shape == (50, 2)
    with pytest.raises(ImportError, match=r"sample 0: .*pip install soundfile"):
        dynjax.decoders.audio(encoded(b"fLaC" + bytes(50)))


@pytest.mark.parametrize("kind", ["FLAC", "OGG", "OGG OPUS", "AIFF", "WAV ULAW", "MP3"])
def test_formats_of_libsndfile(kind):
    soundfile = pytest.importorskip("soundfile")
    name, _, subtype = kind.partition(" ")
    if not soundfile.check_format(name, subtype or None):
        pytest.skip("this libsndfile lacks it")
    x = np.sin(np.arange(4000) / 9)[:, None] * 0.5
    file = io.BytesIO()
    soundfile.write(file, x, 16000, format=name, subtype=subtype or None)
    data = encoded(file.getvalue())
    wanted = soundfile.read(io.BytesIO(file.getvalue()), dtype="float32", always_2d=True)[0]
    got, rate = dynjax.decoders.audio(data)
    # MP3 is decoded in pieces, whose sizes decide the last bit.
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=0, atol=1e-7)
    assert rate.item() == 16000
    if name in ("FLAC", "OGG", "MP3"):
        with pytest.raises(dynjax.OperatorError, match=r"sample 0: .*(truncated|read)"):
            dynjax.decoders.audio(data[: len(data) // 2])[0].evaluate()


def test_the_content_decides_and_not_the_name(tmp_path):
    soundfile = pytest.importorskip("soundfile")
    path = tmp_path / "speech.wav"
    soundfile.write(path, np.int16([[1], [2], [3]]), 16000, format="FLAC")
    ((batch, _),) = dynjax.readers.File(files=[str(path)]).next_epoch(batch_size=1)
    samples, _ = dynjax.decoders.audio(batch, dtype="int16", downmix=True)
    assert arrays(samples)[0].tolist() == [1, 2, 3]


def test_a_file_without_samples():
    samples, rate = dynjax.decoders.audio(pcm(2, b""), downmix=True)
    assert (samples.shape, rate.item()) == ((0,), 8000.0)
    faster, _ = dynjax.decoders.audio(pcm(2, b""), downmix=True, sample_rate=16000.0)
    assert faster.shape == (0,)


@pytest.mark.skipif(SPEECH is None, reason="the recordings are not at hand")
def test_speech_is_the_same_in_every_format():
    """The same recording as WAV, FLAC (lossless) and Ogg Vorbis (nearly)."""
    pytest.importorskip("soundfile")
    paths = [SPEECH / f"237-134500-0001.{e}" for e in ("wav", "flac", "ogg")]
    batch = dynjax.batch([np.fromfile(p, np.uint8) for p in paths])
    whole, lossless, lossy = arrays(dynjax.decoders.audio(batch, downmix=True)[0])
    with wave.open(str(paths[0])) as file:
        raw = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    np.testing.assert_array_equal(whole, raw.astype(np.float32) / 32768)
    np.testing.assert_array_equal(whole, lossless)
    assert np.corrcoef(whole[: len(lossy)], lossy[: len(whole)])[0, 1] > 0.99
