"""Readers: `dynjax.readers`."""

from ._readers.caffe import Caffe
from ._readers.caffe2 import Caffe2
from ._readers.coco import COCO
from ._readers.file import File
from ._readers.mxnet import MXNet
from ._readers.nemo_asr import NemoAsr
from ._readers.numpy_files import Numpy
from ._readers.tfrecord import TFRecord
from ._readers.video import Video
from ._readers.video_resize import VideoResize
from ._readers.webdataset import Webdataset

__all__ = [
    "COCO",
    "Caffe",
    "Caffe2",
    "File",
    "MXNet",
    "NemoAsr",
    "Numpy",
    "TFRecord",
    "Video",
    "VideoResize",
    "Webdataset",
]
