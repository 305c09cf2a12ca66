"""Readers: `dynjax.readers`."""

from ._readers.array_record import ArrayRecord
from ._readers.caffe import Caffe
from ._readers.caffe2 import Caffe2
from ._readers.coco import COCO
from ._readers.file import File
from ._readers.mxnet import MXNet
from ._readers.nemo_asr import NemoAsr
from ._readers.numpy_files import Numpy
from ._readers.objects import Objects
from ._readers.parquet import Parquet
from ._readers.tfrecord import TFRecord
from ._readers.video import Video
from ._readers.video_resize import VideoResize
from ._readers.webdataset import Webdataset

__all__ = [
    "COCO",
    "ArrayRecord",
    "Caffe",
    "Caffe2",
    "File",
    "MXNet",
    "NemoAsr",
    "Numpy",
    "Objects",
    "Parquet",
    "TFRecord",
    "Video",
    "VideoResize",
    "Webdataset",
]
