"""`rotate`."""

import jax
import jax.test_util
import numpy as np
import pytest
from support.sampling import assert_rounded, away_from_edges, grid, mapped, read

import dynjax as ndd
from dynjax import types


def noise(seed, shape, dtype="uint8"):
    rng = np.random.RandomState(seed)
    if dtype == "float32":
        return rng.rand(*shape).astype(dtype)
    return rng.randint(0, 200, shape).astype(dtype)


def canvas(shape, angle):
    """The documented size of the result; its angle is one in single precision."""
    h, w = shape
    radians = float(np.float32(angle) * np.float32(np.pi / 180))
    cos, sin = abs(np.cos(radians)), abs(np.sin(radians))
    tall, wide = int(np.ceil(w * sin + h * cos - 0.01)), int(np.ceil(w * cos + h * sin - 0.01))
    like = (h, w) if sin <= cos else (w, h)
    return tall + (tall - like[0]) % 2, wide + (wide - like[1]) % 2


def positions(shape, size, angle):
    """Where the pixels of the result come from."""
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    y, x = grid(*size)
    y, x = y - size[0] / 2, x - size[1] / 2
    return [sin * x + cos * y + shape[0] / 2, cos * x - sin * y + shape[1] / 2]


@pytest.mark.parametrize("angle", [0, 10, 37.5, 90, 135, 180, -45, 271])
@pytest.mark.parametrize("shape", [(9, 14), (10, 7)])
def test_formula(shape, angle):
    image = noise(1, (*shape, 3))
    out = np.asarray(ndd.rotate(ndd.tensor(image, layout="HWC"), angle=float(angle)))
    size = canvas(shape, angle)
    assert_rounded(out, read(image, positions(shape, size, angle)))


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "float32"])
def test_types_and_fill(dtype, channels):
    image = noise(2, (40, 37, channels), dtype)
    tensor = ndd.tensor(image, layout="HWC")
    where = positions((40, 37), (40, 37), 25)
    # What fills is converted to the image's type first.
    fill = 7.25 if dtype == "float32" else 7
    wanted = read(image, where, border="constant", fill=fill)
    same = ndd.rotate(tensor, angle=25.0, keep_size=True, fill_value=7.25)
    assert same.dtype == ndd.dtype(dtype)
    assert_rounded(np.asarray(same), wanted)
    real = ndd.rotate(tensor, angle=25.0, keep_size=True, fill_value=7.25, dtype=ndd.float32)
    np.testing.assert_allclose(np.asarray(real), wanted, rtol=0, atol=0.02)


@pytest.mark.parametrize("interp", [types.INTERP_LINEAR, types.INTERP_NN])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32"])
def test_floats_become_integers(dtype, interp):
    # As of the original: halves away from zero, clamped.
    values = np.float32([1.4, 2.5, 3.5, -1.5, -2.5, 300, 70000, -70000, 3e9, np.nan])
    limits = np.iinfo(dtype)
    missing = limits.min if dtype == "int32" else 0
    whole = [1, 3, 4, -2, -3, 300, 70000, -70000, 3 * 10**9, missing]
    wanted = np.clip(whole, limits.min, limits.max)[::-1]
    image = ndd.tensor(values.reshape(1, -1, 1), layout="HWC")

    def turned(image):
        return ndd.rotate(image, angle=180.0, dtype=ndd.dtype(dtype), interp_type=interp)

    out = turned(image)
    assert out.dtype == ndd.dtype(dtype)
    near = 1 if interp == types.INTERP_LINEAR else 0  # NaN times a weight of 0
    np.testing.assert_array_equal(np.asarray(out).ravel()[2 * near :], wanted[2 * near :])
    for same in (jax.jit(turned)(image), turned(ndd.batch([image, image])).select(1)):
        np.testing.assert_array_equal(np.asarray(same), np.asarray(out))


