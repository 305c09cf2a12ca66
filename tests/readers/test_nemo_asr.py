import io
import json
import struct

import numpy as np
import pytest

import dynjax as ndd
from dynjax import OperatorError

RATE = 1000


def wav(values, bits=16, kind=1, rate=RATE, extra=b""):
    """A WAV file of numbers `[n, channels]`, full scale 1."""
    values = np.atleast_2d(np.asarray(values, np.float64).T).T
    if kind == 3:
        data = values.astype(f"<f{bits // 8}").tobytes()
    elif bits == 8:
        data = (values * 128 + 128).astype(np.uint8).tobytes()
    else:
        wide = (values * 2.0 ** (bits - 1)).astype("<i8").tobytes()
        data = np.frombuffer(wide, np.uint8).reshape(-1, 8)[:, : bits // 8].tobytes()
    channels, width = values.shape[1], bits // 8
    head = struct.pack("<HHIIHH", kind, channels, rate, rate * width, width, bits)
    chunks = b"fmt " + struct.pack("<I", 16) + head + extra
    chunks += b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


RAMP = np.arange(-50, 50) / 128


@pytest.fixture
def read(tmp_path):
    """`read(entries, **kw)`; an entry is (bytes of the file, further fields)."""

    def read(entries, batch_size=None, **kw):
        lines = []
        for k, (content, fields) in enumerate(entries):
            (tmp_path / f"{k}.wav").write_bytes(content)
            lines.append(json.dumps({"audio_filepath": str(tmp_path / f"{k}.wav"), **fields}))
        (tmp_path / "m.json").write_text("\n".join(lines))
        reader = ndd.readers.NemoAsr(manifest_filepaths=tmp_path / "m.json", **kw)
        return [
            [np.asarray(x) for x in o] if batch_size is None else o
            for o in reader.next_epoch(batch_size)
        ]

    return read


def test_outputs(read):
    entries = [
        (wav(RAMP), {"duration": 0.1, "text": "ä b"}),
        (wav(RAMP[:7], rate=500), {"duration": 9}),
    ]
    first, second = read(entries, read_idxs=True)
    np.testing.assert_array_equal(first[0], RAMP.astype(np.float32), strict=True)
    assert (first[1].shape, first[1].dtype, float(first[1])) == ((), np.float32, RATE)
    assert first[2].tobytes().decode() == "ä b"
    assert (second[0].shape, float(second[1]), second[2].shape) == ((7,), 500, (0,))
    assert [x[3].tolist() for x in (first, second)] == [[0], [1]]
    assert first[3].dtype == np.int64
    assert len(read(entries, read_sample_rate=False, read_text=False)[0]) == 1
    (batch,) = read(entries, 2)
    assert batch[0].shape == [(100,), (7,)]
    assert np.asarray(batch[1]).tolist() == [1000, 500]


@pytest.mark.parametrize(("bits", "kind"), [(8, 1), (16, 1), (24, 1), (32, 1), (32, 3), (64, 3)])
def test_kinds_of_wav(read, bits, kind):
    content = wav(RAMP, bits, kind, extra=b"LIST" + struct.pack("<I", 3) + b"abc\0")
    np.testing.assert_array_equal(read([(content, {})])[0][0], RAMP.astype(np.float32))


@pytest.mark.parametrize(("dtype", "scale"), [(ndd.int16, 2**15), (ndd.int32, 2**31)])
def test_integer_output(read, dtype, scale):
    got = read([(wav(RAMP), {})], dtype=dtype)[0][0]
    np.testing.assert_array_equal(got, RAMP * scale)
    loud = read([(wav([1.5, -1.5, np.nan][:2], 32, 3), {})], dtype=dtype)[0][0]
    assert loud.tolist() == [scale - 1, -scale]


def test_channels(read):
    stereo = np.stack([RAMP, RAMP[::-1] * 0.5], axis=1)
    np.testing.assert_array_equal(read([(wav(stereo), {})])[0][0], stereo.mean(axis=1))
    np.testing.assert_array_equal(read([(wav(stereo), {})], downmix=False)[0][0], stereo)


def test_offset_and_duration(read):
    got = read([(wav(RAMP), {"offset": 0.02, "duration": 0.03}), (wav(RAMP), {"offset": 0.09})])
    np.testing.assert_array_equal(got[0][0], RAMP[20:50])
    np.testing.assert_array_equal(got[1][0], RAMP[90:])


def test_duration_limits(read):
    entries = [(wav(RAMP), {"duration": d}) for d in (0.1, 0.5, 1.0)]
    got = read(entries, min_duration=0.2, max_duration=0.7, read_idxs=True)
    assert [x[3].tolist() for x in got] == [[0]]
    with pytest.raises(OperatorError, match="no entry with a duration"):
        read(entries, min_duration=2.0)


def test_resampling(read):
    time = np.arange(400) / RATE
    tone = 0.5 * np.sin(2 * np.pi * 40 * time)
    up = read([(wav(tone, 64, 3), {})], sample_rate=1500.0)[0][0]
    assert up.shape == (600,)
    wanted = 0.5 * np.sin(2 * np.pi * 40 * np.arange(600) / 1500)
    # The window is flat to 1e-3 at a twelfth of the rate; 16 lobes reach in from the ends.
    np.testing.assert_allclose(up[40:-40], wanted[40:-40], atol=1e-3)
    down = read([(wav(tone, 64, 3), {})], sample_rate=500.0)[0][0]
    np.testing.assert_allclose(down, tone[::2], atol=1e-6)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"RIFF\0\0\0\0WAVE", "a header only, or truncated"),
        (b"RIFF\0\0\0\0WAVEdata\0\0\0\0", "before their format"),
        (wav(RAMP)[:30], "format is truncated"),
        (wav(np.zeros((2, 1)), rate=0), "at 0 Hz"),
    ],
)
def test_bad_wav(read, content, message):
    with pytest.raises(OperatorError, match=rf"^readers\.NemoAsr: sample 0 .*{message}"):
        read([(content, {})])


