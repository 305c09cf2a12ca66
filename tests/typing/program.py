"""What type checkers make of calls: checked by pyright, along with the package, not run.

`assert_type` refuses another type, even Any; a needless `ignore` is an error as well.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from typing import assert_type

import jax
import numpy as np

import dynjax as ndd
import dynjax.types as types


def batches(jpegs: ndd.Batch) -> ndd.Batch:
    images = ndd.decoders.image(jpegs, device="gpu", output_type=types.RGB)
    images = ndd.resize(images, size=[224, 224], interp_type=types.INTERP_CUBIC)
    mirror = ndd.random.coin_flip(batch_size=images.batch_size)
    return ndd.crop_mirror_normalize(images, mirror=mirror, mean=[124, 116, 104], dtype="float16")


one = ndd.tensor(np.zeros((4, 4, 3), np.uint8), layout="HWC")
many = ndd.as_batch([one, one])
assert_type(ndd.resize(one, size=8), ndd.Tensor)
assert_type(ndd.resize(np.zeros((4, 4, 3)), size=[8, 8]), ndd.Tensor)
assert_type(ndd.resize(one, size=ndd.batch([[8, 8], [4, 4]])), ndd.Batch)
assert_type(ndd.resize(one, size=8, batch_size=3), ndd.Batch)
assert_type(ndd.resize(many, size=8, save_attrs=True), tuple[ndd.Batch, ndd.Batch])
assert_type(ndd.cast([1, 2], dtype=ndd.float16), ndd.Tensor)
assert_type(ndd.cast(many, dtype=np.float32), ndd.Batch)
assert_type(ndd.cat(one, one, axis=1), ndd.Tensor)
assert_type(ndd.stack(one, many), ndd.Batch)
assert_type(ndd.slice(many, [0, 0], [2, 2], axes=[0, 1]), ndd.Batch)
assert_type(ndd.normalize(many, axes=[0, 1]), ndd.Batch)
assert_type(ndd.math.sqrt(many), ndd.Batch)
assert_type(ndd.math.max(3, one), ndd.Tensor)
assert_type(ndd.reductions.mean(many, axes=[0, 1]), ndd.Batch)
assert_type(ndd.random.uniform(range=[0, 1], key=jax.random.key(0)), ndd.Tensor)
assert_type(ndd.random.uniform(batch_size=4, rng=ndd.random.RNG(1)), ndd.Batch)
assert_type(ndd.batch_permutation(batch_size=4), ndd.Batch)
assert_type(many.select(0), ndd.Tensor)
assert_type(many.select([0, 1]), ndd.Batch)
assert_type(many.gpu().evaluate(), ndd.Batch)
assert_type(-one * 2 + many, ndd.Batch)
assert_type(2 / one == one, ndd.Tensor)

ndd.resize(one, siz=3)  # pyright: ignore[reportCallIssue]
ndd.resize("picture.jpg", size=3)  # pyright: ignore[reportArgumentType, reportCallIssue]
ndd.resize(one, size="large")  # pyright: ignore[reportArgumentType, reportCallIssue]
ndd.cast(one)  # pyright: ignore[reportCallIssue]
