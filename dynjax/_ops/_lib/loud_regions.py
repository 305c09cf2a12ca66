"""The regions of `nonsilent_region` on the host, by `ops/audio/loud_regions`.

XLA computes cumulative sums by many passes; one in float64 needs none of the care with rounding.
"""

import threading
from collections.abc import Callable, Sequence

import numpy as np

from ..._native import native
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
        samples = [np.ascontiguousarray(x, np.float32) for x in samples]
        addresses = np.array([x.ctypes.data for x in samples], np.int64)
        lengths = np.array([len(x) for x in samples], np.int64)
        regions = native.loud_regions(addresses, lengths, window, reference, ratio)
        # A signal shorter than the window is a window of its own.
        for size in {n for n in lengths.tolist() if 0 < n < window} if reference else ():
            short = lengths == size
            regions[short] = native.loud_regions(
                addresses[short], lengths[short], size, reference, ratio
            )
        return regions

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
