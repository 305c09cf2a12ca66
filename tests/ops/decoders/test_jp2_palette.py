"""`decoders.image` of JPEG 2000 files with a palette."""

import struct

import numpy as np
import pytest
from support.encoded import encoded
from support.shared import shared_folder

import dynjax as ndd

# Index 1 repeats index 0's colour.
COLOURS = np.uint8([[10, 20, 30], [10, 20, 30], [200, 0, 5], [7, 255, 80]])
INDICES = np.uint8([[0, 1, 2, 3], [3, 2, 1, 0], [2, 2, 3, 1], [1, 3, 0, 2]])


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def with_palette(colours, definitions=()):
    """A file of `INDICES`; `definitions`: which channel is which, `(number, kind, colour)`."""
    data = encoded(INDICES, "JPEG2000", irreversible=False).tobytes()
    at = data.index(b"jp2h") - 4
    size = int.from_bytes(data[at : at + 4], "big")
    header = data[at + 8 : at + size]
    header = header[: header.index(b"colr") - 4]
    columns = colours.shape[1]
    header += box(b"colr", struct.pack(">BBBI", 1, 0, 0, 16))
    palette = struct.pack(">HB", len(colours), columns) + bytes([7] * columns) + colours.tobytes()
    header += box(b"pclr", palette)
    header += box(b"cmap", b"".join(struct.pack(">HBB", 0, 1, k) for k in range(columns)))
    if definitions:
        listed = b"".join(struct.pack(">HHH", *d) for d in definitions)
        header += box(b"cdef", struct.pack(">H", len(definitions)) + listed)
    return np.frombuffer(data[:at] + box(b"jp2h", header) + data[at + size :], np.uint8)


def test_colours_that_occur_twice():
    image = np.asarray(ndd.decoders.image(with_palette(COLOURS)))
    np.testing.assert_array_equal(image, COLOURS[INDICES])


def test_the_file_says_which_channel_is_which():
    # Green, blue, red.
    file = with_palette(COLOURS, [(0, 0, 2), (1, 0, 3), (2, 0, 1)])
    wanted = COLOURS[INDICES][..., [2, 0, 1]]
    np.testing.assert_array_equal(np.asarray(ndd.decoders.image(file)), wanted)
    part = ndd.decoders.image_slice(file, start=[1, 2], end=[4, 4], axes=[0, 1])
    np.testing.assert_array_equal(np.asarray(part), wanted[1:4, 2:4])


def test_palettes_with_opacity():
    colours = np.concatenate([COLOURS, np.uint8([[255], [9], [0], [77]])], axis=1)
    file = with_palette(colours, [(0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 1, 0)])
    np.testing.assert_array_equal(np.asarray(ndd.decoders.image(file)), COLOURS[INDICES])
    own = ndd.decoders.image(file, output_type=ndd.types.ANY_DATA)
    np.testing.assert_array_equal(np.asarray(own), colours[INDICES])


@pytest.mark.parametrize("length", [90, 100, 110, 120])
def test_files_cut_short_are_refused(length):
    with pytest.raises(ndd.OperatorError, match=r"sample 0"):
        ndd.decoders.image(with_palette(COLOURS)[:length]).evaluate()


def test_a_real_file_as_the_original():
    folder = shared_folder("data/odd")
    if folder is None:
        pytest.skip("the folder data/odd is not there; DYNJAX_SHARED says where it is looked for")
    image = np.asarray(ndd.decoders.image(np.fromfile(folder / "jp2_rgb.jp2", np.uint8)))
    np.testing.assert_allclose(image.mean((0, 1)), [135.028, 134.830, 100.096], atol=1e-3)
    assert image[50, 50:54].tolist() == [[215, 220, 34]] * 3 + [[224, 226, 30]]
