"""Spectra on the mel scale: `dynjax.mel_filter_bank`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._schema import Apply, Kernel, Output, Table, operator
from .._types.columns import maximum
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import signals
from ._lib.along_axis import applied
from ._lib.mel import FORMULAS, corners_in_bins, filters
from ._lib.slots import fitted


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axis: int,
    normalize: bool,
) -> Any:
    del out_extent
    x = inputs[0]
    height, *corners = tables
    weights = filters(corners[0], corners[1], x.shape[axis], height[0] if normalize else None)
    result = applied(weights, x, axis, extents[0][axis])
    return fitted(result, out_shape).astype(dtype)


_kernel = Kernel("mel_filter_bank", _sample, cost=8)


@operator("mel_filter_bank")
def mel_filter_bank(
    spectrum: Spec,
    /,
    *,
    freq_high: float = 0.0,
    freq_low: float = 0.0,
    mel_formula: str = "slaney",
    nfilter: int = 128,
    normalize: bool = True,
    sample_rate: float = 44100.0,
) -> Output:
    """Sums frequencies into bands of equal width on the mel scale.

    Band `j` is a triangle in Hz between corners `j` and `j + 2` of `nfilter + 2` that are equally
    far apart in mel. Slaney's scale is `3 f / 200` below 1 kHz and `15 + 27 ln(f / 1000) / ln 6.4`
    above; HTK's is `1127 ln(1 + f / 700)`.

    Args:
        spectrum: float32. Frequencies, from 0 to half of the sampling rate, lie along axis `f` of
            the layout; without a layout along the last axis but one.
        freq_high, freq_low: the range of the bands in Hz. Default: 0 to half of the sampling rate.
        mel_formula: `"slaney"` or `"htk"`.
        nfilter: number of bands.
        normalize: divide each band by half of its width in Hz.
        sample_rate: in Hz.

    Returns:
        float32 in the input's layout, bands in place of frequencies.

    Raises:
        OperatorError: another type, a layout without `f`, another formula, an impossible range.

    Source: DALI `MelFilterBank`; definition checked against recordings.

    Example:
        >>> power = np.ones((129, 3), np.float32)
        >>> dynjax.mel_filter_bank(power, nfilter=20, sample_rate=16000.0).shape
        (20, 3)
    """
    what = "mel_filter_bank"
    signals.check_float(what, spectrum)
    axis = _frequency_axis(spectrum)
    high = freq_high if freq_high > 0 else sample_rate / 2
    if mel_formula not in FORMULAS:
        raise OperatorError(
            f"{what}: mel_formula={mel_formula!r}; expected one of {', '.join(FORMULAS)}."
        )
    if nfilter < 1 or sample_rate <= 0:
        raise OperatorError(
            f"{what}: nfilter={nfilter}, sample_rate={sample_rate}; expected at least 1 and more "
            "than 0."
        )
    if not 0 <= freq_low < high <= sample_rate:
        raise OperatorError(
            f"{what}: bands from {freq_low} to {high} Hz; expected a range between 0 and the "
            f"sampling rate, {sample_rate} Hz."
        )
    shape = list(spectrum.shape)
    step = sample_rate / 2 / maximum(shape[axis] - 1, 1)  # Hz from one frequency to the next
    corners = corners_in_bins(nfilter, freq_low, high, mel_formula, step)
    shape[axis] = nfilter
    return Apply(
        _kernel,
        tuple(shape),
        np.dtype(np.float32),
        spectrum.layout,
        tables=(Table(np.float32, (2 / step,)), *(Table(np.float32, part) for part in corners)),
        static={"axis": axis, "normalize": normalize},
    )


def _frequency_axis(spec: Spec) -> int:
    if not spec.ndim:
        raise OperatorError("mel_filter_bank: the input is a number; expected a spectrum.")
    if spec.layout is None:
        return max(spec.ndim - 2, 0)
    axis = spec.layout.find("f")
    if axis < 0:
        raise OperatorError(
            f"mel_filter_bank: the input's layout {spec.layout!r} has no axis 'f'. Name it with "
            "dynjax.as_batch(data, layout=...)."
        )
    return axis
