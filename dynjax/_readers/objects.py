"""Data sets in Python: `dynjax.readers.Objects`."""

from collections.abc import Sequence
from typing import Any, final

from .._types.batch import Batch
from .._types.device import Device
from .._types.errors import OperatorError
from .._types.tensor import Tensor
from .arguments import integer
from .background import Threads
from .object_source import ObjectSource
from .options import shared
from .reader import OnError, Outputs, Reader
from .source import Source


@final
class Objects(Reader):
    """Reads a data set that is a Python object: a list, an array, a `Dataset` class of any library.

    Its samples may be

    * arrays (NumPy's, JAX's or PyTorch's, pictures of Pillow) or numbers: one output;
    * bytes or text: one output, uint8 `(n,)`; so is `{"bytes": ..., "path": ...}`, as Hugging Face
      `datasets` hold undecoded files;
    * tuples of these: an output for each;
    * dicts of these: epochs and calls give dicts of outputs.

    All samples have the same outputs, each of one dtype and rank. Order, shards, epochs and states
    are those of every reader; a state knows the data set by its type, its length and the keys of a
    mapping, not by its values. What a sample raises names it; `on_error="skip"` leaves it out.

    Args:
        data: has `__len__` and `__getitem__`, which is called with 0, 1, ...; of a mapping with its
            keys, in their order.
        dense: make one array of a batch whose samples have one shape. False keeps such batches
            ragged, so that functions under `jit` see one form where shapes vary.
        num_threads: threads that load samples, each calling `__getitem__`; None or 0: the thread
            that reads, when the batch is due. Default: 1, which data sets that are not made for
            threads allow as long as nobody else uses them.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Example:
        >>> reader = dynjax.readers.Objects(data=[{"x": np.full(2, k), "y": k} for k in range(6)])
        >>> batch = next(reader.next_epoch(batch_size=3))
        >>> np.asarray(batch["x"]).tolist(), np.asarray(batch["y"]).tolist()
        ([[0, 0], [1, 1], [2, 2]], [0, 1, 2])
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        data: Any,
        dense: bool = True,
        initial_fill: int | None = 1024,
        num_shards: int | None = 1,
        num_threads: int | None = 1,
        pad_last_batch: bool | None = False,
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        seed: int | None = -1,
        shard_id: int | None = 0,
        shuffle_after_epoch: bool | None = False,
        shuffle_after_epoch_seed: int | None = 0,
        stick_to_shard: bool | None = False,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        super().__init__("readers.Objects", **shared(locals()))
        if not (hasattr(data, "__len__") and hasattr(data, "__getitem__")) or isinstance(
            data, str | bytes
        ):
            raise TypeError(
                f"{self._label}: data must have __len__ and __getitem__, got "
                f"{type(data).__name__}. Use ExternalSource for iterators."
            )
        count = integer(self._label, "num_threads", num_threads or 0)
        self._data = data
        self._threads = Threads(count) if count > 0 else None
        self._dense = bool(dense)
        self._source: ObjectSource | None = None

    def _open(self) -> Source:
        if len(self._data) == 0:
            raise OperatorError(f"{self._label}: data is empty; expected at least one sample.")
        self._source = ObjectSource(self._data, self._threads, dense=self._dense)
        return self._source

    def _arranged(self, outputs: Sequence[Batch | Tensor]) -> Outputs:
        names = None if self._source is None else self._source.shape
        if isinstance(names, tuple):
            return dict(zip(names, outputs, strict=True))
        return tuple(outputs)
