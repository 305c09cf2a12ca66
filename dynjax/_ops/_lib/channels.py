"""How many channels the samples of a batch have, where an operator needs one number."""

import numpy as np

from ..._types.columns import is_traced
from ..._types.errors import OperatorError
from ..._types.spec import Spec


def channel_count(what: str, spec: Spec, axis: int = -1) -> int:
    """The extent of the channel axis, which all samples must share.

    Raises:
        OperatorError: it differs, or is not known inside `jit`.
    """
    column = spec.shape[axis]
    if isinstance(column, int):
        return column
    if is_traced(column):
        raise OperatorError(
            f"{what}: inside jit the number of channels must be the same for all samples. Name "
            "the channel axis: dynjax.as_batch(data, layout='HWC')."
        )
    counts = sorted(set(np.asarray(column).tolist()))
    if len(counts) > 1:
        raise OperatorError(f"{what}: samples have different numbers of channels: {counts}.")
    return int(counts[0]) if counts else 0
