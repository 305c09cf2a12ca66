"""Two forms of a computation, of which the one for the platform is traced."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.samples import noise

import dynjax as ndd
from dynjax._by_platform import by_platform
from dynjax._ops._lib.key_blocks import block_words
from dynjax._random.threefry import rolled2x32, threefry2x32


class Forms:
    """Twice the operand, and which form was traced."""

    def __init__(self):
        self.traced: list[str] = []

    def __call__(self, x):
        def form(name):
            return lambda x: (self.traced.append(name), [x + x])[1]

        results = [jax.ShapeDtypeStruct(x.shape, x.dtype)]
        return by_platform("twice", form("native"), form("everywhere"), results, [x])[0]


def test_one_form_is_traced():
    twice = Forms()
    assert jax.jit(twice)(jnp.arange(3)).tolist() == [0, 2, 4]
    assert twice.traced == ["native"]
    twice = Forms()
    exported = jax.export.export(jax.jit(twice), platforms=["cpu", "cuda"])(jnp.arange(3))
    assert set(twice.traced) == {"native", "everywhere"}
    assert exported.call(jnp.arange(3)).tolist() == [0, 2, 4]


@pytest.mark.parametrize("transform", [lambda f: f, jax.jit])
def test_transformations(transform):
    x = jnp.arange(6).reshape(2, 3)
    assert transform(Forms())(x).tolist() == (x + x).tolist()
    assert transform(jax.vmap(Forms()))(x).tolist() == (x + x).tolist()
    inner = jax.vmap(jax.vmap(Forms(), in_axes=1, out_axes=1), in_axes=1)
    assert transform(inner)(x[:, :, None]).tolist() == (x + x).T[:, :, None].tolist()
    scanned = transform(lambda x: jax.lax.scan(lambda c, r: (c, Forms()(r)), 0, x)[1])
    assert scanned(x).tolist() == (x + x).tolist()


def test_a_form_is_traced_in_the_mode_of_the_call():
    def body(x):
        with jax.enable_x64(True):
            wide = x.astype(np.float64) + 1e-12
            return (Forms()(wide) - 2 * wide == 0) & (Forms()(wide) > 2)

    assert jax.jit(body)(jnp.ones(2, np.float32)).tolist() == [True, True]


@pytest.mark.parametrize("transform", [jax.vmap, lambda f: jax.grad(lambda x: f(x).sum())])
def test_outside_jit_a_second_call_compiles_nothing(transform, compiles):
    def body(image):
        return ndd.resize(ndd.as_tensor(image, layout="HWC"), size=(4, 5)).jax()

    images = [jnp.asarray(noise(k, (2, 8, 9, 3)), np.float32) for k in range(2)]
    given = images if transform is jax.vmap else [i[0] for i in images]
    transform(body)(given[0])
    with compiles() as seen:
        got = jax.block_until_ready(transform(body)(given[1]))
    assert seen.count == 0
    np.testing.assert_array_equal(got, jax.jit(transform(body))(given[1]))


def test_with_jit_disabled():
    x = jnp.arange(6).reshape(2, 3)
    with jax.disable_jit():
        assert jax.vmap(Forms())(x).tolist() == (x + x).tolist()


def test_an_operator_traces_its_jax_form_for_other_platforms_only():
    image = ndd.tensor(noise(0, (8, 9, 3)), layout="HWC")

    def body(image):
        return ndd.rotate(image, angle=20.0, keep_size=True).jax()

    for platform, native in (("cpu", True), ("tpu", False)):
        text = jax.jit(body).trace(image).lower(lowering_platforms=(platform,)).as_text()
        assert ("dynjax_warp" in text) == native


@pytest.mark.parametrize("elsewhere", [threefry2x32, rolled2x32])
@pytest.mark.parametrize("shapes", [((), (5,)), ((4,), (3, 1)), ((4,), ()), ((2, 1), (3, 1, 4))])
def test_blocks_of_the_generator(shapes, elsewhere):
    random = np.random.default_rng(0)
    key, counter = (
        tuple(random.integers(0, 2**32, s, np.uint32) for _ in range(2)) for s in shapes
    )

    def body(key, counter):
        return block_words(key, counter, elsewhere)

    with np.errstate(over="ignore"):
        wanted = threefry2x32(key, counter)
    for got in (jax.jit(body)(key, counter), block_words(key, counter)):
        for a, b in zip(got, wanted, strict=True):
            np.testing.assert_array_equal(a, b)
    keys = tuple(jnp.stack([k, k + np.uint32(1)]) for k in key)
    for axes, given in (((0, None), counter), ((0, 0), tuple(jnp.stack([c, c]) for c in counter))):
        mapped = jax.jit(jax.vmap(body, in_axes=axes))(keys, given)
        for a, b in zip(mapped, wanted, strict=True):
            np.testing.assert_array_equal(a[0], b)
