"""`bb_flip` against the mirrored corners of the boxes."""

import jax
import numpy as np
import pytest
from support.samples import arrays, padded

import dynjax as ndd

LTRB = np.array([[0.1, 0.2, 0.5, 0.6], [0.3, 0.0, 0.9, 0.8]], np.float32)
CLOSE = {"rtol": 0, "atol": 1e-6}


def mirrored(corners, horizontal, vertical):
    left, top, right, bottom = np.moveaxis(corners.astype(np.float64), -1, 0)
    if horizontal:
        left, right = 1 - right, 1 - left
    if vertical:
        top, bottom = 1 - bottom, 1 - top
    return np.stack([left, top, right, bottom], axis=-1)


def sizes_of(corners):
    return np.concatenate([corners[..., :2], corners[..., 2:] - corners[..., :2]], axis=-1)


@pytest.mark.parametrize("flags", [(1, 0), (2, 1)])
@pytest.mark.parametrize("ltrb", [True, False])
@pytest.mark.parametrize("jit", [False, True])
def test_formula(flags, ltrb, jit):
    given = LTRB if ltrb else sizes_of(LTRB)
    wanted = mirrored(LTRB, *flags)

    def flip(b):
        return ndd.bb_flip(b, horizontal=flags[0], vertical=flags[1], ltrb=ltrb)

    got = (jax.jit(flip) if jit else flip)(ndd.tensor(given, layout="NC"))
    np.testing.assert_allclose(np.asarray(got), wanted if ltrb else sizes_of(wanted), **CLOSE)
    assert got.layout == "NC"


@pytest.mark.parametrize("jit", [False, True])
def test_ragged_and_per_sample(jit):
    samples = [LTRB, LTRB[:1], LTRB[:0]]

    def flip(boxes, flags):
        return ndd.bb_flip(boxes, ltrb=True, horizontal=flags)

    got = (jax.jit(flip) if jit else flip)(ndd.batch(samples), ndd.batch([1, 0, 1]))
    for one, boxes, flag in zip(arrays(got), samples, (1, 0, 1), strict=True):
        np.testing.assert_allclose(one, mirrored(boxes, flag, 0), **CLOSE)


def test_padding_never_leaks():
    outs = [
        arrays(jax.jit(ndd.bb_flip)(padded([LTRB, LTRB[:1]], (3, 4), fill=f, layout="NC")))
        for f in (0, 9)
    ]
    for a, b in zip(*outs, strict=True):
        np.testing.assert_array_equal(a, b)


def test_one_axis_holds_box_after_box():
    got = ndd.bb_flip(ndd.batch([LTRB.reshape(-1), LTRB[0]]), ltrb=True)
    for one, boxes in zip(arrays(got), (LTRB, LTRB[:1]), strict=True):
        np.testing.assert_allclose(one.reshape(-1, 4), mirrored(boxes, 1, 0), **CLOSE)


def test_empty_batch_and_batch_size():
    assert ndd.bb_flip(ndd.batch(np.zeros((0, 3, 4), np.float32))).batch_size == 0
    assert ndd.bb_flip(LTRB, batch_size=2).shape == [(2, 4), (2, 4)]


@pytest.mark.parametrize(
    ("boxes", "text"),
    [(LTRB.astype(np.float64), "float64; expected float32"), (LTRB[:, :3], "4 for each box")],
)
def test_errors_are_raised_by_the_call(boxes, text):
    with pytest.raises(ndd.OperatorError, match=f"bb_flip: .*{text}"):
        ndd.bb_flip(boxes)
