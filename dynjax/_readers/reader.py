"""What all readers share: how they are used, where they stand, and what they hand out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .._capture.loop import CapturedLoop
from .._capture.plan import Plan
from .._types.batch import Batch
from .._types.device import Device
from .._types.device import device as to_device
from .._types.errors import ArgumentError, OperatorError
from .._types.tensor import Tensor
from .arguments import integer
from .call_names import named_by_class
from .captured import ReaderRoot
from .epoch import Epoch
from .epochs import EpochRule, LastBatch, Position
from .opened import Opened
from .options import Options
from .order import SampleStream
from .placed import PlacedEpoch, PlacedLoop
from .placement import Placement
from .processes import check_equal_steps, shard_of_process, was_divided
from .read_ahead import Limit, ReadAhead
from .shuffling import Shuffling
from .skipping import Skipped, SkipReport
from .source import Source
from .state import ReaderState, check_same, parse_state, to_state
from .usage import Usage

Outputs = tuple[Any, ...] | Mapping[str, Any]
OnError = Literal["raise", "skip"]


class Reader(ABC):
    """A source of samples in epochs. Abstract: a format provides `_open`.

    Making one touches no data; what is wrong with them is raised by the first read, or by
    `get_metadata`.
    """

    def __init_subclass__(cls, **options: Any):
        """Makes what Python says about a wrong call name the reader as users do."""
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            cls.__init__ = named_by_class(cls, cls.__init__)  # type: ignore[method-assign]

    def __init__(
        self,
        operator: str,
        *,
        max_batch_size: int | None,
        name: str | None,
        device: Device | str | None,
        prefetch_queue_depth: int | None,
        enable_checkpointing: bool,
        on_error: OnError,
        **order: Any,
    ):
        options = Options(operator, **order)
        where = to_device(device)
        if where is not None and where.device_type != "cpu":
            raise ArgumentError(
                f"{operator}: device={device!r}; readers read into host memory. Pass "
                "device='cpu', and the target to the operator that decodes."
            )
        if on_error not in ("raise", "skip"):
            raise ArgumentError(f"{operator}: on_error={on_error!r}; expected 'raise' or 'skip'.")
        self._label = operator if name is None else f"{operator} {name!r}"
        self._options = options
        self._usage = Usage(self._label, max_batch_size)
        depth = 1 if prefetch_queue_depth is None else prefetch_queue_depth
        self._depth = max(integer(operator, "prefetch_queue_depth", depth), 1)
        self._checkpointing = enable_checkpointing
        self._restored = False
        self._skips = on_error == "skip"
        self._report = SkipReport(self._label)
        self._position = Position()
        self._limit = Limit()
        self._plan = Plan()
        self._opened: Opened | None = None
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
        prefetch: int | None = None,
        sharding: Any = None,
        max_bytes_in_flight: int | None = None,
    ) -> Epoch | CapturedLoop | PlacedEpoch | PlacedLoop:
        """Iterates over one epoch from where the reader stands.

        Args:
            batch_size: samples in a batch, up to `max_batch_size`. Default: `max_batch_size`;
                without both, samples come one by one as Tensors.
            ctx: an `EvalContext`; reading does not depend on it.
            capture: compute the operator calls of the loop's body ahead, in the background. The
                results are those without.
            last_batch: what becomes of a batch that the epoch does not fill: `"wrap"` fills it from
                the samples that come next (or with `pad_last_batch` repeats the last one),
                `"drop"` leaves it out, `"partial"` makes it short, `"pad"` repeats the last sample;
                `Batch.valid` tells the repetitions.
            prefetch: the number of steps that `capture` computes ahead. Default 2, or 8 where a
                step takes less than half a megabyte. With `sharding` alone the number of batches
                that are on their way to the devices. Default 1.
            sharding: makes committed JAX arrays of the outputs: what `jax.device_put` takes, a
                Device or Sharding for all outputs or one for each; None leaves an output a Batch,
                as those must be whose samples differ in shape. If it has devices of several
                processes, the arrays are global: `batch_size` counts what this process reads, and a
                reader without shards becomes shard `jax.process_index()` of `jax.process_count()`,
                with `pad_last_batch=True`, so that all processes make equally many steps. The
                iterator's `valid` is the mask of what this process read.
            max_bytes_in_flight: the bound of what is being read and lies ready, in bytes, from now
                on; a batch larger than that is read alone. Default: 256 MiB.

        Returns:
            An iterator over tuples of Batch or Tensor, or arrays; `len` of it works.

        Raises:
            OperatorError: (from the iterator) the data cannot be read, or the reader was read in
                another way before.
            ArgumentError: (from the iterator) another batch size than before.
        """
        if last_batch not in ("wrap", "drop", "partial", "pad"):
            raise ArgumentError(
                f"{self._label}: last_batch={last_batch!r}; expected 'wrap', 'drop', 'partial' or "
                "'pad'."
            )
        if max_bytes_in_flight is not None:
            self._limit.bytes = max(
                integer(self._label, "max_bytes_in_flight", max_bytes_in_flight), 0
            )
        if prefetch is not None:
            prefetch = integer(self._label, "prefetch", prefetch)
        if not capture and sharding is None:
            return Epoch(self, batch_size, last_batch)
        root = ReaderRoot(self, self._plan, batch_size, last_batch)
        if sharding is None:
            return CapturedLoop(root, prefetch)
        placement = Placement(self._label, sharding)
        if placement.spans_processes():
            self._divide_among_processes(batch_size)
        if capture:
            return PlacedLoop(self, root, placement, prefetch)
        return PlacedEpoch(self, root, placement, 1 if prefetch is None else max(prefetch, 0))

    def __call__(self, *, batch_size: int | None = None) -> Any:
        """Reads once: a Batch for each output, or a Tensor without `batch_size`.

        A single output comes as itself, not in a tuple or dictionary as `next_epoch` gives it.

        A reader that is called reads `max_batch_size` samples (default 1) each time; of these a
        call without `batch_size` gives the first.

        Raises:
            OperatorError: the data cannot be read, another `batch_size`, or `next_epoch` was used.
        """
        stream = self._ready().stream
        size = self._usage.call_size(batch_size)
        rule = EpochRule(stream, size)
        # With on_error="skip" a batch may come to nothing; not for a whole round over all shards.
        last = self._position.cursor.passes + stream.sharding.num_shards + 1
        while self._position.cursor.passes <= last:
            outputs = self._read(rule, single=batch_size is None)
            if outputs is not None:
                return _alone(outputs) if len(outputs) == 1 else outputs
        raise OperatorError(f"{self._label}: no sample could be read; see `skipped`.")

    def get_metadata(self, batch_size: int | None = None) -> dict[str, int]:
        """Sizes, before or after padding, and what the shards are.

        Args:
            batch_size: binds a reader that was not used yet, as a first epoch does. Default:
                `max_batch_size`, or 1.
        """
        stream = self._ready().stream
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

    @property
    def skipped(self) -> list[Skipped]:
        """What could not be read, or decoded, of the epoch that was read last.

        That is, with `on_error="skip"` here, or `"fill"` or `"skip"` of a decoder. In a captured
        loop those of the two steps that are read ahead are in it.
        """
        return self._report.found

    def get_state(self, *, cuda_stream: object = None) -> ReaderState:
        """Where the reader stands: behind the last batch that was handed out.

        Works at any time, also in a captured loop, and does not disturb it.

        Args:
            cuda_stream: accepted; without effect.

        Raises:
            OperatorError: checkpointing is not enabled, or nothing was read yet.
        """
        del cuda_stream
        if not self._checkpointing:
            raise OperatorError(
                f"{self._label}: checkpointing is not enabled. Pass enable_checkpointing=True."
            )
        if not (self._usage.used or self._restored):
            raise OperatorError(f"{self._label}: nothing was read yet, so there is no state.")
        return self._current_state()

    def set_state(self, state: ReaderState | str | bytes) -> None:
        """Goes on from a state, at any time; enables checkpointing.

        The next batch is the one that would have come next. A state is a position in the stream of
        samples: another batch size is allowed. At the start of a pass over the data, so after a
        whole epoch with `pad_last_batch`, `last_batch="drop"`, `"partial"` or `"pad"`, the state of
        any shard may be restored into readers with another number of shards.

        Args:
            state: from `get_state` of a reader with the same arguments and data.

        Raises:
            ArgumentError: a text that is no state, or the state of another reader; this one stays
                as it was.
            TypeError: another type.
            OperatorError: the data cannot be opened.
        """
        saved, position = parse_state(self._label, state)
        if not self._usage.used and was_divided(self._options, saved):
            self._change_options(shard_of_process(self._options))
        check_same(self._label, saved, self._configuration(), position)
        quota = self._ready().stream.quota(position.cursor)
        if position.cursor.offset >= quota:
            raise ArgumentError(
                f"{self._label}: the state stands at sample {position.cursor.offset} of a pass of "
                f"{quota}; it was altered."
            )
        self._position = position
        self._report.enter(position.epoch)
        self._checkpointing = self._restored = True

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

    # For `Checkpoint` ------------------------------------------------------------------------

    def _enable_checkpointing(self) -> None:
        if self._usage.used and not self._checkpointing:
            raise OperatorError(
                f"{self._label}: it was read before without checkpointing. Register it before the "
                "first read, or pass enable_checkpointing=True."
            )
        self._checkpointing = True

    def _current_state(self) -> ReaderState:
        return to_state(self._configuration(), self._position)

    def _configuration(self) -> dict[str, Any]:
        """What the stream of samples follows from."""
        return {"reader": self._options.operator, **self._ready().configuration()}

    # For many processes ----------------------------------------------------------------------

    @property
    def _shards(self) -> int:
        return self._ready().stream.sharding.num_shards

    def _divide_among_processes(self, batch_size: int | None) -> None:
        """Gives each process its shard, unless the reader has shards already."""
        divided = shard_of_process(self._options)
        if divided is not self._options:
            if self._usage.used or self._restored:
                raise OperatorError(
                    f"{self._label}: it was used before as the reader of all samples, and cannot "
                    "become that of one process. Use another reader, or pass num_shards and "
                    "shard_id."
                )
            self._change_options(divided)
        sharding = self._ready().stream.sharding
        check_equal_steps(self._label, sharding, self._usage.size(batch_size))

    def _change_options(self, options: Options) -> None:
        """Other options for a reader that was opened at most."""
        self._options = options
        if self._opened is not None:
            self._opened = self._reading(self._opened.source, options.shuffling())

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
        stream = self._ready().stream
        return EpochRule(stream, size, last_batch)

    def _batches_ahead(self, rule: EpochRule) -> int:
        """The number of batches of an epoch that starts where the reader stands."""
        return rule.batches(self._position)

    def _read(self, rule: EpochRule, *, single: bool) -> Outputs | None:
        """The outputs at the reader's position, which moves behind them when they are there."""
        self._report.enter(self._position.epoch)
        outputs, self._position = self._read_at(rule, self._position, single=single)
        return outputs

    def _read_at(
        self, rule: EpochRule, position: Position, *, single: bool
    ) -> tuple[Outputs | None, Position]:
        """The outputs at a position, and the position behind them; the reader does not move.

        This is what capture reads ahead with: a position is a small immutable value, exact to the
        batch, and giving it to the reader (`_position`) costs nothing, wherever it lies. The
        outputs are None if no sample of the batch could be read and such are skipped.
        """
        outputs, after = self._ready().read(rule, position, single=single)
        return None if outputs is None else self._arranged(outputs), after

    def _finish_epoch(self, rule: EpochRule, *, moved: bool) -> None:
        """Notes that an epoch came to its end; a reader `moved` in its last step stays there."""
        if not moved:
            self._position = rule.finish(self._position)
        self._report.finish()

    def _ready(self) -> Opened:
        """The opened data."""
        if self._closed:
            raise OperatorError(f"{self._label}: the reader is closed. Make another one.")
        if self._opened is None:
            shuffling = self._options.shuffling()  # which may be wrong whatever the data
            self._opened = self._reading(self._open(), shuffling)
        return self._opened

    def _reading(self, source: Source, shuffling: Shuffling) -> Opened:
        stream = SampleStream(self._options.sharding(len(source)), shuffling)
        ahead = ReadAhead(source, self._depth, self._limit)
        return Opened(self._label, source, stream, ahead, self._report, skips=self._skips)


def _alone(outputs: Outputs) -> Batch | Tensor:
    (output,) = outputs.values() if isinstance(outputs, Mapping) else outputs
    return output
