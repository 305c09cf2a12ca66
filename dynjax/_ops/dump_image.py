"""Images written to files on their way: `dynjax.dump_image`."""

from pathlib import Path

import numpy as np

from .._schema import Apply, Kernel, Output, operator
from .._types.columns import is_constant
from .._types.data import Data
from .._types.errors import OperatorError
from .._types.storage import Storage
from ._lib.host_samples import batching
from ._lib.ready import host_samples

_kernel = Kernel("dump_image", native=False)


@operator("dump_image", reads_data=True, devices=("cpu",))
def dump_image(image: Data, /, *, input_layout: str = "HWC", suffix: str = "") -> Output:
    """Writes images into the working directory as text and passes them on.

    The files are named `<sample>-<suffix>-0.ppm`; a later call with the same suffix overwrites
    them.

    Args:
        image: uint8 `[height, width, channels]`, 1 or 3 channels.
        input_layout: `"HWC"`; nothing else is supported.
        suffix: see above.

    Returns:
        The input.

    Raises:
        OperatorError: another type, shape or layout, a file that cannot be written.

    Source: DALI `DumpImage`; the format is Netpbm's plain PPM or PGM.

    Example:
        >>> import os, tempfile
        >>> folder, before = tempfile.mkdtemp(), os.getcwd()
        >>> os.chdir(folder)
        >>> _ = dynjax.dump_image(np.zeros((1, 2, 3), np.uint8), suffix="black").evaluate()
        >>> os.listdir()
        ['0-black-0.ppm']
        >>> os.chdir(before)
    """
    spec = image.spec
    channels = spec.shape[-1] if spec.ndim == 3 else 0
    known = channels in (1, 3) if is_constant(channels) else np.isin(channels, (1, 3)).all()
    if input_layout != "HWC" or spec.dtype != np.uint8 or not known:
        raise OperatorError(
            f"dump_image: the input has {spec.ndim} axes of {spec.dtype.name}, and "
            f"input_layout={input_layout!r}; expected uint8 HWC with 1 or 3 channels."
        )
    count, _ = batching([spec])
    for i, pixels in enumerate(host_samples("dump_image", image, count)):
        path = Path(f"{i}-{suffix}-0.ppm")
        try:
            path.write_text(_plain(pixels))
        except OSError as error:
            raise OperatorError(f"dump_image: {path} could not be written: {error}.") from error
    storage: Storage = image.storage
    return Apply(_kernel, spec.shape, spec.dtype, spec.layout, host=lambda _: storage)


def _plain(pixels: np.ndarray) -> str:
    height, width, channels = pixels.shape
    magic = "P3" if channels == 3 else "P2"
    rows = [" ".join(map(str, row.reshape(-1).tolist())) for row in pixels]
    return f"{magic}\n{width} {height}\n255\n" + "\n".join(rows) + "\n"
