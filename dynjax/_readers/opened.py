"""A reader's data, opened: batches at any place of the stream."""

import functools
from typing import Any, final

from .._types.batch import Batch
from .._types.errors import OperatorError
from .._types.host import SampleSource
from .._types.tensor import Tensor
from .epochs import EpochRule, Position
from .order import SampleStream
from .read_ahead import ReadAhead
from .skipping import SkipReport, read_rest
from .source import ReadError, Source


@final
class Opened:
    """What is read from, and in which order.

    Args:
        label: names the reader in errors.
        source: the samples.
        stream: their order.
        ahead: reads the source.
        report: where samples that cannot be decoded are noted.
        skips: note samples that cannot be read there too, and go on without them.
    """

    def __init__(
        self,
        label: str,
        source: Source,
        stream: SampleStream,
        ahead: ReadAhead,
        report: SkipReport,
        *,
        skips: bool,
    ):
        self.source = source
        self.stream = stream
        self.ahead = ahead
        self._label = label
        self._report = report
        self._skips = skips

    @functools.cached_property
    def _digest(self) -> str:
        return self.source.digest()

    def configuration(self) -> dict[str, Any]:
        """What the stream of samples follows from."""
        return {
            "samples": len(self.source),
            "data": self._digest,
            **self.stream.configuration(),
        }

    def read(
        self, rule: EpochRule, position: Position, *, single: bool
    ) -> tuple[list[Batch | Tensor] | None, Position]:
        """The outputs at a position, and the position behind them.

        The outputs are None if no sample of the batch could be read and such are skipped.

        Raises:
            OperatorError: a sample cannot be read.
        """
        source = self.source
        try:
            step, outputs = self.ahead.take(rule, position.cursor)
        except ReadError as error:
            if not self._skips:
                path = source.name(error.index).decode(errors="replace")
                raise OperatorError(
                    f"{self._label}: sample {error.index} ({path!r}): {error.reason}"
                ) from None
            step, outputs = read_rest(
                source,
                rule.step(position.cursor),
                error,
                functools.partial(self._report.note_unread, source, position.epoch),
                refill=rule.last_batch == "pad",
            )
        after = position.after_batch(step.after)
        if outputs is None:
            return None, after
        identity = SampleSource(
            *(step.indices, position.epoch, source.name, step.valid),
            functools.partial(self._report.note_undecoded, source),
            source.listed,
        )
        return [o.tensor(identity) if single else o.batch(identity) for o in outputs], after
