"""Parts of pictures against the whole."""

import numpy as np

import dynjax as ndd

from .samples import arrays


def check_parts(file: np.ndarray, **options) -> None:
    """Parts of a picture, cut out at random, have the pixels that the whole one has there."""
    whole = np.asarray(ndd.decoders.image(file, **options))
    height, width = whole.shape[:2]
    windows = np.random.default_rng(0).random((40, 4))
    table = np.empty((40, 4), np.int32)
    table[:, 0], table[:, 1] = windows[:, 0] * height, windows[:, 1] * width
    table[:, 2] = 1 + windows[:, 2] * (height - table[:, 0])
    table[:, 3] = 1 + windows[:, 3] * (width - table[:, 1])
    table[0] = 0, 0, height, width
    got = ndd.decoders.image_slice(
        ndd.batch([file] * 40),
        start=ndd.batch(table[:, :2]),
        shape=ndd.batch(table[:, 2:]),
        axes=[0, 1],
        **options,
    )
    for (y, x, h, w), part in zip(table, arrays(got), strict=True):
        np.testing.assert_array_equal(part, whole[y : y + h, x : x + w], err_msg=f"{(y, x, h, w)}")
