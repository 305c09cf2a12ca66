"""The text of `repr(tensor)` and `repr(batch)`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

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
