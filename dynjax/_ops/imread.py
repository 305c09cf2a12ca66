"""Pictures from files: `dynjax.imread`."""

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._types.batch import Batch
from .._types.device import device as to_device
from .._types.errors import ArgumentError
from .._types.host import SampleSource, packed_batch, rows, tensor
from .._types.tensor import Tensor
from .decoders.image import image
from .io.file.read import read

_PATH = str | bytes | os.PathLike


def imread(filepaths: Any, /, *, device: Any = "cpu", **decoder_arguments: Any) -> Tensor | Batch:
    """Reads and decodes pictures: `decoders.image(io.file.read(paths))`.

    Args:
        filepaths: a path (str, bytes or `os.PathLike`), a list or tuple of paths, or a Tensor or
            Batch that holds the bytes of paths as uint8.
        device: where the result goes. Default: `"cpu"`.
        decoder_arguments: those of `decoders.image`.

    Returns:
        A Tensor for one path, a Batch for several.

    Raises:
        ArgumentError: no paths, an unknown device.
        OperatorError: a file that cannot be read or is no picture. Names the file.
        TypeError: an unknown argument, or something else than paths.

    Source: DALI `imread`.

    Example:
        >>> import os, tempfile
        >>> from PIL import Image
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "red.png")
        ...     Image.new("RGB", (30, 20), "red").save(path)
        ...     dynjax.imread(path).shape
        (20, 30, 3)
    """
    target = to_device("cpu" if device is None else device)
    encoded = read(_path_data(filepaths))
    return image(encoded, device=target, **decoder_arguments)


def _path_data(paths: Any) -> Tensor | Batch:
    """The bytes of paths as data that know their names, for messages."""
    if isinstance(paths, Tensor | Batch):
        return paths
    if isinstance(paths, _PATH):
        name = os.fsencode(paths)
        source = SampleSource(np.zeros(1, np.int64), 0, lambda _: name)
        return tensor(np.frombuffer(name, np.uint8), source=source)
    if isinstance(paths, np.ndarray) and paths.dtype == np.uint8:
        return tensor(paths)
    if not isinstance(paths, Iterable):
        raise TypeError(f"imread: got {type(paths).__name__}; expected a path or a list of paths.")
    names = [os.fsencode(p) for p in paths]
    if not names:
        raise ArgumentError("imread: no paths; expected at least one.")
    source = SampleSource(np.arange(len(names)), 0, names.__getitem__)
    return packed_batch(*rows([np.frombuffer(n, np.uint8) for n in names]), source=source)
