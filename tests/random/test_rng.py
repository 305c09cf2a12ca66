"""`random.RNG`: stream, states and the generators of threads."""

import threading

import pytest

import dynjax as ndd
from dynjax._random.rng import philox4x32

STATE = "Philox_000000000000002A_0000000000000000:0000000000000000_3"


def test_blocks_are_those_of_the_paper():
    # Known answers of the authors' library (Random123, kat_vectors, philox4x32 10).
    assert philox4x32(0, 0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    ones = 2**64 - 1
    assert philox4x32(ones, ones, ones) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)


def test_stream_and_state_of_the_original():
    rng = ndd.random.RNG(seed=42)
    assert [rng(), rng()] == [2632642643, 2012563771]
    rng()
    assert str(rng.state) == STATE
    assert repr(rng) == f"RNG(state='{STATE}')"
    rng()
    assert str(rng.state) == "Philox_000000000000002A_0000000000000000:0000000000000001_0"


def test_seeds_are_taken_modulo_2_to_the_64():
    rng = ndd.random.RNG(seed=-1)
    assert [rng() for _ in range(3)] == [1923381001, 356992825, 2671882271]
    assert ndd.random.RNG(seed=2**64 - 1)() == 1923381001


@pytest.mark.parametrize("skipped", [0, 1, 3, 4, 9])
def test_advance_equals_calls(skipped):
    a, b = ndd.random.RNG(seed=3), ndd.random.RNG(seed=3)
    a(), b()
    for _ in range(skipped):
        a()
    b.advance(skipped)
    assert str(a.state) == str(b.state)
    assert a() == b()


def test_the_block_counter_carries():
    rng = ndd.random.RNG(state="Philox_0000000000000001_0000000000000000:FFFFFFFFFFFFFFFF_3")
    rng()
    assert str(rng.state) == "Philox_0000000000000001_0000000000000001:0000000000000000_0"


def test_restored_generators_continue():
    rng = ndd.random.RNG(seed=7)
    rng()
    others = [rng.clone(), ndd.random.RNG(state=rng.state), ndd.random.RNG(state=str(rng.state))]
    following = [rng() for _ in range(6)]
    assert all([other() for _ in range(6)] == following for other in others)


def test_setting_the_seed_restarts():
    rng = ndd.random.RNG(seed=1)
    rng()
    rng.seed = 42
    assert rng() == 2632642643
    with pytest.raises(AttributeError):
        _ = rng.seed


def test_errors():
    rng = ndd.random.RNG(seed=1)
    with pytest.raises(ValueError, match="pass one"):
        ndd.random.RNG(seed=1, state=rng.state)
    with pytest.raises(TypeError, match=r"seed=1\.5"):
        ndd.random.RNG(seed=1.5)
    with pytest.raises(ValueError, match="'x' is no state"):
        ndd.random.RNG(state="x")
    with pytest.raises(TypeError, match="state=5"):
        rng.state = 5
    with pytest.raises(ValueError, match="n=-1"):
        rng.advance(-1)
    with pytest.raises(TypeError):
        rng.advance(1.5)
    with pytest.raises(TypeError, match="seed='a'"):
        ndd.random.set_seed("a")


def test_each_thread_has_its_own():
    ndd.random.set_seed(42)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(ndd.random.get_default_rng()))
    thread.start()
    thread.join()
    assert seen[0] is not ndd.random.get_default_rng()
    assert ndd.random.get_default_rng()() == 2632642643
