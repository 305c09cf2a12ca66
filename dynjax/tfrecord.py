"""Features of TFRecord files: `dynjax.tfrecord`."""

from ._readers.features import FixedLenFeature, VarLenFeature, float32, int64, string

__all__ = ["FixedLenFeature", "VarLenFeature", "float32", "int64", "string"]
