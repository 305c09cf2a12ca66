"""Result types of arithmetic. The original's table, which is neither NumPy's nor JAX's."""

import numpy as np

from ..._types.errors import OperatorError


def promoted(a: np.dtype, b: np.dtype) -> np.dtype:
    """The common type of two operands.

    Equal types stay; the wider float wins (float32 with any integer is float32); bool gives way;
    integers of one signedness take the wider; a signed integer that is not wider than an unsigned
    one becomes the next wider signed type, at most int64.
    """
    if a == b:
        return a
    kinds = {a.name: a, b.name: b}
    for name in ("float64", "float32"):
        if name in kinds:
            return kinds[name]
    halves = [d for d in (a, b) if d.name in ("float16", "bfloat16")]
    if len(halves) == 2:
        return np.dtype(np.float32)  # neither holds the other
    if halves:
        return halves[0]
    if a.kind == "b":
        return b
    if b.kind == "b":
        return a
    if a.kind == b.kind:
        return max(a, b, key=lambda d: d.itemsize)
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    if unsigned.itemsize < signed.itemsize:
        return signed
    return np.dtype(f"i{min(2 * unsigned.itemsize, 8)}")


def is_float(dtype: np.dtype) -> bool:
    """Whether a type is a floating-point one, bfloat16 included."""
    return dtype.kind == "f" or dtype.name == "bfloat16"


def float_of(dtype: np.dtype) -> np.dtype:
    """The type of real results: floats stay, integers become float32."""
    return dtype if is_float(dtype) else np.dtype(np.float32)


def refuse_bools(what: str, *dtypes: np.dtype) -> None:
    """Raises OperatorError if all operands are bool."""
    if all(d.kind == "b" for d in dtypes):
        raise OperatorError(f"{what}: all operands are bool; expected a number among them.")
