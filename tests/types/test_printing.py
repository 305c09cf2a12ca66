"""`repr` of tensors and batches."""

import numpy as np
import pytest

import dynjax as ndd

SMALL = """\
Tensor(
    [[1 2]
     [3 4]],
    dtype=i32,
    layout="HW",
    device="cpu",
    shape=(2, 2))"""


def test_small_tensor():
    tensor = ndd.tensor([[1, 2], [3, 4]], layout="HW")
    assert repr(tensor) == SMALL
    assert str(tensor) == SMALL


@pytest.mark.parametrize(("data", "shown"), [(3, "    3,"), (np.zeros((0, 2)), "    [],")])
def test_scalars_and_empty_data(data, shown):
    assert repr(ndd.tensor(data)).splitlines()[1] == shown


def test_large_data_are_abbreviated():
    text = repr(ndd.tensor(np.arange(10_000)))
    assert "..." in text
    assert len(text) < 200


def test_ragged_batch():
    text = repr(ndd.batch([np.ones((2, 3)), np.ones((4, 3))], layout="HW"))
    assert text.startswith("Batch(\n")
    for part in ("dtype=f64", 'layout="HW"', "num_samples=2", "shape=[(2, 3), (4, 3)]"):
        assert part in text


def test_a_large_ragged_batch_is_not_printed_whole():
    samples = [np.full((100 + k, 100, 3), k, np.uint8) for k in range(20)]
    text = repr(ndd.batch(samples))
    assert "num_samples=20" in text
    assert "shape=[(100, 100, 3), (101, 100, 3), ..., (118, 100, 3), (119, 100, 3)]" in text
    # 600,000 values; eight of each sample are shown.
    assert len(text) < 20 * 500
