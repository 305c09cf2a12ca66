"""`resize_crop_mirror`: what `resize`, cropping and flipping make one after another."""

import jax
import numpy as np
import pytest

import dynjax as ndd

IMAGE = np.random.RandomState(0).randint(0, 255, (20, 30, 3)).astype(np.uint8)
SIZES = [{"size": [13, 17]}, {"resize_shorter": 13}, {"resize_x": 40, "subpixel_scale": False}]


@pytest.mark.parametrize("mirror", [0, 1, 2, 3])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("interp", ["linear", "cubic", "nn"])
def test_chain(size, mirror, interp):
    tensor = ndd.tensor(IMAGE, layout="HWC")
    whole = np.asarray(ndd.resize(tensor, interp_type=interp, **size))
    places = zip((0.25, 0.75), whole.shape, (5, 6), strict=False)
    y, x = (int(p * (n - c) + 0.5) for p, n, c in places)
    wanted = whole[y : y + 5, x : x + 6][:: -1 if mirror & 2 else 1, :: -1 if mirror & 1 else 1]
    arguments = {"crop": [5, 6], "crop_pos_y": 0.25, "crop_pos_x": 0.75, "mirror": mirror}
    out = np.asarray(ndd.resize_crop_mirror(tensor, interp_type=interp, **size, **arguments))
    # Positions are rounded otherwise: a half may go the other way.
    assert np.abs(out.astype(int) - wanted).max() <= (0 if interp == "nn" else 1)
    assert (out != wanted).mean() < 0.02


def test_values_for_each_sample():
    batch = ndd.as_batch([IMAGE, IMAGE[:12]], layout="HWC")
    mirror = ndd.batch([1, 0])
    out = ndd.resize_crop_mirror(batch, resize_shorter=10, crop=[8, 8], mirror=mirror)
    alone = [
        ndd.resize_crop_mirror(t, resize_shorter=10, crop=[8, 8], mirror=m)
        for t, m in zip(batch, (1, 0), strict=True)
    ]
    jitted = jax.jit(
        lambda b: ndd.resize_crop_mirror(b, resize_shorter=10, crop=[8, 8], mirror=mirror)
    )(batch)
    for got, same, want in zip(out, jitted, alone, strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(want))
        # Regions are float32 where extents are traced: a half may go the other way.
        assert np.abs(np.asarray(same).astype(int) - np.asarray(want)).max() <= 1


def test_images_without_pixels():
    none = np.zeros((0, 30, 3), np.uint8)
    batch = ndd.as_batch([none, IMAGE], layout="HWC")
    whole = ndd.resize_crop_mirror(batch, size=[13, 17], mirror=1)
    assert whole.shape == [(0, 17, 3), (13, 17, 3)]  # as of the original
    arguments = {"size": [13, 17], "crop": [5, 6]}
    cut = ndd.resize_crop_mirror(batch, **arguments)
    assert cut.shape == [(0, 6, 3), (5, 6, 3)]
    alone = ndd.resize_crop_mirror(ndd.tensor(IMAGE, layout="HWC"), **arguments)
    np.testing.assert_array_equal(np.asarray(cut.select(1)), np.asarray(alone))


def test_a_free_axis_is_not_turned_by_its_region():
    row = ndd.tensor(np.float32([0, 10, 20]).reshape(1, 3, 1), layout="HWC")
    backwards = {"roi_start": [0, 3], "roi_end": [1, 0]}
    for size, wanted in (({"resize_y": 1}, [0, 10, 20]), ({"size": [1, 3]}, [20, 10, 0])):
        out = ndd.resize_crop_mirror(row, **size, **backwards)
        assert np.asarray(out).ravel().tolist() == wanted


def test_refusals():
    tensor = ndd.tensor(IMAGE, layout="HWC")
    with pytest.raises(ndd.OperatorError, match=r"resize_crop_mirror: .* given by nothing"):
        ndd.resize_crop_mirror(tensor, crop=[4, 4]).evaluate()
    with pytest.raises(ndd.OperatorError, match=r"resize_crop_mirror: crop position 1.5"):
        ndd.resize_crop_mirror(tensor, size=8, crop=[4, 4], crop_pos_x=1.5).evaluate()


@pytest.mark.parametrize(
    ("layout", "crop", "window"),
    [
        ("FHWC", [1, 2, 3], np.s_[:, :2, :3]),
        ("HWC", [1, 2, 3], np.s_[:2, :3]),
        ("DHWC", [2, 3], np.s_[:, :2, :3]),
        ("DHWC", [1, 2, 3], np.s_[:1, :2, :3]),
    ],
)
def test_other_axes_than_crop_has_values_for(layout, crop, window):
    data = np.arange(5 * 4 * 6 * 2, dtype=np.uint8).reshape(5, 4, 6, 2)
    data = data[0] if layout == "HWC" else data
    size = [float(n) for n, a in zip(data.shape, layout, strict=True) if a in "DHW"]
    place = {"crop_pos_x": 0.0, "crop_pos_y": 0.0, "crop_pos_z": 0.0}
    out = ndd.resize_crop_mirror(ndd.tensor(data, layout=layout), size=size, crop=crop, **place)
    np.testing.assert_array_equal(out, data[window])
