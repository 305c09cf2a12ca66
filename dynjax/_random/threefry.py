"""Threefry-2x32, the generator behind `jax.random`'s keys, over NumPy or JAX arrays.

The rules work out keys on the host without compiling anything, and the kernels draw bits in plain
elementwise steps. `jax.random`'s own functions give the same bits, but each new program that calls
them takes XLA's CPU compiler seconds.

Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = 0x1BD11BDA


def threefry2x32(key: tuple[Any, Any], counter: tuple[Any, Any]) -> tuple[Any, Any]:
    """The two words of each counter's block; all operands uint32 arrays that broadcast."""
    schedule = (key[0], key[1], key[0] ^ key[1] ^ np.uint32(_PARITY))
    a = counter[0] + schedule[0]
    b = counter[1] + schedule[1]
    for group in range(5):
        for rotation in _ROTATIONS[group % 2]:
            a = a + b
            b = a ^ ((b << np.uint32(rotation)) | (b >> np.uint32(32 - rotation)))
        a = a + schedule[(group + 1) % 3]
        b = b + schedule[(group + 2) % 3] + np.uint32(group + 1)
    return a, b


def rolled2x32(key: tuple[Any, Any], counter: tuple[Any, Any]) -> tuple[Any, Any]:
    """The same in JAX as a loop: a result that compilers do not work out anew at each use.

    Rounds that are fused into many uses take XLA's CPU compiler seconds, and it removes barriers.
    """
    parts = (*key, key[0] ^ key[1] ^ np.uint32(_PARITY), *counter)
    first, second, third, a, b = jnp.broadcast_arrays(*map(jnp.asarray, parts))
    schedule = jnp.stack([first, second, third])
    rotations = jnp.asarray(_ROTATIONS, np.uint32)

    def four_rounds(group: Any, words: tuple[Any, Any]) -> tuple[Any, Any]:
        a, b = words
        for k in range(4):
            left = rotations[group % 2, k]
            a = a + b
            b = a ^ ((b << left) | (b >> (np.uint32(32) - left)))
        number = group.astype(np.uint32) + np.uint32(1)
        return a + schedule[(group + 1) % 3], b + schedule[(group + 2) % 3] + number

    return jax.lax.fori_loop(0, 5, four_rounds, (a + first, b + second))


def fold_in(key: tuple[Any, Any], number: Any) -> tuple[Any, Any]:
    """What `jax.random.fold_in` makes of a key and a uint32 array of numbers."""
    return threefry2x32(key, (number ^ number, number))
