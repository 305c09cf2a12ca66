import numpy as np
import pytest
from support.films import number_of, write_film

import dynjax as ndd
from dynjax import OperatorError

pytest.importorskip("av")
Plain, Padding = ndd.readers.Video, ndd.experimental.readers.Video


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """Class folders a and b with films of 12 and 7 frames."""
    root = tmp_path_factory.mktemp("films")
    for name, count in (("a", 12), ("b", 7)):
        (root / name).mkdir()
        write_film(str(root / name / "film.mp4"), count)
    return root


@pytest.fixture
def film(films):
    return str(films / "a/film.mp4")


def sequences(reader, **kw):
    """The frames' numbers, by what they show."""
    return [[number_of(f) for f in np.asarray(o[0])] for o in reader.next_epoch(**kw)]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"sequence_length": 5}, [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]),
        ({"sequence_length": 2, "stride": 3}, [[0, 3], [6, 9]]),
        (
            {"sequence_length": 3, "step": 2, "stride": 2},
            [[0, 2, 4], [2, 4, 6], [4, 6, 8], [6, 8, 10]],
        ),
        ({"sequence_length": 8, "pad_mode": "edge"}, [[*range(8)], [8, 9, 10, 11, 11, 11, 11, 11]]),
        ({"sequence_length": 8, "pad_mode": "constant"}, [[*range(8)], [8, 9, 10, 11] + [-1] * 4]),
        ({"sequence_length": 5, "step": 4, "pad_mode": "edge"}, [[*range(5)], [*range(4, 9)],
                                                                 [8, 9, 10, 11, 11]]),
        ({"sequence_length": 4, "uniform_sample": True}, [[0, 4, 7, 11]]),
    ],
)  # fmt: skip
def test_sequences(film, arguments, wanted):
    assert sequences(Padding(filenames=film, **arguments)) == wanted


def test_outputs(film):
    reader = Padding(
        filenames=[film],
        labels=[5],
        sequence_length=8,
        pad_mode="constant",
        enable_frame_num="sequence",
        enable_timestamps=True,
    )
    ((frames, label, number, time),) = reader.next_epoch(2)
    assert (frames.layout, frames.dtype) == ("FHWC", ndd.uint8)
    assert (label.dtype, label.shape) == (ndd.int32, [(1,), (1,)])
    wanted = [8, 9, 10, 11, -1, -1, -1, -1]
    assert np.asarray(number.select(1)).tolist() == wanted
    assert (number.dtype, time.dtype) == (ndd.int32, ndd.float64)
    seconds = np.where(np.array(wanted) < 0, -1, np.array(wanted) / 10)
    np.testing.assert_allclose(np.asarray(time.select(1)), seconds)


def test_scalar_number(film):
    reader = Padding(filenames=film, sequence_length=5, enable_frame_num=True)
    assert [np.asarray(n).tolist() for _, n in reader.next_epoch()] == [[0], [5]]


def test_class_folders(films):
    (films / "a" / "notes.txt").write_text("no film")
    reader = Plain(file_root=films, sequence_length=6)
    assert [np.asarray(label).tolist() for _, label in reader.next_epoch()] == [[0], [0], [1]]


@pytest.mark.parametrize(
    ("line", "arguments", "wanted"),
    [
        ("2 5", {"file_list_format": "frames"}, [2, 3, 4]),
        ("-3 -1", {"file_list_format": "frames"}, [9, 10]),
        ("10", {"file_list_format": "frames"}, [10, 11]),
        ("2.5 4.5", {"file_list_format": "frames"}, [2, 3, 4]),
        ("0.25 0.45", {}, [2, 3, 4]),
        ("0.25 0.45", {"file_list_rounding": "start_up_end_down"}, [3]),
        ("0.25 0.45", {"file_list_rounding": "all_up"}, [3, 4]),
        ("0.25 0.45", {"file_list_rounding": "all_down"}, [2, 3]),
        ("0.3 0.5", {}, [3, 4]),
        ("1.0 9", {}, [10, 11]),
        ("", {}, list(range(12))),
    ],
)
def test_file_list(film, tmp_path, line, arguments, wanted):
    (tmp_path / "list").write_text(f"{film} 3 {line}\n")
    reader = Padding(file_list=tmp_path / "list", sequence_length=1, **arguments)
    assert [n for (n,) in sequences(reader)] == wanted


@pytest.mark.parametrize(
    ("line", "arguments", "wanted"),
    [
        ("0.25 0.45", {}, [3]),
        ("0.25 0.45", {"file_list_include_preceding_frame": True}, [2, 3, 4]),
        ("2.5 4.5", {"file_list_frame_num": True}, [3]),
    ],
)
def test_file_list_of_plain_reader(film, tmp_path, line, arguments, wanted):
    (tmp_path / "list").write_text(f"{film} 3 {line}\n")
    reader = Plain(file_list=tmp_path / "list", sequence_length=1, **arguments)
    assert [n for (n,) in sequences(reader)] == wanted


def test_pad_sequences_and_floats(film):
    reader = Plain(
        filenames=film, sequence_length=8, pad_sequences=True, dtype=ndd.float32, normalized=True
    )
    first, last = (np.asarray(frames) for (frames,) in reader.next_epoch())
    whole = np.asarray(ndd.decoders.video(np.fromfile(film, np.uint8)))
    np.testing.assert_allclose(first, whole[:8] / np.float32(255), rtol=1e-6)
    assert (last[4:] == 0).all()
    assert first.dtype == np.float32


