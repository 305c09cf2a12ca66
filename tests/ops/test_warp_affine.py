"""`warp_affine`."""

import jax
import jax.test_util
import numpy as np
import pytest
from support.sampling import assert_rounded, away_from_edges, grid, mapped, read

import dynjax as ndd
from dynjax import types

MATRIX = np.array([[0.9, 0.2, -1.5], [-0.1, 1.1, 2.0]], np.float32)


def noise(seed, shape, dtype="uint8"):
    rng = np.random.RandomState(seed)
    if dtype == "float32":
        return rng.rand(*shape).astype(dtype)
    return rng.randint(0, 200, shape).astype(dtype)


@pytest.mark.parametrize("border", ["clamp", "constant"])
@pytest.mark.parametrize("size", [None, [12, 70]])
def test_formula(border, size):
    image = noise(1, (22, 30, 3))
    arguments = {} if border == "clamp" else {"fill_value": 99}
    out = ndd.warp_affine(ndd.tensor(image, layout="HWC"), MATRIX, size=size, **arguments)
    where = mapped(MATRIX, grid(*(size or (22, 30))))
    assert_rounded(np.asarray(out), read(image, where, border=border, fill=99))


def test_every_way_of_giving_a_matrix():
    image = ndd.tensor(noise(1, (7, 9, 3)), layout="HWC")
    wanted = np.asarray(ndd.warp_affine(image, matrix=MATRIX))
    nested, flat = MATRIX.tolist(), MATRIX.reshape(-1).tolist()
    for given in (nested, flat, MATRIX, ndd.tensor(MATRIX), MATRIX.astype(np.float64)):
        np.testing.assert_array_equal(np.asarray(ndd.warp_affine(image, matrix=given)), wanted)
        np.testing.assert_array_equal(np.asarray(ndd.warp_affine(image, given)), wanted)


def test_the_inverse_of_a_matrix():
    image = noise(2, (11, 13, 1), "float32")
    square = np.vstack([MATRIX, [0, 0, 1]]).astype(np.float64)
    out = ndd.warp_affine(ndd.tensor(image), matrix=MATRIX, inverse_map=False)
    where = mapped(np.linalg.inv(square)[:2], grid(11, 13))
    assert_rounded(np.asarray(out), read(image, where), 1e-4)
    with pytest.raises(ndd.ArgumentError, match=r"warp_affine: .*singular"):
        ndd.warp_affine(ndd.tensor(image), np.zeros((2, 3)), inverse_map=False).evaluate()


HALF = [[1, 0, 0.5], [0, 1, 0]]  # between two pixels, the last time the image and what fills


@pytest.mark.parametrize(
    ("source", "target", "fill", "last"),
    [
        # As of the original: what fills is of the image's type before it blends.
        ("uint8", "uint8", 300.0, (20 + 255) / 2),
        ("uint8", "uint8", -7.0, 20 / 2),
        ("uint8", "float32", -7.0, 20 / 2),
        ("uint8", "float32", 2.5, (20 + 3) / 2),
        ("int16", "float32", -2.5, (20 - 3) / 2),
        ("int16", "int16", 40000.0, (20 + 32767) / 2),
        ("int32", "float32", 40000.5, (20 + 40001) / 2),
        ("float32", "float32", 2.5, (20 + 2.5) / 2),
        ("float32", "float32", -7.0, (20 - 7) / 2),
        ("float32", "uint8", 300.7, (20 + 255) / 2),
        ("float32", "int16", 2.5, (20 + 3) / 2),
    ],
)
def test_what_fills_has_the_type_of_the_image(source, target, fill, last):
    image = ndd.tensor(np.array([10, 20], source).reshape(1, 2, 1), layout="HWC")
    arguments = {"fill_value": fill, "dtype": ndd.dtype(target)}
    out = ndd.warp_affine(image, HALF, **arguments)
    wanted = last if target == "float32" else np.floor(last + 0.5)
    for got in (out, jax.jit(lambda i: ndd.warp_affine(i, HALF, **arguments))(image)):
        assert np.asarray(got).ravel().tolist() == [15, wanted]
    # The nearest pixel does not blend: what fills is only of the result's type.
    there = ndd.warp_affine(image, HALF, interp_type=types.INTERP_NN, **arguments)
    whole = np.copysign(np.floor(abs(fill) + 0.5), fill)
    limits = None if target == "float32" else np.iinfo(target)
    seen = np.float32(fill) if limits is None else np.clip(whole, limits.min, limits.max)
    assert np.asarray(there).ravel().tolist() == [20, seen]


