"""`checkpoint.Stateful` and Orbax; docs/data-sources.md saves beside a model's parameters."""

import json
import sys

import pytest

import dynjax as ndd
from dynjax import ArgumentError
from dynjax._execution import checkpoint_orbax
from dynjax.checkpoint import Stateful, orbax_restore, orbax_save


def reader(**kw):
    return ndd.readers.Objects(data=list(range(12)), random_shuffle=True, seed=1, **kw)


def values(reader):
    return [batch[0].tensors[0].item() for batch in reader.next_epoch(4)]


def test_states_by_name():
    first, rng = reader(), ndd.random.RNG(seed=3)
    saved = Stateful({"data": first, "rng": rng})
    next(first.next_epoch(4))
    text = saved.get_state()
    json.loads(text)
    expected = values(first), rng()
    second, fresh = reader(), ndd.random.RNG(seed=4)
    Stateful({"rng": fresh, "data": second}).set_state(text)
    assert (values(second), fresh()) == expected


def test_a_reader_that_was_not_read_has_the_start():
    text = Stateful(reader()).get_state()
    other = reader()
    Stateful(other).set_state(text)
    assert values(other) == values(reader())


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2, "states": {}}', '{"states": 1}'])
def test_texts_that_are_no_states(text):
    with pytest.raises(ArgumentError, match="no state"):
        Stateful(reader()).set_state(text)


def test_wrong_objects():
    with pytest.raises(TypeError, match="get_state"):
        Stateful({"x": 3})
    text = Stateful({"a": ndd.random.RNG(seed=1)}).get_state()
    with pytest.raises(ArgumentError, match=r"states of \['a'\]; expected \['b'\]"):
        Stateful({"b": ndd.random.RNG(seed=1)}).set_state(text)


def test_another_number_of_processes(tmp_path, monkeypatch):
    """The state of process 0 serves all at the end of a pass."""
    first = reader(enable_checkpointing=True)
    for _ in first.next_epoch(4, last_batch="drop"):
        pass
    checkpoint_orbax._write(tmp_path, Stateful(first).get_state())
    monkeypatch.setattr(checkpoint_orbax, "_file", lambda i, n: f"process_{i}-of-2.json")
    (tmp_path / "process_0-of-1.json").rename(tmp_path / "process_0-of-3.json")
    second = reader(num_shards=2, shard_id=1)
    Stateful(second).set_state(checkpoint_orbax._read(tmp_path))
    assert second._position.epoch == 1


def test_nothing_stored(tmp_path):
    with pytest.raises(FileNotFoundError, match="no states"):
        checkpoint_orbax._read(tmp_path)


def test_orbax_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "orbax.checkpoint", None)
    checkpoint_orbax._classes.cache_clear()
    for function in (orbax_save, orbax_restore):
        with pytest.raises(ImportError, match="pip install orbax-checkpoint"):
            function(ndd.random.RNG(seed=1))
