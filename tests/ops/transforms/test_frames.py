"""`dynjax.transforms` with values for each frame, against homogeneous matrices in float64."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from support.loops import BATCH, STEPS, check
from support.samples import arrays
from support.sampling import assert_rounded, grid, mapped, read

import dynjax as ndd
from dynjax import transforms

# float32 entries of size 10 after a few operations.
CLOSE = {"rtol": 1e-6, "atol": 1e-5}

RNG = np.random.default_rng(5)
MAPS = RNG.uniform(-2, 2, (4, 2, 3)).astype(np.float32)  # [F, d, d + 1]
ANGLES = np.float32([10, -75, 130, 200])
PAIRS = RNG.uniform(0.5, 2, (4, 2)).astype(np.float32)
TRIPLES = RNG.uniform(0.5, 2, (4, 3)).astype(np.float32)
LENGTHS = (4, 2)


def square(matrix):
    matrix = np.asarray(matrix, np.float64)
    return np.vstack([matrix, np.eye(matrix.shape[1])[-1]])


def linear(rows):
    matrix = np.eye(len(rows) + 1)
    matrix[:-1, :-1] = rows
    return matrix


def shift(offset):
    matrix = np.eye(len(offset) + 1)
    matrix[:-1, -1] = offset
    return matrix


def turn(angle):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return linear([[c, -s], [s, c]])


def turn_about(axis, angle):
    u = np.asarray(axis, np.float64) / np.linalg.norm(axis)
    t = np.radians(angle)
    cross = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return linear(np.eye(3) + np.sin(t) * cross + (1 - np.cos(t)) * cross @ cross)


def around(matrix, center):
    return shift(center) @ matrix @ shift(-np.asarray(center))


def box(low, high, to_low=(0, 0), to_high=(1, 1)):
    low, high, to_low, to_high = (np.asarray(x, np.float64) for x in (low, high, to_low, to_high))
    return shift(to_low) @ linear(np.diag((to_high - to_low) / (high - low))) @ shift(-low)


# Name -> operator, arguments that vary by frame, others, and the matrix of one frame.
CASES = {
    "translation": (transforms.translation, {"offset": PAIRS}, {}, shift),
    "translation of one dimension": (
        transforms.translation,
        {"offset": ANGLES},
        {},
        lambda x: shift([x]),
    ),
    "scale": (transforms.scale, {"scale": PAIRS}, {}, lambda s: linear(np.diag(s))),
    "scale, one for all": (
        transforms.scale,
        {"scale": PAIRS[:, 0].copy()},
        {"ndim": 3},
        lambda s: linear(s * np.eye(3)),
    ),
    "scale and center": (
        transforms.scale,
        {"scale": PAIRS, "center": PAIRS[::-1].copy()},
        {},
        lambda s, c: around(linear(np.diag(s)), c),
    ),
    "center": (
        transforms.scale,
        {"center": PAIRS},
        {"scale": [2.0, 3.0]},
        lambda c: around(linear(np.diag([2, 3])), c),
    ),
    "rotation": (
        transforms.rotation,
        {"angle": ANGLES, "center": PAIRS},
        {},
        lambda a, c: around(turn(a), c),
    ),
    "rotation about an axis": (
        transforms.rotation,
        {"axis": TRIPLES},
        {"angle": 40.0},
        lambda u: turn_about(u, 40),
    ),
    "shear": (
        transforms.shear,
        {"shear": PAIRS},
        {"center": [1.0, 2.0]},
        lambda s: around(linear([[1, s[0]], [s[1], 1]]), [1, 2]),
    ),
    "shear of three dimensions": (
        transforms.shear,
        {"angles": MAPS.reshape(4, 3, 2) * 20},
        {},
        lambda a: linear(np.insert(np.tan(np.radians(a)).ravel(), [0, 3, 6], 1).reshape(3, 3)),
    ),
    "crop": (
        transforms.crop,
        {"from_end": PAIRS, "to_start": TRIPLES[:, 1:].copy()},
        {},
        lambda e, t: box([0, 0], e, t),
    ),
}


def wanted_frames(name, frames):
    _, varying, _, matrix = CASES[name]
    return np.stack([matrix(*(v[f] for v in varying.values()))[:-1] for f in frames])


INSIDE_JIT = ("translation", "rotation", "shear of three dimensions", "crop")


@pytest.mark.parametrize(
    ("name", "jit"), [*((n, False) for n in CASES), *((n, True) for n in INSIDE_JIT)]
)
def test_a_matrix_for_each_frame(name, jit):
    operator, varying, others, _ = CASES[name]

    def make(given):
        return operator(**given, **others)

    make = jax.jit(make) if jit else make
    one = make({n: ndd.per_frame(ndd.tensor(v)) for n, v in varying.items()})
    assert (one.layout, one.dtype, type(one)) == ("F**", ndd.float32, ndd.Tensor)
    np.testing.assert_allclose(np.asarray(one), wanted_frames(name, range(4)), **CLOSE)
    ragged = make(
        {n: ndd.per_frame(ndd.batch([v[:k] for k in LENGTHS])) for n, v in varying.items()}
    )
    assert ragged.layout == "F**"
    for got, k in zip(arrays(ragged), LENGTHS, strict=True):
        np.testing.assert_allclose(got, wanted_frames(name, range(k)), **CLOSE)
    alone = make({n: ndd.per_frame(ndd.batch([v])) for n, v in varying.items()})
    (got,) = arrays(alone)
    np.testing.assert_allclose(got, wanted_frames(name, range(4)), **CLOSE)


@pytest.mark.parametrize("jit", [False, True])
def test_sequences_of_one_frame(jit):
    def call(offsets):
        return transforms.translation(offset=ndd.per_frame(offsets))

    moved = (jax.jit(call) if jit else call)(ndd.batch(PAIRS[:, None]))
    assert moved.layout == "F**"
    for matrix, offset in zip(arrays(moved), PAIRS, strict=True):
        np.testing.assert_allclose(matrix, shift(offset)[None, :-1], **CLOSE)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_sequences_of_matrices(jit, reverse):
    def call(maps, angle, **how):
        return transforms.rotation(maps, angle=angle, reverse_order=reverse, **how)

    def wanted(maps, angles):
        new = [turn(a) for a in angles]
        old = [square(m) for m in maps]
        pairs = zip(old, new, strict=True) if reverse else zip(new, old, strict=True)
        return np.stack([(a @ b)[:-1] for a, b in pairs])

    def close(got, maps, angles):
        assert np.asarray(got).shape == (len(maps), 2, 3)
        np.testing.assert_allclose(np.asarray(got), wanted(maps, angles), **CLOSE)

    call = jax.jit(call, static_argnames="batch_size") if jit else call
    angles = ndd.per_frame(ndd.tensor(ANGLES))
    close(call(ndd.tensor(MAPS, layout="F**"), 30.0), MAPS, [30] * 4)
    close(call(ndd.tensor(MAPS, layout="F**"), angles), MAPS, ANGLES)
    close(call(ndd.tensor(MAPS, layout="F**"), angles[:1]), MAPS, [ANGLES[0]] * 4)
    close(call(ndd.tensor(MAPS[0]), angles), [MAPS[0]] * 4, ANGLES)
    for got in call(ndd.tensor(MAPS[0]), angles, batch_size=2):
        close(got, [MAPS[0]] * 4, ANGLES)
    for got, first in zip(call(ndd.batch([*MAPS[:2]]), angles), MAPS[:2], strict=True):
        close(got, [first] * 4, ANGLES)
    # Sequences of several lengths; the last axis of a batch without a layout is static in `jit`.
    batch = ndd.per_frame(ndd.batch([MAPS[:k] for k in LENGTHS]))
    for got, k in zip(call(batch, ndd.batch(ANGLES[:2])), LENGTHS, strict=True):
        close(got, MAPS[:k], [ANGLES[LENGTHS.index(k)]] * k)
    for got, k in zip(
        call(batch, ndd.per_frame(ndd.batch([ANGLES[:k] for k in LENGTHS]))), LENGTHS, strict=True
    ):
        close(got, MAPS[:k], ANGLES[:k])
    # One angle for the longer sequence, two for the other.
    mixed = ndd.per_frame(ndd.batch([ANGLES[:1], ANGLES[1:3]]))
    for got, k, own in zip(
        call(batch, mixed), LENGTHS, (ANGLES[[0] * 4], ANGLES[1:3]), strict=True
    ):
        close(got, MAPS[:k], own)


def test_arguments_with_one_value_for_some_samples():
    offsets = ndd.per_frame(ndd.batch([PAIRS[:3], PAIRS[3:]]))
    scales = ndd.per_frame(ndd.batch([PAIRS[3:], PAIRS[:2]]))
    made = arrays(transforms.scale(scale=scales, center=offsets))
    for got, pairs in zip(
        made,
        [[(PAIRS[3], c) for c in PAIRS[:3]], [(s, PAIRS[3]) for s in PAIRS[:2]]],
        strict=True,
    ):
        wanted = np.stack([around(linear(np.diag(s)), c)[:-1] for s, c in pairs])
        np.testing.assert_allclose(got, wanted, **CLOSE)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_combine(jit, reverse):
    one, other = MAPS[0], MAPS[1] * 0.5

    def wanted(frames):
        products = []
        for f in frames:
            parts = [square(x) for x in (one, MAPS[f], other, MAPS[f])]
            parts = parts[::-1] if reverse else parts
            products.append(functools.reduce(lambda a, b: b @ a, parts)[:-1])
        return np.stack(products)

    def call(maps):
        return transforms.combine(one, maps, other, maps, reverse_order=reverse)

    call = jax.jit(call) if jit else call
    got = call(ndd.tensor(MAPS, layout="F**"))
    assert got.layout == "F**"
    np.testing.assert_allclose(np.asarray(got), wanted(range(4)), **CLOSE)
    batch = call(ndd.per_frame(ndd.batch([MAPS[:k] for k in LENGTHS])))
    for sample, k in zip(arrays(batch), LENGTHS, strict=True):
        np.testing.assert_allclose(sample, wanted(range(k)), **CLOSE)


VIDEOS = [RNG.integers(0, 200, (k, 9, 8, 3), np.uint8) for k in LENGTHS]
POINTS = [RNG.uniform(-2, 2, (k, 5, 2)).astype(np.float32) for k in LENGTHS]


def turned(angles):
    shifted = transforms.translation(offset=[-1.0, 0.5])
    return transforms.rotation(shifted, angle=ndd.per_frame(angles), center=[4.0, 4.0])


def turned_wanted(angles):
    return np.stack([(around(turn(a), [4, 4]) @ shift([-1, 0.5]))[:-1] for a in angles])


@pytest.mark.parametrize("jit", [False, True])
def test_warps_and_points_of_each_frame(jit):
    def warp(video, angles):
        return ndd.warp_affine(video, turned(angles))

    def move(points, angles):
        return ndd.coord_transform(points, MT=ndd.per_frame(turned(angles)))

    warp, move = (jax.jit(warp), jax.jit(move)) if jit else (warp, move)
    angles = ndd.batch([ANGLES[:k] for k in LENGTHS])
    pictures = arrays(warp(ndd.batch(VIDEOS, layout="FHWC"), angles))
    moved = arrays(move(ndd.batch(POINTS, layout="FNC"), angles))
    alone = np.asarray(warp(ndd.tensor(VIDEOS[0], layout="FHWC"), ndd.tensor(ANGLES)))
    for got, video in zip([*pictures, alone], [*VIDEOS, VIDEOS[0]], strict=True):
        maps = turned_wanted(ANGLES[: len(video)])
        for frame, picture, own in zip(got, video, maps, strict=True):
            assert_rounded(frame, read(picture, mapped(own, grid(9, 8))))
    for got, points in zip(moved, POINTS, strict=True):
        maps = turned_wanted(ANGLES[: len(points)])
        wanted = points @ maps[:, :, :2].transpose(0, 2, 1) + maps[:, None, :, 2]
        np.testing.assert_allclose(got, wanted, **CLOSE)


def test_in_a_captured_loop():
    def clips(seed):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(1, 5, BATCH)
        return ndd.batch(
            [rng.integers(0, 256, (n, 6, 5, 3), np.uint8) for n in lengths], layout="FHWC"
        )

    def body(x, i, rng):
        lengths = [shape[0] for shape in x.shape]
        angles = ndd.batch([ANGLES[:n] + np.float32(i) for n in lengths])
        one = transforms.translation(offset=ndd.per_frame(ndd.tensor(PAIRS)))
        return ndd.warp_affine(x, turned(angles)), turned(angles), transforms.combine(one, one)

    check(body, [clips(k) for k in range(STEPS)])


def test_more_frames_compile_nothing(compiles):
    def call(k):
        one = turned(ndd.tensor(np.arange(k, dtype=np.float32)))
        both = turned(ndd.batch([np.arange(n, dtype=np.float32) for n in (k, 2)]))
        transforms.combine(one, one).evaluate()
        transforms.combine(both, both).evaluate()

    call(3)
    with compiles() as seen:
        for k in range(4, 9):
            call(k)
    assert seen.count == 0


def test_no_samples():
    made = transforms.rotation(angle=ndd.per_frame(ndd.batch(np.zeros((0, 3), np.float32))))
    assert (made.evaluate().batch_size, made.layout) == (0, "F**")
    both = transforms.combine(made, transforms.scale(made, scale=2.0)).evaluate()
    assert (both.batch_size, both.layout) == (0, "F**")
    none = ndd.batch(np.zeros((0, 2, 3), np.float32))
    assert transforms.scale(none, scale=2.0).evaluate().batch_size == 0


def frames(value):
    return ndd.per_frame(ndd.tensor(value))


def sequence(value):
    return ndd.tensor(value, layout="F**")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: transforms.rotation(sequence(MAPS), angle=frames(ANGLES[:3])),
            "rotation: sample 0: angle has values for 3 frames; the input has 4",
        ),
        (
            lambda: transforms.rotation(sequence(MAPS[:1]), angle=frames(ANGLES[:3])),
            "angle has values for 3 frames; the input has 1",
        ),
        (
            lambda: transforms.scale(scale=frames(PAIRS), center=frames(PAIRS[:3])),
            "center has values for 3 frames; another argument has 4",
        ),
        (
            lambda: transforms.rotation(
                ndd.batch([MAPS, MAPS[:3]], layout="F**"),
                angle=ndd.per_frame(ndd.batch([ANGLES, ANGLES[:2]])),
            ),
            "sample 1: angle has values for 2 frames; the input has 3",
        ),
        (
            lambda: transforms.combine(
                ndd.batch([MAPS, MAPS], layout="F**"), ndd.batch([MAPS, MAPS[:1]], layout="F**")
            ),
            "combine: sample 1: an input has 4 frames, another 1",
        ),
        (
            lambda: transforms.translation(sequence(MAPS[:0]), offset=[1, 2]),
            "translation: sample 0: there are no frames",
        ),
        (
            lambda: transforms.translation(
                offset=ndd.per_frame(ndd.batch([PAIRS, np.zeros((0, 2), np.float32)]))
            ),
            "sample 1: there are no frames",
        ),
        (
            lambda: transforms.translation(ndd.tensor(MAPS), offset=[1, 2]),
            r"shape \(4, 2, 3\) and layout None; .*'F\*\*'",
        ),
        (
            lambda: transforms.translation(ndd.tensor(MAPS[0], layout="F*"), offset=[1, 2]),
            r"shape \(2, 3\) and layout 'F\*'",
        ),
        (
            lambda: transforms.translation(sequence(MAPS), offset=frames(TRIPLES)),
            "the input maps 2 dimensions, the arguments 3",
        ),
        (
            lambda: transforms.shear(shear=frames(MAPS)),
            r"shear has shape \(2, 3\); expected \(2, 1\) or \(3, 2\)",
        ),
        (
            lambda: transforms.combine(sequence(MAPS), ndd.tensor(np.eye(3, 4))),
            r"\[2, 3\] dimensions",
        ),
    ],
)
def test_errors(call, text):
    failed = call()
    with pytest.raises(ndd.OperatorError, match=f"transforms.*{text}"):
        failed.evaluate()


def test_arguments_without_frames():
    with pytest.raises(ndd.ArgumentError, match="offset: there are no frames"):
        transforms.translation(offset=frames(PAIRS[:0])).evaluate()


def test_gradient():
    def entries(angles):
        made = transforms.rotation(
            ndd.tensor(MAPS, layout="F**"), angle=ndd.tensor(angles, layout="F"), center=[1.0, 2.0]
        )
        return made.jax()

    check_grads(entries, (jnp.asarray(ANGLES),), order=1, modes=["rev"], eps=1e-1, rtol=1e-2)
