import json
import threading

import pytest

import dynjax as ndd
from dynjax.checkpoint import Checkpoint


class Counter:
    """An object with a state of its own."""

    def __init__(self, value=0):
        self.value = value

    def get_state(self, *, cuda_stream=None):
        return str(self.value)

    def set_state(self, state):
        self.value = int(state)


class Other(Counter):
    pass


def collected(**objects):
    checkpoint = Checkpoint()
    for name, op in objects.items():
        checkpoint.register(op, name)
    checkpoint.collect()
    return checkpoint


def test_round_trip_as_text():
    saved = collected(a=Counter(3), b=ndd.random.RNG(seed=5))
    text = saved.serialize()
    content = json.loads(text)
    assert content["version"] == 2
    assert content["states"]["a"] == {"state": "3", "type": "Counter"}
    assert content["states"]["b"]["type"] == "RNG"
    loaded, counter = Checkpoint(), Counter()
    loaded.deserialize(text)
    assert (loaded.is_loaded, loaded.is_complete, len(loaded), "a" in loaded) == (
        True,
        False,
        2,
        True,
    )
    assert loaded.register(counter, "a") == "a"
    assert counter.value == 3


def test_flags():
    checkpoint = Checkpoint()
    assert (checkpoint.is_complete, checkpoint.is_loaded, len(checkpoint)) == (False, False, 0)
    counter = Counter(1)
    checkpoint.register(counter, "a")
    assert checkpoint.get_state("a") is None
    checkpoint.collect()
    assert (checkpoint.is_complete, checkpoint.get_state("a")) == (True, "1")
    counter.value = 2
    checkpoint.collect()
    assert checkpoint.get_state("a") == "2"
    checkpoint.clear()
    assert (checkpoint.is_complete, checkpoint.names) == (False, [])


def test_names_of_anonymous_objects():
    checkpoint, first, second = Checkpoint(), Counter(), Counter()
    assert [checkpoint.register(x) for x in (first, first, second)] == [
        "__op_0",
        "__op_0",
        "__op_1",
    ]
    assert checkpoint.register(Counter(), "c") == "c"
    assert checkpoint.register(Counter()) == "__op_3"
    assert checkpoint.names == ["__op_0", "__op_1", "c", "__op_3"]


def test_registration_rules():
    checkpoint, counter = Checkpoint(), Counter(1)
    for name in ("", "__op_3"):
        with pytest.raises(ValueError, match="expected one that is not empty"):
            checkpoint.register(counter, name)
    checkpoint.register(counter, "a")
    with pytest.raises(RuntimeError, match="registered as 'a'"):
        checkpoint.register(counter, "b")
    with pytest.raises(TypeError, match="'a' is of type Counter"):
        checkpoint.register(Other(), "a")
    replacement = Counter(7)
    assert checkpoint.register(replacement, "a") == "a"
    checkpoint.collect()
    assert checkpoint.get_state("a") == "7"
    with pytest.raises(RuntimeError, match=r"'b' is new, after collect"):
        checkpoint.register(Counter(), "b")


def test_registration_after_loading():
    loaded = Checkpoint()
    loaded.deserialize(collected(a=Counter(3)).serialize())
    for name in ("b", None):
        with pytest.raises(KeyError):
            loaded.register(Counter(), name)
    with pytest.raises(TypeError, match="'a' is of type Counter"):
        loaded.register(Other(), "a")


def test_restore():
    checkpoint, counter = Checkpoint(), Counter()
    checkpoint.restore()
    checkpoint.set_state("a", "5", op_type=Counter)
    with pytest.raises(RuntimeError, match="'a' has no object"):
        checkpoint.restore()
    with pytest.raises(RuntimeError, match="'a' has a state but no object"):
        checkpoint.collect()
    checkpoint.register(counter, "a")
    assert counter.value == 5
    counter.value = 0
    checkpoint.restore()  # handed out already
    assert counter.value == 0
    checkpoint.set_state("a", "6")
    checkpoint.restore()
    assert counter.value == 6
    checkpoint.register(Counter(), "b")
    with pytest.raises(RuntimeError, match="'b' has no state"):
        checkpoint.restore()


