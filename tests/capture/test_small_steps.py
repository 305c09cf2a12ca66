"""Steps on a few kilobytes are computed several at a time, with the bits of each by itself."""

import functools
import threading

import numpy as np
import pytest
from support.encoded import encoded
from support.loops import BATCH, assert_same, check, pictures, ragged, values

import dynjax as ndd
from dynjax import OperatorError
from dynjax._capture import ahead
from dynjax._capture.joint import MAX_FAILURES, JointUnit
from dynjax._capture.work import Work
from dynjax._execution import queue
from dynjax._schema import HIDDEN, REGISTRY
from dynjax.types import DALIImageType, DALIInterpType

STEPS = 14
check = functools.partial(check, prefetch=8)


@pytest.fixture
def joined(monkeypatch) -> set[str]:
    """The calls, by the last operator of a chain, that were made for several steps at once."""
    # Steps that a loop of the test before left in the queue are none of this one's.
    idle = threading.Event()
    queue.submit(idle.set, 0, lambda why: idle.set())
    assert idle.wait(60)
    made = set()
    inner = JointUnit.__call__

    def run(self, steps, known):
        done = inner(self, steps, known)
        if done:
            made.add(self._nodes[-1].record.name)
        return done

    monkeypatch.setattr(JointUnit, "__call__", run)
    return made


