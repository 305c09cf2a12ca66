"""The generic tensor operators give the same eagerly and inside `jit`, in every form of data."""

import jax
import numpy as np
import pytest
from support.samples import noise

import dynjax as ndd

IMAGES = [noise(i, shape) for i, shape in enumerate([(5, 7, 3), (6, 4, 3)])]
FORMS = {
    "ragged": ndd.batch(IMAGES, layout="FWC"),
    "dense": ndd.batch([IMAGES[0], IMAGES[0] + 1], layout="FWC"),
    "sample": ndd.tensor(IMAGES[0], layout="FWC"),
}
CALLS = {
    "cast": lambda x: ndd.cast(x, dtype=ndd.float32),
    "cast_like": lambda x: ndd.cast_like(x, ndd.tensor([1.0])),
    "copy": ndd.copy,
    "element_extract": lambda x: ndd.element_extract(x, element_map=[1]),
    "expand_dims": lambda x: ndd.expand_dims(x, axes=[1]),
    "full_like": lambda x: ndd.full_like(x, 3),
    "lookup_table": lambda x: ndd.lookup_table(x, keys=[1, 2], values=[3.0, 4.0]),
    "one_hot": lambda x: ndd.one_hot(x, num_classes=4),
    "pad": lambda x: ndd.pad(x, axes=[2], shape=[5], fill_value=3),
    "per_frame": lambda x: ndd.per_frame(x),
    "sequence_rearrange": lambda x: ndd.sequence_rearrange(x, new_order=[1, 0, 1]),
    "slice": lambda x: ndd.slice(x, start=[1, 1], shape=[2, 2], axes=[0, 1]),
    "slice_to_end": lambda x: ndd.slice(x, start=[0], axes=[0]),
    "squeeze": lambda x: ndd.squeeze(ndd.expand_dims(x, axes=[1]), axes=[1]),
    "stack": lambda x: ndd.stack(x, x, axis=1),
    "transpose": lambda x: ndd.transpose(x, perm=[2, 0, 1]),
}


def arrays(data):
    return [np.asarray(s) for s in (data if isinstance(data, ndd.Batch) else [data])]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CALLS)
def test_jit_agrees(name, form):
    eager = CALLS[name](FORMS[form])
    jitted = jax.jit(CALLS[name])(FORMS[form])
    assert jitted.layout == eager.layout
    for got, want in zip(arrays(jitted), arrays(eager), strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", CALLS)
def test_a_batch_is_its_samples(name):
    together = arrays(CALLS[name](FORMS["ragged"]))
    for got, sample in zip(together, FORMS["ragged"], strict=True):
        np.testing.assert_array_equal(got, np.asarray(CALLS[name](sample)))


@pytest.mark.parametrize("name", sorted(set(CALLS) - {"cast_like"}))
def test_ragged_sizes_compile_nothing(name, compiles):
    CALLS[name](FORMS["ragged"]).evaluate()
    other = ndd.batch([noise(3, (9, 11, 3)), noise(4, (3, 6, 3))], layout="FWC")
    with compiles() as seen:
        CALLS[name](other).evaluate()
    assert seen.count == 0
