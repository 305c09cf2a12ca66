"""Ragged results inside `jit`: slots come from the input's, from constants, or from a limit."""

import jax
import numpy as np
import pytest
from support.samples import arrays, noise, padded

import dynjax as ndd

IMAGES = [noise(i, shape) for i, shape in enumerate([(9, 7, 3), (4, 6, 3), (5, 10, 3)])]
CONSTANT = (2,)


def photos(fill=0):
    return padded(IMAGES, (10, 12, 3), fill=fill, layout="HWC", constant=CONSTANT)


def each(*values):
    return ndd.batch([np.asarray(v) for v in values])


CALLS = {
    "slice to the end": lambda x: ndd.slice(x, start=[1, 2], axes=[0, 1]),
    "slice in fractions": lambda x: ndd.slice(
        x, rel_start=[0.25, 0.0], rel_shape=[0.5, 0.75], axes=[0, 1]
    ),
    "slice from a fraction": lambda x: ndd.slice(x, rel_start=[0.3], axes=[1]),
    "slice beyond": lambda x: ndd.slice(
        x, start=[-3], end=[4], axes=[0], out_of_bounds_policy="pad", fill_values=7
    ),
    "slice beyond in fractions": lambda x: ndd.slice(
        x, rel_start=[-0.5], rel_end=[1.5], axes=[0], out_of_bounds_policy="pad"
    ),
    "slice trimmed": lambda x: ndd.slice(
        x, start=[2], shape=[20], axes=[0], out_of_bounds_policy="trim_to_shape"
    ),
    "slice per sample": lambda x: ndd.slice(x, start=[0], shape=each([3], [1], [2]), axes=[0]),
    "slice inputs": lambda x: ndd.slice(x, [0.25, 0.0], [0.5, 0.5], axes=[0, 1]),
    "crop per sample": lambda x: ndd.crop(x, crop_h=each(3, 2, 4), crop_w=4),
    "crop trimmed": lambda x: ndd.crop(x, crop=[6, 6], out_of_bounds_policy="trim_to_shape"),
    "crop and normalise": lambda x: ndd.crop_mirror_normalize(
        x, crop_h=each(3, 2, 4), crop_w=4, mean=[1.0], std=[2.0]
    ),
    "pad to the largest": lambda x: ndd.pad(x, axes=[0, 1], fill_value=5),
    "pad aligned": lambda x: ndd.pad(x, axes=[0, 1], align=[4, 8]),
    "pad to a size": lambda x: ndd.pad(x, axes=[1], shape=[11]),
    "cat": lambda x: ndd.cat(x, x, axis=0),
    "cat sizes": lambda x: ndd.cat(x, ndd.slice(x, rel_shape=[0.5], axes=[0]), axis=0),
    "reshape": lambda x: ndd.reshape(x, shape=[-1]),
    "reshape rows": lambda x: ndd.reshape(x, shape=[-1, 3]),
    "reshape relative": lambda x: ndd.reshape(x, rel_shape=[1.0, -1.0]),
    "reshape moved": lambda x: ndd.reshape(x, src_dims=[2, 1, 0]),
    "resize per sample": lambda x: ndd.resize(
        x, size=each([3.0, 2.0], [5.0, 4.0], [2.0, 6.0]), max_size=[8, 8]
    ),
    "resize within": lambda x: ndd.resize(x, size=[6, 6], mode="not_larger"),
    "resize the longer side": lambda x: ndd.resize(x, resize_longer=8),
    "resize the shorter side": lambda x: ndd.resize(x, resize_shorter=4, max_size=[16, 16]),
    "resize stretched": lambda x: ndd.resize(x, size=[6, 0], mode="stretch"),
    "index": lambda x: x.slice[1:, ::2],
    "index per sample": lambda x: x.slice[each(2, 1, 0) :],
    "index backwards": lambda x: x.slice[::-1],
    "chain": lambda x: ndd.pad(ndd.slice(x, rel_shape=[0.5, 0.5], axes=[0, 1]) + 1, axes=[0, 1]),
}


@pytest.mark.parametrize("name", CALLS)
def test_jit_agrees_and_sees_no_padding(name):
    wanted = CALLS[name](ndd.batch(IMAGES, layout="HWC"))
    call = jax.jit(CALLS[name])
    for fill in (0, 255):
        got = call(photos(fill))
        assert got.layout == wanted.layout
        assert got.shape == wanted.shape
        for a, b in zip(arrays(got), arrays(wanted), strict=True):
            assert a.dtype == b.dtype
            # Inside `jit` regions are held in single precision: a count of difference.
            tolerance = 1e-5 if a.dtype.kind == "f" else name.startswith("resize")
            np.testing.assert_allclose(a.astype(float), b, rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ndd.resize(x, resize_shorter=4),
        lambda x: ndd.resize(x, size=[4, 0]),
        lambda x: ndd.slice(
            x, start=[0], shape=ndd.batch(x.lengths[:, None]), axes=[0], out_of_bounds_policy="pad"
        ),
    ],
)
def test_no_bound(call):
    with pytest.raises(ndd.ArgumentError, match=r"inside jit the extent of axis . .*max_size="):
        jax.jit(call)(photos())


def test_sizes_that_cannot_be_checked_stay_in_the_slot():
    def beyond(x, shape):
        return ndd.slice(x, start=[0], shape=shape, axes=[0])

    out = jax.jit(beyond)(photos(), ndd.batch(np.full((3, 1), 1000, np.int32)))
    assert all(h <= 10 for h, _, _ in out.shape)


def test_bounds_follow_the_input_and_not_its_sizes(compiles):
    call = jax.jit(lambda x: ndd.pad(ndd.slice(x, rel_shape=[0.5], axes=[0]), axes=[0, 1]))
    jax.block_until_ready(call(ndd.batch(IMAGES, layout="HWC")))
    other = ndd.batch(
        [noise(9, (10, 9, 3)), noise(8, (3, 10, 3)), noise(7, (1, 2, 3))], layout="HWC"
    )
    with compiles() as seen:
        jax.block_until_ready(call(other))
    assert seen.count == 0
