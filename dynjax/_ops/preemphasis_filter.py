"""A filter that raises high frequencies: `dynjax.preemphasis_filter`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, DTypeLike, Kernel, Output, PerSample, Table, operator
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.rounding import saturate
from .reductions.sums import precise

_BORDERS = ("clamp", "reflect", "zero")
_INTEGERS = tuple(f"{sign}int{bits}" for sign in ("u", "") for bits in (8, 16, 32, 64))
_DTYPES = (*_INTEGERS, "float32", "float64")


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    border: str,
) -> Any:
    del out_extent, out_shape
    x = inputs[0].astype(precise(inputs[0].dtype, dtype))
    if not x.size:
        return x.astype(dtype)
    before: Any = jnp.zeros((), x.dtype)
    if border == "clamp":
        before = x[(0,) * x.ndim]
    elif border == "reflect":
        before = _second(x, extents[0])
    return saturate(x - tables[0][0] * _shifted(x, extents[0], before), dtype)


def _second(x: Any, extent: Sequence[Any]) -> Any:
    """The second element in order of memory; the first if there is no other."""
    if x.ndim == 0:
        return x
    following = _second(x[..., 0], extent[:-1])
    if x.shape[-1] < 2:
        return following
    return jnp.where(extent[-1] > 1, x[(*(0,) * (x.ndim - 1), 1)], following)


def _shifted(x: Any, extent: Sequence[Any], first: Any) -> Any:
    """The element before each in order of memory; `first` before the first."""
    if x.ndim == 0:
        return first
    last = jnp.take(x, extent[-1] - 1, axis=-1, mode="clip")
    heads = _shifted(last, extent[:-1], first)
    return jnp.concatenate([heads[..., None], x[..., :-1]], axis=-1)


_kernel = Kernel("preemphasis_filter", _sample, cost=2)
_wide_kernel = Kernel("preemphasis_filter_wide", _sample, native=False, cost=2)


@operator("preemphasis_filter")
def preemphasis_filter(
    signal: Spec,
    /,
    *,
    border: str = "clamp",
    dtype: DTypeLike = np.float32,
    preemph_coeff: PerSample[float] = 0.97,
) -> Output:
    """Subtracts from each element a part of the one before it.

        out[t] = x[t] - preemph_coeff x[t - 1]

    Args:
        signal: integers, float32 or float64. With several axes the element before is that in
            order of memory.
        border: the element before the first: `"clamp"` (the first itself), `"reflect"` (the
            second) or `"zero"`.
        dtype: type of the result; integers are rounded and clamped. Default: float32.
        preemph_coeff: the part.

    Returns:
        In the input's shape and layout.

    Raises:
        OperatorError: another type or `border`.

    Source: DALI `PreemphasisFilter`; definition checked against recordings.

    Example:
        >>> np.asarray(dynjax.preemphasis_filter(np.float32([1, 2, 4]), preemph_coeff=0.5))
        array([0.5, 1.5, 3. ], dtype=float32)
    """
    out = np.dtype(numpy_dtype(dtype))
    for name, kind in (("the input", signal.dtype), ("dtype", out)):
        if kind.name not in _DTYPES:
            raise OperatorError(
                f"preemphasis_filter: {name} is {kind.name}; expected one of {', '.join(_DTYPES)}. "
                "Use dynjax.cast."
            )
    if border not in _BORDERS:
        raise OperatorError(
            f"preemphasis_filter: border={border!r}; expected one of {', '.join(_BORDERS)}."
        )
    narrow = max(signal.dtype.itemsize, out.itemsize) < 8
    return Apply(
        _kernel if narrow else _wide_kernel,
        signal.shape,
        out,
        signal.layout,
        tables=(Table(np.float32, (preemph_coeff,)),),
        static={"border": border},
    )
