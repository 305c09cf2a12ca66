import builtins
import io

import numpy as np
import pytest
from support.films import number_of, picture, write_film

import dynjax as ndd
from dynjax import OperatorError
from dynjax._ops._lib.frame_numbers import evenly, padded_numbers

pytest.importorskip("av")


@pytest.fixture(scope="module")
def film():
    """12 frames with B-frames, a key frame every 4."""
    file = io.BytesIO()
    write_film(file, format="mp4")
    return np.frombuffer(file.getvalue(), np.uint8)


def numbers(clip):
    return [number_of(frame) for frame in np.asarray(clip)]


def test_all_frames(film):
    clip = ndd.decoders.video(film)
    assert (clip.shape, clip.layout, clip.dtype) == ((12, 32, 48, 3), "FHWC", ndd.uint8)
    wanted = np.stack([picture(i) for i in range(12)]).astype(int)
    # Flat areas away from edges survive compression within a few counts.
    error = np.abs(np.asarray(clip) - wanted)[:, [4, -4]][:, :, [4, -4]]
    assert error.max() <= 4


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"start_frame": 9}, [9, 10, 11]),
        ({"end_frame": 3}, [0, 1, 2]),
        ({"stride": 5}, [0, 5, 10]),
        ({"start_frame": 2, "end_frame": 9, "stride": 3}, [2, 5, 8]),
        ({"start_frame": 1, "sequence_length": 3, "stride": 4}, [1, 5, 9]),
        ({"frames": [11, 0, 7, 7, 3]}, [11, 0, 7, 7, 3]),
        ({"frames": 6}, [6]),
        ({"start_frame": 10, "sequence_length": 4}, [10, 11, -1, -1]),
        ({"start_frame": 10, "sequence_length": 4, "pad_mode": "edge"}, [10, 11, 11, 11]),
        ({"start_frame": 10, "sequence_length": 4, "pad_mode": "symmetric"}, [10, 11, 11, 10]),
        ({"start_frame": 10, "sequence_length": 4, "pad_mode": "reflect_101"}, [10, 11, 10, 9]),
        ({"start_frame": 10, "sequence_length": 4, "pad_mode": "none"}, [10, 11]),
        ({"start_frame": -2, "sequence_length": 4}, [-1, -1, 0, 1]),
    ],
)
def test_choice_of_frames(film, arguments, wanted):
    assert numbers(ndd.decoders.video(film, **arguments)) == wanted


def test_text_that_is_not_unicode(film):
    title = film.tobytes().replace(b"isomiso2avc1mp41", b"isom\xe9so2avc1mp41")
    assert title != film.tobytes()
    assert ndd.decoders.video(np.frombuffer(title, np.uint8)).shape[0] == 12


def test_batch(film):
    shorter = io.BytesIO()
    write_film(shorter, 5, "mjpeg", format="avi", first=3)
    films = ndd.batch([film, np.frombuffer(shorter.getvalue(), np.uint8)])
    starts = ndd.batch([np.int32(8), np.int32(3)])
    clips = ndd.decoders.video(films, start_frame=starts, pad_mode="none", sequence_length=3)
    assert [numbers(c) for c in clips] == [[8, 9, 10], [6, 7]]
    lists = ndd.batch([np.int32([4]), np.int32([1, 0])])
    assert [numbers(c) for c in ndd.decoders.video(films, frames=lists)] == [[4], [4, 3]]
    one = ndd.decoders.video(film, start_frame=starts, sequence_length=1)
    assert [numbers(c) for c in one] == [[8], [3]]


def test_fill_value(film):
    clip = np.asarray(ndd.decoders.video(film, frames=[12], fill_value=[1, 2, 3]))
    assert (clip == [1, 2, 3]).all()


@pytest.mark.parametrize(("rotation", "turns"), [(90, 1), (180, 2), (-90, 3)])
def test_rotated(tmp_path, rotation, turns):
    path = write_film(str(tmp_path / "r.mp4"), 3, rotation=rotation)
    clip = np.asarray(ndd.decoders.video(np.fromfile(path, np.uint8)))
    wanted = np.rot90(picture(1), turns)
    assert clip.shape == (3, *wanted.shape)
    bright = wanted[..., 0] == 250
    assert (clip[1, ..., 0][bright] > 200).mean() > 0.95
    assert (clip[1, ..., 0][~bright] < 60).mean() > 0.95


@pytest.mark.parametrize(
    ("codec", "name"), [("mpeg4", "a.avi"), ("libx264", "a.ts"), ("libvpx", "a.webm")]
)
def test_containers_without_exact_places(tmp_path, codec, name):
    path = write_film(str(tmp_path / name), codec=codec)
    content = np.fromfile(path, np.uint8)
    assert numbers(ndd.decoders.video(content, frames=[9, 2, 6])) == [9, 2, 6]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start_frame": 12}, "start_frame=12 of a film of 12 frames"),
        ({"start_frame": 5, "end_frame": 5}, "end_frame=5"),
        ({"stride": 0}, "stride=0"),
        ({"sequence_length": 0}, "sequence_length=0"),
        ({"end_frame": 3, "sequence_length": 2}, "end_frame and sequence_length"),
        ({"frames": [1], "stride": 2}, "frames alone"),
        ({"frames": [12], "pad_mode": "none"}, "existing frames"),
        ({"pad_mode": "wrap"}, "pad_mode='wrap'"),
        ({"fill_value": [1, 2]}, "fill_value"),
        ({"fill_value": 256}, "0 to 255"),
    ],
)
def test_bad_arguments(film, arguments, message):
    with pytest.raises(OperatorError, match=message):
        ndd.decoders.video(film, **arguments).evaluate()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (np.zeros(0, np.uint8), "the data are empty"),
        (np.zeros(100, np.uint8), "sample 0: FFmpeg"),
        (np.zeros(9, np.float32), "1 axes of float32"),
    ],
)
def test_no_film(content, message):
    with pytest.raises(OperatorError, match=rf"decoders\.video: .*{message}"):
        ndd.decoders.video(content).evaluate()


def test_truncated(film):
    with pytest.raises(OperatorError, match=r"decoders\.video: sample 0: "):
        ndd.decoders.video(film[: len(film) // 2]).evaluate()


def test_without_the_package(film, monkeypatch):
    plain = builtins.__import__

    def without(name, *rest):
        if name == "av":
            raise ImportError("no av")
        return plain(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="pip install av"):
        ndd.decoders.video(film).evaluate()


@pytest.mark.parametrize("mode", ["reflect_1001", "reflect_101"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_reflection_is_that_of_numpy(mode, count):
    numpy_mode = "symmetric" if mode == "reflect_1001" else "reflect"
    wanted = np.pad(np.arange(count), 13, mode=numpy_mode)
    np.testing.assert_array_equal(padded_numbers(np.arange(-13, count + 13), count, mode), wanted)


def test_even_spread():
    assert evenly(0, 20, 5).tolist() == [0, 5, 10, 14, 19]
    assert evenly(0, 3, 5).tolist() == [0, 1, 1, 2, 2]