def test_floats_become_integers_once():
    image = noise(6, (9, 14, 3), "float32") * 300 - 20
    batch = ndd.as_batch([image, image[:5]], layout="HWC")
    angles = ndd.batch(np.float32([25, -70]))
    out = ndd.rotate(batch, angle=angles, dtype=ndd.uint8, fill_value=7.75)
    for got, one, angle in zip(out, (image, image[:5]), (25, -70), strict=True):
        where = positions(one.shape[:2], canvas(one.shape[:2], angle), angle)
        exact = read(one, where, border="constant", fill=8)  # of the result's type
        assert_rounded(np.asarray(got), np.clip(exact, 0, 255), 1e-3)


def test_images_without_pixels():
    # As of the original: nothing but the canvas, which holds what fills, or 0.
    image = noise(7, (2, 4, 1))
    none = [np.zeros(shape, np.uint8) for shape in ((0, 4, 1), (4, 0, 1), (0, 0, 1))]
    batch = ndd.as_batch([*none, image], layout="HWC")
    for fill, wanted in (({}, 0), ({"fill_value": 9}, 9)):
        out = ndd.rotate(batch, angle=30.0, **fill)
        assert out.shape == [(2, 4, 1), (4, 2, 1), (0, 0, 1), (4, 6, 1)]
        for sample in list(out)[:3]:
            assert (np.asarray(sample) == wanted).all()
        alone = ndd.rotate(ndd.tensor(image, layout="HWC"), angle=30.0, **fill)
        np.testing.assert_array_equal(np.asarray(out.select(3)), np.asarray(alone))
        one = ndd.rotate(ndd.tensor(none[1], layout="HWC"), angle=30.0, size=[2, 3], **fill)
        assert np.asarray(one).ravel().tolist() == [wanted] * 6
    assert ndd.rotate(batch, angle=30.0, keep_size=True).shape == [
        *(n.shape for n in none),
        (2, 4, 1),
    ]


@pytest.mark.parametrize("fill", [None, 250.0])
def test_nearest(fill):
    image = noise(3, (33, 45, 3))
    arguments = {} if fill is None else {"fill_value": fill}
    out = ndd.rotate(
        ndd.tensor(image, layout="HWC"),
        angle=33.0,
        size=[20, 71],
        interp_type=types.INTERP_NN,
        **arguments,
    )
    where = positions((33, 45), (20, 71), 33)
    wanted = read(image, where, "nn", "clamp" if fill is None else "constant", fill)
    sure = away_from_edges(where)
    np.testing.assert_array_equal(np.asarray(out)[sure], wanted[sure])


def test_ragged_batches_and_angles_for_each_sample():
    images = [noise(k, (9 + 3 * k, 14 - k, 3)) for k in range(4)]
    angles = [0.0, 15.0, 90.0, -160.0]
    out = ndd.rotate(ndd.as_batch(images, layout="HWC"), angle=ndd.batch(angles))
    for got, image, angle in zip(out, images, angles, strict=True):
        shape = image.shape[:2]
        wanted = read(image, positions(shape, canvas(shape, angle), angle))
        assert_rounded(np.asarray(got), wanted)


def test_values_for_each_frame():
    clips = [noise(k, (n, 6, 8, 1)) for k, n in enumerate((3, 2))]
    angles = [[0.0, 30.0, 90.0], [10.0, 45.0]]
    marked = ndd.per_frame(ndd.batch([np.float32(a) for a in angles]))
    out = ndd.rotate(ndd.as_batch(clips, layout="FHWC"), angle=marked, fill_value=0)
    for got, clip, turns in zip(out, clips, angles, strict=True):
        size = np.max([canvas((6, 8), a) for a in turns], axis=0)
        for frame, image, angle in zip(np.asarray(got), clip, turns, strict=True):
            where = positions((6, 8), size, angle)
            assert_rounded(frame, read(image, where, border="constant"))
    two = ndd.per_frame(ndd.tensor(np.float32([1, 2])))
    with pytest.raises(ndd.OperatorError, match=r"rotate: .*angle has values for 2 frames; .* 3"):
        ndd.rotate(ndd.tensor(clips[0], layout="FHWC"), angle=two).evaluate()


