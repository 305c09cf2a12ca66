"""dynjax: NVIDIA DALI's dynamic mode on JAX and XLA.

    import dynjax as ndd

replaces `import nvidia.dali.experimental.dynamic as ndd`.
"""

from . import decoders, math, noise, random, readers, reductions, transforms, types
from ._execution.context import EvalContext
from ._execution.modes import EvalMode
from ._execution.streams import (
    Stream,
    get_current_stream,
    get_default_stream,
    set_current_stream,
    set_default_stream,
    stream,
)
from ._execution.thread_pool import ThreadPool
from ._execution.threads import get_num_threads, set_num_threads
from ._ops.batch_permutation import batch_permutation
from ._ops.cast import cast
from ._ops.cast_like import cast_like
from ._ops.cat import cat
from ._ops.coord_transform import coord_transform
from ._ops.copy import copy
from ._ops.crop import crop
from ._ops.crop_mirror_normalize import crop_mirror_normalize
from ._ops.element_extract import element_extract
from ._ops.expand_dims import expand_dims
from ._ops.filled import full, full_like, ones, ones_like, zeros, zeros_like
from ._ops.flip import flip
from ._ops.get_property import get_property
from ._ops.lookup_table import lookup_table
from ._ops.normalize import normalize
from ._ops.one_hot import one_hot
from ._ops.pad import pad
from ._ops.peek_image_shape import peek_image_shape
from ._ops.per_frame import per_frame
from ._ops.permute_batch import permute_batch
from ._ops.reinterpret import reinterpret
from ._ops.reshape import reshape
from ._ops.resize import resize
from ._ops.sequence_rearrange import sequence_rearrange
from ._ops.slice import slice
from ._ops.squeeze import squeeze
from ._ops.stack import stack
from ._ops.transpose import transpose
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
    "EvalContext",
    "EvalMode",
    "ImageType",
    "InterpType",
    "OperatorError",
    "Stream",
    "Tensor",
    "ThreadPool",
    "as_batch",
    "as_tensor",
    "batch",
    "batch_permutation",
    "bfloat16",
    "bool",
    "cast",
    "cast_like",
    "cat",
    "coord_transform",
    "copy",
    "crop",
    "crop_mirror_normalize",
    "decoders",
    "device",
    "dtype",
    "element_extract",
    "expand_dims",
    "flip",
    "float16",
    "float32",
    "float64",
    "full",
    "full_like",
    "get_current_stream",
    "get_default_stream",
    "get_num_threads",
    "get_property",
    "int8",
    "int16",
    "int32",
    "int64",
    "lookup_table",
    "math",
    "noise",
    "normalize",
    "one_hot",
    "ones",
    "ones_like",
    "pad",
    "peek_image_shape",
    "per_frame",
    "permute_batch",
    "random",
    "readers",
    "reductions",
    "reinterpret",
    "reshape",
    "resize",
    "sequence_rearrange",
    "set_current_stream",
    "set_default_stream",
    "set_num_threads",
    "slice",
    "squeeze",
    "stack",
    "stream",
    "tensor",
    "transforms",
    "transpose",
    "type_id",
    "types",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "zeros",
    "zeros_like",
]
