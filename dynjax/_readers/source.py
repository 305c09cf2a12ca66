"""What a format must provide to become a reader."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np

from .._types import host
from .._types.batch import Batch
from .._types.tensor import Tensor
from .names import NameTable


class Output(ABC):
    """One output of a read: the values of all its samples."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """The memory that it holds."""

    @abstractmethod
    def parts(self, counts: Sequence[int]) -> list["Output"]:
        """So many samples each, without a copy."""

    @abstractmethod
    def batch(self, source: host.SampleSource) -> Batch:
        """All samples as a batch."""

    @abstractmethod
    def tensor(self, source: host.SampleSource) -> Tensor:
        """The first sample as a tensor."""


@final
@dataclass(frozen=True)
class Ragged(Output):
    """Samples of different shapes: flat values one after another, and int64 shapes `[N, rank]`."""

    values: np.ndarray
    shapes: np.ndarray
    layout: str | None = None

    @property
    def nbytes(self) -> int:
        return self.values.nbytes

    def parts(self, counts: Sequence[int]) -> list[Output]:
        ends = np.zeros(len(self.shapes) + 1, np.int64)
        np.cumsum(self.shapes.prod(axis=1), out=ends[1:])
        bounds = np.cumsum([0, *counts])
        return [
            Ragged(self.values[ends[start] : ends[stop]], self.shapes[start:stop], self.layout)
            for start, stop in pairwise(bounds.tolist())
        ]

    def batch(self, source: host.SampleSource) -> Batch:
        return host.packed_batch(self.values, self.shapes, layout=self.layout, source=source)

    def tensor(self, source: host.SampleSource) -> Tensor:
        shape = self.shapes[0]
        sample = self.values[: shape.prod()].reshape(shape)
        return host.tensor(sample, layout=self.layout, source=source)


@final
@dataclass(frozen=True)
class Uniform(Output):
    """Samples of one shape: the rows of an array `[N, *shape]`."""

    values: np.ndarray
    layout: str | None = None

    @property
    def nbytes(self) -> int:
        return self.values.nbytes

    def parts(self, counts: Sequence[int]) -> list[Output]:
        bounds = np.cumsum([0, *counts]).tolist()
        return [Uniform(self.values[a:b], self.layout) for a, b in pairwise(bounds)]

    def batch(self, source: host.SampleSource) -> Batch:
        return host.dense_batch(self.values, layout=self.layout, source=source)

    def tensor(self, source: host.SampleSource) -> Tensor:
        return host.tensor(self.values[0, ...], layout=self.layout, source=source)


def gathered(values: Sequence[np.ndarray], layout: str | None = None) -> Output:
    """Samples of equal rank and dtype, whose extents are data, copied into one block."""
    if values[0].ndim == 0:
        return Uniform(np.stack(values), layout)
    shapes = np.array([v.shape for v in values], np.int64).reshape(len(values), values[0].ndim)
    return Ragged(np.concatenate([v.reshape(-1) for v in values]), shapes, layout)


class ReadError(Exception):
    """A sample could not be read; the reader makes an OperatorError of it.

    Args:
        index: the sample's number in the source.
        reason: what was found and what is to be done, after "sample X (path): ".
    """

    def __init__(self, index: int, reason: str):
        super().__init__(reason)
        self.index = index
        self.reason = reason


class Request(ABC):
    """Samples that are being read. Dropping it cancels the read."""

    @abstractmethod
    def result(self) -> tuple[Output, ...]:
        """Waits for the samples.

        Raises:
            ReadError: one of them could not be read.
        """


class Source(ABC):
    """Samples that can be read by number, in any order.

    Attributes:
        joins: what a request gives of a sample does not depend on the others, and requests cost
            nothing, so that several small batches may be read by one, and earlier.
    """

    joins = False

    @abstractmethod
    def __len__(self) -> int:
        """The number of samples."""

    @abstractmethod
    def name(self, index: int) -> bytes:
        """The path, or what else tells a user which sample it is."""

    def listed(self, index: int) -> bytes:
        """The sample's name in the data set, which is the same wherever the data set lies."""
        return self.name(index)

    def digest(self) -> str:
        """A hash that tells this data set from another one, in saved states."""
        return NameTable(map(self.name, range(len(self)))).digest()

    @abstractmethod
    def request(self, indices: np.ndarray) -> Request:
        """Starts to read the samples `indices`; returns at once."""
