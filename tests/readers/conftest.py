import numpy as np
import pytest

from dynjax._readers.reader import Reader
from dynjax._readers.source import Ragged, ReadError, Request, Source, Uniform


class MemoryRequest(Request):
    def __init__(self, source, indices):
        self.source, self.indices = source, indices

    def result(self):
        for i in self.indices.tolist():
            if i in self.source.broken:
                raise ReadError(i, "it is broken. Repair it.")
        lengths = self.indices % 3 + 1
        values = np.repeat(self.indices, lengths).astype(np.uint8)
        return Ragged(values, lengths[:, None]), Uniform(self.indices.astype(np.int32)[:, None])


class MemorySource(Source):
    """Sample i: (i % 3 + 1 bytes of value i, label i)."""

    def __init__(self, size):
        self.size = size
        self.broken = set()
        self.requested = []

    def __len__(self):
        return self.size

    def name(self, index):
        return b"sample%d" % index

    def request(self, indices):
        self.requested.append(indices.tolist())
        return MemoryRequest(self, indices)


class MemoryReader(Reader):
    """Needs no files and no compiled code."""

    def __init__(
        self,
        size,
        max_batch_size=None,
        prefetch_queue_depth=1,
        enable_checkpointing=False,
        on_error="raise",
        **options,
    ):
        super().__init__(
            "readers.Memory",
            max_batch_size=max_batch_size,
            name=None,
            device="cpu",
            prefetch_queue_depth=prefetch_queue_depth,
            enable_checkpointing=enable_checkpointing,
            on_error=on_error,
            **options,
        )
        self.source = MemorySource(size)
        self.opened = 0

    def _open(self):
        self.opened += 1
        return self.source


@pytest.fixture(params=[False, True], ids=["", "joined"])
def memory_reader(request, monkeypatch):
    """`MemoryReader`, also with several batches in a request."""
    monkeypatch.setattr(MemorySource, "joins", request.param)
    return MemoryReader


def label_values(outputs):
    """The labels of one batch as a list, or of one sample as an int."""
    labels = outputs[-1]
    values = np.asarray(labels).reshape(-1).tolist()
    return values if hasattr(labels, "batch_size") else values[0]


@pytest.fixture
def read_labels():
    """`read_labels(reader, batch_size, epochs, **kw)`: labels by epoch and batch."""

    def read(reader, batch_size, epochs=1, **kw):
        return [
            [label_values(outputs) for outputs in reader.next_epoch(batch_size, **kw)]
            for _ in range(epochs)
        ]

    return read


@pytest.fixture
def labels_of():
    return label_values
