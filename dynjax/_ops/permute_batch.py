"""Samples in another order: `dynjax.permute_batch`."""

from collections.abc import Sequence

import numpy as np

from .._schema import Apply, Kernel, Output, PerSample, operator
from .._types.columns import is_constant
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.host_calls import HostCall

_kernel = Kernel("permute_batch", native=False)


@operator("permute_batch", host_only=True)
def permute_batch(x: Spec, /, *, indices: PerSample[list[int]]) -> Output:
    """Reorders the samples of a batch.

    Host only.

    Args:
        x: a batch.
        indices: for each sample of the result the number of a sample of `x`: a list, or a batch
            of scalars; one number is repeated. Samples may be taken more than once.

    Returns:
        As many samples as `x` has.

    Raises:
        OperatorError: a number that is no sample's, or a wrong number of them.

    Source: DALI `PermuteBatch`.

    Example:
        >>> batch = dynjax.batch([10, 11, 12])
        >>> [int(np.asarray(s)) for s in dynjax.permute_batch(batch, indices=[2, 0, 0])]
        [12, 10, 10]
    """
    order = _order(indices)
    if len(order) == 1:
        order *= x.count
    if len(order) != x.count:
        raise OperatorError(
            f"permute_batch: indices has {len(order)} values; the batch has {x.count} samples."
        )
    if len(order) and not (min(order) >= 0 and max(order) < x.count):
        raise OperatorError(
            f"permute_batch: indices holds {min(order)} to {max(order)}; expected 0 to "
            f"{x.count - 1}."
        )
    shape = tuple(c if is_constant(c) else np.asarray(c)[order] for c in x.shape)

    where = np.asarray(order, np.int64)
    host = HostCall("cast", [x], shape, x.dtype, x.count, x.batched, order=where)
    return Apply(_kernel, shape, x.dtype, x.layout, host=host)


def _order(indices: Sequence) -> list[int]:
    """The numbers: constants are the list itself, a column holds one for each sample."""
    if len(indices) == 1 and not is_constant(indices[0]):
        return np.asarray(indices[0]).tolist()
    return [int(i) for i in indices]
