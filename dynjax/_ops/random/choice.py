"""Elements or slices picked at random: `dynjax.random.choice`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Output, PerSample, Table, operator
from ..._types.columns import Column, any_of
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib import draws
from .._lib.slots import fitted


def _sample(inputs, extents, out_extent, tables, out_shape, dtype, axes, weighted):
    source = inputs[0]
    drawn = draws.element_index(out_extent[:axes], out_shape[:axes])
    first, second = draws.words(tables[0], drawn)
    count = source if source.ndim == 0 else extents[0][0]
    if weighted:
        chosen = _weighted(draws.unit(first ^ second), tables[1])
    else:
        chosen = draws.below(first ^ second, count)
    if source.ndim == 0:
        return chosen.astype(dtype)
    picked = jnp.take(source, chosen.astype(jnp.int32), axis=0, mode="clip")
    return fitted(picked, out_shape)


def _weighted(u: Any, p: Any) -> Any:
    """The interval of [0, 1) in which each u lies; rounding at the end goes to the last one > 0."""
    ends = jnp.cumsum(p)
    chosen = jnp.sum(u[..., None] * ends[-1] >= ends, axis=-1)
    last = p.shape[0] - 1 - jnp.argmax(p[::-1] > 0)
    return jnp.minimum(chosen, last)


_choice = Kernel("choice", _sample, native=False, cost=16)


@operator("random.choice", random=True)
def choice(
    a: Spec,
    shape_like: Spec | None = None,
    /,
    *,
    p: PerSample[list[float]] | None = None,
    shape: PerSample[list[int]] | None = None,
    key: Sequence[Column],
) -> Output:
    """Picks numbers below `a`, or elements or slices of `a`, with replacement.

    Args:
        a: an integer n, for numbers from 0 to n - 1; or data whose slices along the first axis
            are picked.
        shape_like: data whose shape the picks take.
        p: probability of each number or slice; they sum to 1. Default: equal ones.
        shape: extents of the picks. Default: one pick.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        `shape` followed by the shape of a slice, in the dtype of `a`; its layout as far as the
        number of axes allows.

    Raises:
        OperatorError: nothing to pick from, a scalar that is no integer, probabilities that are
            negative, do not sum to 1 or are not one for each choice, both shapes.

    Source: DALI `random.Choice`.

    Example:
        >>> picks = dynjax.random.choice(10, shape=[3], key=jax.random.key(1))
        >>> picks.shape, picks.dtype
        ((3,), DType(kind=Kind.signed, bits=32))
    """
    drawn = draws.drawn_shape("random.choice", shape_like, shape)
    if a.ndim == 0 and a.dtype.kind not in "iu":
        raise OperatorError(f"random.choice: a is a {a.dtype.name} scalar; expected an integer.")
    if a.ndim and any_of(a.shape[0] <= 0):
        raise OperatorError("random.choice: a has no elements; there is nothing to pick.")
    tables = [Table(np.uint32, key)]
    if p is not None:
        _check_probabilities(p)
        if a.ndim and any_of(a.shape[0] != len(p)):
            raise OperatorError(
                f"random.choice: p has {len(p)} values; expected one for each element of a."
            )
        tables.append(Table(np.float32, tuple(p)))
    layout = a.layout
    if layout is not None and len(drawn) != 1:
        layout = layout[1:] if not drawn else None
    return Apply(
        _choice,
        (*drawn, *a.shape[1:]),
        a.dtype,
        layout or None,
        tables=tables,
        static={"axes": len(drawn), "weighted": p is not None},
        check=None if a.ndim else _counts_checked(p),
    )


def _check_probabilities(p: Sequence[Column]) -> None:
    if any(any_of(v < 0) or any_of(v > 1) for v in p):
        raise OperatorError("random.choice: p has a value outside [0, 1].")
    if any_of(abs(sum(p) - 1.0) >= 1e-4):
        raise OperatorError("random.choice: the values of p do not sum to 1.")


def _counts_checked(p: Sequence[Column] | None):
    def check(values: Sequence[np.ndarray]) -> None:
        if np.any(values[0] <= 0):
            raise OperatorError("random.choice: a is not positive; there is nothing to pick.")
        if p is not None and np.any(values[0] != len(p)):
            raise OperatorError(f"random.choice: p has {len(p)} values; expected a of them.")

    return check
