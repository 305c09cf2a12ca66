"""mixup and CutMix: labels say how much of which image is there."""

import jax
import numpy as np
import pytest
from support.samples import noise

import dynjax as ndd
from dynjax import auto_aug

KEY = jax.random.key(2)
# Image i holds nothing but 10 i.
FLAT = np.broadcast_to(np.arange(0, 80, 10, dtype=np.uint8)[:, None, None, None], (8, 6, 4, 3))
VALUES = np.arange(0, 80, 10)
both = pytest.mark.parametrize("mix", [auto_aug.mixup, auto_aug.cutmix])


def mixed(mix, images=FLAT, **changes):
    arguments = {"num_classes": 8, "alpha": 1.0, "key": KEY} | changes
    out, labels = mix(ndd.batch(images, layout="HWC"), list(range(8)), **arguments)
    assert out.layout == "HWC"
    return np.asarray(out), np.asarray(labels)


@both
def test_labels_are_what_is_seen(mix):
    out, labels = mixed(mix)
    assert (out.dtype, labels.dtype) == (np.float32, np.float32)
    np.testing.assert_allclose(labels.sum(1), 1, atol=1e-6)
    # The mean of a mixed image is the sum of its parts.
    np.testing.assert_allclose(out.mean((1, 2, 3)), labels @ VALUES, atol=1e-3)
    # Each other image is used once.
    assert ((labels > 0).sum(1) <= 2).all()
    assert (labels < 1).any()


def test_mixup_blends_and_cutmix_pastes():
    blended, labels = mixed(auto_aug.mixup, noise(0, (8, 6, 4, 3)))
    images = noise(0, (8, 6, 4, 3)).astype(np.float64)
    np.testing.assert_allclose(blended, np.einsum("nc,chwk->nhwk", labels, images), atol=1e-3)
    pasted, _ = mixed(auto_aug.cutmix)
    assert np.isin(pasted, VALUES).all()
    for image, value in zip(pasted[..., 0], VALUES, strict=True):
        rows, columns = np.nonzero(image != value)
        if len(rows):
            block = image[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
            assert (block != value).all()


@both
def test_the_same_draw_again(mix):
    wanted = mixed(mix)
    keys = jax.vmap(lambda i: jax.random.key_data(jax.random.fold_in(KEY, i)))(np.arange(8))
    for got, want in zip(mixed(mix, key=None, rng=ndd.random.RNG(1)), wanted, strict=True):
        assert (got != want).any()
    a, b = (mixed(mix, key=keys) for _ in range(2))
    np.testing.assert_array_equal(a[0], b[0])


@both
def test_inside_jit(mix):
    def call(images, labels, key):
        return mix(images, labels, num_classes=8, alpha=1.0, key=key)

    got = jax.jit(call)(ndd.batch(FLAT, layout="HWC"), ndd.batch(list(range(8))), KEY)
    for g, w in zip(got, mixed(mix), strict=True):
        np.testing.assert_allclose(np.asarray(g), w, atol=1e-4)


@both
def test_weights_as_labels(mix):
    _, wanted = mixed(mix)
    _, labels = mix(FLAT, np.eye(8, dtype=np.float32), alpha=1.0, key=KEY)
    np.testing.assert_allclose(np.asarray(labels), wanted, atol=1e-6)


@both
def test_errors(mix):
    ragged = ndd.batch([np.zeros((n, 4, 3), np.uint8) for n in (2, 3)], layout="HWC")
    for images, labels, arguments, message in (
        (ragged, [0, 1], {"num_classes": 2}, "the images differ in shape"),
        (FLAT, list(range(8)), {}, "num_classes is missing"),
        (FLAT, [0, 1], {"num_classes": 2}, "for 8 images"),
        (FLAT, list(range(8)), {"num_classes": 8, "alpha": 0.0}, "alpha=0.0"),
    ):
        with pytest.raises(ndd.ArgumentError, match=message):
            mix(images, labels, key=KEY, **arguments)
