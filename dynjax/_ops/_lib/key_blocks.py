"""The generator's blocks inside `jit`, worked out apart from what uses them.

Fused into each use, the rounds take XLA's CPU compiler seconds, and it removes barriers.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._by_platform import by_platform, native_type
from ..._native import ensure_registered
from ..._random.threefry import threefry2x32
from ..._types.columns import is_traced

Words = tuple[Any, Any]


def block_words(
    key: Words, counter: Words, elsewhere: Callable[[Words, Words], Words] = threefry2x32
) -> Words:
    """The two words of each counter's block; all operands uint32 arrays that broadcast.

    Args:
        key, counter: two words each.
        elsewhere: the form for other platforms than the CPU.
    """
    if not is_traced(*key, *counter):
        return threefry2x32(key, counter)
    ensure_registered()
    parts = [jnp.asarray(w, np.uint32) for w in (*key, *counter)]
    shape = np.broadcast_shapes(*(w.shape for w in parts))
    parts = [w.reshape((1,) * (len(shape) - w.ndim) + w.shape) for w in parts]
    results = [jax.ShapeDtypeStruct(shape, np.uint32)] * 2
    everywhere = _FORMS.setdefault(elsewhere, lambda a, b, c, d: elsewhere((a, b), (c, d)))
    first, second = by_platform("dynjax_threefry", _native, everywhere, results, parts)
    return first, second


# The same object for each call with the same form.
_FORMS: dict[Any, Callable[..., Words]] = {}


def _native(*parts: Any) -> Any:
    shape = np.broadcast_shapes(*(w.shape for w in parts))
    results = (native_type(shape, np.dtype(np.uint32), parts),) * 2
    return jax.ffi.ffi_call("dynjax_threefry", results, vmap_method="expand_dims")(*parts)


def fold_in(key: Words, number: Any) -> Words:
    """What `jax.random.fold_in` makes of a key and a uint32 array of numbers."""
    return block_words(key, (number ^ number, number))