def test_flac_needs_no_soundfile(read, monkeypatch):
    soundfile = pytest.importorskip("soundfile")
    file = io.BytesIO()
    soundfile.write(file, RAMP, RATE, format="FLAC", subtype="PCM_16")
    monkeypatch.setitem(__import__("sys").modules, "soundfile", None)
    whole = {}, {"offset": 20 / RATE, "duration": 30 / RATE}
    entries = [(content, fields) for fields in whole for content in (file.getvalue(), wav(RAMP))]
    expected = [x.astype(np.float32) for x in (RAMP, RAMP, RAMP[20:50], RAMP[20:50])]
    for (got, *_), want in zip(read(entries), expected, strict=True):
        np.testing.assert_array_equal(got, want)
    with pytest.raises(OperatorError, match=r"sample 0 .*pip install soundfile"):
        read([(file.getvalue()[:-1], {})])


def test_other_formats_need_soundfile(read, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "soundfile", None)
    with pytest.raises(OperatorError, match="pip install soundfile"):
        read([(b"fLaC", {})])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("garbage", "line 1: .*expected a JSON object"),
        ("[1]", "line 1: .*expected a JSON object"),
        ('\n{"duration": 1}', "line 2: audio_filepath=None"),
        ('{"audio_filepath": "x", "duration": -1}', "duration=-1; expected seconds"),
        ('{"audio_filepath": "x", "offset": "1"}', "offset='1'; expected seconds"),
        ('{"audio_filepath": "x", "text": 3}', "text=3"),
        ('{"audio_filepath": "/none.wav"}', "'/none.wav'.*No such file"),
        ("", "no entry"),
    ],
)
def test_bad_manifests(tmp_path, text, message):
    (tmp_path / "m.json").write_text(text)
    reader = ndd.readers.NemoAsr(manifest_filepaths=tmp_path / "m.json")
    with pytest.raises(OperatorError, match=message):
        next(reader.next_epoch())


def test_arguments(tmp_path):
    for kw, message in (
        ({"dtype": ndd.float64}, "dtype=float64"),
        ({"quality": 101.0}, "quality="),
    ):
        with pytest.raises(OperatorError, match=message):
            ndd.readers.NemoAsr(manifest_filepaths=tmp_path / "m", **kw).get_metadata()
    with pytest.raises(OperatorError, match="No such file"):
        ndd.readers.NemoAsr(manifest_filepaths=tmp_path / "m").get_metadata()
