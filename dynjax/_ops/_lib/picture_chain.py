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


def chained(parts: Sequence[Apply], sizes: Sequence[Table] | None = None) -> Apply | None:
    """One output for a chain of them, each of which reads the one before; None if there is none.

    Args:
        parts: the first decodes. Their shapes and tables are NumPy columns.
        sizes: of their results; made if not given.
    """
    first, last = parts[0], parts[-1]
    if first.kernel is not decode or not all(map(_can_be_link, parts)):
        return None
    if any(p.prepared is not None or p.source is not None for p in parts[1:]):
        return None
    sizes = [Table(np.int32, p.shape) for p in parts] if sizes is None else sizes
    static: dict[str, object] = {}
    for k, part in enumerate(parts):
        static |= {f"{k}_{name}": value for name, value in part.static.items()}
    static["stages"] = " ".join(p.kernel.name for p in parts)
    static["types"] = tuple(_type_number(p.dtype) for p in parts)
    return Apply(
        _chain,
        last.shape,
        last.dtype,
        last.layout,
        tables=joined_tables(parts, sizes),
        static=static,
        prepared=first.prepared,
        source=first.source,
    )


def joined_tables(parts: Sequence[Apply], sizes: Sequence[Table]) -> list[Table]:
    """The tables of the one output: those of the parts, and between two parts the sizes."""
    tables: list[Table] = []
    for part, size in zip(parts, sizes, strict=True):
        tables += [*part.tables, size]
    return tables[:-1]


@functools.cache
def _type_number(dtype: np.dtype) -> int:
    return FFI_DTYPE[dtype.name]


def _can_be_link(part: Apply) -> bool:
    return part.kernel.chains and part.check is None and len(part.shape) == _RANK
