"""Outputs that a rule has worked out itself, from data whose values decide their size."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._schema import Apply, Kernel
from ..._types.columns import Column, from_table
from ..._types.data import Data
from ..._types.errors import ArgumentError
from ..._types.storage import Dense, Packed, Storage, capacity
from .host_samples import views

_kernel = Kernel("ready", native=False)


def host_samples(what: str, data: Data, count: int) -> list[np.ndarray]:
    """The samples of an input on the host; a single one serves every sample of the batch.

    Raises:
        ArgumentError: the data are on another device.
    """
    if data.device.device_type != "cpu":
        raise ArgumentError(
            f"{what}: an input is on {data.device}; the operator runs on the CPU. Pass data.cpu()."
        )
    return views(data.storage, data.spec, count)


def ready(
    samples: Sequence[np.ndarray],
    rank: int,
    dtype: np.dtype,
    batched: bool,
    layout: str | None = None,
    inner: Sequence[int] = (),
) -> Apply:
    """The output that holds these samples.

    Args:
        samples: one array for each sample, all of one rank and dtype.
        rank: their number of axes.
        dtype: of the elements.
        batched: whether the call is a batch call.
        layout: of the output.
        inner: extents of the last axes that all samples share by construction; the axes before
            them are data, even if they agree.
    """
    shape: tuple[Column, ...] = (*inner,)
    if not batched:
        shape = tuple(samples[0].shape)
    elif rank > len(inner):
        extents = np.array([s.shape for s in samples], np.int64).reshape(len(samples), rank)
        shape = (*from_table(extents[:, : rank - len(inner)]), *inner)
    storage = _stored(samples, rank, dtype, batched, uniform=rank == len(inner), inner=inner)

    def host(_: Any) -> Storage:
        return storage

    return Apply(_kernel, shape, dtype, layout, host=host)


def _stored(
    samples: Sequence[np.ndarray],
    rank: int,
    dtype: np.dtype,
    batched: bool,
    uniform: bool,
    inner: Sequence[int],
) -> Storage:
    if not batched:
        return Dense(np.ascontiguousarray(samples[0], dtype).reshape(samples[0].shape), False)
    if uniform:
        return Dense(np.array(samples, dtype).reshape(len(samples), *inner))
    extent = np.array([s.shape for s in samples], np.int32).reshape(len(samples), rank)
    total = sum(math.prod(s.shape) for s in samples)
    buffer = np.zeros(capacity(total), dtype)
    if samples:
        np.concatenate([s.reshape(-1) for s in samples], out=buffer[:total])
    return Packed(buffer, extent)
