"""Spectra of a signal in time: `dynjax.spectrogram`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, Table, operator
from .._types.columns import any_of, first_of
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import signals
from ._lib.framing import extended, frame_count, framed
from ._lib.magnitudes import magnitudes
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
    nfft: int,
    window: int,
    step: int,
    power: int,
    centred: bool,
    reflect: bool,
    time_first: bool,
) -> Any:
    del out_extent
    count = out_shape[0 if time_first else 1]
    x = jnp.moveaxis(inputs[0], axis, 0) if axis > 0 else jnp.atleast_1d(inputs[0])
    signal = x.reshape(x.shape[0], -1)[:, 0] if x.size else jnp.zeros(1, x.dtype)
    length = 1 if axis < 0 else extents[0][axis]
    before = window // 2 if centred else 0
    total = max(count - 1, 0) * step + window
    whole = extended(signal, length, before, total, reflect and centred)
    shape = tables[0] if tables else jnp.asarray(hann(window))
    frames = framed(whole, count, window, step) * shape
    result = magnitudes(jnp.fft.rfft(frames, nfft), power)
    return fitted(result if time_first else result.T, out_shape).astype(dtype)


_kernel = Kernel("spectrogram", _sample, cost=8)


def hann(window: int) -> np.ndarray:
    """The default window: a raised cosine, symmetric about the middle of its samples."""
    phase = 2 * np.pi * (np.arange(window) + 0.5) / max(window, 1)
    return (0.5 * (1 - np.cos(phase))).astype(np.float32)


@operator("spectrogram")
def spectrogram(
    signal: Spec,
    /,
    *,
    center_windows: bool = True,
    layout: str = "ft",
    nfft: int | None = None,
    power: int = 2,
    reflect_padding: bool = True,
    window_fn: list[float] | None = None,
    window_length: int = 512,
    window_step: int = 256,
) -> Output:
    """The spectrum of windows that move along a signal.

        out[f, k] = |sum_n window_fn[n] x[k window_step - before + n] exp(-2 pi i f n / nfft)|^power

    `before` is half a window if windows are centred, else 0.

    Args:
        signal: float32 samples in time; further axes have an extent of 1.
        center_windows: window `k` is centred on sample `k window_step`, and there are
            `n // window_step + 1` of them. Otherwise it begins there.
        layout: of the result: `"ft"` (frequency, time) or `"tf"`.
        nfft: length of the transform, at least the window's. Default: the window's.
        power: 2 for power, 1 for magnitudes.
        reflect_padding: what centred windows see beyond the ends is the signal mirrored at its
            first and last sample; otherwise, and beyond the end of windows that are not centred,
            zeros.
        window_fn: the window's values. Default: Hann's, `(1 - cos(2 pi (n + 1/2) / length)) / 2`.
        window_length, window_step: in samples.

    Returns:
        float32, `nfft // 2 + 1` frequencies.

    Raises:
        OperatorError: another type, several channels, a signal that is empty or too short, a
            window longer than `nfft`, another `power` or `layout`.

    Source: DALI `Spectrogram`; definition checked against recordings.

    Example:
        >>> wave = np.sin(2 * np.pi * 1000 * np.arange(1600) / 16000).astype(np.float32)
        >>> power = dynjax.spectrogram(wave, window_length=320, window_step=160)
        >>> power.shape, int(np.asarray(power)[:, 5].argmax()) * 16000 // 320
        ((161, 11), 1000)
    """
    size = window_length if nfft is None else nfft
    signals.check_float("spectrogram", signal)
    _check(window_length, window_step, size, power, layout, window_fn)
    signals.check_not_empty("spectrogram", signal)
    axis = signals.time_axis("spectrogram", signal)
    length = 1 if axis is None else signal.shape[axis]
    if not center_windows and any_of(length + window_step <= window_length):
        sample = first_of(length + window_step <= window_length)
        raise OperatorError(
            f"spectrogram: sample {sample} has {signal.sample_shape(sample)} elements, too few for "
            f"a window of {window_length}. Use center_windows=True, or a shorter window."
        )

    def count(n: Any) -> Any:
        return frame_count(n, window_length, window_step, center_windows)

    def arranged(time: Any, frequency: Any) -> tuple[Any, Any]:
        return (time, frequency) if layout == "tf" else (frequency, time)

    return Apply(
        _kernel,
        arranged(count(length), size // 2 + 1),
        np.dtype(np.float32),
        layout,
        tables=() if window_fn is None else (Table(np.float32, window_fn),),
        static={
            "axis": -1 if axis is None else axis,
            "nfft": size,
            "window": window_length,
            "step": window_step,
            "power": power,
            "centred": center_windows,
            "reflect": reflect_padding,
            "time_first": layout == "tf",
        },
        bound=lambda slots: arranged(count(slots[0][axis] if axis is not None else 1), None),
    )


def _check(
    window: int, step: int, nfft: int, power: int, layout: str, values: Sequence[float] | None
) -> None:
    what = "spectrogram"
    if window < 1 or step < 1:
        raise OperatorError(
            f"{what}: window_length={window} and window_step={step}; expected at least 1."
        )
    if window > nfft:
        raise OperatorError(
            f"{what}: window_length={window} is larger than nfft={nfft}. Give a larger nfft or a "
            "shorter window."
        )
    if nfft > signals.MAX_NFFT:
        raise OperatorError(f"{what}: nfft={nfft}; expected at most {signals.MAX_NFFT}.")
    if power not in (1, 2):
        raise OperatorError(f"{what}: power={power}; expected 1 (magnitude) or 2 (power).")
    if layout not in ("ft", "tf"):
        raise OperatorError(f"{what}: layout={layout!r}; expected 'ft' or 'tf'.")
    if values is not None and len(values) != window:
        raise OperatorError(
            f"{what}: window_fn has {len(values)} values; expected window_length={window}."
        )
