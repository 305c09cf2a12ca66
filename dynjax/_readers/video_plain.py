"""The arguments that `readers.Video` and `readers.VideoResize` share."""

from typing import Any

import numpy as np

from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .video_list import Rounding


def plain_form(
    operator: str,
    dtype: Any,
    normalized: bool | None,
    channels: int | None,
    pad_sequences: bool | None,
) -> dict[str, Any]:
    """The arguments of `VideoFiles` that say what frames are made of.

    Raises:
        OperatorError: another type, another number of channels, normalized integers.
    """
    kind = np.dtype(np.uint8 if dtype is None else numpy_dtype(dtype))
    if kind.name not in ("uint8", "float32"):
        raise OperatorError(f"{operator}: dtype={kind.name}; expected uint8 or float32.")
    if channels not in (None, 3):
        raise OperatorError(f"{operator}: channels={channels!r}; expected 3.")
    if normalized and kind != np.float32:
        raise OperatorError(
            f"{operator}: normalized=True with dtype={kind.name}; expected float32. Pass "
            "dtype=dynjax.float32."
        )
    return {
        "fill": np.zeros(3, np.uint8),
        "dtype": kind,
        "normalized": bool(normalized),
        "pad_mode": "constant" if pad_sequences else "none",
    }


def list_rounding(frames: bool | None, preceding: bool | None) -> Rounding:
    """What the bounds in a file list mean; frame numbers are always rounded inwards."""
    if frames:
        return Rounding("frames", start_up=True, end_up=False)
    return Rounding("timestamps", start_up=not preceding, end_up=bool(preceding))
