"""The spectrum of whole signals: `dynjax.power_spectrum`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import signals
from ._lib.axes import position
from ._lib.fourier import spectrum
from ._lib.magnitudes import magnitudes
from ._lib.slots import fitted


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axis: int,
    nfft: int,
    power: int,
) -> Any:
    del out_extent, tables
    x = jnp.moveaxis(inputs[0], axis, -1)
    values = magnitudes(spectrum(x, extents[0][axis], nfft or None, out_shape[axis]), power)
    return fitted(jnp.moveaxis(values, -1, axis), out_shape).astype(dtype)


_kernel = Kernel("power_spectrum", _sample, cost=16)


@operator("power_spectrum")
def power_spectrum(
    signal: Spec, /, *, axis: int = -1, nfft: int | None = None, power: int = 2
) -> Output:
    """The spectrum of a signal, without windows.

        out[f] = |sum_n x[n] exp(-2 pi i f n / nfft)|^power

    Args:
        signal: float32.
        axis: along which the transform is taken; negative ones count from the end.
        nfft: length of the transform; the signal is cut, or followed by zeros. Default: the
            signal's length, each sample's own.
        power: 2 for power, 1 for magnitudes.

    Returns:
        float32 in the input's layout, with `nfft // 2 + 1` frequencies along the axis.

    Raises:
        OperatorError: another type, no such axis, an empty signal, `nfft` below 1, another `power`.

    Source: DALI `PowerSpectrum`, which fails on a length of 2.

    Example:
        >>> np.asarray(dynjax.power_spectrum(np.ones(4, np.float32)))
        array([16.,  0.,  0.], dtype=float32)
    """
    signals.check_float("power_spectrum", signal)
    signals.check_not_empty("power_spectrum", signal)
    if power not in (1, 2):
        raise OperatorError(f"power_spectrum: power={power}; expected 1 (magnitude) or 2 (power).")
    if nfft is not None and not 1 <= nfft <= signals.MAX_NFFT:
        raise OperatorError(f"power_spectrum: nfft={nfft}; expected 1 to {signals.MAX_NFFT}.")
    axis = position("power_spectrum", axis, signal.ndim)
    shape = list(signal.shape)
    shape[axis] = (shape[axis] if nfft is None else nfft) // 2 + 1

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        return [slots[0][axis] // 2 + 1 if a == axis else None for a in range(signal.ndim)]

    return Apply(
        _kernel,
        tuple(shape),
        np.dtype(np.float32),
        signal.layout,
        static={"axis": axis, "nfft": nfft or 0, "power": power},
        bound=bound,
    )
