"""Images and labels from Caffe2's databases: `dynjax.readers.Caffe2`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from .._types.device import Device
from .._types.errors import OperatorError
from .arguments import PathLike, integer, paths
from .lmdb_source import LmdbSource
from .options import shared
from .reader import OnError, Reader
from .source import Source
from .tensor_proto import tensors
from .wire import WireError

_SINGLE, _SPARSE, _DENSE, _WEIGHTED, _NONE = range(5)


@final
class Caffe2(Reader):
    """Reads Caffe2 `TensorProtos` messages from LMDB: image, label, additional tensors, box.

    The image is its encoded bytes, uint8 `(n,)`, or uint8 in the shape that is stored with it.

    Args:
        additional_inputs: how many tensors follow the label, each an output.
        bbox: whether a box follows, an output int32 `(4,)`.
        image_available: whether the first tensor is an image.
        label_type: 0: one integer, int32 `(1,)`. 1: indices of the labels that apply, as int32
            `(num_labels,)` of zeros and ones. 2: a vector as it is stored. 3: indices, and weights
            in the next tensor, as float32 `(num_labels,)`. 4: no label.
        num_labels: for types 1 and 3.
        path: folder of an LMDB database, or several.
        max_batch_size, name, device, and the other arguments: as in `File`.

    Raises:
        ArgumentError: `shard_id` or `num_shards` out of range.
        TypeError: an argument of the wrong type.

    Source: DALI `readers.Caffe2`; Caffe2 `caffe2.proto`. Types 1 and 3 fail there; here they are as
        its documentation describes them.
    """

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: Device | str | None = "cpu",
        *,
        additional_inputs: int | None = 0,
        bbox: bool | None = False,
        dont_use_mmap: bool | None = False,
        image_available: bool | None = True,
        initial_fill: int | None = 1024,
        label_type: int | None = 0,
        lazy_init: bool | None = False,
        num_labels: int | None = 1,
        num_shards: int | None = 1,
        pad_last_batch: bool | None = False,
        path: PathLike | Sequence[PathLike],
        prefetch_queue_depth: int | None = 1,
        random_shuffle: bool | None = False,
        read_ahead: bool | None = False,
        seed: int | None = -1,
        shard_id: int | None = 0,
        skip_cached_images: bool | None = False,
        stick_to_shard: bool | None = False,
        tensor_init_bytes: int | None = 1048576,
        enable_checkpointing: bool = False,
        on_error: OnError = "raise",
    ):
        super().__init__("readers.Caffe2", **shared(locals()))
        self._paths = paths(self._label, "path", path)
        self._content = Content(
            image_available is not False,
            integer(self._label, "label_type", label_type or 0),
            integer(self._label, "num_labels", 1 if num_labels is None else num_labels),
            integer(self._label, "additional_inputs", additional_inputs or 0),
            bool(bbox),
        )

    def _open(self) -> Source:
        content = self._content
        if not _SINGLE <= content.label_type <= _NONE:
            raise OperatorError(
                f"{self._label}: label_type={content.label_type}; expected 0 (one label) to 4 (no "
                "label)."
            )
        if content.num_labels < 1 or content.additional < 0:
            raise OperatorError(
                f"{self._label}: num_labels={content.num_labels}, additional_inputs="
                f"{content.additional}; expected at least 1 and 0."
            )
        if content.label_type == _NONE and not (content.image or content.additional or content.box):
            raise OperatorError(f"{self._label}: no output; expected at least one.")
        return Caffe2Source(self._label, self._paths, content)


@final
@dataclass(frozen=True)
class Content:
    """What the tensors of a message are, in their order."""

    image: bool
    label_type: int
    num_labels: int
    additional: int
    box: bool


@final
class Caffe2Source(LmdbSource):
    """TensorProtos messages."""

    def __init__(self, operator: str, paths: Sequence[PathLike], content: Content):
        super().__init__(operator, paths)
        self._content = content

    def _parsed(self, message: memoryview) -> Sequence[np.ndarray]:
        content, stored = self._content, iter(tensors(message))
        outputs: list[np.ndarray] = []
        if content.image:
            outputs.append(_next(stored, np.uint8, "an image"))
        if content.label_type != _NONE:
            outputs.append(self._label(stored))
        outputs += [_next(stored, None, "a tensor") for _ in range(content.additional)]
        if content.box:
            box = _next(stored, np.int32, "a box").reshape(-1)
            if len(box) != 4:
                raise WireError(f"its box has {len(box)} numbers instead of 4")
            outputs.append(box)
        return outputs

    def _label(self, stored: Iterator[np.ndarray]) -> np.ndarray:
        kind, count = self._content.label_type, self._content.num_labels
        if kind == _DENSE:
            return _next(stored, None, "a label").reshape(-1)
        given = _next(stored, np.int32, "a label").reshape(-1)
        if kind == _SINGLE:
            if len(given) != 1:
                raise WireError(f"it has {len(given)} labels instead of 1; see label_type")
            return given
        if ((given < 0) | (given >= count)).any():
            raise WireError(f"a label is not in 0 to num_labels - 1 = {count - 1}")
        labels = np.zeros(count, np.int32 if kind == _SPARSE else np.float32)
        weights = 1 if kind == _SPARSE else _next(stored, np.float32, "weights").reshape(-1)
        if np.size(weights) not in (1, len(given)):
            raise WireError(f"it has {len(given)} labels and {np.size(weights)} weights")
        labels[given] = weights
        return labels


def _next(stored: Iterator[np.ndarray], dtype: type | None, what: str) -> np.ndarray:
    tensor = next(stored, None)
    if tensor is None or (dtype is not None and tensor.dtype != dtype):
        found = "no more tensors" if tensor is None else f"{tensor.dtype}"
        raise WireError(f"it has {found} where {what} is expected")
    return tensor
