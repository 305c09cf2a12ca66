"""dynjax: NVIDIA DALI's dynamic mode on JAX and XLA.

    import dynjax as ndd

replaces `import nvidia.dali.experimental.dynamic as ndd`.
"""

from . import (
    auto_aug,
    capture,
    checkpoint,
    decoders,
    experimental,
    io,
    math,
    noise,
    random,
    readers,
    reductions,
    segmentation,
    tfrecord,
    transforms,
    types,
)
from ._execution.context import EvalContext
from ._execution.gradients import grad, value_and_grad
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
from ._ops.audio_resample import audio_resample
from ._ops.batch_permutation import batch_permutation
from ._ops.bb_flip import bb_flip
from ._ops.bbox_paste import bbox_paste
from ._ops.bbox_rotate import bbox_rotate
from ._ops.box_encoder import box_encoder
from ._ops.brightness import brightness
from ._ops.brightness_contrast import brightness_contrast
from ._ops.cast import cast
from ._ops.cast_like import cast_like
from ._ops.cat import cat
from ._ops.clahe import clahe
from ._ops.color_space_conversion import color_space_conversion
from ._ops.color_twist import color_twist
from ._ops.contrast import contrast
from ._ops.coord_flip import coord_flip
from ._ops.coord_transform import coord_transform
from ._ops.copy import copy
from ._ops.crop import crop
from ._ops.crop_mirror_normalize import crop_mirror_normalize
from ._ops.debayer import debayer
from ._ops.drop_invalid import drop_invalid
from ._ops.dump_image import dump_image
from ._ops.element_extract import element_extract
from ._ops.equalize import equalize
from ._ops.erase import erase
from ._ops.expand_dims import expand_dims
from ._ops.filled import full, full_like, ones, ones_like, zeros, zeros_like
from ._ops.filter import filter
from ._ops.flip import flip
from ._ops.gaussian_blur import gaussian_blur
from ._ops.get_property import get_property
from ._ops.grid_mask import grid_mask
from ._ops.hsv import hsv
from ._ops.hue import hue
from ._ops.imread import imread
from ._ops.jitter import jitter
from ._ops.jpeg_compression_distortion import jpeg_compression_distortion
from ._ops.laplacian import laplacian
from ._ops.lookup_table import lookup_table
from ._ops.mel_filter_bank import mel_filter_bank
from ._ops.mfcc import mfcc
from ._ops.multi_paste import multi_paste
from ._ops.nonsilent_region import nonsilent_region
from ._ops.normalize import normalize
from ._ops.one_hot import one_hot
from ._ops.optical_flow import optical_flow
from ._ops.pad import pad
from ._ops.paste import paste
from ._ops.peek_image_shape import peek_image_shape
from ._ops.per_frame import per_frame
from ._ops.permute_batch import permute_batch
from ._ops.power_spectrum import power_spectrum
from ._ops.preemphasis_filter import preemphasis_filter
from ._ops.random_bbox_crop import random_bbox_crop
from ._ops.random_crop_generator import random_crop_generator
from ._ops.random_resized_crop import random_resized_crop
from ._ops.reinterpret import reinterpret
from ._ops.reshape import reshape
from ._ops.resize import resize
from ._ops.resize_crop_mirror import resize_crop_mirror
from ._ops.roi_random_crop import roi_random_crop
from ._ops.rotate import rotate
from ._ops.saturation import saturation
from ._ops.sequence_rearrange import sequence_rearrange
from ._ops.slice import slice
from ._ops.spectrogram import spectrogram
from ._ops.sphere import sphere
from ._ops.squeeze import squeeze
from ._ops.stack import stack
from ._ops.tensor_resize import tensor_resize
from ._ops.to_decibels import to_decibels
from ._ops.transpose import transpose
from ._ops.warp_affine import warp_affine
from ._ops.water import water
from ._readers.external_source import ExternalSource
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
    "ExternalSource",
    "ImageType",
    "InterpType",
    "OperatorError",
    "Stream",
    "Tensor",
    "ThreadPool",
    "as_batch",
    "as_tensor",
    "audio_resample",
    "auto_aug",
    "batch",
    "batch_permutation",
    "bb_flip",
    "bbox_paste",
    "bbox_rotate",
    "bfloat16",
    "bool",
    "box_encoder",
    "brightness",
    "brightness_contrast",
    "capture",
    "cast",
    "cast_like",
    "cat",
    "checkpoint",
    "clahe",
    "color_space_conversion",
    "color_twist",
    "contrast",
    "coord_flip",
    "coord_transform",
    "copy",
    "crop",
    "crop_mirror_normalize",
    "debayer",
    "decoders",
    "device",
    "drop_invalid",
    "dtype",
    "dump_image",
    "element_extract",
    "equalize",
    "erase",
    "expand_dims",
    "experimental",
    "filter",
    "flip",
    "float16",
    "float32",
    "float64",
    "full",
    "full_like",
    "gaussian_blur",
    "get_current_stream",
    "get_default_stream",
    "get_num_threads",
    "get_property",
    "grad",
    "grid_mask",
    "hsv",
    "hue",
    "imread",
    "int8",
    "int16",
    "int32",
    "int64",
    "io",
    "jitter",
    "jpeg_compression_distortion",
    "laplacian",
    "lookup_table",
    "math",
    "mel_filter_bank",
    "mfcc",
    "multi_paste",
    "noise",
    "nonsilent_region",
    "normalize",
    "one_hot",
    "ones",
    "ones_like",
    "optical_flow",
    "pad",
    "paste",
    "peek_image_shape",
    "per_frame",
    "permute_batch",
    "power_spectrum",
    "preemphasis_filter",
    "random",
    "random_bbox_crop",
    "random_crop_generator",
    "random_resized_crop",
    "readers",
    "reductions",
    "reinterpret",
    "reshape",
    "resize",
    "resize_crop_mirror",
    "roi_random_crop",
    "rotate",
    "saturation",
    "segmentation",
    "sequence_rearrange",
    "set_current_stream",
    "set_default_stream",
    "set_num_threads",
    "slice",
    "spectrogram",
    "sphere",
    "squeeze",
    "stack",
    "stream",
    "tensor",
    "tensor_resize",
    "tfrecord",
    "to_decibels",
    "transforms",
    "transpose",
    "type_id",
    "types",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "value_and_grad",
    "warp_affine",
    "water",
    "zeros",
    "zeros_like",
]
