"""`sequence_rearrange`, `element_extract`, `per_frame`, `permute_batch`, `get_property`."""

import jax
import numpy as np
import pytest

import dynjax as ndd

VIDEO = np.arange(20).reshape(5, 4)


def test_rearrange():
    x = ndd.tensor(VIDEO, layout="FC")
    np.testing.assert_array_equal(ndd.sequence_rearrange(x, new_order=[4, 0, 0]), VIDEO[[4, 0, 0]])


def test_orders_of_different_lengths():
    batch = ndd.batch([VIDEO, VIDEO[:3]], layout="FC")
    orders = [[4, 0, 1], [2]]

    def rearranged(batch, order):
        return ndd.sequence_rearrange(batch, new_order=order)

    order = ndd.batch([np.array(o) for o in orders])
    for out in (rearranged(batch, order), jax.jit(rearranged)(batch, order)):
        for got, wanted in zip(out, orders, strict=True):
            np.testing.assert_array_equal(got, VIDEO[wanted])


@pytest.mark.parametrize(
    ("layout", "order", "message"),
    [("FC", [5], "frame 5 does not exist"), ("FC", [], "is empty"), ("HW", [0], "layout is 'HW'")],
)
def test_errors(layout, order, message):
    with pytest.raises(ndd.OperatorError, match=f"sequence_rearrange: .*{message}"):
        ndd.sequence_rearrange(ndd.tensor(VIDEO, layout=layout), new_order=order).evaluate()


def test_element_extract():
    first, last = ndd.element_extract(ndd.tensor(VIDEO, layout="FC"), element_map=[0, 4])
    np.testing.assert_array_equal(first, VIDEO[0])
    np.testing.assert_array_equal(last, VIDEO[4])
    assert last.layout == "C"


def test_per_frame():
    x = ndd.tensor(VIDEO, layout="HW")
    assert ndd.per_frame(ndd.tensor(VIDEO)).layout == "F*"
    assert ndd.per_frame(x, replace=True).layout == "FW"
    with pytest.raises(ndd.OperatorError, match=r"per_frame: .*'HW' does not start with F"):
        ndd.per_frame(x).evaluate()


def test_permute_batch():
    samples = [np.full(i + 1, i) for i in range(3)]
    for indices in ([2, 0, 0], ndd.batch([2, 0, 0])):
        out = ndd.permute_batch(ndd.batch(samples), indices=indices)
        for got, i in zip(out, [2, 0, 0], strict=True):
            np.testing.assert_array_equal(got, samples[i])
    scalars = ndd.permute_batch(ndd.batch([10, 11, 12]), indices=[2, 0, 0])
    assert [int(np.asarray(s)) for s in scalars] == [12, 10, 10]
    for one in (1, np.array(1), ndd.tensor(1)):
        repeated = ndd.permute_batch(ndd.batch(samples), indices=one)
        assert [np.asarray(s).tolist() for s in repeated] == [[1, 1]] * 3
    for wrong in (5, -1, [0, 1], [0, 1, 3], [0, 1, -1]):
        with pytest.raises(ndd.OperatorError, match="permute_batch: indices"):
            ndd.permute_batch(ndd.batch(samples), indices=wrong).evaluate()


def test_get_property():
    x = ndd.batch([VIDEO], layout="FC")
    assert bytes(np.asarray(ndd.get_property(x, key="layout").select(0))) == b"FC"
    assert np.asarray(ndd.get_property(x, key="source_info").select(0)).size == 0
    with pytest.raises(ndd.OperatorError, match="get_property: key='size'"):
        ndd.get_property(x, key="size").evaluate()


def test_an_order_of_any_length_for_one_sample_inside_jit():
    batch = ndd.batch([VIDEO, VIDEO[:3]], layout="FC")
    orders = ndd.batch([np.int32([2]), np.int32([0, 1, 2, 0])])
    rearrange = lambda x, order: ndd.sequence_rearrange(x, new_order=order)  # noqa: E731
    wanted = [VIDEO[[2]], VIDEO[[0, 1, 2, 0]]]
    for function in (jax.vmap(rearrange), jax.jit(jax.vmap(rearrange))):
        for got, want in zip(function(batch, orders), wanted, strict=True):
            np.testing.assert_array_equal(got, want)
    alone = jax.jit(lambda x, order: rearrange(x.select(0), order.select(0)))(batch, orders)
    np.testing.assert_array_equal(alone, wanted[0])
