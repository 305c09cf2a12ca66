"""What all readers share: how they are used, where they stand, and what they hand out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from .._types.batch import Batch
from .._types.device import Device
from .._types.device import device as to_device
from .._types.errors import ArgumentError, OperatorError
from .._types.host import SampleSource
from .._types.tensor import Tensor
from .arguments import integer
from .epoch import Epoch
from .epochs import EpochRule, LastBatch, Position
from .options import Options
from .order import SampleStream
from .read_ahead import ReadAhead
from .source import ReadError, Source
from .usage import Usage

Outputs = tuple[Any, ...] | Mapping[str, Any]


class Reader(ABC):
    """A source of samples in epochs. Abstract: a format provides `_open`.

    Making one touches no data; what is wrong with them is raised by the first read, or by
    `get_metadata`.
    """

    def __init__(
        self,
        options: Options,
        *,
        max_batch_size: int | None,
        name: str | None,
        device: Device | str | None,
        prefetch_queue_depth: int | None,
        enable_checkpointing: bool,
    ):
        where = to_device(device)
        if where is not None and where.device_type != "cpu":
            raise ArgumentError(
                f"{options.operator}: device={device!r}; readers read into host memory. Pass "
                "device='cpu', and the target to the operator that decodes."
            )
        self._label = options.operator if name is None else f"{options.operator} {name!r}"
        self._options = options
        self._usage = Usage(self._label, max_batch_size)
        depth = 1 if prefetch_queue_depth is None else prefetch_queue_depth
        self._depth = max(integer(options.operator, "prefetch_queue_depth", depth), 1)
        self._checkpointing = enable_checkpointing
        self._position = Position()
        self._opened: tuple[Source, SampleStream, ReadAhead] | None = None
        self._closed = False

    @abstractmethod
    def _open(self) -> Source:
        """The samples; called once, before the first read.

        Raises:
            OperatorError: there are none.
        """

    def _arranged(self, outputs: Sequence[Batch | Tensor]) -> Outputs:
        """What one read gives to the user."""
        return tuple(outputs)

    # Public ----------------------------------------------------------------------------------

    def next_epoch(
        self,
        batch_size: int | None = None,
        ctx: object = None,
        capture: bool = False,
        *,
        last_batch: LastBatch = "wrap",
    ) -> Epoch:
        """Iterates over one epoch from where the reader stands.

        Args:
            batch_size: samples in a batch, up to `max_batch_size`. Default: `max_batch_size`;
                without both, samples come one by one as Tensors.
            ctx: an `EvalContext`; reading does not depend on it.
            capture: not available yet.
            last_batch: what becomes of a batch that the epoch does not fill: `"wrap"` fills it from
                the samples that come next (or with `pad_last_batch` repeats the last one),
                `"drop"` leaves it out, `"partial"` makes it short.

        Returns:
            An iterator over tuples of Batch or Tensor; `len` of it works.

        Raises:
            OperatorError: (from the iterator) the data cannot be read, or the reader was read in
                another way before.
            ArgumentError: (from the iterator) another batch size than before.
        """
        if capture:
            raise NotImplementedError(
                f"{self._label}: capture=True is not available yet. Iterate without it."
            )
        if last_batch not in ("wrap", "drop", "partial"):
            raise ArgumentError(
                f"{self._label}: last_batch={last_batch!r}; expected 'wrap', 'drop' or 'partial'."
            )
        return Epoch(self, batch_size, last_batch)

    def __call__(self, *, batch_size: int | None = None) -> Outputs:
        """Reads once: a Batch for each output, or a Tensor without `batch_size`.

        A reader that is called reads `max_batch_size` samples (default 1) each time; of these a
        call without `batch_size` gives the first.

        Raises:
            OperatorError: the data cannot be read, another `batch_size`, or `next_epoch` was used.
        """
        _, stream, _ = self._ready()
        size = self._usage.call_size(batch_size)
        return self._read(EpochRule(stream, size), single=batch_size is None)

    def get_metadata(self, batch_size: int | None = None) -> dict[str, int]:
        """Sizes, before or after padding, and what the shards are.

        Args:
            batch_size: binds a reader that was not used yet, as a first epoch does. Default:
                `max_batch_size`, or 1.
        """
        _, stream, _ = self._ready()
        self._usage.metadata_size(batch_size)
        sharding = stream.sharding
        return {
            "epoch_size": sharding.size,
            "epoch_size_padded": sharding.padded_size,
            "number_of_shards": sharding.num_shards,
            "shard_id": sharding.shard_id,
            "pad_last_batch": int(sharding.pad),
            "stick_to_shard": int(sharding.stick),
        }

    def reset(self) -> None:
        """Gives up the rest of an unfinished epoch: the next one starts at its first sample."""
        self._position = self._position.restart()

    def close(self) -> None:
        """Cancels what is being read; may be called again. The reader cannot be read any more."""
        self._closed = True
        self._opened = None

    def __enter__(self):
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    # For `Epoch` -----------------------------------------------------------------------------

    def _bind(self, batch_size: int | None) -> None:
        """Binds the reader to the way of use of `next_epoch(batch_size)`."""
        mode = self._usage.mode(batch_size)
        self._usage.fix_mode(mode)
        if mode == "batches":
            self._usage.fix_size(batch_size)

    def _rule(self, batch_size: int | None, last_batch: LastBatch) -> EpochRule:
        """How an epoch is cut into batches."""
        single = self._usage.mode(batch_size) == "samples"
        size = 1 if single else self._usage.size(batch_size)
        _, stream, _ = self._ready()
        return EpochRule(stream, size, last_batch)

    def _batches_ahead(self, rule: EpochRule) -> int:
        """The number of batches of an epoch that starts where the reader stands."""
        return rule.batches(self._position)

    def _read(self, rule: EpochRule, *, single: bool) -> Outputs:
        """The outputs at the reader's position, which moves behind them when they are there."""
        source, _, ahead = self._ready()
        try:
            step, outputs = ahead.take(rule, self._position.cursor)
        except ReadError as error:
            path = source.name(error.index).decode(errors="replace")
            raise OperatorError(
                f"{self._label}: sample {error.index} ({path!r}): {error.reason}"
            ) from None
        identity = SampleSource(step.indices, self._position.epoch, source.name)
        values = [o.tensor(identity) if single else o.batch(identity) for o in outputs]
        self._position = self._position.after_batch(step.after)
        return self._arranged(values)

    def _finish_epoch(self, rule: EpochRule) -> None:
        """Notes that an epoch came to its end."""
        self._position = rule.finish(self._position)

    def _ready(self) -> tuple[Source, SampleStream, ReadAhead]:
        """The opened data."""
        if self._closed:
            raise OperatorError(f"{self._label}: the reader is closed. Make another one.")
        if self._opened is None:
            shuffling = self._options.shuffling()
            source = self._open()
            stream = SampleStream(self._options.sharding(len(source)), shuffling)
            self._opened = source, stream, ReadAhead(source, self._depth)
        return self._opened
