"""The regions of `nonsilent_region` on the host, by NumPy.

XLA computes cumulative sums by many passes; one in float64 needs none of the care with rounding.
"""

import threading
from collections.abc import Callable, Sequence

import numpy as np

from ..._types.spec import Spec
from ..._types.storage import Dense, Storage
from .host_samples import batching, views

Host = Callable[[Sequence[Storage]], Storage]


def region_hosts(spec: Spec, window: int, reference: float, ratio: float) -> tuple[Host, Host]:
    """The host ways of the two outputs, begin and length; the second uses what the first found."""
    count, batched = batching([spec])
    found = threading.local()  # the outputs of one call are computed in one thread

    def compute(storages: Sequence[Storage]) -> np.ndarray:
        samples = views(storages[0], spec, count)
        rows = [_region(x, window, reference, ratio) for x in samples]
        return np.array(rows, np.int32).reshape(count, 2)

    def stored(column: np.ndarray) -> Storage:
        return Dense(column.copy() if batched else column[0, ...].copy(), batched)

    def begin(storages: Sequence[Storage]) -> Storage:
        regions = compute(storages)
        found.last = storages[0], regions
        return stored(regions[:, 0])

    def length(storages: Sequence[Storage]) -> Storage:
        storage, regions = getattr(found, "last", (None, None))
        found.last = None, None
        if regions is None or storage is not storages[0]:
            regions = compute(storages)
        return stored(regions[:, 1])

    return begin, length


def _region(x: np.ndarray, window: int, reference: float, ratio: float) -> tuple[int, int]:
    if not len(x):
        return 0, 0
    values = x.astype(np.float32)
    total = np.cumsum(values * values, dtype=np.float64)
    power = total.copy()
    power[window:] -= total[:-window]
    power /= window
    threshold = (power.max() if reference == 0 else reference) * ratio
    loud = power >= threshold
    if not loud.any():
        return 0, 0
    first = max(int(loud.argmax()) - window + 1, 0)
    last = len(x) - 1 - int(loud[::-1].argmax())
    return first, last - first + 1
