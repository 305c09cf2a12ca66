"""`roi_random_crop`."""

import jax
import numpy as np
import pytest

import dynjax as ndd

KEY = jax.random.key(3)

CASES = [
    ({"crop_shape": [20], "roi_start": [5], "roi_shape": [40], "in_shape": [60]}, 5, 25),
    ({"crop_shape": [50], "roi_start": [15], "roi_end": [25], "in_shape": [60]}, 0, 10),
    ({"crop_shape": [20], "roi_start": [5], "roi_shape": [10], "in_shape": [60]}, 0, 5),
    ({"crop_shape": [20], "roi_start": [2], "roi_shape": [10]}, -8, 2),
    ({"crop_shape": [40], "roi_start": [5], "roi_shape": [40], "in_shape": [60]}, 5, 5),
]


@pytest.mark.parametrize(("arguments", "low", "high"), CASES)
def test_uniform_on_the_possible_starts(arguments, low, high):
    out = ndd.roi_random_crop(batch_size=3000, key=KEY, **arguments)
    assert out.dtype == ndd.int64
    values, counts = np.unique(np.asarray(out), return_counts=True)
    assert values.tolist() == list(range(low, high + 1))
    expected = 3000 / len(values)
    assert np.abs(counts - expected).max() <= 4 * np.sqrt(expected)


def test_shapes_from_data_and_inside_jit():
    data = ndd.as_batch([np.zeros((20 + k, 30), np.uint8) for k in range(4)])
    arguments = {"crop_shape": [12, 9], "roi_start": [4, 5], "roi_end": ndd.batch([[9, 9]] * 4)}
    out = np.asarray(ndd.roi_random_crop(data, key=KEY, **arguments))
    assert ((out >= 0) & (out <= [4, 5]) & (np.add(out, [12, 9]) >= 9)).all()
    jitted = jax.jit(
        lambda k: ndd.roi_random_crop(
            crop_shape=[4, 3], roi_start=[2, 2], roi_shape=8, batch_size=3, key=k
        )
    )(KEY)
    eager = ndd.roi_random_crop(
        crop_shape=[4, 3], roi_start=[2, 2], roi_shape=8, batch_size=3, key=KEY
    )
    np.testing.assert_array_equal(np.asarray(jitted), np.asarray(eager))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"crop_shape": [2], "roi_start": [0]}, r"expected one of roi_end and roi_shape"),
        ({"crop_shape": [2, 3], "roi_start": [0, 1, 2], "roi_shape": [3, 3]}, r"has 2 values"),
        ({"crop_shape": [-2], "roi_start": [0], "roi_shape": [3]}, r"a crop of -2 elements"),
        ({"crop_shape": [2], "roi_start": [0], "roi_shape": [-3]}, r"ends before it starts"),
        ({"crop_shape": [2], "roi_start": [-1], "roi_shape": [3], "in_shape": [9]}, r"beyond"),
        ({"crop_shape": [12], "roi_start": [1], "roi_shape": [3], "in_shape": [9]}, r"has 9"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ndd.OperatorError, match=rf"roi_random_crop: .*{message}"):
        ndd.roi_random_crop(key=KEY, **arguments).evaluate()
