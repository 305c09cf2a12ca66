"""Image, mask, boxes and keypoints move together."""

import jax
import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd
from dynjax import auto_aug

KEY = jax.random.key(8)
SIZES = [(16, 24), (20, 12), (24, 24), (15, 31)]


def scene(height, width):
    """A bright block on black; its mask, its box and the middle of its box in pixels."""
    image = np.zeros((height, width, 1), np.uint8)
    top, left, bottom, right = height // 3, width // 4, height // 3 + 5, width // 4 + 6
    image[top:bottom, left:right] = 200
    box = np.array([[left, top, right, bottom]], np.float32)
    return image, (image[..., 0] > 0).astype(np.uint8), box, (box[:, :2] + box[:, 2:]) / 2


def scenes(normalized):
    parts = [list(part) for part in zip(*(scene(*s) for s in SIZES), strict=True)]
    if normalized:
        for i, (height, width) in enumerate(SIZES):
            side = np.array([width, height], np.float32)
            parts[2][i] = parts[2][i] / np.tile(side, 2)
            parts[3][i] = parts[3][i] / side
    return {
        "image": ndd.batch(parts[0], layout="HWC"),
        "mask": ndd.batch(parts[1]),
        "boxes": ndd.batch(parts[2], layout="NC"),
        "keypoints": ndd.batch(parts[3], layout="NC"),
        "labels": ndd.batch([3, 1, 4, 1]),
    }


CALLS = {
    "flip": lambda s, **k: auto_aug.flip_together(s, horizontal=0.5, vertical=0.5, **k),
    "crop": lambda s, **k: auto_aug.resized_crop_together(s, (32, 40), random_area=(0.5, 1), **k),
    "rotate": lambda s, **k: auto_aug.rotate_together(s, (-40, 40), **k),
    "affine": lambda s, **k: auto_aug.affine_together(
        s, angle=(-20, 20), scale=(0.8, 1.3), shear=(-0.2, 0.2), translate=(0.1, 0.1), **k
    ),
}
each = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@each
@pytest.mark.parametrize("normalized", [True, False])
def test_all_parts_move_together(call, normalized):
    given = scenes(normalized)
    out = call(given, normalized=normalized, key=KEY)
    assert out["labels"] is given["labels"]
    parts = [arrays(out[k]) for k in ("image", "mask", "boxes", "keypoints")]
    moved = False
    for i, (image, mask, box, point) in enumerate(zip(*parts, strict=True)):
        assert image.shape[:2] == mask.shape
        assert set(np.unique(mask)) <= {0, 1}
        # Interpolation blurs the image by a pixel; inside and outside of that both agree.
        assert (mask == (image[..., 0] >= 100)).mean() > 0.93
        side = np.array(mask.shape[::-1])
        if normalized:
            box, point = box * np.tile(side, 2), point * side
        ys, xs = np.nonzero(mask)
        seen = np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1])
        np.testing.assert_allclose(box[0], seen, atol=1.6)
        inside = (seen[:2] > 0).all() and (seen[2:] < side).all()
        if inside:  # not cut off
            np.testing.assert_allclose(point[0], [xs.mean() + 0.5, ys.mean() + 0.5], atol=0.7)
        moved |= not np.array_equal(image, arrays(given["image"])[i])
    assert moved


@each
def test_one_sample_and_its_batch(call):
    whole = call(scenes(True), key=KEY)
    alone = call({k: v.select([0]) for k, v in scenes(True).items()}, key=KEY)
    for name in whole:
        np.testing.assert_array_equal(arrays(alone[name])[0], arrays(whole[name])[0])
    words = jax.vmap(lambda i: jax.random.key_data(jax.random.fold_in(KEY, i)))(np.arange(1))
    tensors = call({k: v.select(0) for k, v in scenes(True).items()}, key=words)
    assert all(type(v) is ndd.Tensor for v in tensors.values())


def test_inside_jit():
    wanted = CALLS["affine"](scenes(True), key=KEY)
    got = jax.jit(lambda s, key: CALLS["affine"](s, key=key))(scenes(True), KEY)
    for part in wanted:
        for g, w in zip(arrays(got[part]), arrays(wanted[part]), strict=True):
            # The map's last bits differ, and with them pixels that lie on a border.
            atol = 1e-5 if w.dtype.kind == "f" else 0
            assert np.isclose(g, w, rtol=0, atol=atol).mean() > 0.98


def test_boxes_outside_have_no_area_and_keep_their_place():
    sample = {
        "image": np.zeros((10, 10, 1), np.uint8),
        "boxes": np.float32([[0, 0, 0.1, 0.1], [0.4, 0.4, 0.6, 0.6]]),
    }
    out = auto_aug.affine_together(sample, scale=(3, 3), key=KEY)
    boxes = np.asarray(out["boxes"])
    assert boxes[0].tolist() == [0, 0, 0, 0]
    np.testing.assert_allclose(boxes[1], [0.2, 0.2, 0.8, 0.8], atol=1e-6)


def test_errors():
    with pytest.raises(ndd.ArgumentError, match="no 'image' and no 'mask'"):
        auto_aug.flip_together({"boxes": np.zeros((1, 4), np.float32)})
    image = ndd.batch(np.zeros((2, 4, 4, 3), np.uint8), layout="HWC")
    with pytest.raises(ndd.ArgumentError, match="differ in height or width"):
        auto_aug.flip_together({"image": image, "mask": ndd.batch(np.zeros((2, 4, 5), np.uint8))})
    with pytest.raises(ndd.ArgumentError, match="'mask' has 3 samples; 'image' has 2"):
        auto_aug.flip_together({"image": image, "mask": ndd.batch(np.zeros((3, 4, 4), np.uint8))})
    with pytest.raises(ndd.ArgumentError, match="'boxes' is no batch"):
        auto_aug.flip_together({"image": image, "boxes": np.zeros((1, 4), np.float32)})
