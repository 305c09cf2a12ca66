"""From the status that a native kernel gives for each sample to an error that a user can act on."""

import os
from typing import Any

import numpy as np

from ._native import StatusCode
from ._types.errors import OperatorError

_REASONS = {
    StatusCode.TRUNCATED: "the data are truncated",
    StatusCode.CORRUPT: "the data are corrupt",
    StatusCode.UNRECOGNISED: "the format was not recognised",
    StatusCode.UNSUPPORTED: "the file uses a feature of its format that is not supported",
    StatusCode.TOO_LARGE: "the picture is larger than the limit allows",
    StatusCode.SHAPE_MISMATCH: "the picture is not of the size that its header gave",
    StatusCode.OUTSIDE: "the window is empty or reaches beyond the picture",
}


def reason(code: int, detail: int = 0) -> str:
    """What a status means, in words."""
    if code == StatusCode.IO:
        return f"the file could not be read ({os.strerror(detail)})"
    return _REASONS[StatusCode(code)]


def place(sample: int, source: Any) -> str:
    """Which sample, and of which file if that is known."""
    return f"sample {sample}" + (
        f" ({source.name(sample)})" if source is not None and source.is_named else ""
    )


def sample_error(operator: str, status: np.ndarray, source: Any) -> OperatorError:
    """The error for the first failed sample of a status table `[N, 2]`; tells how many failed."""
    failed = np.flatnonzero(status[:, 0])
    first = int(failed[0])
    code, detail = map(int, status[first])
    others = len(failed) - 1
    more = f" {others} more {'sample' if others == 1 else 'samples'} of this batch failed too."
    if not others:
        more = ""
    return OperatorError(f"{operator}: {place(first, source)}: {reason(code, detail)}.{more}")
