"""A captured loop gives what the eager loop gives, whatever its body does."""

import threading

import numpy as np
import pytest
from support.loops import STEPS, check, pictures, ragged

import dynjax as ndd

SIZE = (8, 8)


class Config:
    flip = True


def normalise(x, **changes):
    arguments = {"mean": [120.0, 110.0, 100.0], "std": [50.0, 60.0, 70.0]} | changes
    return ndd.crop_mirror_normalize(x, **arguments)


def image_chain(x, i, rng):
    return normalise(ndd.resize(x, size=SIZE))


def two_calls_on_a_line(x, i, rng):
    a, b = ndd.resize(x, size=SIZE), ndd.resize(x, size=(8, 8))
    return a, b


def attributes_and_lines(x, i, rng):
    return ndd.flip(
        x,
        horizontal=Config.flip,
    )


def arithmetic(x, i, rng):
    return x * 0.3 + ndd.flip(x, horizontal=1) * 0.7, x > 100, -ndd.cast(x, dtype=ndd.int16)


def math_and_slices(x, i, rng):
    y = ndd.math.sqrt(ndd.cast(x, dtype=ndd.float32))
    return y.slice[2:6, :, 0], ndd.math.clamp(y, 3, 9), ndd.reductions.mean(y, axes=[0, 1])


def inner_loop(x, i, rng):
    for s in (4, 6):
        x = ndd.resize(x, size=(s, s))
    return x


def comprehension_and_lambda(x, i, rng):
    double = lambda y: y * 2  # noqa: E731
    return [double(ndd.flip(x, horizontal=k)) for k in (0, 1)]


def recursion(x, i, rng, depth=3):
    return x if depth == 0 else recursion(ndd.flip(x, vertical=1) + 1, i, rng, depth - 1)


def changing_argument(x, i, rng):
    return ndd.crop(x, crop=[4 + i, 6], crop_pos_x=0.0, crop_pos_y=0.0) * 2


def alternating_branch(x, i, rng):
    return ndd.crop(ndd.flip(x, horizontal=1) if i % 2 else x, crop=[3, 5])


def late_branch(x, i, rng):
    return ndd.flip(x, vertical=1) * 2 if i > 2 else x + 1


def types_of_numbers(x, i, rng):
    # 2, 2.0 and True are equal, and make results of different types.
    return x * (2, 2.0, True)[i % 3], x + (0.0, -0.0)[i % 2]


def arrays(x, i, rng):
    return x * np.float32([i, 1, 2]), x + np.arange(3)


def without_inputs(x, i, rng):
    return ndd.zeros(shape=[2], batch_size=4) + 1, ndd.full_like(x, 3)


def samples(x, i, rng):
    one = x.select(1)
    return ndd.flip(one, horizontal=1), ndd.batch([one + 1, one])


def draws(x, i, rng):
    a = ndd.random.uniform(batch_size=4, range=[-1.0, 1.0], rng=rng)
    b = ndd.random.normal(batch_size=4, rng=rng)
    return x * a, b, a + b