@functools.cache
def files() -> list[np.ndarray]:
    sizes = [(9, 12), (16, 16), (20, 11), (28, 28)]
    coded = []
    for k in range(STEPS * BATCH):
        high, wide = sizes[k % 4] if k < 24 else (16, 16)
        picture = np.random.default_rng(k).integers(0, 256, (high // 4 + 1, wide // 4 + 1, 3))
        picture = picture.astype(np.uint8).repeat(4, 0).repeat(4, 1)[:high, :wide]
        coded.append(encoded(picture, "PNG" if k % 5 == 3 else "JPEG"))
    return coded


def encoded_batches() -> list[ndd.Batch]:
    return [ndd.batch(files()[k : k + BATCH]) for k in range(0, STEPS * BATCH, BATCH)]


# Every operator of which small batches are computed as one.
ON_PICTURES = {
    "brightness": lambda x: ndd.brightness(x, brightness=1.3),
    "brightness_contrast": lambda x: ndd.brightness_contrast(x, brightness=1.2, contrast=0.7),
    "contrast": lambda x: ndd.contrast(x, contrast=0.6),
    "hue": lambda x: ndd.hue(x, hue=40.0),
    "saturation": lambda x: ndd.saturation(x, saturation=0.4),
    "hsv": lambda x: ndd.hsv(x, hue=10.0, saturation=1.4, value=0.9),
    "color_twist": lambda x: ndd.color_twist(x, hue=20.0, saturation=0.8, contrast=1.1),
    "cast": lambda x: ndd.cast(x, dtype=ndd.float32),
    "expand_dims": lambda x: ndd.expand_dims(x, axes=[0]),
    "one_hot": lambda x: ndd.one_hot(x, num_classes=7),
    "squeeze": lambda x: ndd.squeeze(x.slice[:, :, :1], axes=[2]),
    "transpose": lambda x: ndd.transpose(x, perm=[1, 0, 2]),
    "flip": lambda x: ndd.flip(x, horizontal=1),
    "crop": lambda x: ndd.crop(x, crop=[4, 3], crop_pos_x=0.2),
    "slice": lambda x: ndd.slice(x, start=[1, 2], shape=[3, 2], axes=[0, 1]),
    "resize": lambda x: ndd.resize(x, size=[7, 9]),
    "rotate": lambda x: ndd.rotate(x, angle=25.0, fill_value=3.0),
    "warp_affine": lambda x: ndd.warp_affine(x, matrix=[0.9, 0.2, 1.0, -0.1, 1.1, 0.5]),
    "resize_crop_mirror": lambda x: ndd.resize_crop_mirror(x, size=[8, 8], crop=[6, 5], mirror=1),
    "crop_mirror_normalize": lambda x: ndd.crop_mirror_normalize(x, mean=[9.0], std=[3.0]),
}
ON_FILES = {
    "decoders.image": ndd.decoders.image,
    "decoders.image_crop": lambda x: ndd.decoders.image_crop(x, crop=[5, 7]),
    "decoders.image_slice": lambda x: ndd.decoders.image_slice(
        x, start=[1, 2], shape=[4, 5], axes=[0, 1]
    ),
}
DRAWN = {
    "random.uniform": lambda rng: ndd.random.uniform(
        batch_size=BATCH, range=[-3.0, 2.0], shape=[5], rng=rng
    ),
    "random.normal": lambda rng: ndd.random.normal(batch_size=BATCH, shape=[3, 2], rng=rng),
    "random.coin_flip": lambda rng: ndd.random.coin_flip(batch_size=BATCH, shape=[9], rng=rng),
}
# Draws keep chains and these apart.
RANDOM_WITH_INPUTS = {"decoders.image_random_crop", "random_resized_crop"}


def test_every_such_operator_is_listed():
    alone = {name for name, r in (REGISTRY | HIDDEN).items() if r.alone}
    assert alone == {*ON_PICTURES, *ON_FILES, *DRAWN, *RANDOM_WITH_INPUTS}


@pytest.mark.parametrize("make", [lambda k: pictures(k, 6, 8), ragged], ids=["equal", "ragged"])
@pytest.mark.parametrize("name", ON_PICTURES)
def test_calls_on_pictures(joined, name, make):
    check(lambda x, i, rng: ON_PICTURES[name](x), [make(k) for k in range(STEPS)], epochs=2)
    # A few may be given arguments as inputs, of which no call is kept.
    assert (name in joined) == (not REGISTRY[name].late_inputs)


@pytest.mark.parametrize("name", [n for n in ON_PICTURES if REGISTRY[n].chain])
def test_links(joined, name):
    check(lambda x, i, rng: ON_PICTURES[name](ndd.decoders.image(x)), encoded_batches(), epochs=2)
    assert name in joined


@pytest.mark.parametrize("name", ON_FILES)
def test_decoders(joined, name):
    body = ON_FILES[name]
    check(lambda x, i, rng: ndd.flip(body(x), vertical=1), encoded_batches(), epochs=2)
    assert "flip" in joined


@pytest.mark.parametrize("name", DRAWN)
def test_draws(joined, name):
    def body(x, i, rng):
        return x + 1, DRAWN[name](rng), DRAWN[name](rng)

    check(body, [pictures(k) for k in range(STEPS)], epochs=2)
    assert name in joined


def small_training(x, i, rng):
    angle = ndd.random.uniform(batch_size=BATCH, range=[-30.0, 30.0], rng=rng)
    x = ndd.decoders.image(x, output_type=DALIImageType.GRAY)
    x = ndd.rotate(x, angle=angle, keep_size=True, fill_value=0.0)
    return ndd.crop_mirror_normalize(x, mean=[127.0], std=[50.0])


def test_chains(joined):
    check(small_training, encoded_batches(), epochs=3)
    assert {"crop_mirror_normalize", "random.uniform"} <= joined


def test_draws_in_a_chain(joined):
    def body(x, i, rng):
        return ndd.flip(ndd.decoders.image_random_crop(x, rng=rng), horizontal=1)

    check(body, encoded_batches(), epochs=2)
    assert not joined


@pytest.mark.parametrize(
    "body",
    [
        lambda x, key: ndd.resize(ndd.decoders.image_random_crop(x, key=key), size=[5, 6]),
        lambda x, key: ndd.random_resized_crop(ndd.decoders.image(x), size=[5, 6], key=key),
        lambda x, key: ndd.random.normal(batch_size=BATCH, shape=[3], key=key),
        lambda x, key: ndd.random.uniform(x, key=key),
        lambda x, key: ndd.random.coin_flip(x, key=key),
    ],
)
def test_a_key_for_all_samples(joined, body):
    key = np.array([3, 4], np.uint32)
    check(lambda x, i, rng: body(x, key), encoded_batches(), epochs=2)
    assert not joined


def test_batches_that_differ_in_what_their_numbers_mean(joined):
    enumeration = ndd.as_batch([DALIInterpType.INTERP_NN] * BATCH)
    items = [ndd.batch([np.int32(0)] * BATCH) if k % 3 else enumeration for k in range(STEPS)]
    seen = []
    for source in (items, ndd.ExternalSource(items).captured(batch_size=BATCH, prefetch=8)):
        seen.append([repr(ndd.expand_dims(x, axes=[0]).dtype) for x in source])
    assert seen[0] == seen[1]
    assert len(set(seen[0])) == 2


@pytest.mark.parametrize("name", ["pad", "batch_permutation", "permute_batch", "normalize"])
def test_operators_that_mix_samples(joined, name):
    def body(x, i, rng):
        if name == "pad":
            return ndd.pad(x)
        if name == "normalize":
            return ndd.normalize(x, batch=True)
        order = ndd.batch_permutation(batch_size=BATCH, rng=rng)
        return order if name == "batch_permutation" else ndd.permute_batch(x, indices=order)

    make = pictures if name == "normalize" else ragged
    check(body, [make(k) for k in range(STEPS)], epochs=2)
    assert not joined


def test_results_that_others_read_are_the_parts(joined):
    def body(x, i, rng):
        y = ndd.cast(ndd.flip(x, horizontal=1), dtype=ndd.int32)
        return y, y + i % 3, ndd.pad(y), ndd.reductions.sum(y)

    check(body, [ragged(k) for k in range(STEPS)], epochs=2)
    assert "cast" in joined


@pytest.fixture
def paths(tmp_path) -> list[str]:
    """Files that are no multiple of a batch."""
    written = []
    for k, data in enumerate(files()[: STEPS * BATCH - 1]):
        path = tmp_path / f"{k:03}.bin"
        path.write_bytes(data.tobytes())
        written.append(str(path))
    return written


def read(paths, captured: bool, body=small_training, epochs: int = 3, **options) -> list:
    """What the body gives in each step, or the error in place of it."""
    reader = ndd.readers.File(files=paths)
    rng = ndd.random.RNG(seed=3)
    options |= {"capture": True} if captured else {}
    seen = []
    for _ in range(epochs):
        for i, (data, labels) in enumerate(reader.next_epoch(batch_size=BATCH, **options)):
            try:
                seen.append(values((body(data, i, rng), labels)))
            except OperatorError as error:
                seen.append(str(error).removeprefix("Asynchronous execution failed: "))
    return [*seen, str(rng.state)]


def test_readers_run_far_ahead_unless_told_not_to(joined, paths):
    eager = read(paths, False)
    assert_same(eager, read(paths, True, prefetch=2))
    assert not joined
    assert_same(eager, read(paths, True))
    assert "crop_mirror_normalize" in joined


def test_large_steps_are_computed_one_by_one(joined, paths, monkeypatch):
    monkeypatch.setattr(ahead, "SMALL_BYTES", 100)
    assert_same(read(paths, False), read(paths, True))
    assert not joined


def test_sources_with_effects_are_not_polled_far_ahead():
    polled = []

    def poll():
        polled.append(None)
        return ndd.batch(np.zeros((BATCH, 2), np.uint8))

    source = ndd.ExternalSource(poll)
    for i, x in enumerate(source.captured(batch_size=BATCH)):
        ndd.cast(x, dtype=ndd.float32).evaluate()
        assert len(polled) <= i + 4
        if i == 9:
            break


def test_readers_that_report_are_not_polled_far_ahead(paths):
    for k in range(30, 40):
        with open(paths[k], "wb") as file:
            file.write(b"not a picture")
    reader = ndd.readers.File(files=paths)
    for i, (data, _labels) in enumerate(reader.next_epoch(batch_size=BATCH, capture=True)):
        ndd.decoders.image(data, on_error="fill").evaluate()
        assert len(reader.skipped) <= max(0, 4 * (i + 3) - 30)
        if i == 11:
            break
    missing = [*paths[:30], "missing", *paths[30:]]
    reader = ndd.readers.File(files=missing, on_error="skip")
    for i, (data, _labels) in enumerate(reader.next_epoch(batch_size=BATCH, capture=True)):
        ndd.cast(data, dtype=ndd.int32).evaluate()
        assert i >= 5 or not reader.skipped
        if i == 11:
            break


@pytest.mark.parametrize("last_batch", ["partial", "pad", "drop", "wrap"])
def test_the_end_of_an_epoch(joined, paths, last_batch):
    def body(x, i, rng):
        draws = ndd.random.uniform(batch_size=x.batch_size, rng=rng)
        return ndd.cast(ndd.decoders.image(x), dtype=ndd.float32), draws

    def run(captured):
        return read(paths, captured, body, last_batch=last_batch)

    assert_same(run(False), run(True))
    assert "cast" in joined


@pytest.mark.parametrize("broken", [[17], [17, 18, 30], range(2, STEPS * BATCH - 1, 3)])
def test_broken_files(joined, paths, broken):
    for k in broken:
        with open(paths[k], "wb") as file:
            file.write(b"not a picture")
    eager = read(paths, False, small_training)
    assert sum(isinstance(x, str) for x in eager) > len({k // BATCH for k in broken})
    assert_same(eager, read(paths, True, small_training))


def test_units_that_fail_are_given_up(paths, monkeypatch):
    tried = []
    inner = JointUnit._run_chain
    monkeypatch.setattr(
        JointUnit, "_run_chain", lambda *given: (tried.append(None), inner(*given))[1]
    )
    for path in paths:
        with open(path, "wb") as file:
            file.write(b"not a picture")
    read(paths, True, epochs=6)
    assert len(tried) <= 2 * MAX_FAILURES  # once more where the plan was made anew


def test_threads_that_change(joined, paths):
    def body(x, i, rng):
        threads = ndd.get_num_threads()
        ndd.set_num_threads(1 + i // 5 % 2)
        try:
            return small_training(x, i, rng)
        finally:
            ndd.set_num_threads(threads)

    assert_same(read(paths, False, body), read(paths, True, body))
    assert joined


def test_a_generator_that_is_used_between(joined, paths):
    def body(x, i, rng):
        if i % 5 == 4:
            rng()
        return small_training(x, i, rng)

    assert_same(read(paths, False, body), read(paths, True, body))
    assert joined


def test_a_loop_that_is_left(paths):
    outcomes = []
    for captured in (False, True):
        reader = ndd.readers.File(files=paths, enable_checkpointing=True)
        options = {"capture": True} if captured else {}
        rng, got = ndd.random.RNG(seed=3), []
        for end in (7, 2, 9, 13, 100):
            for i, (x, labels) in enumerate(reader.next_epoch(batch_size=BATCH, **options)):
                got.append(values((small_training(x, i, rng), labels)))
                if i == end:
                    break
            got.append([str(reader.get_state()), str(rng.state)])
        outcomes.append(got)
    assert_same(*outcomes)


def test_results_that_are_kept_hold_their_own(paths):
    reader, kept = ndd.readers.File(files=paths), []
    for _ in range(3):
        for x, _labels in reader.next_epoch(batch_size=BATCH, capture=True):
            kept.append(ndd.cast(ndd.decoders.image(x), dtype=ndd.float32))
    epoch = len(kept) // 3
    first = values(kept[:epoch])
    x = ndd.batch(files()[:BATCH])
    assert_same(first[0], values(ndd.cast(ndd.decoders.image(x), dtype=ndd.float32)))
    # They are views of what was computed together; to write to one changes no other.
    before = values(kept)
    for sample in kept[5]:
        writable = np.asarray(sample)
        if writable.flags.writeable:
            writable[...] = -1
    after = values(kept)
    del before[5], after[5]
    assert_same(before, after)


def test_steps_in_a_bundle_are_computed_when_they_are_asked_for(paths, monkeypatch):
    """Where a loop ends before a bundle is full, also."""
    sizes = []
    inner = Work.run

    def run(self):
        sizes.append(len(self._steps))
        inner(self)

    monkeypatch.setattr(Work, "run", run)
    paths = paths[: 7 * BATCH]
    got = read(paths, True, epochs=1)
    assert_same(got, read(paths, False, epochs=1))
    assert sum(sizes) == 6  # the first step is eager
    assert max(sizes) > 1
