"""`imread`, `io.file.read` and `dump_image`."""

import os

import numpy as np
import pytest
from PIL import Image

import dynjax as ndd


@pytest.fixture
def pictures(tmp_path):
    paths = []
    for k in range(3):
        path = tmp_path / f"{k} ä.png"
        Image.fromarray(np.full((2 + k, 3, 3), 40 * k, np.uint8)).save(path)
        paths.append(path)
    return paths


def path_bytes(path):
    return np.frombuffer(os.fsencode(path), np.uint8)


def test_one_path_gives_a_tensor(pictures):
    for path in (pictures[1], str(pictures[1]), os.fsencode(pictures[1])):
        got = ndd.imread(path)
        assert isinstance(got, ndd.Tensor)
        assert (np.asarray(got) == 40).all()
    assert ndd.imread(ndd.tensor(path_bytes(pictures[2]))).shape == (4, 3, 3)


def test_several_paths_give_a_batch(pictures):
    got = ndd.imread(pictures, output_type=ndd.types.GRAY)
    assert got.shape == [(2, 3, 1), (3, 3, 1), (4, 3, 1)]
    assert ndd.imread(ndd.batch([path_bytes(p) for p in pictures])).batch_size == 3
    assert ndd.imread(tuple(pictures[:1])).batch_size == 1


def test_bytes_of_files(pictures, tmp_path):
    empty = tmp_path / "empty"
    empty.touch()
    paths = [*pictures, empty]
    got = ndd.io.file.read(ndd.batch([path_bytes(p) for p in paths]))
    for one, path in zip(got, paths, strict=True):
        assert bytes(np.asarray(one)) == path.read_bytes()
    one = ndd.io.file.read(path_bytes(pictures[0]), use_o_direct=True)
    assert bytes(np.asarray(one)) == pictures[0].read_bytes()


def test_errors_name_the_file(pictures, tmp_path):
    lost = tmp_path / "lost.png"
    text = tmp_path / "text.png"
    text.write_bytes(b"no picture")
    for path, what in ((lost, "lost.png.*No such file"), (text, "text.png.*not recognised")):
        with pytest.raises(ndd.OperatorError, match=what):
            ndd.imread([pictures[0], path]).evaluate()
    with pytest.raises(ndd.OperatorError, match="Is a directory"):
        ndd.io.file.read(path_bytes(tmp_path)).evaluate()
    with pytest.raises(ndd.OperatorError, match="2 axes of float32"):
        ndd.io.file.read(np.ones((1, 2), np.float32)).evaluate()
    with pytest.raises(ValueError, match="device"):
        ndd.imread(pictures[0], device="moon")
    with pytest.raises(TypeError, match="expected a path"):
        ndd.imread(3)
    with pytest.raises(ndd.ArgumentError, match="no paths"):
        ndd.imread([])


def test_dumped_images(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    out = ndd.dump_image(ndd.batch([image, image[:1]], layout="HWC"), suffix="x")
    np.testing.assert_array_equal(np.asarray(next(iter(out))), image)
    with Image.open("0-x-0.ppm") as written:
        np.testing.assert_array_equal(np.asarray(written), image)
    with pytest.raises(ndd.OperatorError, match="expected uint8 HWC"):
        ndd.dump_image(image, input_layout="CHW").evaluate()
