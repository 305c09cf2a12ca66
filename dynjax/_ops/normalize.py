"""Normalisation to a mean and a deviation: `dynjax.normalize`."""

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_batching import custom_vmap

from .._schema import Apply, DTypeLike, Kernel, Output, Table, operator
from .._types.columns import any_of, is_constant, is_traced
from .._types.construct import as_data
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.rounding import saturate
from ._lib.slots import fitted
from .reductions.axes import chosen_axes
from .reductions.given import KEPT, REDUCED, SCALAR, form_of, is_one, laid_out
from .reductions.sums import precise
from .reductions.valid import elements, inside, masked


@custom_vmap
def _over_samples(x: Any, sample: Any) -> Any:
    """The sum of a value over the samples of the batch, for a function of one sample.

    Args:
        x: the value; it may be the same for all samples.
        sample: anything that `vmap` batches: of a value alone that is the same for all samples it
            does not ask the rule, and the value would count once.
    """
    del sample
    return x


@_over_samples.def_vmap
def _sum_samples(
    axis_size: int, in_batched: Sequence[bool], x: Any, sample: Any
) -> tuple[Any, bool]:
    # Batched by `vmap` like any kernel, which meets all samples exactly here.
    del sample
    return (jnp.sum(x, 0) if in_batched[0] else x * axis_size), False


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axes: tuple[int, ...],
    batch: bool,
    mean_form: str,
    stddev_form: str,
    ddof: int,
    epsilon: float,
    scale: float,
    shift: float,
) -> Any:
    del out_extent, tables
    dtype = jax.dtypes.canonicalize_dtype(dtype)
    x = inputs[0].astype(precise(inputs[0].dtype, dtype))
    mask = inside(x, extents[0], axes)

    def total(values: Any) -> Any:
        own = jnp.sum(masked(values, mask, 0), axes, keepdims=True)
        return _over_samples(own, x) if batch else own

    count = jnp.asarray(elements(extents[0], axes), x.dtype)
    count = _over_samples(count, x) if batch else count
    if mean_form:
        mean = laid_out(inputs[1].astype(x.dtype), mean_form, x, axes)
    else:
        mean = total(x) / jnp.maximum(count, 1)
    if stddev_form:
        variance = laid_out(inputs[2].astype(x.dtype), stddev_form, x, axes) ** 2
    else:
        distance = x - mean
        freedom = count - ddof
        divisor = jnp.where(freedom > 0, freedom, jnp.inf)
        variance = total(distance * distance) / divisor
    variance = variance + epsilon
    # Where there is no spread, the result is `shift`; without the inner choice, its derivative nan.
    spread = variance > 0
    factor = jnp.where(spread, scale * jax.lax.rsqrt(jnp.where(spread, variance, 1)), 0)
    return fitted(saturate((x - mean) * factor + shift, dtype), out_shape)


def _own_sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    first: int,
    count: int,
    has_mean: bool,
    has_stddev: bool,
) -> Any:
    ddof, epsilon, scale, shift = tables[0]
    axes = tuple(range(first, first + count))

    def form(given: Any) -> str:
        return KEPT if given.ndim == inputs[0].ndim else REDUCED if given.ndim else SCALAR

    return _sample(
        inputs,
        extents,
        out_extent,
        (),
        out_shape=out_shape,
        dtype=dtype,
        axes=axes,
        batch=False,
        mean_form=form(inputs[1]) if has_mean else "",
        stddev_form=form(inputs[2]) if has_stddev else "",
        ddof=ddof,
        epsilon=epsilon,
        scale=scale,
        shift=shift,
    )


_KERNEL = Kernel("normalize", _sample, native=False)
_NATIVE = Kernel("normalize", _own_sample, cost=4)
# Those of ops/base/convert.h.
_NATIVE_TYPES = frozenset(
    ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "float32")
)
_LEAST_REDUCED = 64


# The mean and the deviation are inputs here, since they may have the shape of an array.
@operator("normalize", hidden=True)
def _normalize(
    input: Spec,
    mean: Spec,
    stddev: Spec,
    /,
    *,
    has_mean: bool,
    has_stddev: bool,
    axes: list[int] | None = None,
    axis_names: str | None = None,
    batch: bool = False,
    ddof: int = 0,
    dtype: DTypeLike = np.float32,
    epsilon: float = 0.0,
    scale: float = 1.0,
    shift: float = 0.0,
) -> Output:
    given = [s for s, has in ((mean, has_mean), (stddev, has_stddev)) if has]
    reduced = _reduced_axes(input, axes, axis_names, given)
    if batch:
        _check_kept(input, reduced)
    mean_form = form_of("normalize", "mean", mean, input, reduced) if has_mean else ""
    stddev_form = form_of("normalize", "stddev", stddev, input, reduced) if has_stddev else ""
    out_dtype = numpy_dtype(dtype)
    if not batch and _is_native(input, out_dtype, reduced, given):
        return Apply(
            _NATIVE,
            input.shape,
            out_dtype,
            input.layout,
            tables=(Table(np.float32, (ddof, epsilon, scale, shift)),),
            static={
                "first": reduced[0],
                "count": len(reduced),
                "has_mean": has_mean,
                "has_stddev": has_stddev,
            },
        )
    static: dict[str, Any] = {
        "axes": reduced,
        "batch": batch,
        "mean_form": mean_form,
        "stddev_form": stddev_form,
        "ddof": ddof,
        "epsilon": epsilon,
        "scale": scale,
        "shift": shift,
    }
    return Apply(_KERNEL, input.shape, out_dtype, input.layout, static=static)