# Height and width, angles of the frames, and the original's canvas.
SHARED = [
    ((7, 4), [-12.75, 133.3, -67.5, -50.6], (8, 9)),
    ((7, 4), [44.4, 59.0], (8, 10)),
    ((7, 8), [-75.1, -144.9], (12, 12)),
    ((8, 5), [-5.2, 1.8, 119.7], (10, 11)),
    ((5, 8), [177.5, 44.6, 163.4, 64.2], (11, 10)),
]


@pytest.mark.parametrize("run", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_canvas_of_frames(run):
    """The most that a frame needs before parity, which is that of most frames; even in a draw."""
    clips = [np.zeros((len(angles), *size, 1), np.uint8) for size, angles, _ in SHARED]
    marked = ndd.per_frame(ndd.batch([np.float32(angles) for _, angles, _ in SHARED]))
    rotate = run(lambda x, a: ndd.rotate(x, angle=a))
    out = rotate(ndd.batch(clips, layout="FHWC"), marked)
    for got, clip, (_, angles, wanted) in zip(out, clips, SHARED, strict=True):
        assert got.shape == (len(angles), *wanted, 1)
        turns = ndd.per_frame(ndd.tensor(np.float32(angles)))
        assert rotate(ndd.tensor(clip, layout="FHWC"), turns).shape == got.shape


def rodrigues(axis, angle):
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


@pytest.mark.parametrize(("axis", "angle"), [((0, 0, 1), 10), ((1, 2, 3), 25), ((1, -2, 0.5), 77)])
def test_volumes(axis, angle):
    volume = noise(4, (5, 6, 8, 2), "float32")
    out = np.asarray(
        ndd.rotate(ndd.tensor(volume, layout="DHWC"), angle=float(angle), axis=list(axis))
    )
    turn = rodrigues(axis, -np.radians(angle))
    centre = np.array([8, 6, 5]) / 2 - turn @ (np.array(out.shape[2::-1]) / 2)
    where = mapped(np.column_stack([turn, centre]), grid(*out.shape[:3]))
    assert_rounded(out, read(volume, where), 1e-4)
    sizes = np.abs(turn).T @ [8, 6, 5]
    assert (np.array(out.shape[2::-1]) >= np.ceil(sizes - 0.01)).all()
    assert (np.array(out.shape[2::-1]) <= np.ceil(sizes - 0.01) + 1).all()


def test_canvases_of_volumes_as_recorded():
    # Of the original, for depth, height, width 4, 7, 9 and 10, 3, 5.
    recorded = {
        ((4, 7, 9), (0, 1, 0), 30): (8, 7, 11),
        ((4, 7, 9), (1, 1, 1), 120): (7, 9, 4),
        ((4, 7, 9), (1, -2, 0.5), 77): (13, 9, 12),
        ((10, 3, 5), (1, 0, 0), 45): (10, 11, 5),
        ((10, 3, 5), (1, 2, 3), 25): (12, 7, 9),
        ((10, 3, 5), (1, -2, 0.5), 77): (9, 9, 12),
    }
    for (shape, axis, angle), size in recorded.items():
        volume = ndd.tensor(np.zeros((*shape, 1), np.uint8), layout="DHWC")
        assert ndd.rotate(volume, angle=float(angle), axis=list(axis)).shape[:3] == size


def test_canvases_at_odd_multiples_of_45_degrees_as_recorded():
    # Of the original: rounding decides which side's parity the canvas keeps.
    recorded = {(375, 500): (620, 619), (480, 641): (793, 794), (9, 14): (18, 17)}
    for (h, w), size in recorded.items():
        image = ndd.tensor(np.zeros((h, w, 1), np.uint8), layout="HWC")
        for turns, swapped in ((1, 0), (-3, 1), (5, 1), (7, 0), (-9, 0), (-11, 0), (47, 0)):
            wanted = size[::-1] if swapped else size
            assert ndd.rotate(image, angle=45.0 * turns).shape[:2] == wanted, turns
    volume = ndd.tensor(np.zeros((4, 9, 14, 1), np.uint8), layout="DHWC")
    heights = [ndd.rotate(volume, angle=45.0 * k, axis=[0, 0, 1]).shape[1] for k in (1, 7, 9, 11)]
    assert heights == [17, 18, 17, 18]


def test_inside_jit():
    images = [noise(k, (7 + k, 9 - k, 3)) for k in range(3)]
    batch = ndd.as_batch(images, layout="HWC")
    angles = np.float32([10, 90, -30])
    together = jax.jit(lambda b, a: ndd.rotate(b, angle=a))(batch, ndd.batch(angles))
    for got, want in zip(together, ndd.rotate(batch, angle=ndd.batch(angles)), strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(want))


def test_canvases_inside_jit_at_odd_multiples_of_45_degrees():
    turns = list(range(-13, 14, 2))
    angles = ndd.batch(np.float32(turns) * 45)
    images = ndd.as_batch([noise(0, (9, 14, 1))] * len(turns), layout="HWC")
    volumes = ndd.as_batch([noise(1, (4, 9, 14, 1))] * len(turns), layout="DHWC")
    for batch, axis in ((images, None), (volumes, [0, 0, 1])):
        call = lambda b, a, axis=axis: ndd.rotate(b, angle=a, axis=axis)  # noqa: E731
        for got, want in zip(jax.jit(call)(batch, angles), call(batch, angles), strict=True):
            np.testing.assert_array_equal(np.asarray(got), np.asarray(want))


def test_derivatives():
    image = noise(5, (5, 6, 2), "float32")
    tensor = ndd.tensor(image, layout="HWC").jax()

    def function(x):
        return ndd.rotate(ndd.tensor(x, layout="HWC"), angle=20.0, keep_size=True).jax()

    jax.test_util.check_grads(function, (tensor,), order=1, modes=("rev",), rtol=2e-2, atol=2e-2)


def test_an_empty_batch():
    empty = ndd.as_batch(np.zeros((0, 4, 5, 3), np.uint8), layout="HWC")
    assert ndd.rotate(empty, angle=10.0).batch_size == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": [3]}, r"size has 1 values; expected 2"),
        ({"size": [0, 3]}, r"size of 0.0 pixels"),
        ({"interp_type": types.INTERP_CUBIC}, r"expected one of INTERP_NN, INTERP_LINEAR"),
        ({"dtype": ndd.int16}, r"dtype=int16; expected the input's uint8 or float32"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ndd.OperatorError, match=rf"rotate: .*{message}"):
        ndd.rotate(ndd.tensor(noise(0, (5, 6, 3))), angle=1.0, **arguments).evaluate()


def test_fractional_sizes_as_recorded():
    image = np.zeros((9, 14, 1), np.uint8)
    batch = ndd.batch([image] * 2, layout="HWC")
    one = ndd.tensor(image, layout="HWC")
    sizes = ndd.batch(np.float32([[5.5, 10.5], [5.99, 7]]))
    matrix = [[1, 0, 0], [0, 1, 0]]
    for call in (
        lambda x, size: ndd.rotate(x, angle=10.0, size=size),
        lambda x, size: ndd.warp_affine(x, matrix=matrix, size=size),
    ):
        assert call(one, [5.5, 10.5]).shape == (6, 11, 1)
        assert call(one, [0.3, 10.5]).shape == (1, 11, 1)
        assert call(batch, [5.5, 10.4]).shape == [(6, 10, 1)] * 2
        assert call(batch, sizes).shape == [(5, 10, 1), (5, 7, 1)]


def test_refused_inputs():
    with pytest.raises(ndd.OperatorError, match=r"rotate: the input is float64"):
        ndd.rotate(ndd.tensor(np.zeros((5, 6, 3))), angle=1.0).evaluate()
    real = ndd.tensor(np.zeros((5, 6, 3), np.float32))
    with pytest.raises(ndd.OperatorError, match=r"rotate: dtype=uint16; expected one of uint8, "):
        ndd.rotate(real, angle=1.0, dtype=ndd.uint16).evaluate()
    volume = ndd.tensor(np.zeros((2, 3, 4, 1), np.uint8), layout="DHWC")
    with pytest.raises(ndd.OperatorError, match=r"rotate: a volume needs axis"):
        ndd.rotate(volume, angle=1.0).evaluate()
    with pytest.raises(TypeError, match=r"angle"):
        ndd.rotate(ndd.tensor(np.zeros((5, 6, 3), np.uint8)))
