"""Random words for the elements of a sample, and the quantities made from them.

The words of element j are block j of Threefry under the sample's key, where j counts the elements
of the true extents: padding changes no value. With the first block of words alone,
`first ^ second` is what `jax.random.bits` gives.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._random.threefry import threefry2x32
from ..._types.columns import Shape, any_of
from ..._types.dtypes import numpy_dtype
from ..._types.errors import OperatorError
from ..._types.spec import Spec

REAL_DTYPES = (
    *("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
    *("float32", "float64"),
)


def drawn_shape(name: str, like: Spec | None, shape: Sequence[Any] | None) -> Shape:
    """The shape of the result of a distribution operator."""
    if like is not None and shape is not None:
        raise OperatorError(f"{name}: shape_like and shape are both given; pass one of them.")
    if like is not None:
        return like.shape
    if shape is None:
        return ()
    if any(any_of(n < 0) for n in shape):
        raise OperatorError(f"{name}: shape={tuple(shape)!r}; an extent is negative.")
    return tuple(shape)


def drawn_dtype(name: str, dtype: Any, default: Any, accepted: Sequence[str]) -> np.dtype:
    """The dtype of the result of a distribution operator."""
    chosen = np.dtype(default) if dtype is None else numpy_dtype(dtype)
    if chosen.name not in accepted:
        raise OperatorError(f"{name}: dtype={chosen.name}; expected one of {', '.join(accepted)}.")
    return chosen


def element_index(extent: Sequence[Any], slot: Sequence[int]) -> Any:
    """The number of each element of a slot among those of the true extents, uint32."""
    index = jnp.zeros((), jnp.uint32)
    for axis, size in enumerate(slot):
        shape = [1] * len(slot)
        shape[axis] = size
        step = jnp.asarray(extent[axis]).astype(jnp.uint32)
        index = index * step + jnp.arange(size, dtype=jnp.uint32).reshape(shape)
    return jnp.broadcast_to(index, tuple(slot))


def words(key: Any, index: Any, block: Any = 0) -> tuple[Any, Any]:
    """Two words for each element; `block` tells several draws of one element apart."""
    high = jnp.broadcast_to(jnp.asarray(block).astype(jnp.uint32), jnp.shape(index))
    return threefry2x32((key[0], key[1]), (high, index))


def unit(word: Any) -> Any:
    """Uniform on [0, 1), float32: the upper 24 bits."""
    return (word >> 8).astype(jnp.float32) * jnp.float32(2.0**-24)


def unit_double(first: Any, second: Any) -> Any:
    """Uniform on [0, 1), float64: 53 bits of two words."""
    high = (first >> 5).astype(jnp.float64) * 2.0**26
    return (high + (second >> 6).astype(jnp.float64)) * 2.0**-53


def below(word: Any, count: Any) -> Any:
    """Uniform on {0, ..., count - 1}: the upper half of the 64-bit product, by 16-bit parts."""
    count = jnp.asarray(count).astype(jnp.uint32)
    low, high = word & 0xFFFF, word >> 16
    n_low, n_high = count & 0xFFFF, count >> 16
    middle = high * n_low + (low * n_low >> 16)
    crossed = low * n_high + (middle & 0xFFFF)
    return high * n_high + (middle >> 16) + (crossed >> 16)


def until_known(attempt: Any, value: Any, number: Any, last: int) -> Any:
    """Repeats `(number, value) -> (number + 1, value)` while any value is NaN.

    One array says what is drawn and what is not: with a second one for the latter, XLA's CPU
    compiler would compile, and run, all of the attempt twice.
    """

    def goes_on(state):
        return (state[0] < last) & jnp.any(jnp.isnan(state[1]))

    return jax.lax.while_loop(goes_on, attempt, (number, value))[1]
