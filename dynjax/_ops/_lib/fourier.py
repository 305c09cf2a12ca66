"""The Fourier transform of real signals whose length is data, in JAX."""

from typing import Any

import jax.numpy as jnp

from ..._types.errors import OperatorError

_MAX_LENGTH = 1 << 20  # up to which the phases below fit 32 bits


def spectrum(x: Any, length: Any, nfft: int | None, size: int) -> Any:
    """The first `size` frequencies of the transform along the last axis.

    Args:
        x: `[..., slot]`.
        length: of the signal in its slot.
        nfft: length of the transform: the signal is cut or followed by zeros. None: the signal's.
        size: extent of the result's last axis; frequencies beyond the last one are arbitrary.
    """
    x = jnp.where(jnp.arange(x.shape[-1]) < length, x, jnp.zeros((), x.dtype))
    if nfft is None and isinstance(length, int):
        nfft = length
    if nfft is not None:
        return jnp.fft.rfft(x, nfft)
    return _chirp(x, length, size)


def _chirp(x: Any, length: Any, size: int) -> Any:
    """Bluestein's algorithm: a convolution with a chirp, of a size that is not the length's.

    X[k] = c[k] sum_n x[n] c[n] conj(c[k - n]),  c[n] = exp(-pi i n^2 / length)
    """
    slot = x.shape[-1]
    if slot > _MAX_LENGTH:
        raise OperatorError(
            f"power_spectrum: inside jit the length of a signal in a slot of {slot} is data; "
            f"expected at most {_MAX_LENGTH}. Give nfft."
        )
    room = 1 << (2 * max(slot, size) - 1).bit_length()
    distance = jnp.arange(room)
    distance = jnp.minimum(distance, room - distance)
    kernel = jnp.conj(_chirp_values(distance, length))
    signal = x * _chirp_values(jnp.arange(slot), length)
    product = jnp.fft.fft(signal, room) * jnp.fft.fft(kernel, room)
    return jnp.fft.ifft(product)[..., :size] * _chirp_values(jnp.arange(size), length)


def _chirp_values(n: Any, length: Any) -> Any:
    """`exp(-pi i n^2 / length)`, the phase reduced in whole numbers: floats could not hold it."""
    period = jnp.maximum(2 * jnp.asarray(length), 1).astype(jnp.uint32)
    n = n.astype(jnp.uint32)
    high, low = n >> 10, n & 1023
    square = (high * high) % period
    square = (square * 1024) % period
    square = (square + 2 * high * low) % period
    square = (square * 1024) % period
    square = (square + low * low) % period
    phase = -jnp.pi * square.astype(jnp.float32) / jnp.maximum(length, 1)
    return jnp.cos(phase) + 1j * jnp.sin(phase)
