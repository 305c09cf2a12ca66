"""What is known of data beside their values: `dynjax.get_property`."""

import numpy as np

from .._schema import Apply, Kernel, Output, operator
from .._types.columns import table
from .._types.data import Data
from .._types.errors import OperatorError
from .._types.storage import Dense, Packed

_kernel = Kernel("get_property", native=False)


@operator("get_property", reads_data=True)
def get_property(x: Data, /, *, key: str) -> Output:
    """Gives a property of the samples as bytes.

    Host only.

    Args:
        x: any data.
        key: `"layout"`, or `"source_info"`: where a sample was read from. Files are named as they
            were listed: relative to the folder that a reader scanned, or as the list has them.

    Returns:
        uint8, the characters of each sample's property; empty where there is none.

    Raises:
        OperatorError: another key.

    Source: DALI `GetProperty`.

    Example:
        >>> image = dynjax.tensor(np.zeros((1, 2, 3)), layout="HWC")
        >>> bytes(np.asarray(dynjax.get_property(image, key="layout")))
        b'HWC'
    """
    spec = x.spec
    if key == "layout":
        texts = [(spec.layout or "").encode()] * spec.count
    elif key == "source_info":
        source = x.source
        texts = [b"" if source is None else source.listed(i) for i in range(spec.count)]
    else:
        raise OperatorError(f"get_property: key={key!r}; expected 'layout' or 'source_info'.")
    lengths = np.array([len(t) for t in texts], np.int32)
    values = np.frombuffer(b"".join(texts), np.uint8)
    dtype = np.dtype(np.uint8)
    if len(set(texts)) <= 1 or not spec.batched:
        size = len(texts[0]) if texts else 0
        dense = values.reshape((spec.count, size) if spec.batched else (size,))
        return Apply(_kernel, (size,), dtype, None, host=lambda _: Dense(dense, spec.batched))
    extent = table([lengths], spec.count, np.int32)
    return Apply(_kernel, (lengths,), dtype, None, host=lambda _: Packed(values, extent))