def test_variable_rate(tmp_path):
    times = [0, 1, 5, 6, 20, 21]
    path = write_film(str(tmp_path / "v.mkv"), 6, times=times)
    reader = Plain(filenames=path, sequence_length=6, enable_timestamps=True)
    ((frames, seconds),) = reader.next_epoch()
    assert [number_of(f) for f in np.asarray(frames)] == [0, 1, 2, 3, 4, 5]
    np.testing.assert_allclose(np.asarray(seconds), np.array(times) / 10, atol=1e-3)
    (tmp_path / "list").write_text(f"{path} 0 0.4 2.05\n")
    assert sequences(Plain(file_list=tmp_path / "list", sequence_length=2)) == [[2, 3]]


def test_resized(film):
    arguments = {"filenames": film, "sequence_length": 5}
    (wanted, *_) = Plain(**arguments).next_epoch(2)
    (got, *_) = ndd.readers.VideoResize(**arguments, resize_shorter=16).next_epoch(2)
    expected = ndd.resize(wanted[0], resize_shorter=16)
    assert got[0].shape == [(5, 16, 24, 3)] * 2
    np.testing.assert_array_equal(np.asarray(got[0]), np.asarray(expected))
    reader = ndd.readers.VideoResize(2, **arguments)
    sizes = ndd.batch([np.float32([8, 8]), np.float32([4, 6])])
    assert reader(batch_size=2, size=sizes).shape == [(5, 8, 8, 3), (5, 4, 6, 3)]


def test_padding_of_one_call(film):
    reader = Padding(filenames=film, sequence_length=8, step=8, pad_mode="constant")
    assert [number_of(f) for f in np.asarray(reader(pad_mode="edge"))] == list(range(8))
    last = reader(pad_mode="edge")
    assert [number_of(f) for f in np.asarray(last)] == [8, 9, 10, 11, 11, 11, 11, 11]


def test_state_and_shuffling(films):
    def reader():
        return Plain(
            file_root=films,
            sequence_length=2,
            random_shuffle=True,
            enable_frame_num=True,
            enable_checkpointing=True,
        )

    def what(outputs):
        return [np.asarray(x).tolist() for x in outputs[1:]]

    first = reader()
    everything = [what(o) for _ in range(2) for o in first.next_epoch(1)]
    assert sorted(everything[:9]) == sorted(everything[9:])
    assert everything[:9] != sorted(everything[:9])
    second = reader()
    epoch = iter(second.next_epoch(1))
    assert [what(next(epoch)) for _ in range(4)] == everything[:4]
    third = reader()
    third.set_state(second.get_state())
    rest = [what(o) for o in third.next_epoch(1)]
    assert rest[:5] == everything[4:9]
    other = Plain(file_root=films, sequence_length=3, enable_checkpointing=True)
    with pytest.raises(ndd.ArgumentError, match="the state is of a reader"):
        other.set_state(second.get_state())


def test_shards(film):
    got = [
        sequences(Plain(filenames=film, sequence_length=2, num_shards=2, shard_id=k))
        for k in range(2)
    ]
    assert got == [[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]


def test_captured(film):
    reader = ndd.readers.VideoResize(filenames=film, sequence_length=4, size=[8, 8])
    means = [
        np.asarray(ndd.cast(frames, dtype=ndd.float32)).mean()
        for (frames,) in reader.next_epoch(1, capture=True)
    ]
    assert len(means) == 3
    assert means == sorted(means)


def test_unreadable_film(film, tmp_path):
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(b"no film")
    reader = Plain(filenames=[bad, film], sequence_length=5)
    with pytest.raises(OperatorError, match=r"readers\.Video: '.*bad\.mp4': FFmpeg.*on_error"):
        next(iter(reader.next_epoch(1)))
    reader = Plain(filenames=[bad, film], sequence_length=5, on_error="skip")
    with pytest.warns(UserWarning, match="left out"):
        assert len(sequences(reader)) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sequence_length": 13}, "no sequence of 13 frames"),
        ({"sequence_length": 0}, "sequence_length=0"),
        ({"sequence_length": 2, "pad_mode": "x"}, "pad_mode='x'"),
        ({"sequence_length": 2, "enable_frame_num": "x"}, "enable_frame_num='x'"),
        ({"sequence_length": 2, "image_type": ndd.types.GRAY}, "RGB or YCbCr"),
        ({"sequence_length": 2, "labels": [1, 2]}, "labels has 2 entries"),
        ({"sequence_length": 2, "file_root": "x"}, "filenames and file_root"),
    ],
)
def test_bad_arguments(film, arguments, message):
    with pytest.raises(OperatorError, match=message):
        sequences(Padding(filenames=film, **arguments))


@pytest.mark.parametrize("line", ["x", "x y", "x 1 2 3 4", "x 1 nan"])
def test_bad_list(tmp_path, line):
    (tmp_path / "list").write_text(line)
    with pytest.raises(OperatorError, match=r"line 1: .*path label \[start \[end\]\]"):
        sequences(Plain(file_list=tmp_path / "list", sequence_length=2))
