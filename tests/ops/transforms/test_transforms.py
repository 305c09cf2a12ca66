"""`dynjax.transforms` against homogeneous matrices in float64."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

import dynjax as ndd
from dynjax import transforms

# float32 entries of size 10 after a few operations.
CLOSE = {"rtol": 1e-6, "atol": 1e-5}


def square(matrix):
    return np.vstack([np.asarray(matrix, np.float64), np.eye(matrix.shape[1])[-1]])


def shift(*offset):
    matrix = np.eye(len(offset) + 1)
    matrix[:-1, -1] = offset
    return matrix


def linear(rows):
    matrix = np.eye(len(rows) + 1)
    matrix[:-1, :-1] = rows
    return matrix


def turn(angle):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return linear([[c, -s], [s, c]])


def around(matrix, *center):
    return shift(*center) @ matrix @ shift(*(-c for c in center))


CASES = {
    "translation": (lambda: transforms.translation(offset=[3, -2, 1]), shift(3, -2, 1)),
    "scale": (
        lambda: transforms.scale(scale=[2, 0.5], center=[10, 20]),
        around(linear(np.diag([2, 0.5])), 10, 20),
    ),
    "scale ndim": (lambda: transforms.scale(scale=3, ndim=3), linear(3 * np.eye(3))),
    "rotation": (lambda: transforms.rotation(angle=-45, center=[5, 7]), around(turn(-45), 5, 7)),
    "shear": (
        lambda: transforms.shear(shear=[0.5, -0.25], center=[4]),
        around(linear([[1, 0.5], [-0.25, 1]]), 4, 4),
    ),
    "shear angles": (
        lambda: transforms.shear(angles=[45, 0, 0, 0, 0, 45]),
        linear([[1, 1, 0], [0, 1, 0], [0, 1, 1]]),
    ),
    "crop": (
        lambda: transforms.crop(from_start=[0, 1], from_end=[2, 3], to_start=-1, to_end=[1, 10]),
        shift(-1, -1) @ linear(np.diag([1, 5.5])) @ shift(0, -1),
    ),
    "crop absolute": (
        lambda: transforms.crop(from_start=[2, 0], from_end=[0, 4], absolute=True),
        linear(np.diag([0.5, 0.25])),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_matrix(name):
    make, wanted = CASES[name]
    made = make()
    np.testing.assert_allclose(square(made), wanted, **CLOSE)
    assert (made.layout, made.dtype) == ("**", ndd.float32)


def test_rotation_about_an_axis():
    axis = np.array([1.0, 2.0, 3.0])
    got = square(transforms.rotation(angle=60, axis=axis.tolist(), center=[1, 0, 2]))
    np.testing.assert_allclose(got @ [1, 0, 2, 1], [1, 0, 2, 1], **CLOSE)
    np.testing.assert_allclose(got[:3, :3] @ axis, axis, **CLOSE)
    np.testing.assert_allclose(np.trace(got[:3, :3]), 1 + 2 * np.cos(np.radians(60)), **CLOSE)
    quarter = square(transforms.rotation(angle=90, axis=[0, 0, 2]))  # x becomes y
    np.testing.assert_allclose(quarter @ [1, 0, 0, 1], [0, 1, 0, 1], **CLOSE)


def test_order():
    first = transforms.rotation(angle=30)
    new = shift(1, 2)
    np.testing.assert_allclose(
        square(transforms.translation(first, offset=[1, 2])), new @ turn(30), **CLOSE
    )
    np.testing.assert_allclose(
        square(transforms.translation(first, offset=[1, 2], reverse_order=True)),
        *(turn(30) @ new,),
        **CLOSE,
    )


def test_combine():
    parts = [turn(30), shift(1, 2), linear(np.diag([2.0, 3.0]))]
    given = [p[:2].astype(np.float32) for p in parts]
    forwards = functools.reduce(lambda a, b: b @ a, parts)
    backwards = functools.reduce(lambda a, b: a @ b, parts)
    np.testing.assert_allclose(square(transforms.combine(*given)), forwards, **CLOSE)
    got = transforms.combine(*given, reverse_order=True)
    np.testing.assert_allclose(square(got), backwards, **CLOSE)
    both = transforms.combine(ndd.batch([given[0]] * 2), given[1])
    for one in both:
        np.testing.assert_allclose(square(one), parts[1] @ parts[0], **CLOSE)


@pytest.mark.parametrize("jit", [False, True])
def test_per_sample(jit):
    angles, first = [0.0, 90.0, 45.0], shift(1, 2)[:2].astype(np.float32)

    def make(angle):
        return transforms.rotation(first, angle=angle, center=[1.0, 1.0])

    got = (jax.jit(make) if jit else make)(ndd.batch(angles))
    for one, angle in zip(got, angles, strict=True):
        np.testing.assert_allclose(square(one), around(turn(angle), 1, 1) @ shift(1, 2), **CLOSE)


def test_batch_size():
    made = transforms.scale(scale=2.0, ndim=2, batch_size=3)
    assert made.shape == [(2, 3)] * 3
    first = shift(1, 2)[:2].astype(np.float32)
    assert transforms.scale(first, scale=2.0, batch_size=3).shape == [(2, 3)] * 3


def test_gradient():
    check_grads(
        lambda angle: transforms.rotation(angle=angle, center=[1.0, 2.0]).jax(),
        (jnp.float32(30.0),),
        order=1,
        modes=["rev"],
        eps=1e-1,
        rtol=1e-2,
    )


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: transforms.shear(), "either shear or angles"),
        (lambda: transforms.shear(shear=[1, 2, 3]), "3 factors"),
        (lambda: transforms.rotation(angle=1, axis=[1, 0]), "axis has 2 values"),
        (lambda: transforms.scale(scale=2.0, center=[1, 2]), "center has 2 values"),
        (lambda: transforms.crop(from_start=[1, 2], to_end=[1, 2, 3]), "from_start has 2"),
        (lambda: transforms.translation(ndd.tensor(np.eye(3)), offset=[1, 2]), r"\(d, d \+ 1\)"),
        (lambda: transforms.translation(ndd.tensor(np.eye(3)[:2]), offset=[1]), "2 dimensions"),
    ],
)
def test_errors(call, text):
    failed = call()
    with pytest.raises(ndd.OperatorError, match=f"transforms.*{text}"):
        failed.evaluate()


def test_errors_at_the_call():
    with pytest.raises(TypeError, match="'angle' is required"):
        transforms.rotation()
    with pytest.raises(TypeError, match="at least 2"):
        transforms.combine(ndd.tensor(np.eye(3)[:2]))
