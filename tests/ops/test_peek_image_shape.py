"""`peek_image_shape`: sizes from headers."""

import numpy as np
import pytest
from PIL import Image
from support.encoded import encoded, text
from support.samples import noise

import dynjax as ndd
from dynjax import types


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_formats(kind):
    file = encoded(noise(0, (21, 34, 3)), kind)
    shape = ndd.peek_image_shape(file)
    assert shape.dtype == ndd.int64
    assert np.asarray(shape).tolist() == [21, 34, 3]


@pytest.mark.parametrize(
    ("mode", "image_type", "channels"),
    [
        ("L", types.RGB, 3),
        ("L", types.GRAY, 1),
        ("L", types.ANY_DATA, 1),
        ("RGBA", types.RGB, 3),
        ("RGBA", types.ANY_DATA, 4),
    ],
)
def test_channels(mode, image_type, channels):
    file = encoded(Image.fromarray(noise(0, (5, 6, 3))).convert(mode))
    assert np.asarray(ndd.peek_image_shape(file, image_type=image_type)).tolist() == [
        5,
        6,
        channels,
    ]


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32"])
def test_types(dtype):
    shape = ndd.peek_image_shape(encoded(noise(0, (5, 6, 3))), dtype=dtype)
    assert np.asarray(shape).dtype == dtype
    assert np.asarray(shape).tolist() == [5, 6, 3]


@pytest.mark.parametrize("dtype", ["uint8", "int16", "bool"])
def test_refused_types(dtype):
    with pytest.raises(
        ndd.OperatorError, match=rf"peek_image_shape: dtype={dtype}; expected int32"
    ):
        ndd.peek_image_shape(encoded(noise(0, (5, 6, 3))), dtype=dtype).evaluate()


def test_batches(photos):
    files = ndd.batch([np.frombuffer(p, np.uint8) for p in photos[:4]])
    shapes = ndd.peek_image_shape(files)
    assert shapes.shape == [(3,)] * 4
    assert [tuple(row) for row in np.asarray(shapes)] == ndd.decoders.image(files).shape
    assert ndd.peek_image_shape(files.select([])).batch_size == 0


def test_a_file_that_is_no_picture():
    batch = ndd.batch([encoded(noise(0, (5, 6, 3))), text()])
    with pytest.raises(ndd.OperatorError, match=r"peek_image_shape: sample 1: the format was not"):
        ndd.peek_image_shape(batch).evaluate()


def test_only_the_header_is_needed():
    whole = encoded(noise(0, (400, 300, 3)), "JPEG")
    assert np.asarray(ndd.peek_image_shape(whole[:700])).tolist() == [400, 300, 3]
