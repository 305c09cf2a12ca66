"""What the noise operators share."""

import numpy as np

from ..._types.errors import OperatorError

_DTYPES = (
    *("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
    "float32",
)


def check_noise_dtype(name: str, dtype: np.dtype) -> None:
    """Refuses types without a rule for rounding the noisy value."""
    if dtype.name not in _DTYPES:
        raise OperatorError(
            f"{name}: the input is {dtype.name}; expected one of {', '.join(_DTYPES)}."
        )
