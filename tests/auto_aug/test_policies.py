"""AutoAugment and its kin: what is drawn, for which samples, in which forms."""

import jax
import numpy as np
import pytest
from support.loops import BATCH, loop
from support.samples import arrays, noise

import dynjax as ndd
from dynjax import auto_aug

KEY = jax.random.key(5)
IMAGES = noise(1, (6, 8, 10, 3))
POLICIES = {
    "auto": auto_aug.auto_augment,
    "rand": lambda x, **k: auto_aug.rand_augment(x, 2, 20, **k),
    "trivial": auto_aug.trivial_augment_wide,
    "mix": lambda x, **k: auto_aug.aug_mix(x, width=2, **k),
}
each = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)


def batch_of(images):
    return ndd.batch(images, layout="HWC")


def keys(count):
    return jax.vmap(lambda i: jax.random.key_data(jax.random.fold_in(KEY, i)))(np.arange(count))


@each
def test_a_sample_does_not_depend_on_its_batch(policy):
    whole = policy(batch_of(IMAGES), key=keys(6))
    assert (whole.layout, whole.dtype) == ("HWC", ndd.uint8)
    assert any((a != b).any() for a, b in zip(arrays(whole), IMAGES, strict=True))
    part = policy(batch_of(IMAGES[2:5]), key=keys(6)[2:5])
    for got, wanted in zip(arrays(part), arrays(whole)[2:5], strict=True):
        np.testing.assert_array_equal(got, wanted)
    one = policy(ndd.tensor(IMAGES[3], layout="HWC"), key=keys(6)[3:4])
    assert type(one) is ndd.Tensor
    np.testing.assert_array_equal(np.asarray(one), arrays(whole)[3])


@each
def test_generators(policy):
    wanted = np.asarray(policy(batch_of(IMAGES), rng=ndd.random.RNG(seed=3)))
    got = np.asarray(policy(batch_of(IMAGES), rng=ndd.random.RNG(seed=3)))
    np.testing.assert_array_equal(got, wanted)
    other = np.asarray(policy(batch_of(IMAGES), rng=ndd.random.RNG(seed=4)))
    assert (other != wanted).any()


@each
def test_samples_of_different_sizes(policy):
    images = [noise(i, (5 + i, 9 - i, 3)) for i in range(4)]
    out = policy(batch_of(images), key=KEY)
    assert out.shape == [i.shape for i in images]
    again = policy(batch_of(images[:1]), key=KEY)
    np.testing.assert_array_equal(arrays(again)[0], arrays(out)[0])


@each
def test_sequences_and_empty_batches(policy):
    videos = np.repeat(IMAGES[:, None], 2, axis=1)
    out = np.asarray(policy(ndd.batch(videos, layout="FHWC"), key=KEY))
    np.testing.assert_array_equal(out[:, 0], out[:, 1])
    assert policy(batch_of(IMAGES[:0]), key=KEY).batch_size == 0


def test_inside_jit():
    names = ("auto_contrast", "brightness", "color", "contrast", "equalize", "rotate")
    few = {"excluded": [*names, "sharpness", "shear_x", "shear_y", "translate_x", "solarize"]}

    def augment(images, key):
        return auto_aug.trivial_augment_wide(images, key=key, **few)

    wanted = augment(batch_of(IMAGES), KEY)
    got = jax.jit(augment)(batch_of(IMAGES), KEY)
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))
    with pytest.raises(TypeError, match=r"^trivial_augment_wide: inside jit.* key="):
        jax.jit(auto_aug.trivial_augment_wide)(batch_of(IMAGES))


def test_captured_loops_give_the_same():
    def run(capture):
        rng = ndd.random.RNG(seed=9)
        source = [batch_of(IMAGES[:BATCH] + np.uint8(i)) for i in range(4)]
        found = []
        for images in loop(source, capture):
            turned = ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=BATCH, rng=rng))
            found.append(np.asarray(auto_aug.rand_augment(turned, 1, 15, rng=rng)))
        return np.stack(found)

    np.testing.assert_array_equal(run(True), run(False))


def test_every_augmentation_occurs():
    """400 draws of one image: all of the 14 choices, none much more often than its share."""
    image = noise(3, (6, 6, 3))
    images = batch_of([image] * 400)
    out = arrays(auto_aug.rand_augment(images, 1, 30, max_translate_abs=2, key=KEY))
    counts = {}
    for sample in out:
        counts[sample.tobytes()] = counts.get(sample.tobytes(), 0) + 1
    # Of 14: nine have two signs, and posterize, solarize, equalize, auto_contrast, identity one.
    assert len(counts) >= 2 * 9 + 1
    assert max(counts.values()) < 400 / 14 * 3


def test_nothing_to_do():
    images = batch_of(IMAGES)
    np.testing.assert_array_equal(np.asarray(auto_aug.rand_augment(images, 0, 3)), IMAGES)
    same = auto_aug.rand_augment(images, 1, 0, excluded=["equalize", "auto_contrast"], key=KEY)
    np.testing.assert_array_equal(np.asarray(same), IMAGES)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: auto_aug.auto_augment(x, "imagenet"), "policy='imagenet'; expected one of im"),
        (lambda x: auto_aug.rand_augment(x, 1, 31), "m=31"),
        (lambda x: auto_aug.rand_augment(x, 1, 1, excluded=["warp"]), "excluded holds 'warp'"),
        (
            lambda x: auto_aug.auto_augment(x, max_translate_abs=1, max_translate_rel=0.1),
            "max_translate_abs and max_translate_rel",
        ),
        (lambda x: auto_aug.aug_mix(x, severity=11), "severity=11"),
        (lambda x: auto_aug.auto_augment(x, key=keys(3)), "keys of 3 samples"),
        (lambda x: auto_aug.auto_augment(x, key=KEY, rng=ndd.random.RNG(1)), "key and rng"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ndd.ArgumentError, match=message):
        call(batch_of(IMAGES))


def test_images_that_are_none():
    with pytest.raises(ndd.OperatorError, match="rand_augment: the images are float32; expected"):
        auto_aug.rand_augment(batch_of(IMAGES.astype(np.float32)), 1, 1)
    with pytest.raises(ndd.OperatorError, match="layout 'CHW'"):
        auto_aug.rand_augment(ndd.batch(IMAGES, layout="CHW"), 1, 1)
