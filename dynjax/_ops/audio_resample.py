"""Sound at another rate: `dynjax.audio_resample`."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .._schema import Apply, DTypeLike, Kernel, Output, PerSample, Table, operator
from .._types.columns import Column, any_of, ceil, first_of, is_constant, is_traced, value_at
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.bounds import largest as largest_of
from ._lib.fixed_point import DIGITS, ceiling, product, ratio_digits
from ._lib.full_scale import largest, to_scale
from ._lib.rounding import saturate
from ._lib.sinc_windows import PHASES, lobe_count, phase_weights

_WHAT = "audio_resample"
_DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32")


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    lobes: int,
) -> Any:
    del out_extent
    source, target = np.dtype(inputs[0].dtype), np.dtype(dtype)
    x = to_scale(jnp, inputs[0], source, target)
    length = extents[0][0]
    if not x.size:
        return jnp.zeros(out_shape, dtype)
    shape = (-1,) + (1,) * (x.ndim - 1)
    x = jnp.where((jnp.arange(x.shape[0]) < length).reshape(shape), x, 0)
    x = jnp.pad(x, [(lobes, lobes + 1), *[(0, 0)] * (x.ndim - 1)])
    base, fraction = product(jnp.arange(out_shape[0]), [tables[0][d] for d in range(DIGITS)])
    phase = (fraction // (2**32 // PHASES)).astype(jnp.int32)
    part = (fraction % (2**32 // PHASES)).astype(jnp.float32) * (PHASES * 2.0**-32)
    table = jnp.asarray(phase_weights(lobes).T)
    base = jnp.minimum(base, length)

    def add(tap: Any, out: Any) -> Any:
        row = table[tap]
        weight = row[phase] * (1 - part) + row[phase + 1] * part
        return out + weight.reshape(shape) * jnp.take(x, base + (tap + 1), axis=0, mode="clip")

    # Tap after tap: windows gathered side by side would take many times the memory.
    out = jnp.zeros((out_shape[0], *x.shape[1:]), jnp.float32)
    out = jax.lax.fori_loop(0, 2 * lobes, add, out)
    return saturate(out * largest(source, target), dtype)


_kernel = Kernel("audio_resample", _sample, cost=64)


@operator("audio_resample")
def audio_resample(
    signal: Spec,
    /,
    *,
    dtype: DTypeLike | None = None,
    in_rate: PerSample[float] | None = None,
    out_length: PerSample[int] | None = None,
    out_rate: PerSample[float] | None = None,
    quality: float = 50.0,
    scale: PerSample[float] | None = None,
) -> Output:
    """Resamples sound by a windowed sinc.

        out[k] = sum_i x[i] w(i - k / scale)
        w(t) = sinc(t) (1 + cos(pi t / (lobes + 1/64))) / 2 for |t| <= lobes
        lobes = round(0.007 quality^2 - 0.09 quality + 3)

    There is no low-pass filter: going to a lower rate, frequencies above half of it are mirrored
    into the result.

    Args:
        signal: int8, uint8, int16, uint16, int32, uint32 or float32; time along axis 0, channels
            along axis 1 if there is one.
        dtype: type of the result; an integer's largest value and a float's 1 are the same loudness.
            Default: the input's.
        in_rate, out_rate: the rates before and after, in any common unit; `scale` is their
            quotient.
        out_length: samples of the result, alternatively; `scale` is its quotient with the input's.
        quality: 0 to 100: 3 to 64 lobes.
        scale: samples of the result for each of the input, alternatively.

    Returns:
        `ceil(n scale)` samples in the input's layout.

    Raises:
        OperatorError: another type, more than two axes, not exactly one way to say how much,
            negative or zero rates, `quality` out of range.

    Source: DALI `AudioResample`; definition checked against recordings.

    Example:
        >>> wave = np.sin(np.arange(100) / 8).astype(np.float32)
        >>> longer = dynjax.audio_resample(wave, in_rate=16000.0, out_rate=24000.0)
        >>> longer.shape, (np.abs(np.asarray(longer)[60] - np.sin(40 / 8)) < 0.01).item()
        ((150,), True)
    """
    out = signal.dtype if dtype is None else np.dtype(numpy_dtype(dtype))
    for name, kind in (("the input", signal.dtype), ("dtype", out)):
        if kind.name not in _DTYPES:
            raise OperatorError(
                f"{_WHAT}: {name} is {kind.name}; expected one of {', '.join(_DTYPES)}. Use "
                "dynjax.cast."
            )
    if signal.ndim not in (1, 2):
        raise OperatorError(
            f"{_WHAT}: the input has {signal.ndim} axes; expected samples, or samples and channels."
        )
    if not 0 <= quality <= 100:
        raise OperatorError(f"{_WHAT}: quality={quality}; expected 0 to 100.")
    length = signal.shape[0]
    after, before = _ratio(length, in_rate, out_rate, scale, out_length)
    count = _count(length, after, before) if out_length is None else out_length

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        most = largest_of(count)
        if most is None and is_constant(after) and is_constant(before):
            most = int(ceil(slots[0][0] * (after / before)))
        return [most, *[None] * (signal.ndim - 1)]

    return Apply(
        _kernel,
        (count, *signal.shape[1:]),
        out,
        signal.layout,
        tables=(Table(np.int32, ratio_digits(before, after)),),
        static={"lobes": lobe_count(quality)},
        bound=bound,
    )


def _ratio(
    length: Column,
    in_rate: Column | None,
    out_rate: Column | None,
    scale: Column | None,
    out_length: Column | None,
) -> tuple[Column, Column]:
    """Two columns whose quotient is the scale."""
    if (in_rate is None) != (out_rate is None):
        raise OperatorError(f"{_WHAT}: in_rate and out_rate go together; only one was given.")
    ways = sum(v is not None for v in (in_rate, scale, out_length))
    if ways != 1:
        raise OperatorError(
            f"{_WHAT}: got {ways} of in_rate and out_rate, scale, out_length; expected exactly one."
        )
    if out_length is not None:
        _check("out_length", out_length, out_length < 0, "0 or more")
        return out_length, length
    if scale is not None:
        _check("scale", scale, scale < 0, "0 or more")
        return scale, 1.0
    assert in_rate is not None
    assert out_rate is not None
    _check("in_rate", in_rate, in_rate <= 0, "more than 0")
    _check("out_rate", out_rate, out_rate < 0, "0 or more")
    return out_rate, in_rate


def _check(name: str, column: Column, wrong: Any, expected: str) -> None:
    if any_of(wrong):
        sample = first_of(wrong)
        raise OperatorError(
            f"{_WHAT}: sample {sample}: {name}={value_at(column, sample)}; expected {expected}."
        )


def _count(length: Column, after: Column, before: Column) -> Column:
    if is_traced(length, after, before):
        return ceiling(length, ratio_digits(after, before))
    scale = np.asarray(after, np.float64) / np.asarray(before, np.float64)
    count = np.ceil(np.asarray(length) * scale).astype(np.int64)
    return int(count) if count.ndim == 0 else count
