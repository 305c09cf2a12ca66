"""What Tensor and Batch say and do inside `jit`, `vmap` and `grad`."""

import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.samples import arrays, noise

import dynjax as ndd
from dynjax._schema import REGISTRY

RAGGED = ndd.batch([noise(0, (5, 7, 3)), noise(1, (6, 4, 3))], layout="HWC")
KEY = jax.random.key(0)
DENSE = ndd.batch(np.arange(12, dtype=np.float32).reshape(2, 2, 3), layout="HW")


def seen(function, *values):
    """What a function finds while it is traced."""
    found = []
    jax.jit(lambda *v: found.append(function(*v)))(*values)
    return found[0]


def test_repr_shows_what_is_known():
    assert seen(repr, RAGGED) == (
        'Batch(traced, dtype=u8, layout="HWC", num_samples=2, shape=(<=6, <=7, 3))'
    )
    assert seen(repr, DENSE.select(0)) == 'Tensor(traced, dtype=f32, layout="HW", shape=(2, 3))'
    assert seen(lambda b: b._repr_html_(), RAGGED).startswith("<pre>Batch(traced")


def test_shapes():
    assert seen(lambda b: b.shape, DENSE) == [(2, 3), (2, 3)]
    assert seen(lambda b: [s[2] for s in b.shape], RAGGED) == [3, 3]
    heights = jax.jit(lambda b: jnp.stack([s[0] for s in b.shape]))(RAGGED)
    assert heights.tolist() == [5, 6]
    assert jax.jit(lambda b: b.select(1).shape[1] * 2)(RAGGED) == 8
    assert jax.jit(lambda b: b.select(1).size)(RAGGED) == 6 * 4 * 3


@pytest.mark.parametrize(
    "convert",
    [
        lambda b: b.torch(),
        np.asarray,
        lambda b: b.select(0).torch(),
        lambda b: np.asarray(b.select(0)),
    ],
)
def test_values_cannot_leave(convert):
    for value in (RAGGED, DENSE):
        with pytest.raises(TypeError, match=r"^(Batch|Tensor): .* needs the values.*\.jax\(\)"):
            jax.jit(convert)(value)


def test_ragged_arrays_need_padding():
    with pytest.raises(ndd.ArgumentError, match=r"^Batch.jax: inside jit .*pad=True"):
        jax.jit(lambda b: b.jax())(RAGGED)
    wanted = RAGGED.jax(pad_to=(6, 7, 3), fill=9)
    np.testing.assert_array_equal(jax.jit(lambda b: b.jax(pad=True, fill=9))(RAGGED), wanted)
    wider = jax.jit(lambda b: b.jax(pad_to=(8, 7, 3), fill=9))(RAGGED)
    np.testing.assert_array_equal(wider, RAGGED.jax(pad_to=(8, 7, 3), fill=9))
    with pytest.raises(ndd.ArgumentError, match=r"pad_to=\(5, 7, 3\) does not hold slots"):
        jax.jit(lambda b: b.jax(pad_to=(5, 7, 3)))(RAGGED)
    rows, mask = jax.jit(lambda b: (b.lengths, b.mask()))(RAGGED)
    assert rows.tolist() == RAGGED.lengths.tolist()
    np.testing.assert_array_equal(mask, RAGGED.mask())


def test_making_values_inside():
    def call(x):
        pair = ndd.batch([ndd.tensor(x), x + 1])
        return pair, ndd.tensor(pair), ndd.as_batch(ndd.tensor(x, layout="HW")), ndd.batch(pair)

    x = jnp.ones((2, 3))
    pair, whole, rows, again = jax.jit(call)(x)
    assert pair.shape == again.shape == [(2, 3), (2, 3)]
    assert (whole.shape, rows.shape, rows.layout) == ((2, 2, 3), [(3,), (3,)], "W")
    with pytest.raises(ndd.ArgumentError, match="batch: inside jit all samples must have one"):
        jax.jit(lambda x: ndd.batch([x, x[1:]]))(x)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ndd.resize(RAGGED, size=(4, 4)),
        lambda: ndd.resize(RAGGED.select(0), size=(4, 4)),
        lambda: ndd.tensor([1, 2]) + 1,
        lambda: RAGGED.slice[1:],
        lambda: ndd.random.uniform(key=KEY, batch_size=2),
        lambda: ndd.permute_batch(RAGGED, indices=[1, 0]),
    ],
)
@pytest.mark.parametrize("transform", [jax.jit, lambda f: lambda y: jax.vmap(f)(jnp.stack([y, y]))])
def test_data_that_are_known_are_computed_at_once(call, transform):
    wanted = arrays(call())
    found = []
    transform(lambda y: (found.append(arrays(call())), y)[1])(1.0)
    for got, want in zip(found[0], wanted, strict=True):
        np.testing.assert_array_equal(got, want)
    for got, want in zip(arrays(call()), wanted, strict=True):  # nothing of the trace was kept
        np.testing.assert_array_equal(got, want)


def test_known_beside_traced_data():
    out = jax.jit(lambda x: (RAGGED + x, x * RAGGED))(RAGGED)
    for got, want in zip(out, (RAGGED + RAGGED, RAGGED * RAGGED), strict=True):
        for a, b in zip(arrays(got), arrays(want), strict=True):
            np.testing.assert_array_equal(a, b)


def test_what_runs_on_the_host_only_says_so():
    names = {name for name, record in REGISTRY.items() if not record.traceable}
    assert {"permute_batch", "get_property", "peek_image_shape", "io.file.read"} <= names
    calls = [
        lambda b: ndd.permute_batch(b, indices=[1, 0]),
        lambda b: ndd.get_property(b, key="layout"),
        lambda b: ndd.peek_image_shape(b),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r": runs on the host only .*Call it before"):
            jax.jit(call)(RAGGED)


CALLS_64 = {
    "cast": lambda x: ndd.cast(x, dtype=ndd.int64),
    "float64": lambda x: ndd.cast(x, dtype=ndd.float64),
    "sum": lambda x: ndd.reductions.sum(ndd.cast(x, dtype=ndd.int64)),
    "promotion": lambda x: ndd.cast(x, dtype=ndd.uint32) + ndd.cast(x, dtype=ndd.int32),
    "comparison": lambda x: ndd.cast(x, dtype=ndd.uint32) > ndd.cast(x, dtype=ndd.int32) - 1,
    "constant": lambda x: x + ndd.tensor(np.array([1, 2, 3], np.int64)),
    "division": lambda x: ndd.cast(x, dtype=ndd.int64) // 3,
    "full": lambda x: ndd.full_like(ndd.cast(x, dtype=ndd.int64), 3),
    "normalize": lambda x: ndd.normalize(x, dtype=ndd.float32),
}


@pytest.mark.parametrize("name", CALLS_64)
def test_64_bit_results_follow_jax(name):
    wanted = CALLS_64[name](RAGGED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        narrow = jax.jit(CALLS_64[name])(RAGGED)
    narrowed = jax.dtypes.canonicalize_dtype(wanted.spec.dtype)
    assert narrow.spec.dtype == narrowed
    for got, want in zip(arrays(narrow), arrays(wanted), strict=True):
        assert got.dtype == narrowed
        np.testing.assert_allclose(got, want, rtol=1e-6)


def test_comparison_of_unsigned_and_signed_is_by_value():
    large = ndd.tensor(np.uint32([3_000_000_000, 1]))
    assert np.asarray(large > ndd.tensor(np.int32([-1, -1]))).tolist() == [True, True]
    assert np.asarray(large == ndd.tensor(np.int32([-1294967296, 1]))).tolist() == [False, True]
