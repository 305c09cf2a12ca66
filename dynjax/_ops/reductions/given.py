"""Means and deviations that a caller gives beside the data they belong to."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._types.columns import Column, any_of, first_of, is_constant, is_traced
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .._lib.slots import fitted

SCALAR, REDUCED, KEPT = "scalar", "reduced", "kept"


def is_one(column: Column) -> bool:
    """Whether an extent is 1 in every sample, as far as is known."""
    if is_constant(column):
        return column == 1
    return not is_traced(column) and bool(np.all(np.asarray(column) == 1))


def form_of(what: str, name: str, given: Spec, data: Spec, axes: Sequence[int]) -> str:
    """How a parameter relates to the data: one number, or one for each result of a reduction.

    Returns:
        `SCALAR`, `REDUCED` (without the reduced axes) or `KEPT` (they have an extent of 1).

    Raises:
        OperatorError: another shape.
    """
    if all(map(is_one, given.shape)):
        return SCALAR
    kept = [a for a in range(data.ndim) if a not in axes]
    if given.ndim == data.ndim:
        # What is traced cannot be checked.
        fits = all(is_traced(n) or is_one(n) for n in (given.shape[a] for a in axes))
        pairs = [(given.shape[a], data.shape[a]) for a in kept]
        form = KEPT
    else:
        fits = given.ndim == len(kept)
        pairs = list(zip(given.shape, (data.shape[a] for a in kept), strict=False))
        form = REDUCED
    sample = 0
    for a, b in pairs if fits else ():
        if not (a is b or is_traced(a, b)) and any_of(a != b):
            fits, sample = False, first_of(a != b)
            break
    if not fits:
        raise OperatorError(
            f"{what}: sample {sample}: {name} has shape {given.sample_shape(sample)}; the data "
            f"have {data.sample_shape(sample)} and are reduced along axes {tuple(axes)}. Pass one "
            "number, or one for each that is left."
        )
    return form


def laid_out(given: Any, form: str, data: Any, axes: tuple[int, ...]) -> Any:
    """A parameter as an array that broadcasts against the data, in JAX."""
    if form == SCALAR:
        return given.reshape(-1)[0]
    if form == REDUCED:
        given = jnp.expand_dims(given, axes)
    return fitted(given, [1 if a in axes else n for a, n in enumerate(data.shape)])
