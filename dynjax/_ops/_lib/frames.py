"""The kernel of `sequence_rearrange` and `element_extract`: frames picked along the first axis."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from ..._schema import Apply, Kernel, Table
from ..._types.columns import Column, any_of, first_of, is_traced, value_at
from ..._types.errors import OperatorError
from ..._types.spec import Spec
from .host_calls import HostCall
from .host_samples import batching


def _sample(
    inputs: Sequence[Any],
    extents: Any,
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    single: bool,
) -> Any:
    del extents, out_extent, out_shape, dtype
    frames = jnp.take(inputs[0], tables[0], axis=0, mode="clip")
    return frames[0] if single else frames


_kernel = Kernel("frames", _sample)


def picked(
    what: str,
    spec: Spec,
    frames: Sequence[Column],
    layout: str | None,
    *,
    single: bool = False,
    lengths: Column | None = None,
) -> Apply:
    """The output of frames in a given order.

    Args:
        what: the operator, for messages.
        spec: the sequences.
        frames: numbers of the frames.
        layout: of the result.
        single: drop the axis of frames; there is one.
        lengths: how many of `frames` each sample takes. Default: all.
    """
    for k, number in enumerate(frames):
        if is_traced(number, spec.shape[0], lengths):
            continue
        wrong = (number < 0) | (number >= spec.shape[0])
        if lengths is not None:
            wrong = wrong & (lengths > k)
        if any_of(wrong):
            i = first_of(wrong)
            raise OperatorError(
                f"{what}: sample {i}: frame {value_at(number, i)} does not exist; the sequence has "
                f"{value_at(spec.shape[0], i)}."
            )
    taken = len(frames) if lengths is None else lengths
    shape = spec.shape[1:] if single else (taken, *spec.shape[1:])
    tables = (Table(np.int32, frames),)
    static = {"single": single}
    host = None
    if not is_traced(*frames, *spec.shape, lengths):
        count, batched = batching([spec], *frames, *shape)
        host = HostCall(
            *(_kernel.name, [spec], shape, spec.dtype, count, batched),
            tables=tables,
            static=static,
        )
    return Apply(
        _kernel,
        shape,
        spec.dtype,
        layout,
        tables=tables,
        static=static,
        bound=None if single else (len(frames), *[None] * (spec.ndim - 1)),
        host=host,
    )


def check_sequence(what: str, spec: Spec) -> None:
    """Raises OperatorError unless the first axis counts frames."""
    if not spec.ndim or not (spec.layout is None or spec.has_frames):
        raise OperatorError(
            f"{what}: the input's layout is {spec.layout!r}; expected a sequence: F first. Set it "
            "with dynjax.as_batch(data, layout=...)."
        )
