"""`debayer` against the means that define it."""

import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd


def interpolated(mosaic, first):
    """Each channel from a plane where only its own elements count, by means of neighbours."""
    height, width = mosaic.shape
    y, x = np.mgrid[:height, :width]
    row, column = (y - first[0]) % 2 == 0, (x - first[1]) % 2 == 0
    out = np.zeros((height, width, 3), np.int64)
    for c, mask in enumerate([row & column, row != column, ~row & ~column]):
        values, counts = (np.pad(p, 1).astype(np.int64) for p in (mosaic * mask, mask))
        near = [(0, 1), (0, -1), (1, 0), (-1, 0)]
        far = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        for v, u in np.ndindex(height, width):
            if mask[v, u]:
                out[v, u, c] = mosaic[v, u]
                continue
            for steps in (near, far):
                places = [(v + 1 + a, u + 1 + b) for a, b in steps]
                n = sum(counts[p] for p in places)
                if n:
                    out[v, u, c] = (sum(values[p] for p in places) + n // 2) // n
                    break
    inner = out[1:-1, 1:-1]
    return np.pad(inner, ((1, 1), (1, 1), (0, 0)), "edge")


@pytest.mark.parametrize("first", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_bilinear(first):
    mosaics = [noise(0, (8, 10)), noise(1, (4, 40)), noise(2, (6, 4))]
    out = ndd.debayer(ndd.batch(mosaics, layout="HW"), blue_position=first)
    assert out.layout == "HWC"
    for got, mosaic in zip(arrays(out), mosaics, strict=True):
        np.testing.assert_array_equal(got, interpolated(mosaic, first))


def test_sixteen_bits_and_frames():
    video = noise(3, (2, 6, 8), "uint16")
    out = ndd.debayer(
        ndd.tensor(video, layout="FHW"),
        blue_position=ndd.per_frame(ndd.tensor(np.int32([[0, 1], [1, 0]]))),
    )
    assert (out.layout, out.dtype) == ("FHWC", ndd.uint16)
    for got, frame, first in zip(np.asarray(out), video, [(0, 1), (1, 0)], strict=True):
        np.testing.assert_array_equal(got, interpolated(frame, first))


def test_the_smallest_mosaic_gives_its_own_values():
    out = np.asarray(ndd.debayer(ndd.tensor(np.uint8([[1, 2], [3, 4]])), blue_position=[0, 0]))
    assert out[..., 0].tolist() == [[1, 1], [1, 1]]
    assert out[..., 2].tolist() == [[4, 4], [4, 4]]


@pytest.mark.parametrize(
    ("shape", "given", "message"),
    [
        ((7, 8), {"blue_position": [0, 0]}, "height is 7; expected an even number"),
        ((8, 8), {"blue_position": [0, 2]}, "blue_position has 2; expected 0 or 1"),
        ((8, 8), {"blue_position": 1}, "blue_position has 1 values"),
        ((8, 8), {"blue_position": [0, 0], "algorithm": "vng_ocv"}, "algorithm='vng_ocv'"),
    ],
)
def test_bad_input(shape, given, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.debayer(ndd.tensor(np.zeros(shape, np.uint8), layout="HW"), **given).evaluate()
