"""FLAC files, decoded here: the samples that libsndfile gives, to the bit."""

import io
import sys
import threading

import numpy as np
import pytest
from support.samples import arrays
from support.shared import shared_folder

import dynjax
from dynjax._native import native
from dynjax._ops._lib.flac import FlacFile
from dynjax._ops._lib.libsndfile import LibraryFile
from dynjax._ops._lib.sound import open_sound
from dynjax._ops._lib.sound_samples import SoundError

soundfile = pytest.importorskip("soundfile")

RNG = np.random.default_rng(11)
SPEECH = shared_folder("data/audio")
BITS = {"PCM_S8": 8, "PCM_16": 16, "PCM_24": 24}
DTYPES = ("float32", "int16", "int32")


def bytes_of(values: bytes) -> np.ndarray:
    return np.frombuffer(values, np.uint8)


def flac(values: np.ndarray, subtype: str = "PCM_16", rate: int = 16000, **options) -> np.ndarray:
    """Integers `[frames, channels]` of 32 bits, of which the upper ones are kept."""
    file = io.BytesIO()
    soundfile.write(file, values, rate, format="FLAC", subtype=subtype, **options)
    return bytes_of(file.getvalue())


def wanted(data: np.ndarray, dtype: str) -> np.ndarray:
    return soundfile.read(io.BytesIO(data.tobytes()), dtype=dtype, always_2d=True)[0]


def assert_same(data: np.ndarray) -> None:
    """The decoder here takes the file, and gives what libsndfile gives."""
    assert isinstance(open_sound(data), FlacFile)
    for dtype in DTYPES:
        expected = wanted(data, dtype)
        target = np.full(expected.shape, 77, dtype)
        row = (0, data.ctypes.data, data.size, DTYPES.index(dtype), target.ctypes.data, target.size)
        assert native.read_sounds(np.array([row], np.int64)).tolist() == [1]
        np.testing.assert_array_equal(target, expected)
        got = np.asarray(dynjax.decoders.audio(data, dtype=dtype)[0])
        np.testing.assert_array_equal(got, expected)
        assert got.dtype == expected.dtype


