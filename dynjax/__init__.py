"""dynjax: NVIDIA DALI's dynamic mode on JAX and XLA.

    import dynjax as ndd

replaces `import nvidia.dali.experimental.dynamic as ndd`.
"""

from . import decoders, readers, types
from ._execution.modes import EvalMode
from ._execution.threads import get_num_threads, set_num_threads
from ._ops.crop_mirror_normalize import crop_mirror_normalize
from ._ops.peek_image_shape import peek_image_shape
from ._ops.resize import resize
from ._types.batch import Batch
from ._types.construct import as_batch, as_tensor, batch, tensor
from ._types.device import Device, device
from ._types.dtypes import (
    DataType,
    DType,
    ImageType,
    InterpType,
    bfloat16,
    dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    type_id,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ._types.dtypes import bool_ as bool
from ._types.errors import ArgumentError, OperatorError
from ._types.tensor import Tensor

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Batch",
    "DType",
    "DataType",
    "Device",
    "EvalMode",
    "ImageType",
    "InterpType",
    "OperatorError",
    "Tensor",
    "as_batch",
    "as_tensor",
    "batch",
    "bfloat16",
    "bool",
    "crop_mirror_normalize",
    "decoders",
    "device",
    "dtype",
    "float16",
    "float32",
    "float64",
    "get_num_threads",
    "int8",
    "int16",
    "int32",
    "int64",
    "peek_image_shape",
    "readers",
    "resize",
    "set_num_threads",
    "tensor",
    "type_id",
    "types",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]