def test_state_errors():
    checkpoint = collected(a=Counter())
    with pytest.raises(KeyError):
        checkpoint.get_state("b")
    with pytest.raises(KeyError):
        checkpoint.set_state("b", "1")
    with pytest.raises(TypeError, match="op_type=3"):
        checkpoint.set_state("a", "1", op_type=3)
    with pytest.raises(RuntimeError, match="no states"):
        Checkpoint().serialize()
    with pytest.raises(AttributeError):
        collected(a=object())


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("nope", json.JSONDecodeError),
        ("{}", ValueError),
        ("[]", ValueError),
        ('{"version": 1, "states": {}}', ValueError),
        ('{"version": 2}', ValueError),
        ('{"version": 2, "states": {"a": 3}}', ValueError),
        ('{"version": 2, "states": {"a": {"state": 3, "type": null}}}', ValueError),
    ],
)
def test_texts_that_are_no_checkpoint(text, error):
    checkpoint = collected(a=Counter(1))
    with pytest.raises(error):
        checkpoint.deserialize(text)
    assert checkpoint.get_state("a") == "1"


def test_numbered_files(tmp_path):
    pattern = str(tmp_path / "ck[1]_{seq:03d}.json")
    saved = collected(a=Counter(1))
    assert saved.save(pattern).endswith("ck[1]_000.json")
    (tmp_path / "ck[1]_1.json").write_text("another pattern's")
    (tmp_path / "ck[1]_007.json").write_text(collected(a=Counter(9)).serialize())
    assert saved.save(pattern).endswith("ck[1]_008.json")
    loaded, counter = Checkpoint(), Counter()
    assert loaded.load(pattern).endswith("ck[1]_008.json")
    loaded.register(counter, "a")
    assert counter.value == 1
    loaded.collect()
    assert loaded.save(pattern).endswith("ck[1]_009.json")
    assert not list(tmp_path.glob(".*"))


def test_file_errors(tmp_path):
    saved = collected(a=Counter(1))
    for call in (saved.save, saved.load):
        with pytest.raises(ValueError, match=r"no \{seq\}"):
            call(str(tmp_path / "x.json"))
        with pytest.raises(ValueError, match="field 'n'"):
            call(str(tmp_path / "x{seq}{n}.json"))
    with pytest.raises(FileNotFoundError):
        saved.load(str(tmp_path / "x{seq}.json"))
    with pytest.raises(FileNotFoundError):
        saved.save(str(tmp_path / "no folder" / "x{seq}.json"))


def test_readers(tmp_path):
    (tmp_path / "a").write_bytes(b"x")

    def reader(**kw):
        return ndd.readers.File(files=[str(tmp_path / "a")] * 5, **kw)

    used = reader()
    next(used.next_epoch(2))
    with pytest.raises(RuntimeError, match="read before without checkpointing"):
        Checkpoint().register(used, "r")
    fresh = reader()  # registration enables checkpointing
    checkpoint = Checkpoint()
    checkpoint.register(fresh, "r")
    with pytest.raises(RuntimeError, match="nothing was read yet"):
        checkpoint.collect()
    next(fresh.next_epoch(2))
    checkpoint.collect()
    loaded, again = Checkpoint(), reader()
    loaded.deserialize(checkpoint.serialize())
    loaded.register(again, "r")
    assert again.get_state() == fresh.get_state()


def test_current():
    current = ndd.checkpoint.current()
    assert current is ndd.EvalContext.current().checkpoint
    with ndd.EvalContext(num_threads=1) as context:
        assert ndd.checkpoint.current() is context.checkpoint
        assert ndd.checkpoint.current() is not current
    found = []
    thread = threading.Thread(target=lambda: found.append(ndd.checkpoint.current()))
    thread.start()
    thread.join()
    assert found[0] is not current
