"""`equalize` and `clahe` against their definitions, pixel by pixel."""

import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd


def equalized(plane):
    counts = np.bincount(plane.ravel(), minlength=256)
    cdf = np.cumsum(counts)
    lowest = counts[np.flatnonzero(counts)[0]]
    if lowest == plane.size:
        return plane
    return np.rint(255 * (cdf - lowest) / (plane.size - lowest)).clip(0, 255)[plane]


@pytest.mark.parametrize(
    ("layout", "shape"),
    [("HW", (7, 9)), ("HWC", (7, 9, 3)), ("CHW", (2, 7, 9)), ("FHWC", (2, 7, 9, 5)),
     ("FCHW", (2, 3, 4, 5))],
)  # fmt: skip
def test_each_plane_is_equalised(layout, shape):
    image = noise(0, shape) // 9
    out = np.asarray(ndd.equalize(ndd.tensor(image, layout=layout)))
    axes = [layout.index(a) for a in "HW"]
    planes = np.moveaxis(image, axes, (-2, -1)).reshape(-1, shape[axes[0]], shape[axes[1]])
    got = np.moveaxis(out, axes, (-2, -1)).reshape(planes.shape)
    for plane, result in zip(planes, got, strict=True):
        # The scale is rounded to float32: an exact half may fall to either side.
        np.testing.assert_allclose(result, equalized(plane), atol=1)
        assert np.mean(result != equalized(plane)) < 0.05


def test_ragged_batches_and_constant_images():
    images = [noise(1, (4, 5, 3)), np.full((3, 3, 3), 7, np.uint8), noise(2, (30, 1, 3))]
    out = arrays(ndd.equalize(ndd.batch(images, layout="HWC")))
    np.testing.assert_array_equal(out[1], images[1])
    for result, image in zip(out, images, strict=True):
        for c in range(3):
            np.testing.assert_allclose(result[..., c], equalized(image[..., c]), atol=1)


def local(image, across, down, limit):
    """The definition, with tables and weights in float64."""
    height, width = image.shape
    uneven = height % down or width % across
    pad = (down - height % down, across - width % across) if uneven else (0, 0)
    wide = np.pad(image, ((0, pad[0]), (0, pad[1])), "reflect")
    tile_h, tile_w = wide.shape[0] // down, wide.shape[1] // across
    tables = np.zeros((down, across, 256))
    for j, i in np.ndindex(down, across):
        tile = wide[j * tile_h : (j + 1) * tile_h, i * tile_w : (i + 1) * tile_w]
        counts = np.bincount(tile.ravel(), minlength=256)
        if limit > 0:
            cap = max(int(limit * tile.size / 256), 1)
            excess = int(np.maximum(counts - cap, 0).sum())
            counts = np.minimum(counts, cap) + excess // 256
            rest = excess % 256
            if rest:
                counts[: 256 // rest * rest : 256 // rest][:rest] += 1
        tables[j, i] = np.rint(np.cumsum(counts) * 255 / tile.size).clip(0, 255)
    out = np.zeros(image.shape)
    for y, x in np.ndindex(image.shape):
        v, u = (y / tile_h - 0.5), (x / tile_w - 0.5)
        j, i = int(np.floor(v)), int(np.floor(u))
        for dj, di in np.ndindex(2, 2):
            weight = abs(1 - dj - (v - j)) * abs(1 - di - (u - i))
            row, column = np.clip(j + dj, 0, down - 1), np.clip(i + di, 0, across - 1)
            out[y, x] += weight * tables[row, column, image[y, x]]
    return out


@pytest.mark.parametrize(
    ("across", "down", "limit"), [(1, 1, 0.0), (2, 2, 3.0), (4, 3, 2.0), (5, 7, 40.0)]
)
def test_tiles(across, down, limit):
    rng = np.random.default_rng(3)
    image = rng.normal(100, 40, (37, 24)).clip(0, 255).astype(np.uint8)
    out = ndd.clahe(
        ndd.tensor(image[..., None], layout="HWC"), tiles_x=across, tiles_y=down, clip_limit=limit
    )
    np.testing.assert_allclose(
        np.asarray(out)[..., 0], local(image, across, down, limit), rtol=0, atol=0.51
    )


def test_colour_keeps_its_hue():
    image = noise(4, (24, 24, 3)) // 3 + 60
    batch = ndd.batch([image, image[:12]], layout="HWC")
    both = arrays(ndd.clahe(batch, tiles_x=2, tiles_y=2, clip_limit=4.0))
    assert [b.shape for b in both] == [(24, 24, 3), (12, 24, 3)]
    # Grey stays grey but for the coarseness of the colour space's bytes.
    grey = np.repeat(image[..., :1], 3, -1)
    out = np.asarray(
        ndd.clahe(ndd.tensor(grey, layout="HWC"), tiles_x=2, tiles_y=2, clip_limit=4.0)
    )
    assert np.ptp(out.astype(int), axis=-1).max() <= 2
    apart = ndd.clahe(
        ndd.tensor(image, layout="HWC"), tiles_x=2, tiles_y=2, clip_limit=4.0, luma_only=False
    )
    one = ndd.clahe(
        ndd.tensor(image[..., 1:2].copy(), layout="HWC"), tiles_x=2, tiles_y=2, clip_limit=4.0
    )
    np.testing.assert_array_equal(np.asarray(apart)[..., 1], np.asarray(one)[..., 0])


def test_bad_input():
    with pytest.raises(RuntimeError, match="equalize: the input is float32; expected one of uint8"):
        ndd.equalize(ndd.tensor(np.zeros((2, 2), np.float32), layout="HW")).evaluate()
    image = ndd.tensor(np.zeros((4, 4, 2), np.uint8), layout="HWC")
    with pytest.raises(ValueError, match="clahe: the input has 2 channels; expected 1 or 3"):
        ndd.clahe(image, tiles_x=1, tiles_y=1, clip_limit=1.0).evaluate()
    with pytest.raises(TypeError, match="clip_limit"):
        ndd.clahe(image, tiles_x=1, tiles_y=1)
    with pytest.raises(RuntimeError, match="tiles_x=0"):
        ndd.clahe(
            ndd.tensor(np.zeros((4, 4, 1), np.uint8), layout="HWC"),
            tiles_x=0,
            tiles_y=1,
            clip_limit=1.0,
        ).evaluate()