def test_images_without_pixels():
    none = np.zeros((2, 0, 1), np.uint8)
    batch = ndd.as_batch([none, none + 1, noise(5, (2, 3, 1))], layout="HWC")
    identity = np.eye(2, 3, dtype=np.float32)
    assert ndd.warp_affine(batch, identity).shape == [(2, 0, 1), (2, 0, 1), (2, 3, 1)]
    out = ndd.warp_affine(batch, identity, size=[2, 3], fill_value=9)
    assert np.asarray(out.select(1)).ravel().tolist() == [9] * 6  # as of the original
    np.testing.assert_array_equal(np.asarray(out.select(2)), noise(5, (2, 3, 1)))


def test_nearest_swaps_axes_exactly():
    image = noise(3, (22, 30, 3))
    out = ndd.warp_affine(
        ndd.tensor(image, layout="HWC"),
        matrix=[[0, 1, 0], [1, 0, 0]],
        size=[30, 22],
        interp_type=types.INTERP_NN,
    )
    np.testing.assert_array_equal(np.asarray(out), image.transpose(1, 0, 2))


@pytest.mark.parametrize("channels", [1, 2, 3])
def test_nearest(channels):
    image = noise(4, (22, 50, channels))
    out = ndd.warp_affine(
        *(ndd.tensor(image, layout="HWC"), MATRIX), interp_type=types.INTERP_NN, fill_value=3
    )
    where = mapped(MATRIX, grid(22, 50))
    sure = away_from_edges(where)
    wanted = read(image, where, "nn", "constant", 3)
    np.testing.assert_array_equal(np.asarray(out)[sure], wanted[sure])


def test_matrices_for_each_sample():
    images = [noise(k, (8 + k, 12 - k, 3)) for k in range(3)]
    matrices = [MATRIX, np.float32([[1, 0, 2], [0, 1, -1]]), MATRIX * np.float32(0.5)]
    sizes = [(5.0, 6.0), (9.0, 4.0), (3.0, 8.0)]
    out = ndd.warp_affine(
        ndd.as_batch(images, layout="HWC"), ndd.batch(matrices), size=ndd.batch(sizes)
    )
    for got, image, matrix, size in zip(out, images, matrices, sizes, strict=True):
        where = mapped(matrix, grid(*map(int, size)))
        assert_rounded(np.asarray(got), read(image, where))


def test_matrices_for_each_frame():
    clip = noise(5, (3, 7, 8, 3))
    matrices = np.stack([MATRIX * np.float32(k + 1) for k in range(3)])
    for given in ({"matrix": ndd.per_frame(ndd.tensor(matrices))}, None):
        tensor = ndd.tensor(clip, layout="FHWC")
        if given is None:
            out = ndd.warp_affine(tensor, ndd.per_frame(ndd.tensor(matrices)))
        else:
            out = ndd.warp_affine(tensor, **given)
        for frame, image, matrix in zip(np.asarray(out), clip, matrices, strict=True):
            assert_rounded(frame, read(image, mapped(matrix, grid(7, 8))))