def contents(frames: int, channels: int) -> dict[str, np.ndarray]:
    """Sounds that lead an encoder to each kind of block."""
    n = np.arange(frames)[:, None]
    full = 1 << 31
    sine = 0.6 * np.sin(n / (7 + np.arange(channels)))
    low = RNG.integers(-5, 6, (frames, channels)) << 24
    left = np.round(sine[:, :1] * 2**20)
    return {
        "silence": np.zeros((frames, channels)),
        "constant": np.full((frames, channels), -(5 << 26)),
        "noise": RNG.integers(-full, full, (frames, channels)),
        "quiet": low,
        "sine": sine * full,
        "square": np.where(n // 50 % 2 == 0, full - 1, -full) + np.zeros((1, channels)),
        "ramp": (n * 65536 * 3 + np.arange(channels)) % full,
        "wasted": RNG.integers(-100, 100, (frames, channels)) << 25,
        "alike": (left + RNG.integers(-2, 3, (frames, channels))) * 2**11,
        "opposed": (left * (-1) ** np.arange(channels)) * 2**11,
        "bursts": np.where(n % 997 < 30, low * 8, 0),
    }


@pytest.mark.parametrize("subtype", BITS)
@pytest.mark.parametrize("channels", [1, 2, 3, 8])
def test_contents(subtype, channels):
    for values in contents(5000, channels).values():
        whole = np.clip(values, -(2**31), 2**31 - 1).astype(np.int32)
        assert_same(flac(whole, subtype))


@pytest.mark.parametrize("channels", range(1, 9))
def test_channels(channels):
    values = (RNG.normal(0, 2**26, (1000, channels)).cumsum(axis=0)).astype(np.int64)
    assert_same(flac((values & 0x7FFFFFFF).astype(np.int32)))


@pytest.mark.parametrize("frames", [1, 2, 15, 16, 17, 4095, 4096, 4097, 8192, 12289])
def test_lengths(frames):
    for subtype in BITS:
        assert_same(flac(contents(frames, 2)["sine"].astype(np.int32), subtype))


@pytest.mark.parametrize("rate", [1, 8000, 11025, 44100, 48000, 96000, 176400, 352800, 655350])
def test_rates(rate):
    data = flac(contents(300, 1)["sine"].astype(np.int32), rate=rate)
    assert_same(data)
    assert dynjax.decoders.audio(data)[1].item() == rate


@pytest.mark.parametrize("level", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_compression_levels(level):
    sound = RNG.normal(0, 2**27, (20000, 2)).cumsum(axis=0) / 40
    sound += 2**28 * np.sin(np.arange(20000)[:, None] / 31)
    for subtype in BITS:
        assert_same(flac(sound.astype(np.int32), subtype, compression_level=level))


@pytest.mark.parametrize("options", [
    {"compression_level": "0", "frame_size": "576"},
    {"compression_level": "12", "frame_size": "4608"},
    {"compression_level": "8", "lpc_passes": "3", "frame_size": "16384"},
    {"lpc_type": "cholesky", "min_prediction_order": "28", "max_prediction_order": "32"},
    {"lpc_type": "fixed", "ch_mode": "left_side"},
    {"ch_mode": "right_side", "exact_rice_parameters": "1"},
    {"ch_mode": "mid_side", "max_partition_order": "8", "multi_dim_quant": "1"},
])  # fmt: skip
@pytest.mark.parametrize("sample_format", ["s16", "s32"])
def test_another_encoder(options, sample_format):
    av = pytest.importorskip("av")
    n = np.arange(20000)
    sound = np.stack([np.sin(n / 17) + 0.3 * np.sin(n / 3.1), np.cos(n / 19)], axis=-1)
    sound += RNG.normal(0, 0.01, sound.shape)
    width = np.int16 if sample_format == "s16" else np.int32
    values = (sound * 0.4 * np.iinfo(width).max).astype(width).reshape(1, -1)
    file = io.BytesIO()
    with av.open(file, "w", format="flac") as out:
        stream = out.add_stream("flac", rate=44100, options=options)
        stream.layout, stream.format = "stereo", sample_format
        frame = av.AudioFrame.from_ndarray(values, format=sample_format, layout="stereo")
        frame.sample_rate = 44100
        for packet in (*stream.encode(frame), *stream.encode()):
            out.mux(packet)
    assert_same(bytes_of(file.getvalue()))


@pytest.mark.skipif(SPEECH is None, reason="the recordings are not at hand")
def test_speech():
    for path in sorted(SPEECH.glob("*.flac")):
        assert_same(np.fromfile(path, np.uint8))


def outcome(data: np.ndarray, dtype: str, library: bool) -> tuple:
    try:
        file = LibraryFile(data) if library else open_sound(data)
        return file.rate, file.read(np.dtype(dtype)).tolist()
    except SoundError as error:
        return ("error", str(error))


SMALL = flac((RNG.normal(0, 2**27, (700, 2)).cumsum(axis=0) / 8).astype(np.int32))
START = len(SMALL) - len(bytes(SMALL).split(b"\xff\xf8", 1)[1]) - 2


def test_files_cut_short_are_what_they_are_to_libsndfile():
    for size in (*range(4, START + 40), *range(START + 40, len(SMALL), 23), len(SMALL) - 1):
        assert outcome(SMALL[:size], "int16", False) == outcome(SMALL[:size], "int16", True), size


def test_damaged_files_are_what_they_are_to_libsndfile():
    bits = [*range(32, 8 * 42), *range(8 * START, 8 * (START + 14))]
    for bit in (*bits, *RNG.integers(8 * START, 8 * len(SMALL), 150).tolist()):
        data = SMALL.copy()
        data[bit // 8] ^= 0x80 >> bit % 8
        if int.from_bytes(data[21:26].tobytes(), "big") & 0xFFFFFFFFF > 1 << 24:
            continue  # libsndfile would take memory for the samples that it claims
        assert outcome(data, "int16", False) == outcome(data, "int16", True), bit


def test_unknown_lengths_are_left_to_libsndfile():
    for claimed in (0, 10**9):
        data = SMALL.copy()
        data[22:26] = bytes_of(claimed.to_bytes(4, "big"))
        data[21] &= 0xF0
        assert native.peek_flac(data) is None


def test_whatever_follows_the_last_frame():
    longer = np.concatenate([SMALL, bytes_of(b"TAG" + bytes(125))])
    assert_same(longer)
    np.testing.assert_array_equal(wanted(longer, "int16"), wanted(SMALL, "int16"))


def test_ragged_batches_downmix_and_resampling():
    sounds = [contents(1000 * (i + 1), 1 + i % 2)["sine"].astype(np.int32) for i in range(9)]
    files = [flac(x) for x in sounds]
    wav = io.BytesIO()
    soundfile.write(wav, sounds[3], 16000, format="WAV", subtype="PCM_16")
    files.append(bytes_of(wav.getvalue()))
    batch = dynjax.batch(files)
    expected = [wanted(f, "float32") for f in files]
    for got, want in zip(arrays(dynjax.decoders.audio(batch)[0]), expected, strict=True):
        np.testing.assert_array_equal(got, want)
    mixed = arrays(dynjax.decoders.audio(batch, downmix=True)[0])
    for got, want in zip(mixed, expected, strict=True):
        np.testing.assert_array_equal(got, want.mean(axis=1))
    slower = arrays(dynjax.decoders.audio(batch, downmix=True, sample_rate=8000.0)[0])
    for got, want in zip(slower, mixed, strict=True):
        by_hand = dynjax.audio_resample(want, in_rate=16000.0, out_rate=8000.0)
        np.testing.assert_array_equal(got, np.asarray(by_hand))
    whole = arrays(dynjax.decoders.audio(batch, dtype="int16")[0])
    for got, file in zip(whole, files, strict=True):
        np.testing.assert_array_equal(got, wanted(file, "int16"))


def test_an_error_names_its_sample():
    damaged = SMALL.copy()
    damaged[-30] ^= 1
    with pytest.raises(dynjax.OperatorError, match=r"decoders\.audio: sample 1: the file"):
        dynjax.decoders.audio(dynjax.batch([SMALL, damaged, SMALL]))[0].evaluate()


def test_without_soundfile(monkeypatch):
    expected = wanted(SMALL, "float32")
    monkeypatch.setitem(sys.modules, "soundfile", None)
    np.testing.assert_array_equal(np.asarray(dynjax.decoders.audio(SMALL)[0]), expected)
    damaged = SMALL.copy()
    damaged[-30] ^= 1
    with pytest.raises(ImportError, match=r"sample 0: .*pip install soundfile"):
        dynjax.decoders.audio(damaged)[0].evaluate()


def test_many_threads():
    data = flac(contents(30000, 2)["sine"].astype(np.int32))
    batch, expected = dynjax.batch([data, SMALL] * 4), wanted(data, "float32")
    failures = []

    def work():
        for _ in range(5):
            got = arrays(dynjax.decoders.audio(batch)[0])
            failures.extend(x for x in got[::2] if not np.array_equal(x, expected))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
