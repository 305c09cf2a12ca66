"""`experimental.warp_perspective`."""

import jax
import numpy as np
import pytest
from support.sampling import assert_rounded, away_from_edges, grid, mapped, read

import dynjax as ndd

MATRIX = np.float32([[1, 0.1, 2], [0.05, 0.9, 1], [0.001, 0.002, 1]])
IMAGE = np.random.RandomState(0).randint(0, 200, (22, 30, 3)).astype(np.uint8)
warp = ndd.experimental.warp_perspective


@pytest.mark.parametrize("border", ["constant", "replicate", "reflect", "reflect_101", "wrap"])
@pytest.mark.parametrize("kind", ["nn", "linear", "cubic"])
def test_formula(border, kind):
    out = warp(
        *(ndd.tensor(IMAGE, layout="HWC"), MATRIX),
        size=[12, 50],
        border_mode=border,
        interp_type=kind,
        fill_value=[5, 6, 7],
    )
    where = mapped(MATRIX, grid(12, 50))
    border = "clamp" if border == "replicate" else border
    wanted = read(IMAGE, where, kind, border, [5, 6, 7])
    sure = away_from_edges(where) if kind == "nn" else slice(None)
    assert_rounded(np.asarray(out)[sure], wanted[sure], 0.05)


@pytest.mark.parametrize(
    ("dtype", "fill", "seen"),
    [
        # As of the original.
        ("uint8", 300.0, 255),
        ("uint8", -7.0, 0),
        ("uint8", 2.5, 2),
        ("int16", 3.5, 4),
        ("int16", -1.5, -2),
        ("int16", 40000.5, 32767),
        ("float32", 2.5, 2.5),
    ],
)
def test_what_fills_has_the_type_of_the_image(dtype, fill, seen):
    image = ndd.tensor(np.array([10, 20, 30], dtype).reshape(1, 3, 1), layout="HWC")
    half = [[1, 0, 0.5], [0, 1, 0], [0, 0, 1]]
    last = (30 + seen) / 2
    near = np.asarray(warp(image, half, fill_value=[fill])).ravel()
    assert near.tolist() == [15, 25, last if dtype == "float32" else np.floor(last + 0.5)]
    away = [[1, 0, 50], [0, 1, 0], [0, 0, 1]]
    for kind in ("nn", "linear", "cubic"):
        out = np.asarray(warp(image, away, fill_value=[fill], interp_type=kind))
        assert out.ravel().tolist() == [seen] * 3


def test_centres_and_inverses():
    shifted = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    between = np.linalg.inv(shifted) @ MATRIX @ shifted
    tensor = ndd.tensor(IMAGE.astype(np.float32), layout="HWC")
    out = np.asarray(warp(tensor, MATRIX, pixel_origin="center"))
    wanted = read(IMAGE, mapped(between, grid(22, 30)), border="constant")
    np.testing.assert_allclose(out, wanted, atol=0.02)
    out = np.asarray(warp(tensor, np.linalg.inv(MATRIX), inverse_map=False))
    wanted = read(IMAGE, mapped(MATRIX, grid(22, 30)), border="constant")
    np.testing.assert_allclose(out, wanted, atol=0.02)


@pytest.mark.parametrize("layout", ["HW", "CHW", "FHWC", "FCHW"])
def test_layouts(layout):
    data = {
        "HW": IMAGE[..., 0],
        "CHW": IMAGE.transpose(2, 0, 1),
        "FHWC": np.stack([IMAGE, IMAGE[::-1]]),
        "FCHW": np.stack([IMAGE, IMAGE[::-1]]).transpose(0, 3, 1, 2),
    }[layout]
    fill = [9] if layout == "HW" else [5, 6, 7]
    out = warp(ndd.tensor(np.ascontiguousarray(data), layout=layout), MATRIX, fill_value=fill)
    jitted = jax.jit(lambda x: warp(x, MATRIX, fill_value=fill))(
        ndd.tensor(np.ascontiguousarray(data), layout=layout)
    )
    np.testing.assert_array_equal(np.asarray(out), np.asarray(jitted))
    where = mapped(MATRIX, grid(22, 30))
    frames = np.asarray(out).reshape(-1, *out.shape[layout.startswith("F") :])
    for frame, image in zip(frames, (IMAGE, IMAGE[::-1]), strict=False):
        if layout.endswith("CHW"):
            frame = frame.transpose(1, 2, 0)
        wanted = read(image, where, border="constant", fill=[5, 6, 7] if layout != "HW" else 9)
        got = frame[..., None] if layout == "HW" else frame
        assert_rounded(got, wanted[..., : got.shape[-1]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"there is no matrix"),
        ({"matrix": MATRIX[:2]}, r"matrix has 2 rows"),
        ({"matrix": MATRIX, "border_mode": "foo"}, r"border_mode='foo'"),
        ({"matrix": MATRIX, "pixel_origin": "foo"}, r"pixel_origin='foo'"),
        ({"matrix": MATRIX, "fill_value": [1, 2]}, r"fill_value has 2 values"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ndd.OperatorError, match=rf"warp_perspective: .*{message}"):
        warp(ndd.tensor(IMAGE, layout="HWC"), **arguments).evaluate()
