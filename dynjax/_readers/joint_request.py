"""`JointRequest`: several small batches that are read by one request."""

from collections.abc import Sequence
from typing import final

import numpy as np

from .source import Output, Request, Source


@final
class JointRequest:
    """The samples of several batches, being read.

    A request on a few kilobytes costs more to make and to wait for than to read.

    Args:
        source: the samples; one that `joins`.
        batches: the numbers of the samples of each batch.
    """

    def __init__(self, source: Source, batches: Sequence[np.ndarray]):
        self._source = source
        self._batches = batches
        self._request: Request | None = source.request(np.concatenate(batches))
        self._results: list[tuple[Output, ...]] = []

    def parts(self) -> list[Request]:
        """A request for each batch."""
        return [_Part(self, k) for k in range(len(self._batches))]

    def result(self, which: int) -> tuple[Output, ...]:
        """Waits for one of the batches.

        Raises:
            ReadError: one of its own samples could not be read.
        """
        if self._request is not None:
            request, self._request = self._request, None
            try:
                outputs = request.result()
            except Exception:
                pass  # whoever asks for the batch that is meant is told, below
            else:
                counts = list(map(len, self._batches))
                self._results = list(zip(*(o.parts(counts) for o in outputs), strict=True))
        if self._results:
            return self._results[which]
        return self._source.request(self._batches[which]).result()


@final
class _Part(Request):
    """One of the batches."""

    def __init__(self, whole: JointRequest, which: int):
        self._whole = whole
        self._which = which

    def result(self) -> tuple[Output, ...]:
        return self._whole.result(self._which)
