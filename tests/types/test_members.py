"""Members of Tensor, Batch, DType and Device beyond construction and picking samples."""

import numpy as np
import pytest
from support.samples import arrays

import dynjax as ndd
from dynjax import types

SAMPLES = [np.full((k + 1, 3), k, np.float32) for k in range(3)]


def test_broadcast():
    batch = ndd.Batch.broadcast(ndd.tensor([1.6, 2.0], layout="X"), 3, dtype=ndd.uint8)
    assert (batch.batch_size, batch.layout, batch.dtype) == (3, "X", ndd.uint8)
    for one in arrays(batch):
        np.testing.assert_array_equal(one, [2, 2])
    assert ndd.Batch.broadcast(1, 0).batch_size == 0
    with pytest.raises(ndd.ArgumentError, match="Batch"):
        ndd.Batch.broadcast(batch, 2)
    with pytest.raises(ndd.ArgumentError, match="batch_size=-1"):
        ndd.Batch.broadcast(1, -1)
    with pytest.raises(TypeError, match="batch_size='a'"):
        ndd.Batch.broadcast(1, "a")  # pyright: ignore


def test_no_samples():
    for batch in (ndd.batch(SAMPLES), ndd.batch([[1], [2]])):
        for which in ([], slice(0, 0)):
            empty = batch.select(which)
            assert (empty.batch_size, empty.shape, empty.dtype) == (0, [], batch.dtype)


def test_parts_of_the_sample_list_count_from_their_own_start():
    part = ndd.batch(SAMPLES).tensors[1:]
    assert (len(part), part[0].shape, part.as_batch().shape) == (2, (2, 3), [(2, 3), (3, 3)])
    assert part[[1]][0].shape == (3, 3)


def test_ranks_must_agree():
    for kind in (TypeError, RuntimeError):  # which of them, the original leaves to the timing
        with pytest.raises(kind, match="2 axes, sample 0 has 1"):
            ndd.batch([np.zeros(2), np.zeros((2, 2))])


def test_enumerations():
    filters = ndd.tensor([types.INTERP_CUBIC, types.INTERP_NN])
    assert (filters.dtype, filters[1:].dtype) == (ndd.InterpType, ndd.InterpType)
    assert ndd.tensor([2, 0])[1:].dtype == ndd.int32  # the same bytes, but numbers
    np.testing.assert_array_equal(np.asarray(filters), [2, 0])
    assert "[INTERP_CUBIC INTERP_NN]" in repr(filters)
    assert "\n    GRAY,\n    dtype=ImageType" in repr(ndd.tensor(types.GRAY))
    batch = ndd.batch([types.FLOAT, types.UINT8])
    assert (batch.dtype, batch.select(0).dtype) == (ndd.DataType, ndd.DataType)
    assert ndd.tensor(1, dtype=ndd.InterpType).dtype == ndd.InterpType
    assert ndd.tensor(types.INTERP_NN, dtype=ndd.uint8).dtype == ndd.uint8


def test_dtype_makes_a_tensor():
    made = ndd.uint8([1, 2])
    assert made.dtype == ndd.uint8
    np.testing.assert_array_equal(np.asarray(made), [1, 2])


def test_device_of_dlpack():
    assert ndd.Device.from_dlpack(np.zeros(2)) == ndd.Device.CPU
    assert [ndd.Device.type_from_dlpack(k) for k in (1, 2)] == ["cpu", "gpu"]
    with pytest.raises(ValueError, match="7"):
        ndd.Device.type_from_dlpack(7)


@pytest.mark.parametrize(
    ("shape", "layout", "dtype"),
    [((4, 5, 3), "HWC", np.uint8), ((1, 4, 5), "CHW", np.float32), ((4, 5), "HW", np.bool_)],
)
def test_thumbnails(shape, layout, dtype):
    sample = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    html = ndd.batch([sample] * 10, layout=layout)._repr_html_()
    assert html.count('<img src="data:image/png;base64,') == 8
    assert "10 samples" in html
    assert ndd.tensor(sample, layout=layout)._repr_html_().count("<img") == 1


def test_thumbnails_of_numbers_that_are_none():
    for value in (np.nan, np.inf):
        for sample in (np.float32([[value, 0], [1, 2]]), np.full((2, 2), value, np.float32)):
            assert ndd.tensor(sample, layout="HW")._repr_html_().count("<img") == 1


def test_no_thumbnails():
    for data in (ndd.tensor([1, 2]), ndd.batch([np.zeros((2, 2, 7))], layout="HWC")):
        assert data._repr_html_().startswith("<pre>")
