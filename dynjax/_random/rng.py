"""`RNG`: a counter-based generator of 32-bit words, and the one that each thread has."""

import operator
import re
import secrets
import threading
from typing import Any, final

from .. import _dynjax_ops

_MASK_64 = 0xFFFFFFFFFFFFFFFF
_STATE = re.compile(r"Philox_([0-9A-Fa-f]{16})_([0-9A-Fa-f]{16}):([0-9A-Fa-f]{16})_([0-3])")


def philox4x32(key: int, sequence: int, block: int) -> tuple[int, int, int, int]:
    """The four words of a block; all arguments are 64-bit.

    Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
    """
    return _dynjax_ops.philox4x32(key, sequence, block)


def words_at(key: int, index: int, count: int) -> list[int]:
    """`count` words of a generator's stream from number `index` on."""
    words: list[int] = []
    block, phase = divmod(index, 4)
    while len(words) < phase + count:
        words += philox4x32(key, block >> 64 & _MASK_64, block & _MASK_64)
        block += 1
    return words[phase : phase + count]


@final
class State:
    """Where a generator stands. `str` gives a text from which it can be restored."""

    __slots__ = ("block", "key", "phase", "sequence")

    def __init__(self, key: int, sequence: int, block: int, phase: int):
        self.key = key
        self.sequence = sequence
        self.block = block
        self.phase = phase

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return f"Philox_{self.key:016X}_{self.sequence:016X}:{self.block:016X}_{self.phase}"

    def __repr__(self) -> str:
        return f"State('{self}')"


@final
class RNG:
    """A generator of random 32-bit words: Philox4x32-10, with the original's stream and states.

    Args:
        seed: taken modulo 2**64. Default: a random one.
        state: of another generator, or its text; instead of `seed`.

    Raises:
        ValueError: both are given, or a text that is no state.
        TypeError: a seed that is no int, or a state of another type.

    Example:
        >>> rng = dynjax.random.RNG(seed=42)
        >>> rng(), rng()
        (2632642643, 2012563771)
        >>> rng.clone()() == rng()
        True
    """

    __slots__ = ("_block", "_key", "_phase", "_sequence", "_words")

    def __init__(self, seed: int | None = None, state: State | str | None = None):
        if seed is not None and state is not None:
            raise ValueError("RNG: both seed and state are given; pass one of them.")
        self._words: tuple[int, ...] | None = None
        if state is not None:
            self.set_state(state)
        else:
            self._restart(secrets.randbits(64) if seed is None else _checked_seed(seed))

    def _restart(self, key: int) -> None:
        self._key = key
        self._sequence = self._block = self._phase = 0
        self._words = None

    def __call__(self) -> int:
        """The next word, 0 to 2**32 - 1."""
        if self._words is None:
            self._words = philox4x32(self._key, self._sequence, self._block)
        word = self._words[self._phase]
        self.advance(1)
        return word

    def advance(self, n: int) -> None:
        """Passes over `n` words.

        Raises:
            ValueError: `n` is negative.
            TypeError: `n` is no int.
        """
        n = operator.index(n)
        if n < 0:
            raise ValueError(f"RNG.advance: n={n}; a generator does not go back.")
        blocks, self._phase = divmod(self._phase + n, 4)
        if blocks:
            position = self._block + (self._sequence << 64) + blocks
            self._block = position & _MASK_64
            self._sequence = position >> 64 & _MASK_64
            self._words = None

    @property
    def position(self) -> tuple[int, int]:
        """The key, and how many words lie before the next one."""
        return self._key, ((self._sequence << 64) + self._block) * 4 + self._phase

    def clone(self) -> "RNG":
        """A generator of its own that continues as this one."""
        return RNG(state=self.get_state())

    def _set_seed(self, seed: int) -> None:
        self._restart(_checked_seed(seed))

    seed = property(None, _set_seed, doc="Write-only: setting it restarts the sequence.")

    def get_state(self, *, cuda_stream: Any = None) -> State:
        """Where the generator stands. `cuda_stream` is accepted for compatibility."""
        del cuda_stream
        return State(self._key, self._sequence, self._block, self._phase)

    def set_state(self, value: State | str) -> None:
        """Continues from a state or its text.

        Raises:
            ValueError: a text that is no state.
            TypeError: another type.
        """
        state = _parsed(value) if isinstance(value, str) else value
        if not isinstance(state, State):
            raise TypeError(f"RNG: state={value!r}; expected a state of an RNG, or its text.")
        self._key, self._sequence = state.key, state.sequence
        self._block, self._phase = state.block, state.phase
        self._words = None

    state = property(get_state, set_state, doc="Where the generator stands; see `set_state`.")

    def __repr__(self) -> str:
        return f"RNG(state='{self.get_state()}')"


def _checked_seed(seed: Any) -> int:
    try:
        return operator.index(seed) & _MASK_64
    except TypeError:
        raise TypeError(f"RNG: seed={seed!r}; expected an int.") from None


def _parsed(text: str) -> State:
    match = _STATE.fullmatch(text)
    if match is None:
        raise ValueError(f"RNG: {text!r} is no state; expected the text of `RNG.state`.")
    key, sequence, block = (int(match[i], 16) for i in (1, 2, 3))
    return State(key, sequence, block, int(match[4]))


_threads = threading.local()


def get_default_rng() -> RNG:
    """The generator of the calling thread, which random operators use unless told otherwise."""
    rng = getattr(_threads, "rng", None)
    if rng is None:
        rng = _threads.rng = RNG()
    return rng


def set_seed(seed: int) -> None:
    """Seeds the calling thread's default generator.

    Raises:
        TypeError: not an int.

    Example:
        >>> dynjax.random.set_seed(42)
        >>> dynjax.random.get_default_rng()()
        2632642643
    """
    get_default_rng().seed = seed
