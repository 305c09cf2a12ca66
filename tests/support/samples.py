"""Small inputs for tests, and the samples of a result as NumPy arrays."""

import numpy as np

import dynjax
from dynjax._types.columns import from_table
from dynjax._types.device import Device
from dynjax._types.spec import Spec
from dynjax._types.storage import Padded


def arrays(data) -> list[np.ndarray]:
    """Copies of the samples of a batch, or of a tensor as the only one."""
    if isinstance(data, dynjax.Tensor):
        return [np.array(data)]
    return [np.array(sample) for sample in data]


def noise(seed: int, shape: tuple[int, ...], dtype="uint8") -> np.ndarray:
    """Uniform noise over the whole range of an integer type, or in [0, 1)."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return rng.random(shape).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype, endpoint=True)


def padded(
    samples: list[np.ndarray], slot: tuple[int, ...], *, fill, layout: str, constant=()
) -> dynjax.Batch:
    """A batch in the form that enters `jit`, with `fill` and not zero outside the samples.

    `constant` are the axes that all samples share by construction.
    """
    extent = np.array([s.shape for s in samples], np.int32)
    array = np.full((len(samples), *slot), fill, samples[0].dtype)
    for row, sample in zip(array, samples, strict=True):
        row[tuple(map(slice, sample.shape))] = sample
    columns = list(from_table(extent))
    for axis in constant:
        columns[axis] = slot[axis]
    spec = Spec(len(samples), tuple(columns), array.dtype, layout, True, Device.CPU)
    return dynjax.Batch._make(spec, Padded(array, extent))


def aligned(shape: tuple[int, ...], dtype, offset: int) -> np.ndarray:
    """An array of zeros whose address is `offset` beyond a multiple of 64."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 128, np.uint8)
    start = -raw.ctypes.data % 64 + offset
    array = raw[start : start + size].view(dtype).reshape(shape)
    assert array.ctypes.data % 64 == offset
    return array
