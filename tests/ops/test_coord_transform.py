"""`coord_transform` against float64 matrix products."""

import jax
import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd

POINTS = np.arange(10, dtype=np.float32).reshape(5, 2)
M32 = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
CLOSE = {"rtol": 1e-6, "atol": 1e-5}


@pytest.mark.parametrize(
    ("given", "matrix", "offset"),
    [
        ({}, np.eye(2), 0),
        ({"M": 2.0}, 2 * np.eye(2), 0),
        ({"M": M32, "T": [1, 2, 3]}, M32, [1, 2, 3]),
        ({"M": [0, 1, 1, 0], "T": 3}, [[0, 1], [1, 0]], 3),
        ({"MT": [[1, 2, 3], [4, 5, 6]]}, [[1, 2], [4, 5]], [3, 6]),
    ],
    ids=lambda v: ",".join(v) if isinstance(v, dict) else "",
)
@pytest.mark.parametrize("variable", [False, True])
def test_formula(given, matrix, offset, variable):
    wanted = POINTS.astype(np.float64) @ np.asarray(matrix).T + offset
    if variable:
        given = {name: ndd.tensor(value, dtype=ndd.float32) for name, value in given.items()}
    got = ndd.coord_transform(ndd.tensor(POINTS, layout="NC"), **given)
    np.testing.assert_allclose(np.asarray(got), wanted, **CLOSE)
    assert got.layout == "NC"


@pytest.mark.parametrize("jit", [False, True])
def test_ragged_and_per_sample(jit):
    samples = [POINTS[:3], POINTS]
    matrices = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    points = ndd.batch(samples, layout="NC")

    def move(p, m):
        return ndd.coord_transform(p, M=m, T=1.0)

    got = (jax.jit(move) if jit else move)(points, ndd.batch(matrices))
    for one, p, m in zip(arrays(got), samples, matrices, strict=True):
        np.testing.assert_allclose(one, p @ m.T + 1, **CLOSE)


def test_integers_are_rounded_and_clamped():
    points = np.array([[1, 3], [200, 5]], np.uint8)
    for one in (ndd.coord_transform(points, M=1.5, dtype=ndd.uint8), *_batched(points)):
        np.testing.assert_array_equal(np.asarray(one), [[2, 5], [255, 8]])


def _batched(points):
    return ndd.coord_transform(ndd.batch([points, points]), M=1.5, dtype=ndd.uint8)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"M": [1, 2, 3]}, "M has 3 values"),
        ({"MT": [1, 2, 3, 4]}, "MT has 4 values"),
        ({"M": M32, "T": [1, 2]}, "T has 2 values"),
        ({"MT": [[1, 2, 3]], "M": 2.0}, "only one"),
    ],
)
def test_errors(given, text):
    failed = ndd.coord_transform(ndd.tensor(POINTS), **given)
    with pytest.raises(ndd.OperatorError, match=f"coord_transform: .*{text}"):
        failed.evaluate()


MAPS = np.random.default_rng(3).normal(size=(3, 3, 3)).astype(np.float32)  # [frames, m, n + 1]
VIDEO_POINTS = np.random.default_rng(4).normal(size=(3, 5, 2)).astype(np.float32)


def moved(points, maps):
    return np.stack([p @ m[:, :2].T + m[:, 2] for p, m in zip(points, maps, strict=True)])


@pytest.mark.parametrize("jit", [False, True])
def test_maps_of_each_frame(jit):
    samples = [VIDEO_POINTS, VIDEO_POINTS[:2, :4]]
    fused = [MAPS, MAPS[1:]]

    def call(points, fused):
        return ndd.coord_transform(points, MT=fused)

    call = jax.jit(call) if jit else call
    one = call(ndd.tensor(VIDEO_POINTS, layout="FNC"), ndd.per_frame(ndd.tensor(MAPS)))
    assert one.layout == "FNC"
    np.testing.assert_allclose(np.asarray(one), moved(VIDEO_POINTS, MAPS), rtol=1e-5, atol=1e-5)
    for got, points, maps in zip(
        arrays(call(ndd.batch(samples, layout="FNC"), ndd.per_frame(ndd.batch(fused)))),
        samples,
        fused,
        strict=True,
    ):
        np.testing.assert_allclose(got, moved(points, maps), rtol=1e-5, atol=1e-5)


def test_matrices_and_offsets_of_each_frame():
    points = ndd.tensor(VIDEO_POINTS, layout="FNC")
    got = ndd.coord_transform(
        points,
        M=ndd.per_frame(ndd.tensor(MAPS[:, :, :2].copy())),
        T=ndd.per_frame(ndd.tensor(MAPS[:, :, 2].copy())),
    )
    np.testing.assert_allclose(np.asarray(got), moved(VIDEO_POINTS, MAPS), rtol=1e-5, atol=1e-5)
    got = ndd.coord_transform(points, T=ndd.per_frame(ndd.tensor(np.float32([1, 2, 3]))))
    np.testing.assert_allclose(np.asarray(got), VIDEO_POINTS + np.float32([1, 2, 3])[:, None, None])


@pytest.mark.parametrize(("layout", "result"), [("NC", "FNC"), (None, None)])
def test_points_without_frames_give_one_result_for_each_map(layout, result):
    samples = [VIDEO_POINTS[0], VIDEO_POINTS[1, :3]]
    maps = ndd.batch([MAPS, MAPS[:1]])
    got = ndd.coord_transform(ndd.batch(samples, layout=layout), MT=ndd.per_frame(maps))
    assert got.layout == result
    for one, points, own in zip(arrays(got), samples, [MAPS, MAPS[:1]], strict=True):
        np.testing.assert_allclose(one, moved([points] * len(own), own), rtol=1e-5, atol=1e-5)


def test_other_numbers_of_frames():
    with pytest.raises(ndd.OperatorError, match="MT has values for 2 frames; the input has 3"):
        ndd.coord_transform(
            ndd.tensor(VIDEO_POINTS, layout="FNC"), MT=ndd.per_frame(ndd.tensor(MAPS[:2]))
        ).evaluate()


def test_what_is_not_known_inside_jit():
    maps = ndd.batch([MAPS, MAPS[1:]], layout="F**")
    points = ndd.batch([VIDEO_POINTS, VIDEO_POINTS[:2]], layout="FNC")
    with pytest.raises(ndd.ArgumentError, match=r"MT: inside jit .* Call per_frame before"):
        jax.jit(lambda p, m: ndd.coord_transform(p, MT=ndd.per_frame(m)))(points, maps)
