"""The number of compiled programs does not grow with the number of sizes seen."""

import numpy as np
import pytest
from support.samples import noise

import dynjax as ndd


def ragged(seed, count=8, low=20, high=90):
    sizes = np.random.default_rng(seed).integers(low, high, (count, 2))
    return ndd.batch([noise(k, (h, w, 3)) for k, (h, w) in enumerate(sizes)], layout="HWC")


def chain(batch, size=(32, 32)):
    return ndd.crop_mirror_normalize(ndd.resize(batch, size=size), mean=[1.0]).evaluate()


def test_other_sizes_compile_nothing(compiles):
    for seed in range(4):
        chain(ragged(seed))
    with compiles() as seen:
        for seed in range(4, 40):
            chain(ragged(seed))
    assert seen.count == 0


def test_ragged_results_share_few_programs(compiles):
    with compiles() as seen:
        for seed in range(40):
            ndd.resize(ragged(seed), resize_shorter=30.0 + seed % 7).evaluate()
    # One for each capacity, a power of two: from 8 * 30 * 30 to 8 * 36 * 162 pixels.
    assert seen.count <= 6


def test_decoding_shares_few_programs(photos, compiles):
    files = [np.frombuffer(p, np.uint8) for p in photos]
    rng = np.random.default_rng(0)

    def epoch():
        order = rng.permutation(len(files))[:20]
        for first in range(0, 20, 4):
            chain(ndd.decoders.image(ndd.batch([files[i] for i in order[first : first + 4]])))

    with compiles() as first:
        epoch()
    with compiles() as more:
        for _ in range(4):
            epoch()
    assert first.count <= 12
    assert more.count <= 5  # a capacity not met before


@pytest.mark.parametrize("kind", ["ragged", "dense"])
def test_a_second_batch_of_equal_shapes_compiles_nothing(kind, compiles):
    def batch(k):
        return ragged(3) if kind == "ragged" else ndd.batch(noise(k, (4, 21, 22, 3)), layout="HWC")

    chain(batch(0))
    with compiles() as seen:
        for k in range(3):
            chain(batch(k))
    assert seen.count == 0


def test_per_sample_arguments_compile_nothing_new(compiles):
    batch = ragged(1, 4)
    arguments = [
        {"mirror": ndd.batch([k % 2, 1, 0, 1]), "crop_pos_x": ndd.batch([0.1 * k, 0.5, 0.2, 0.9])}
        for k in range(6)
    ]
    ndd.crop_mirror_normalize(batch, crop=[16, 16], **arguments[0]).evaluate()
    with compiles() as seen:
        for given in arguments[1:]:
            ndd.crop_mirror_normalize(batch, crop=[16, 16], **given).evaluate()
    assert seen.count == 0


def test_python_numbers_that_change_compile_nothing_new(compiles):
    batch = ragged(2, 4)
    ndd.crop_mirror_normalize(batch, crop=[16, 16], mean=[1.5], crop_pos_x=0.25).evaluate()
    with compiles() as seen:
        for k in range(5):
            ndd.crop_mirror_normalize(
                batch, crop=[16, 16], mean=[2.5 + k], std=[3.0 + k], crop_pos_x=0.1 * k
            ).evaluate()
    assert seen.count == 0