def _is_native(input: Spec, dtype: np.dtype, reduced: Sequence[int], given: Sequence[Spec]) -> bool:
    """Whether the native kernel knows the types and reduces along these axes."""
    if not {input.dtype.name, dtype.name} <= _NATIVE_TYPES or not reduced:
        return False
    if any(s.dtype != np.float32 for s in given) or reduced[-1] - reduced[0] >= len(reduced):
        return False
    # For each of many short runs it would prepare more than it computes.
    extents = [input.shape[a] for a in reduced]
    short = all(map(is_constant, extents)) and math.prod(extents) < _LEAST_REDUCED
    return reduced[0] == 0 or not short


def _reduced_axes(
    input: Spec, axes: Sequence[int] | None, axis_names: str | None, given: Sequence[Spec]
) -> tuple[int, ...]:
    """The axes to reduce; by default those along which the given arrays do not vary, or all."""
    chosen = chosen_axes("normalize", input, axes, axis_names)
    if chosen is None:
        arrays = [s.shape for s in given if s.ndim == input.ndim and not all(map(is_one, s.shape))]
        shared = range(input.ndim)
        reduced = tuple(a for a in shared if all(is_one(shape[a]) for shape in arrays))
        if not reduced and any(is_traced(*shape) for shape in arrays):
            raise OperatorError(
                "normalize: inside jit the shape of mean or stddev does not say along which axes "
                "they vary. Pass axes."
            )
        return reduced
    if not chosen:
        raise OperatorError("normalize: axes is empty; expected at least one axis.")
    for axis in chosen:
        if not 0 <= axis < input.ndim:
            raise OperatorError(
                f"normalize: axis {axis} is out of range; the input has {input.ndim} axes, "
                "counted from 0."
            )
    if len(set(chosen)) < len(chosen):
        raise OperatorError(f"normalize: axes={chosen!r} names an axis twice.")
    return tuple(sorted(chosen))


def _check_kept(input: Spec, axes: Sequence[int]) -> None:
    """All samples of a batch share the extents along axes that are not reduced."""
    for axis, extent in enumerate(input.shape):
        if axis in axes or is_constant(extent) or is_traced(extent):
            continue
        if any_of(extent != extent[:1]):
            raise OperatorError(
                f"normalize: batch=True needs samples of one extent along axis {axis}, which is "
                "not reduced; they differ."
            )


def normalize(
    input: Any,
    /,
    *,
    batch_size: int | None = None,
    device: Any = None,
    axes: int | Sequence[int] | None = None,
    axis_names: str | None = None,
    batch: bool | None = None,
    ddof: int | None = None,
    dtype: DTypeLike | None = None,
    epsilon: float | None = None,
    mean: Any = None,
    scale: float | None = None,
    shift: float | None = None,
    stddev: Any = None,
) -> Any:
    """Subtracts the mean and divides by the standard deviation.

        out = (in - mean) / sqrt(stddev**2 + epsilon) * scale + shift
        stddev**2 = sum((in - mean)**2) / (n - ddof)

    Both are taken along `axes`, unless they are given. Where the deviation is 0 or `n <= ddof`,
    the result is `shift`.

    Args:
        input: any type.
        axes: the axes to reduce, counted from 0. Default: all, or those along which a given array
            `mean` or `stddev` has an extent of 1; inside `jit`, where extents that are data do not
            say so, needed then.
        axis_names: the same by letters of the layout, alternatively.
        batch: take mean and deviation over all samples of the batch as well; their extents may
            differ along the reduced axes.
        ddof: subtracted from the number of elements; 1 gives the unbiased estimate.
        dtype: type of the result; integers are rounded and clamped. Default: float32.
        epsilon: added to the square of the deviation.
        mean, stddev: a number; an array with one number for each that the reduction leaves, with
            or without the reduced axes; or a Batch of these.
        scale, shift: applied after normalisation.

    Returns:
        Same shape and layout as `input`.

    Raises:
        OperatorError: no such axis, or a mean or deviation whose shape does not fit.

    Source: DALI `Normalize`, which takes a mean and a deviation together only in one shape, and
    none as arrays with `batch`.

    Example:
        >>> np.asarray(dynjax.normalize([1.0, 3.0])).tolist()
        [-1.0, 1.0]
    """
    neutral = 0.0
    return _normalize(
        as_data(input),
        as_data(neutral if mean is None else mean),
        as_data(neutral if stddev is None else stddev),
        batch_size=batch_size,
        device=device,
        has_mean=mean is not None,
        has_stddev=stddev is not None,
        axes=axes,
        axis_names=axis_names,
        batch=batch,
        ddof=ddof,
        dtype=dtype,
        epsilon=epsilon,
        scale=scale,
        shift=shift,
    )
