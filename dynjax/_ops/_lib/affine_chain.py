"""Affine maps applied one after another, `transforms.*`: the checks and the kernel.

Both inputs and matrices made of arguments may be sequences, with a matrix for each frame.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import (
    Column,
    ColumnsByFrame,
    any_of,
    by_frame,
    first_of,
    is_constant,
    is_traced,
    maximum,
    table,
    value_at,
)
from ..._types.errors import OperatorError
from ..._types.frames import Frames, as_frames, check_lengths, extended, most_values
from ..._types.spec import Spec
from ..._types.storage import Dense, Packed, Storage
from .affine import Matrix

_LAYOUT = "**"


def input_dimensions(what: str, spec: Spec) -> int:
    """`d` of an input `[d, d + 1]` or `[F, d, d + 1]`, which must be known."""
    if spec.ndim == 2 + spec.has_frames and spec.dtype.kind != "b":
        d, width = (_one_size(c) for c in spec.shape[-2:])
        if d is None and width is not None and is_traced(spec.shape[-2]):
            d = width - 1
        if d is not None and d > 0 and width == d + 1:
            return d
    shape = spec.sample_shape(0) if not is_traced(*spec.shape) else "unknown"
    raise OperatorError(
        f"{what}: an input has type {spec.dtype.name}, shape {shape} and layout {spec.layout!r}; "
        "expected affine matrices of shape (d, d + 1), or with layout 'F**' sequences of them."
    )


def _one_size(column: Column) -> int | None:
    if is_constant(column):
        return int(column)
    if is_traced(column) or len(set(column.tolist())) != 1:
        return None
    return int(column[0])


def compose(xp: Any, outer: Any, inner: Any, d: int) -> Any:
    """The map that applies `inner` first; arrays `[..., d, d + 1]`."""
    exact: dict[str, Any] = {} if xp is np else {"precision": jax.lax.Precision.HIGHEST}
    linear = xp.matmul(outer[..., :d], inner[..., :d], **exact)
    offset = xp.matmul(outer[..., :d], inner[..., d:], **exact) + outer[..., d:]
    return xp.concatenate([linear, offset], axis=-1)


def _chained(xp: Any, matrices: Sequence[Any], d: int) -> Any:
    """The maps of the list, the first applied first."""
    result = matrices[0]
    for matrix in matrices[1:]:
        result = compose(xp, matrix, result, d)
    return result


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Any],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    reverse: bool,
) -> Any:
    del extents, out_extent
    *frames, d, width = out_shape
    matrices = [x[..., :d, :width].reshape(-1, d, width) for x in inputs]
    matrices += [t.reshape(-1, d, width) for t in tables]
    count = frames[0] if frames else 1
    matrices = [extended(m.astype(dtype), count, axis=-3) for m in matrices]
    result = _chained(jnp, matrices[::-1] if reverse else matrices, d)
    return jnp.broadcast_to(result, out_shape) if frames else result[0]


AFFINE = Kernel("affine", _sample, native=False)


def transform(
    what: str, make: Callable[..., Matrix], x: Spec | None, reverse_order: bool, **arguments: Any
) -> Apply:
    """The output of an operator that makes matrices, composed with its input if there is one.

    Args:
        what: the operator, for messages.
        make: the matrix of one frame, from the values of the arguments in their order.
        x: the input.
        reverse_order: apply it last.
        arguments: those that may vary by frame, as the rule received them.
    """
    given = {name: as_frames(value) for name, value in arguments.items()}
    inputs = [] if x is None else [x]
    lengths = _lengths(what, inputs, given)
    frames = most_values(given)
    matrix = make(*(f.columns(frames) for f in given.values()))
    columns = by_frame([e for row in matrix for e in row], frames)
    d = len(matrix)
    if x is not None and input_dimensions(what, x) != d:
        raise OperatorError(
            f"{what}: the input maps {input_dimensions(what, x)} dimensions, the arguments {d}."
        )
    own = [f for f in given.values() if not f.is_constant]
    counts = [len(c) for f in own for c in f.leaves() if not is_constant(c)]
    return _composed(d, inputs, columns, counts, lengths, reverse_order)


def chain(what: str, d: int, inputs: Sequence[Spec], reverse_order: bool) -> Apply:
    """The output that applies the inputs in turn."""
    return _composed(d, inputs, (), (), _lengths(what, inputs, {}), reverse_order)


def _lengths(what: str, inputs: Sequence[Spec], arguments: Mapping[str, Frames]) -> Column | None:
    """How many frames each sample of the result has; None if neither inputs nor arguments have any.

    Raises:
        OperatorError: numbers of frames that do not fit, or no frames.
    """
    of_inputs = [s.shape[0] for s in inputs if s.has_frames]
    of_arguments = [f.lengths for f in arguments.values() if f.lengths is not None]
    if not of_inputs and not of_arguments:
        return None
    have = of_inputs[0] if of_inputs else functools.reduce(maximum, of_arguments)
    for other in of_inputs[1:]:
        if not is_traced(have, other) and any_of(have != other):
            i = first_of(have != other)
            raise OperatorError(
                f"{what}: sample {i}: an input has {value_at(have, i)} frames, another "
                f"{value_at(other, i)}; expected one number of frames."
            )
    check_lengths(what, have, "the input has" if of_inputs else "another argument has", arguments)
    if any_of(have == 0):
        raise OperatorError(f"{what}: sample {first_of(have == 0)}: there are no frames.")
    return have


def _composed(
    d: int,
    inputs: Sequence[Spec],
    columns: Sequence[Column] | ColumnsByFrame,
    own_counts: Sequence[int],
    lengths: Column | None,
    reverse: bool,
) -> Apply:
    """The output that applies the inputs in turn, then the matrices of these entries, if any.

    `own_counts` are the numbers of samples of what the entries were made of, if of batches.
    """
    counts = [*(s.count for s in inputs if s.batched), *own_counts]
    entries = columns.entries if isinstance(columns, ColumnsByFrame) else columns
    made = len(columns) // (d * (d + 1))

    def host(storages: Sequence[Storage]) -> Storage:
        frames = 1 if lengths is None else int(np.max(lengths, initial=0))
        maps = [_stacked(s, spec, frames, d) for s, spec in zip(storages, inputs, strict=True)]
        if entries:
            count = counts[0] if counts else 1
            maps.append(table(columns, count, np.float32).reshape(count, made, d, d + 1))
        maps = [extended(m, frames, axis=-3) for m in maps]
        result = _chained(np, maps[::-1] if reverse else maps, d)
        return _stored(result, lengths, frames, bool(counts))

    return Apply(
        AFFINE,
        (d, d + 1) if lengths is None else (lengths, d, d + 1),
        np.dtype(np.float32),
        _LAYOUT if lengths is None else f"F{_LAYOUT}",
        tables=[Table(np.float32, columns)] if entries else [],
        static={"reverse": bool(reverse)},
        bound=None if lengths is None else (made, d, d + 1),
        host=None if is_traced(*entries) else host,
    )


def _stacked(storage: Storage, spec: Spec, frames: int, d: int) -> np.ndarray:
    """Matrices `[N, F, d, d + 1]` of an input; shorter sequences end in zeros."""
    shape = (spec.count, frames if spec.has_frames else 1, d, d + 1)
    if isinstance(storage, Dense):
        return np.asarray(storage.array, np.float32).reshape(shape)
    out = np.zeros(shape, np.float32)
    for i in range(spec.count):
        own = storage.sample(i).reshape(-1, d, d + 1)
        out[i, : len(own)] = own
    return out


def _stored(result: np.ndarray, lengths: Column | None, frames: int, batched: bool) -> Storage:
    """Matrices `[N, F, d, d + 1]` in the form that the result takes."""
    if lengths is None:
        result = result[:, 0]
    else:
        result = np.broadcast_to(result, (len(result), frames, *result.shape[2:]))
        if not is_constant(lengths):
            inside = np.arange(frames) < lengths[:, None]
            extent = table((lengths, *result.shape[2:]), len(result), np.int32)
            return Packed(result[inside].reshape(-1), extent)
    return Dense(np.ascontiguousarray(result if batched else result[0]), batched)