def test_matrices_of_ragged_frames_are_inverted():
    clips = [noise(5, (3, 7, 8, 3)), noise(6, (2, 6, 8, 3)), noise(7, (3, 5, 5, 3))]
    matrices = [np.stack([MATRIX * np.float32(k + 1) for k in range(n)]) for n in (3, 2, 1)]
    out = ndd.warp_affine(
        ndd.batch(clips, layout="FHWC"),
        ndd.per_frame(ndd.batch(matrices)),
        inverse_map=False,
    )
    for got, clip, own in zip(out, clips, [*matrices[:2], [MATRIX] * 3], strict=True):
        for frame, image, matrix in zip(np.asarray(got), clip, own, strict=True):
            inverse = np.linalg.inv(np.vstack([np.float64(matrix), [0, 0, 1]]))[:2]
            assert_rounded(frame, read(image, mapped(inverse, grid(*image.shape[:2]))))


FRAMED = {
    "warp_affine": ((2, 3), lambda video, m: ndd.warp_affine(video, m, inverse_map=False)),
    "rotate": ((), lambda video, angle: ndd.rotate(video, angle=angle)),
}


@pytest.mark.parametrize("name", FRAMED)
def test_programs_do_not_grow_with_the_frames(name):
    shape, operator = FRAMED[name]

    def equations(frames):
        video = ndd.batch(np.zeros((2, frames, 6, 7, 3), np.uint8), layout="FHWC")
        values = ndd.batch(np.zeros((2, frames, *shape), np.float32))
        program = jax.make_jaxpr(lambda x, v: operator(x, ndd.per_frame(v)).jax(pad=True))
        return len(program(video, values).eqns)

    assert equations(3) == equations(40)


def test_volumes():
    volume = noise(6, (4, 6, 8, 2), "int16")
    matrix = np.float32([[1, 0.1, 0.2, -1], [0, 0.9, 0.1, 1], [0.05, 0, 1.1, 0.3]])
    for layout, data in (("DHWC", volume), ("FDHWC", volume[None])):
        out = ndd.warp_affine(ndd.tensor(data, layout=layout), matrix, fill_value=-5)
        where = mapped(matrix, grid(4, 6, 8))
        wanted = read(volume, where, border="constant", fill=-5)
        assert_rounded(np.asarray(out).reshape(volume.shape), wanted)


def test_inside_jit():
    images = [noise(k, (7 + k, 9 - k, 3)) for k in range(3)]
    batch = ndd.as_batch(images, layout="HWC")
    matrices = ndd.batch([MATRIX * np.float32(1 + k / 10) for k in range(3)])
    together = jax.jit(lambda b, m: ndd.warp_affine(b, m, fill_value=1))(batch, matrices)
    for got, want in zip(together, ndd.warp_affine(batch, matrices, fill_value=1), strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(want))


def test_derivatives():
    image = ndd.tensor(noise(7, (5, 6, 2), "float32"), layout="HWC").jax()

    def function(x):
        return ndd.warp_affine(ndd.tensor(x, layout="HWC"), MATRIX).jax()

    jax.test_util.check_grads(function, (image,), order=1, modes=("rev",), rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"there is no matrix"),
        ({"matrix": np.eye(3)}, r"matrix has 3 rows; expected a matrix of shape \(2, 3\)"),
        ({"matrix": np.zeros((3, 4))}, r"matrix has rows of 4 values; expected 3"),
        ({"matrix": [1, 2, 3, 4, 5]}, r"matrix has 5 values; expected rows of 3"),
        ({"matrix": MATRIX, "size": 4}, r"size has 1 values; expected 2"),
        ({"matrix": MATRIX, "size": [-1, 4]}, r"size of -1.0 pixels"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ndd.OperatorError, match=rf"warp_affine: .*{message}"):
        ndd.warp_affine(ndd.tensor(noise(0, (5, 6, 3))), **arguments).evaluate()


def test_refused_layouts():
    with pytest.raises(ndd.ArgumentError, match=r"warp_affine: .*'CHW'"):
        ndd.warp_affine(ndd.tensor(noise(0, (3, 5, 6)), layout="CHW"), MATRIX).evaluate()
