"""Random loop bodies give the same bits, generator and position, eagerly and captured.

A body is a list of instructions over values of one of two kinds: pictures (uint8, NxNx3) and
numbers (float32, NxNx3). Operators, shapes and arguments come from a fixed pool, so that compiled
programs are shared.
"""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.loops import assert_same, pictures, values

import dynjax as ndd

N = 64  # large enough for calls to be joined
ITEMS = [pictures(k, N, N) for k in range(5)]
EXAMPLES = int(os.environ.get("DYNJAX_RANDOM_PROGRAMS", "25"))

F = ndd.float32
# From a picture to a picture; `k` is an argument that a program may change from step to step.
PICTURE = {
    "flip": lambda x, k: ndd.flip(x, horizontal=k % 2, vertical=1),
    "resize": lambda x, k: ndd.resize(ndd.resize(x, size=[4 + k % 2, 6]), size=[N, N]),
    "nearest": lambda x, k: ndd.resize(x, size=[N, N], interp_type=ndd.types.INTERP_NN),
    "crop_and_pad": lambda x, k: ndd.pad(ndd.crop(x, crop=[N - 3, N]), axes=[0], shape=[N]),
    "anchored": lambda x, k: ndd.crop(
        ndd.pad(x, shape=[N + 2, N, 3]), crop=[N, N], crop_pos_y=k % 3 / 2
    ),
    "slice": lambda x, k: ndd.cat(x.slice[2:], x.slice[:2], axis=0),
    "transpose": lambda x, k: ndd.transpose(x, perm=[1, 0, 2], transpose_layout=False),
    "invert": lambda x, k: ~x,
    "and": lambda x, k: x & np.uint8(127 + k % 2),
    "saturate": lambda x, k: ndd.cast(x * 2 + k % 3, dtype=ndd.uint8),
    "table": lambda x, k: ndd.lookup_table(x, keys=[1, 2], values=[5, 6], dtype=ndd.uint8),
    "copy": lambda x, k: ndd.copy(x),
    "rows": lambda x, k: ndd.reinterpret(ndd.reshape(x, shape=[N * N, 3]), shape=[N, N, 3]),
}
# From numbers to numbers.
NUMBER = {
    "scale": lambda x, k: x * 0.37 + (k % 2),
    "divide": lambda x, k: x / 3 - 0.1,
    "sqrt": lambda x, k: ndd.math.sqrt(ndd.math.abs(x)),
    "clamp": lambda x, k: ndd.math.clamp(x, 0.5, 100 + k % 2),
    "mean": lambda x, k: x - ndd.reductions.mean(x, axes=[0, 1], keep_dims=True),
    "sum": lambda x, k: x + ndd.reductions.sum(x, axes=[2], keep_dims=True),
    "select": lambda x, k: x * (x > 10),
    "power": lambda x, k: (x * 2) ** 3 + abs(x) ** 0.5,
    "zero": lambda x, k: x * -0.0 + 0,
    "half": lambda x, k: ndd.cast(ndd.cast(x, dtype=ndd.float16) * 1.1, dtype=F),
}
# Between them, and with draws.
TO_NUMBER = {
    "cast": lambda x, k, rng: ndd.cast(x, dtype=F),
    "normalise": lambda x, k, rng: ndd.crop_mirror_normalize(
        x, mean=[10.0 + k % 2], std=[3.0], output_layout="HWC"
    ),
    "mirror": lambda x, k, rng: ndd.crop_mirror_normalize(
        x, mirror=ndd.random.coin_flip(batch_size=4, rng=rng), output_layout="HWC"
    ),
    "noise": lambda x, k, rng: x + ndd.random.uniform(batch_size=4, shape=[N, N, 3], rng=rng),
    "scaled": lambda x, k, rng: x * ndd.random.uniform(batch_size=4, range=[0.5, 1.5], rng=rng),
    "default": lambda x, k, rng: x + ndd.random.normal(batch_size=4, stddev=1.0 + k % 2),
}


def step_number(changing):
    return st.sampled_from(["fixed", "step"]) if changing else st.just("fixed")


