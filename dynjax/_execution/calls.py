"""What every form of an operator call does first: count samples, settle layouts."""

from collections.abc import Mapping, Sequence
from typing import Any

from .._schema import Operator
from .._types.batch import Batch
from .._types.data import Data
from .._types.errors import ArgumentError, OperatorError, at_call
from .._types.spec import Spec

# The address space of a process on x86-64.
_MAX_BYTES = 1 << 47


def batching(
    record: Operator, data: Sequence[Data], batch_size: Any, given: Mapping[str, Any]
) -> tuple[int, bool]:
    """Number of samples, and whether the call is a batch call."""
    sizes = {d.batch_size for d in (*data, *given.values()) if isinstance(d, Batch)}
    if len(sizes) > 1:
        raise at_call(
            ArgumentError(
                f"{record.name}: batches of different sizes: {', '.join(map(str, sorted(sizes)))}."
            )
        )
    if sizes:
        return sizes.pop(), True
    if batch_size is None:
        if record.batch_only:
            raise at_call(ArgumentError(f"{record.name}: batch_size is required."))
        return 1, False
    if not hasattr(batch_size, "__index__") or isinstance(batch_size, bool):
        raise TypeError(f"{record.name}: batch_size must be an int, got {batch_size!r}.")
    if batch_size < 0:
        raise at_call(ArgumentError(f"{record.name}: batch_size={batch_size}; expected 0 or more."))
    return int(batch_size), True


def check_nbytes(record: Operator, nbytes: int) -> None:
    """Refuses results that no process can hold; XLA would end the process instead."""
    if nbytes > _MAX_BYTES:
        raise OperatorError(
            f"{record.name}: the result would take {nbytes} bytes. Ask for a smaller size."
        )


def with_layout(record: Operator, spec: Spec) -> Spec:
    """The input's description with a layout that the operator accepts."""
    layouts = record.layouts
    if layouts is None or spec.layout in layouts:
        return spec
    if all(len(name) != spec.ndim for name in layouts):
        raise at_call(
            ArgumentError(
                f"{record.name}: the input has {spec.ndim} axes; expected a layout among "
                f"{', '.join(layouts)}."
            )
        )
    if spec.layout is None:
        return spec.replace(layout=next(name for name in layouts if len(name) == spec.ndim))
    raise ArgumentError(
        f"{record.name}: the input has layout {spec.layout!r}; expected one of "
        f"{', '.join(layouts)}. Set it with dynjax.as_batch(data, layout=...)."
    )