def default_generator(x, i, rng):
    a = ndd.random.normal(x)
    return a, ndd.random.normal(x, stddev=float(i // 2 % 3), rng=rng), ndd.random.uniform()


def same_site_draws(x, i, rng):
    return [ndd.random.uniform(batch_size=4, rng=rng) for _ in range(3)]


def bare_draws(x, i, rng):
    first = rng()
    a = ndd.random.uniform(batch_size=4, rng=rng)
    return first, a, rng()


def draws_that_vary(x, i, rng):
    for _ in range(i % 3):
        rng()
    return ndd.random.uniform(batch_size=4, rng=rng) + 1


def reseeded(x, i, rng):
    if i == 3:
        rng.seed = 99
    return ndd.random.coin_flip(batch_size=4, rng=rng)


def single_sample_draws(x, i, rng):
    return ndd.random.uniform(rng=rng), ndd.random.uniform(shape=[2], batch_size=4, rng=rng)


def random_arguments(x, i, rng):
    mirror = ndd.random.coin_flip(batch_size=4, rng=rng)
    return normalise(x, mirror=mirror)


def several_outputs(x, i, rng):
    small, shape = ndd.resize(x, size=SIZE, save_attrs=True)
    return small, shape, shape * 2


def wide_types(x, i, rng):
    y = ndd.cast(x, dtype=ndd.int64) * 3_000_000
    return y, ndd.cast(y, dtype=ndd.float64) / 7


def half_types(x, i, rng):
    y = ndd.cast(x, dtype=ndd.float16) * 0.1
    return y + 0.7, ndd.cast(x, dtype=ndd.bfloat16) * 3 + 0.1


BODIES = [
    *(image_chain, two_calls_on_a_line, attributes_and_lines, arithmetic, math_and_slices),
    *(inner_loop, comprehension_and_lambda, recursion, changing_argument, alternating_branch),
    *(late_branch, types_of_numbers, arrays, without_inputs, samples, draws, same_site_draws),
    *(bare_draws, draws_that_vary, reseeded, single_sample_draws, random_arguments),
    *(several_outputs, wide_types, half_types, default_generator),
]


@pytest.mark.parametrize("body", BODIES, ids=lambda b: b.__name__)
def test_body(body):
    check(body, epochs=2)


RAGGED = [image_chain, arithmetic, math_and_slices, alternating_branch, random_arguments]


@pytest.mark.parametrize("body", RAGGED, ids=lambda b: b.__name__)
def test_ragged_batches(body):
    check(body, [ragged(k) for k in range(STEPS)])


@pytest.mark.parametrize("prefetch", [0, 1, 5])
def test_depth_does_not_matter(prefetch):
    check(draws, prefetch=prefetch)


@pytest.mark.parametrize("mode", ["deferred", "sync_cpu", "sync_full"])
def test_modes(mode):
    with ndd.EvalMode[mode]:
        check(arithmetic)
        check(draws)


def test_stale_batches():
    kept = []

    def body(x, i, rng):
        y = ndd.flip(x, horizontal=1)
        old = kept[-1] if i else y
        kept.append(y)
        return old + 1, ndd.flip(old, vertical=1)

    check(body)


def test_results_used_after_the_loop():
    source = ndd.ExternalSource([pictures(k) for k in range(STEPS)])
    kept = [(x, ndd.flip(x, horizontal=1), x * 2 + 1) for x in source.captured(batch_size=4)]
    for x, flipped, scaled in kept:
        np.testing.assert_array_equal(np.asarray(flipped), np.asarray(x)[:, :, ::-1])
        np.testing.assert_array_equal(np.asarray(scaled), np.asarray(x).astype(np.int32) * 2 + 1)


def test_a_changed_setting_counts_at_once(monkeypatch):
    def run():
        return [np.asarray(attributes_and_lines(x, 0, None)) for x in source.captured(batch_size=4)]

    source = ndd.ExternalSource([pictures(k) for k in range(3)], cycle="raise")
    flipped = run()
    monkeypatch.setattr(Config, "flip", False)
    plain = run()
    for a, b in zip(flipped, plain, strict=True):
        np.testing.assert_array_equal(a, b[:, :, ::-1])


def test_a_mutated_list_counts_at_once():
    size = [4, 4]
    shapes = []
    for i, x in enumerate(ndd.ExternalSource([pictures(0)] * 6).captured(batch_size=4)):
        size[0] = 4 + i
        shapes.append(ndd.resize(x, size=size).shape[0][0])
    assert shapes == [4, 5, 6, 7, 8, 9]


def test_the_body_runs_once_for_each_step():
    ran = []
    for i, x in enumerate(ndd.ExternalSource([pictures(0)] * 5).captured(batch_size=4)):
        ran.append(i)
        np.asarray(x + 1)
    assert ran == [0, 1, 2, 3, 4]


def test_exec_and_generated_code():
    items = [pictures(k) for k in range(4)]
    scope = {"ndd": ndd, "source": ndd.ExternalSource(items), "out": []}
    text = "for x in source.captured(batch_size=4):\n    out.append(ndd.flip(x, horizontal=1) + 1)"
    exec(text, scope)
    for x, y in zip(items, scope["out"], strict=True):
        np.testing.assert_array_equal(np.asarray(y), np.asarray(x)[:, :, ::-1].astype(int) + 1)


def test_zip_and_nested_loops():
    def sources():
        return [ndd.ExternalSource([pictures(10 * k + j) for j in range(3)]) for k in range(2)]

    def body(a, b):
        return np.asarray(ndd.flip(a, horizontal=1) + (b + 1))

    items = [[pictures(10 * k + j) for j in range(3)] for k in range(2)]
    a, b = sources()
    zipped = [body(x, y) for x, y in zip(a.captured(4), b.captured(4), strict=True)]
    for got, x, y in zip(zipped, *items, strict=True):
        np.testing.assert_array_equal(got, body(x, y))
    a, _ = sources()
    nested = [body(x, y) for x in a.captured(4) for y in sources()[1].captured(4)]
    for got, (x, y) in zip(nested, ((x, y) for x in items[0] for y in items[1]), strict=True):
        np.testing.assert_array_equal(got, body(x, y))


def test_a_loop_made_in_one_thread_runs_in_another():
    loop = ndd.ExternalSource([pictures(k) for k in range(4)]).captured(batch_size=4)
    got = []
    thread = threading.Thread(target=lambda: got.extend(np.asarray(x + 1) for x in loop))
    thread.start()
    thread.join()
    assert len(got) == 4
    np.testing.assert_array_equal(got[3], np.asarray(pictures(3)).astype(int) + 1)


def test_another_thread_is_not_captured():
    results = []

    def other():
        results.append(np.asarray(ndd.flip(pictures(5), horizontal=1)))

    source = ndd.ExternalSource([pictures(k) for k in range(3)])
    for x in source.captured(batch_size=4):
        np.asarray(x + 1)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert {c.operator for c in ndd.capture.report(source).calls} == {"arithmetic.add"}
    assert len(results) == 3


@pytest.mark.parametrize("changes", [False, True])
def test_small_arrays_that_are_shared_are_compared_by_value(changes):
    shared = np.float32([1, 2, 3])

    def body(x, i, rng):
        if changes:
            shared[0] = i
        y = ndd.cast(x, dtype=ndd.float32)
        return [y * ndd.as_tensor(shared), y + ndd.as_batch(np.tile(shared, (4, 1)))]

    report = check(body)
    expected = [0, 0] if changes else [STEPS - 1, STEPS - 1]
    assert [c.captured for c in report.calls if "arithmetic" in c.operator] == expected


def test_calls_without_a_batch_are_captured():
    def body(x, i, rng):
        angle = ndd.random.uniform(range=[-3.0, 3.0], rng=rng)
        scale = ndd.as_tensor(np.float32([1, 2])) * angle
        return [angle, scale, ndd.cast(x, dtype=ndd.float32) * angle]

    report = check(body)
    assert [c.captured for c in report.calls] == [STEPS - 1] * 4
