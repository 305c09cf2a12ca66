"""Kernels joined to one native call that takes each picture from its file to the result.

What lies between two of them stays in the cache of the processor that works on the picture, and no
batch of whole pictures is ever in memory. The kernels are the same, and so are the bits. Natively
`ops/pictures/`.
"""

import functools
from collections.abc import Sequence

import numpy as np

from ..._native import FFI_DTYPE
from ..._schema import Apply, Kernel, Table
from .decoding import decode

_chain = Kernel("picture_chain", reports=True, cost=decode.cost)
_RANK = 3


def chained(parts: Sequence[Apply]) -> Apply | None:
    """One output for a chain of them, each of which reads the one before; None if there is none.

    Args:
        parts: the first decodes. Their shapes and tables are NumPy columns.
    """
    first, last = parts[0], parts[-1]
    if first.kernel is not decode or not all(map(_can_be_link, parts)):
        return None
    if any(p.prepared is not None or p.source is not None for p in parts[1:]):
        return None
    tables: list[Table] = []
    static: dict[str, object] = {}
    for k, part in enumerate(parts):
        tables += part.tables
        if part is not last:
            tables.append(Table(np.int32, part.shape))
        static |= {f"{k}_{name}": value for name, value in part.static.items()}
    static["stages"] = " ".join(p.kernel.name for p in parts)
    static["types"] = tuple(_type_number(p.dtype) for p in parts)
    return Apply(
        _chain,
        last.shape,
        last.dtype,
        last.layout,
        tables=tables,
        static=static,
        prepared=first.prepared,
        source=first.source,
    )


@functools.cache
def _type_number(dtype: np.dtype) -> int:
    return FFI_DTYPE[dtype.name]


def _can_be_link(part: Apply) -> bool:
    return part.kernel.chains and part.check is None and len(part.shape) == _RANK
