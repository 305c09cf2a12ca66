"""Derivatives with respect to batches, whose extents are integers: `dynjax.grad` and the like."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax

from .._types.data import Data


def value_and_grad(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """As `jax.value_and_grad`, for arguments that are or hold Tensors and Batches.

    The pytree of a ragged batch has its extents among its leaves: integers, which
    `jax.value_and_grad` refuses. Here they are not differentiated, and the gradient is a batch of
    the same extents.

    Args:
        fun: gives a scalar, or with `has_aux` a pair of a scalar and anything else.
        argnums: number of the argument, or of several, to differentiate with respect to.
        has_aux: see `fun`.

    Returns:
        A function of `fun`'s arguments that gives `(value, gradient)`.

    Example:
        >>> ragged = dynjax.batch([np.float32([1, 2]), np.float32([3])])
        >>> value, gradient = dynjax.value_and_grad(lambda b: (b * b).jax(pad=True).sum())(ragged)
        >>> float(value), np.asarray(gradient.select(1)).tolist()
        (14.0, [6.0])
    """
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    @functools.wraps(fun)
    def function(*arguments: Any, **keywords: Any) -> Any:
        kept = [_Split(arguments[n]) for n in numbers]

        def of_values(values: Sequence[list[Any]]) -> Any:
            replaced = list(arguments)
            for n, split, part in zip(numbers, kept, values, strict=True):
                replaced[n] = split.joined(part)
            return fun(*replaced, **keywords)

        differentiated = jax.value_and_grad(of_values, has_aux=has_aux)
        value, gradients = differentiated([split.values for split in kept])
        results = [split.joined(part) for split, part in zip(kept, gradients, strict=True)]
        return value, results[0] if isinstance(argnums, int) else tuple(results)

    return function


def grad(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """As `jax.grad`, for arguments that are or hold Tensors and Batches; see `value_and_grad`.

    Example:
        >>> ragged = dynjax.batch([np.float32([1, 2]), np.float32([3])])
        >>> dynjax.grad(lambda b: (b * b).jax(pad=True).sum())(ragged).shape
        [(2,), (1,)]
    """
    both = value_and_grad(fun, argnums, has_aux)

    @functools.wraps(fun)
    def function(*arguments: Any, **keywords: Any) -> Any:
        value, gradient = both(*arguments, **keywords)
        return (gradient, value[1]) if has_aux else gradient

    return function


class _Split:
    """An argument as the arrays that are differentiated, and the rest of it."""

    def __init__(self, argument: Any):
        items, self._outer = jax.tree.flatten(argument, is_leaf=lambda x: isinstance(x, Data))
        self._inner: list[tuple[Any, list[Any]] | None] = []
        self.values: list[Any] = []
        for item in items:
            if not isinstance(item, Data):
                self.values.append(item)
                self._inner.append(None)
                continue
            leaves, tree = jax.tree.flatten(item)
            self.values.append(leaves[0])
            self._inner.append((tree, leaves[1:]))

    def joined(self, values: Sequence[Any]) -> Any:
        """The argument with other arrays."""
        items = [
            value if inner is None else jax.tree.unflatten(inner[0], [value, *inner[1]])
            for value, inner in zip(values, self._inner, strict=True)
        ]
        return jax.tree.unflatten(self._outer, items)
