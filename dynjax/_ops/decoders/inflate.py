"""Compressed data: `dynjax.decoders.inflate`."""

from collections.abc import Sequence

import numpy as np

from ..._schema import DTypeLike, Output, PerSample, operator
from ..._statuses import place
from ..._types.columns import Column, table
from ..._types.data import Data
from ..._types.dtypes import numpy_dtype
from ..._types.errors import OperatorError
from .._lib.host_samples import batching
from .._lib.lz4 import decompressed
from .._lib.ready import host_samples, ready

_WHAT = "decoders.inflate"


@operator(_WHAT, reads_data=True)
def inflate(
    data: Data,
    /,
    *,
    algorithm: str = "LZ4",
    check_output_size: bool = False,
    chunk_offsets: PerSample[list[int]] | None = None,
    chunk_sizes: PerSample[list[int]] | None = None,
    dtype: DTypeLike = np.uint8,
    layout: str = "",
    sequence_axis_name: str = "F",
    shape: PerSample[list[int]],
) -> Output:
    """Decompresses data into arrays of a given shape.

    Args:
        data: compressed bytes, uint8, one axis: one block, or chunks that are blocks each.
        algorithm: `"LZ4"`, blocks without a frame.
        check_output_size: refuse blocks that hold less than the shape asks for. Default: the rest
            is zero.
        chunk_offsets: where the chunks start. Default: one after another.
        chunk_sizes: bytes of each chunk. Default: each ends where the next one starts.
        dtype: type of the elements. Default: uint8.
        layout: of the array of one chunk.
        sequence_axis_name: the letter of the axis that counts chunks. Default: `"F"`.
        shape: of one chunk's array.

    Returns:
        The array; with chunks, their arrays along a new first axis.

    Raises:
        OperatorError: another algorithm, data that are no such blocks, or hold more than the shape
            asks for, chunks outside the data.

    Source: DALI `decoders.Inflate`; the LZ4 block format's description.

    Example:
        >>> block = np.frombuffer(bytes([0x50]) + b"hello", np.uint8)
        >>> bytes(np.asarray(dynjax.decoders.inflate(block, shape=[5])))
        b'hello'
    """
    if algorithm.upper() != "LZ4":
        raise OperatorError(f"{_WHAT}: algorithm={algorithm!r}; expected 'LZ4'.")
    spec = data.spec
    if spec.ndim != 1 or spec.dtype != np.uint8:
        raise OperatorError(
            f"{_WHAT}: the input has {spec.ndim} axes of {spec.dtype.name}; expected bytes as one "
            "axis of uint8."
        )
    kind = np.dtype(numpy_dtype(dtype))
    count, batched = batching([spec], *shape, *(chunk_offsets or ()), *(chunk_sizes or ()))
    shapes = table(shape, count, np.int64)
    chunked = chunk_offsets is not None or chunk_sizes is not None
    arrays: list[np.ndarray] = []
    for i, block in enumerate(host_samples(_WHAT, data, count)):
        size = tuple(shapes[i].tolist())
        chunks = _chunks(block.tobytes(), _row(chunk_offsets, i), _row(chunk_sizes, i))
        nbytes = int(np.prod(size)) * kind.itemsize
        try:
            parts = [decompressed(c, nbytes, check_output_size) for c in chunks]
        except ValueError as error:
            raise OperatorError(f"{_WHAT}: {place(i, data.source)}: {error}") from error
        whole = np.frombuffer(b"".join(parts), kind)
        arrays.append(whole.reshape((len(parts), *size) if chunked else size))
    letters = layout or None
    if letters is not None and chunked:
        letters = sequence_axis_name + letters
    return ready(arrays, len(shape) + chunked, kind, batched, letters)


def _row(columns: Sequence[Column] | None, i: int) -> list[int] | None:
    if columns is None:
        return None
    return [int(np.asarray(c).reshape(-1)[min(i, np.size(c) - 1)]) for c in columns]


def _chunks(data: bytes, offsets: list[int] | None, sizes: list[int] | None) -> list[bytes]:
    if offsets is None and sizes is None:
        return [data]
    if offsets is None:
        assert sizes is not None
        offsets = [0, *np.cumsum(sizes)[:-1].tolist()]
    if sizes is None:
        sizes = [b - a for a, b in zip(offsets, [*offsets[1:], len(data)], strict=True)]
    if len(offsets) != len(sizes):
        raise OperatorError(
            f"{_WHAT}: {len(offsets)} chunk_offsets and {len(sizes)} chunk_sizes; expected as many."
        )
    for start, size in zip(offsets, sizes, strict=True):
        if start < 0 or size < 0 or start + size > len(data):
            raise OperatorError(
                f"{_WHAT}: the chunk [{start}, {start + size}) lies outside the {len(data)} bytes."
            )
    return [data[a : a + n] for a, n in zip(offsets, sizes, strict=True)]
