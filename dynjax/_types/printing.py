"""The text of `repr(tensor)` and `repr(batch)`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import is_constant
from .dtypes import enum_members

if TYPE_CHECKING:
    from .data import Data

_MAX_SHAPES = 16
_INDENT = " " * 4


def _values(array: np.ndarray, indent: str, dtype: np.dtype) -> str:
    if array.size == 0:
        return "[]"
    names = enum_members(dtype)
    if array.ndim == 0:
        return names[int(array)] if names else str(array[()])
    shown: Any = {"int_kind": lambda value: names[int(value)]} if names else None
    with np.printoptions(threshold=1000, edgeitems=2):
        return np.array2string(array, formatter=shown).replace("\n", "\n" + indent)


def describe_traced(data: "Data") -> str:
    """What is known inside `jit`: everything but the values; `<=n` is an extent up to `n`."""
    spec = data.spec
    slot = data.storage.array.shape[1 if spec.batched else 0 :]
    shape = [
        str(int(c)) if is_constant(c) else f"<={n}" for c, n in zip(spec.shape, slot, strict=True)
    ]
    parts = ["traced", f"dtype={data.dtype.name}"]
    if data.layout:
        parts.append(f'layout="{data.layout}"')
    if spec.batched:
        parts.append(f"num_samples={spec.count}")
    parts.append(f"shape=({', '.join(shape)}{',' if len(shape) == 1 else ''})")
    return f"{type(data).__name__}({', '.join(parts)})"


def describe(data: "Data", samples: Sequence[np.ndarray]) -> str:
    """Values, dtype, layout if any, device and shape of a Tensor or Batch."""
    spec = data.spec
    if spec.batched:
        indent = _INDENT + " "
        shown = [_values(sample, indent, spec.dtype) for sample in samples]
        values = "[" + (",\n" + indent).join(shown) + "]"
    else:
        values = _values(samples[0], _INDENT, spec.dtype)
    lines = [values, f"dtype={data.dtype.name}"]
    if data.layout:
        lines.append(f'layout="{data.layout}"')
    lines.append(f'device="{data.device}"')
    if spec.batched:
        shapes = [str(spec.sample_shape(i)) for i in range(spec.count)]
        if len(shapes) > _MAX_SHAPES:
            shapes = [*shapes[:2], "...", *shapes[-2:]]
        lines.append(f"num_samples={spec.count}")
        lines.append(f"shape=[{', '.join(shapes)}]")
    else:
        lines.append(f"shape={spec.sample_shape(0)}")
    body = (",\n" + _INDENT).join(lines)
    return f"{type(data).__name__}(\n{_INDENT}{body})"
