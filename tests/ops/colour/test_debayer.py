"""`debayer` against the means that define it."""

import itertools

import jax
import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd


def interpolated(mosaic, first):
    """Each channel from a plane where only its own elements count, by means of neighbours."""
    height, width = mosaic.shape
    y, x = np.mgrid[:height, :width]
    row, column = (y - first[0]) % 2 == 0, (x - first[1]) % 2 == 0
    out = np.zeros((height, width, 3), np.int64)
    for c, mask in enumerate([row & column, row != column, ~row & ~column]):
        values, counts = (np.pad(p, 1).astype(np.int64) for p in (mosaic * mask, mask))
        near = [(0, 1), (0, -1), (1, 0), (-1, 0)]
        far = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        for v, u in np.ndindex(height, width):
            if mask[v, u]:
                out[v, u, c] = mosaic[v, u]
                continue
            for steps in (near, far):
                places = [(v + 1 + a, u + 1 + b) for a, b in steps]
                n = sum(counts[p] for p in places)
                if n:
                    out[v, u, c] = (sum(values[p] for p in places) + n // 2) // n
                    break
    inner = out[1:-1, 1:-1]
    return np.pad(inner, ((1, 1), (1, 1), (0, 0)), "edge")


def edge_aware(mosaic, first):
    """Bilinear, but for green: the mean of the pair that differs less, of the row if neither."""
    out = interpolated(mosaic, first)
    wide = np.pad(mosaic.astype(np.int64), 1)
    for y, x in np.ndindex(mosaic.shape):
        if (y - first[0]) % 2 == (x - first[1]) % 2:
            row, column = wide[y + 1, [x, x + 2]], wide[[y, y + 2], x + 1]
            pair = column if np.ptp(row) > np.ptp(column) else row
            out[y, x, 1] = (pair.sum() + 1) // 2
    return np.pad(out[1:-1, 1:-1], ((1, 1), (1, 1), (0, 0)), "edge")


def grey(mosaic, first):
    """Weighted means of unrounded bilinear colours: of a mosaic times 4 they are whole."""
    colours = interpolated(4 * mosaic.astype(np.int64), first)
    weights = np.array([4899, 9617, 1868])
    return ((colours @ weights + 2**15) >> 16)[..., None]


def turned(steps, times):
    """Steps (y, x), turned by as many right angles."""
    turn = np.linalg.matrix_power([[0, 1], [-1, 0]], times)
    return [tuple((turn @ s).tolist()) for s in steps]


def directions(is_green):
    """Of all eight: pairs of elements of one colour, how much each counts, and what is averaged."""
    pairs = [(y, x) for y in (0, 1) for x in (-1, 0, 1)]
    up = (pairs, [(y - 2, x) for y, x in pairs], [2 - abs(x) for _, x in pairs])
    if is_green:
        read = [(0, 0), (-2, 0), (-1, 0), (-2, -1), (-2, 1)]
        pairs, far = [(0, 0), (1, -1), (0, -1), (1, 0)], [(-2, 2), (-1, 1), (-2, 1), (-1, 2)]
        slanted, read_slanted = (pairs, far, [2] * 4), [(-1, 0), (0, 1), (-2, 1), (-1, 2), (-1, 1)]
    else:
        read = [(0, 0), (-2, 0), (-1, 0), (-1, -1), (-1, 1)]
        pairs = [(0, 0), (1, -1), (0, -1), (1, 0), (-1, 0), (0, 1)]
        far = [(-2, 2), (-1, 1), (-1, 0), (0, 1), (-2, 1), (-1, 2)]
        slanted = (pairs, far, [2, 2, 1, 1, 1, 1])
        read_slanted = [(0, 0), (-1, 0), (0, 1), (-2, 1), (-1, 2), (-1, 1), (-2, 2)]
    return [
        (list(zip(turned(a, k), turned(b, k), w, strict=True)), turned(steps, k))
        for k in range(4)
        for (a, b, w), steps in [(up, read), (slanted, read_slanted)]
    ]


DIRECTIONS = [directions(is_green) for is_green in (False, True)]


def by_gradients(mosaic, first):
    """Of the directions of small gradient, the mean difference of colours; doubled until then."""
    wide = np.pad(mosaic.astype(int), 2, "reflect").tolist()
    out = np.zeros((*mosaic.shape, 3), np.int64)
    for y, x in np.ndindex(mosaic.shape):

        def value(step, y=y, x=x):
            return wide[y + 2 + step[0]][x + 2 + step[1]]

        def colour(step, y=y, x=x):  # 0 first, 1 green, 2 last
            return (y + step[0] - first[0]) % 2 + (x + step[1] - first[1]) % 2

        own, found = colour((0, 0)), []
        for pairs, steps in DIRECTIONS[own == 1]:
            gradient = sum(w * abs(value(a) - value(b)) for a, b, w in pairs)
            doubled = []
            for c in range(3):
                values = [value(s) for s in steps if colour(s) == c]
                doubled.append(2 * sum(values) // len(values))
            found.append((gradient, doubled))
        gradients = [g for g, _ in found]
        limit = min(gradients) + max(max(gradients) // 2, 1)
        chosen = [d for g, d in found if g < limit]
        share = np.float32(1 / (2 * len(chosen)))
        for c in range(3):
            mean = np.rint(np.float32(sum(d[c] - d[own] for d in chosen)) * share)
            out[y, x, c] = np.clip(value((0, 0)) + int(mean), 0, 255)
    return out


ALGORITHMS = {
    "bilinear_ocv": interpolated,
    "edgeaware_ocv": edge_aware,
    "vng_ocv": by_gradients,
    "gray_ocv": grey,
}
FIRSTS = [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_algorithms(algorithm, in_jax):
    # Low contrast has many equal gradients; the wide one has whole vectors.
    mosaics = [noise(0, (8, 10)), noise(1, (10, 38)), noise(2, (8, 12)) % 4 + 90]
    samples = list(itertools.product(mosaics, FIRSTS))
    batch = ndd.batch([mosaic for mosaic, _ in samples], layout="HW")
    firsts = ndd.batch(np.int32([first for _, first in samples]))

    def call(x, firsts):
        return ndd.debayer(x, blue_position=firsts, algorithm=algorithm)

    eager, in_xla = call(batch, firsts), in_jax(call)(batch, firsts)
    assert eager.layout == in_xla.layout == "HWC"
    for got, same, sample in zip(arrays(eager), arrays(in_xla), samples, strict=True):
        np.testing.assert_array_equal(got, ALGORITHMS[algorithm](*sample))
        np.testing.assert_array_equal(got, same, strict=True)


@pytest.mark.parametrize("algorithm", ["bilinear_ocv", "edgeaware_ocv", "gray_ocv"])
def test_sixteen_bits(algorithm, in_jax):
    # Sums of the largest values do not overflow.
    mosaics = [noise(0, (8, 26), "uint16"), np.full((4, 12), 65535, np.uint16)]
    batch = ndd.batch(mosaics, layout="HW")

    def call(x):
        return ndd.debayer(x, blue_position=[0, 1], algorithm=algorithm)

    for got, same, mosaic in zip(
        *map(arrays, (call(batch), in_jax(call)(batch))), mosaics, strict=True
    ):
        np.testing.assert_array_equal(got, ALGORITHMS[algorithm](mosaic, (0, 1)))
        np.testing.assert_array_equal(got, same, strict=True)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_small_mosaics(algorithm, in_jax):
    mosaics = [noise(k, shape) for k, shape in enumerate([(4, 4), (4, 40), (6, 4), (2, 8), (8, 2)])]
    batch = ndd.batch(mosaics, layout="HW")

    def call(x):
        return ndd.debayer(x, blue_position=[1, 0], algorithm=algorithm)

    eager = arrays(call(batch))
    for got, same in zip(eager, arrays(in_jax(call)(batch)), strict=True):
        np.testing.assert_array_equal(got, same, strict=True)
    # There is no room for gradients.
    reference = ALGORITHMS["bilinear_ocv" if algorithm == "vng_ocv" else algorithm]
    for got, mosaic in zip(eager[:3], mosaics[:3], strict=True):
        np.testing.assert_array_equal(got, reference(mosaic, (1, 0)))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_forms(algorithm, compiles):
    mosaics = [noise(0, (8, 12)), noise(1, (16, 10))]

    def call(x):
        return ndd.debayer(x, blue_position=[0, 1], algorithm=algorithm)

    together = arrays(call(ndd.batch(mosaics, layout="HW")))
    for got, mosaic in zip(together, mosaics, strict=True):
        np.testing.assert_array_equal(got, np.asarray(call(ndd.tensor(mosaic, layout="HW"))))
        one = ndd.batch([mosaic[..., None]], layout="HWC")
        np.testing.assert_array_equal(got, arrays(call(one))[0])
        np.testing.assert_array_equal(got, arrays(jax.jit(call)(one))[0])
    none = call(ndd.batch(np.zeros((0, 8, 8), np.uint8), layout="HW"))
    assert (none.batch_size, none.layout) == (0, "HWC")
    with compiles() as seen:
        call(ndd.batch([noise(2, (10, 14)), noise(3, (12, 8))], layout="HW")).evaluate()
    assert seen.count == 0


def test_sixteen_bits_and_frames():
    video = noise(3, (2, 6, 8), "uint16")
    out = ndd.debayer(
        ndd.tensor(video, layout="FHW"),
        blue_position=ndd.per_frame(ndd.tensor(np.int32([[0, 1], [1, 0]]))),
    )
    assert (out.layout, out.dtype) == ("FHWC", ndd.uint16)
    for got, frame, first in zip(np.asarray(out), video, [(0, 1), (1, 0)], strict=True):
        np.testing.assert_array_equal(got, interpolated(frame, first))


def test_the_smallest_mosaic_gives_its_own_values():
    out = np.asarray(ndd.debayer(ndd.tensor(np.uint8([[1, 2], [3, 4]])), blue_position=[0, 0]))
    assert out[..., 0].tolist() == [[1, 1], [1, 1]]
    assert out[..., 2].tolist() == [[4, 4], [4, 4]]


@pytest.mark.parametrize(
    ("shape", "given", "message"),
    [
        ((7, 8), {"blue_position": [0, 0]}, "height is 7; expected an even number"),
        ((8, 8), {"blue_position": [0, 2]}, "blue_position has 2; expected 0 or 1"),
        ((8, 8), {"blue_position": 1}, "blue_position has 1 values"),
        ((8, 8), {"blue_position": [0, 0], "algorithm": "vng"}, "algorithm='vng'; expected one of"),
    ],
)
def test_bad_input(shape, given, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.debayer(ndd.tensor(np.zeros(shape, np.uint8), layout="HW"), **given).evaluate()


def test_gradients_are_of_bytes():
    mosaic = ndd.tensor(np.zeros((8, 8), np.uint16), layout="HW")
    with pytest.raises(RuntimeError, match="algorithm='vng_ocv' of uint16; expected uint8"):
        ndd.debayer(mosaic, blue_position=[0, 0], algorithm="vng_ocv").evaluate()