PICK = st.integers(0, 20)
CALL = st.one_of(
    st.tuples(st.just("picture"), st.sampled_from(sorted(PICTURE)), PICK, step_number(True)),
    st.tuples(st.just("number"), st.sampled_from(sorted(NUMBER)), PICK, step_number(True)),
    st.tuples(st.just("convert"), st.sampled_from(sorted(TO_NUMBER)), PICK, step_number(True)),
)
SIMPLE = st.one_of(
    CALL,
    CALL,
    CALL,
    st.tuples(st.just("stale")),
    st.tuples(st.just("draw"), st.integers(1, 2)),
)
INSTRUCTION = st.one_of(
    SIMPLE,
    SIMPLE,
    st.tuples(st.just("if"), st.integers(1, 3), st.lists(SIMPLE, min_size=1, max_size=3)),
    st.tuples(st.just("repeat"), st.lists(CALL, min_size=1, max_size=2)),
    st.tuples(st.just("twice"), st.lists(CALL, min_size=1, max_size=2)),
)
PROGRAM = st.tuples(
    st.lists(INSTRUCTION, min_size=2, max_size=7),
    st.sampled_from([None, None, 1, 3]),  # the step of an early exit
    st.integers(0, 3),  # what is looked at: all, the last value, every other one, none until later
)


class Machine:
    """Runs a program's body on one step after the other."""

    def __init__(self, rng):
        self.rng = rng
        self.before = {}

    def body(self, program, x, i):
        self.pictures, self.numbers, self.made = [x], [], []
        self._run(program, i)
        self.before = {"picture": self.pictures[-1], "number": (self.numbers or [None])[-1]}
        return self.made

    def _run(self, program, i):
        for instruction in program:
            getattr(self, f"_{instruction[0]}")(i, *instruction[1:])

    def _keep(self, kind, value):
        (self.pictures if kind == "picture" else self.numbers).append(value)
        self.made.append(value)

    def _picture(self, i, name, pick, k):
        value = PICTURE[name](self.pictures[pick % len(self.pictures)], i if k == "step" else 1)
        self._keep("picture", value)

    def _number(self, i, name, pick, k):
        if self.numbers:
            value = NUMBER[name](self.numbers[pick % len(self.numbers)], i if k == "step" else 1)
            self._keep("number", value)

    def _convert(self, i, name, pick, k):
        source = self.pictures[pick % len(self.pictures)]
        self._keep("number", TO_NUMBER[name](source, i if k == "step" else 1, self.rng))

    def _stale(self, i):
        for kind, value in self.before.items():
            if value is not None:
                self._keep(kind, value)

    def _draw(self, i, count):
        self.made.append([self.rng() for _ in range(count)])

    def _if(self, i, every, program):
        if i % every == 0:
            self._run(program, i)

    def _repeat(self, i, program):
        for _ in range(2):
            self._run(program, i)

    def _twice(self, i, program):
        self._helper(program, i)
        self._helper(program, i)

    def _helper(self, program, i):
        self._run(program, i)


def run(program, captured):
    body, leave, looks = program
    source = ndd.ExternalSource(ITEMS, cycle="raise")
    machine = Machine(ndd.random.RNG(seed=11))
    ndd.random.set_seed(12)
    seen, later = [], []
    for _ in range(2):
        for i, x in enumerate(source.captured(batch_size=4) if captured else iter(ITEMS)):
            made = machine.body(body, x, i)
            if looks == 0:
                seen.append(values(made))
            elif looks == 1:
                seen.append(values(made[-1:]))
            elif looks == 2:
                seen.append(values(made[i % 2 :: 2]))
            else:
                later.append(made)
            if i == leave:
                break
        if leave is not None:
            break
    states = [str(rng.state) for rng in (machine.rng, ndd.random.get_default_rng())]
    return seen + values(later), states


@pytest.mark.filterwarnings("ignore:.*no operators were captured:UserWarning")
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(program=PROGRAM)
def test_random_program(program):
    eager, captured = run(program, False), run(program, True)
    assert_same(eager[0], captured[0])
    assert eager[1] == captured[1]
