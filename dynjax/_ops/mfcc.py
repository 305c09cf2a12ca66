"""Cepstral coefficients: `dynjax.mfcc`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, Kernel, Output, Table, operator
from .._types.columns import any_of, minimum
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib import signals
from ._lib.along_axis import applied
from ._lib.axes import position
from ._lib.dct import dct_matrix
from ._lib.slots import fitted


def _sample(
    inputs: Sequence[Any],
    extents: Sequence[Sequence[Any]],
    out_extent: Any,
    tables: Sequence[Any],
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axis: int,
    kind: int,
    normalize: bool,
) -> Any:
    del out_extent
    x = inputs[0]
    count = out_shape[axis]
    length = extents[0][axis]
    xp: Any = np if isinstance(length, int) else jnp
    matrix = jnp.asarray(dct_matrix(xp, kind, count, length, x.shape[axis], normalize), jnp.float32)
    result = applied(matrix * _lifter(tables[0][0], count)[:, None], x, axis, length)
    return fitted(result, out_shape).astype(dtype)


def _lifter(lifter: Any, count: int) -> Any:
    """The weights of the coefficients; 1 without a lifter."""
    safe = jnp.where(lifter == 0, 1, lifter)
    weights = 1 + safe / 2 * jnp.sin(jnp.pi / safe * (jnp.arange(count) + 1))
    return jnp.where(lifter == 0, 1, weights)


_kernel = Kernel("mfcc", _sample, cost=8)


@operator("mfcc")
def mfcc(
    spectrum: Spec,
    /,
    *,
    axis: int = 0,
    dct_type: int = 2,
    lifter: float = 0.0,
    n_mfcc: int = 20,
    normalize: bool = False,
) -> Output:
    """The first coefficients of a cosine transform, of mel bands in dB as a rule.

        out[k] = (1 + lifter / 2 sin(pi (k + 1) / lifter)) sum_n x[n] cos(pi (2 n + 1) k / (2 N))

    for type 2. Type 1 is `cos(pi n k / (N - 1))` with half weights at both ends, type 3
    `cos(pi n (2 k + 1) / (2 N))` with half a weight at the start, type 4
    `cos(pi (2 n + 1) (2 k + 1) / (4 N))`.

    Args:
        spectrum: float32.
        axis: along which the transform is taken.
        dct_type: 1 to 4.
        lifter: see above; 0 for none.
        n_mfcc: number of coefficients; as many as there are elements if that is fewer.
        normalize: make the transform orthonormal; not for type 1.

    Returns:
        float32 in the input's layout, coefficients in place of the elements along the axis.

    Raises:
        OperatorError: another type, no such axis, another `dct_type`, `n_mfcc` below 1, type 1
            with `normalize` or of fewer than 2 elements.

    Source: DALI `MFCC`; transforms as in SciPy's, type 1 to 4 halved.

    Example:
        >>> np.asarray(dynjax.mfcc(np.float32([[3.0], [1.0]]), n_mfcc=2)).round(3).tolist()
        [[4.0], [1.414...]]
    """
    signals.check_float("mfcc", spectrum)
    axis = position("mfcc", axis, spectrum.ndim)
    if dct_type not in (1, 2, 3, 4):
        raise OperatorError(f"mfcc: dct_type={dct_type}; expected 1, 2, 3 or 4.")
    if n_mfcc < 1:
        raise OperatorError(f"mfcc: n_mfcc={n_mfcc}; expected at least 1.")
    if dct_type == 1 and normalize:
        raise OperatorError("mfcc: a transform of type 1 cannot be normalized. Use another type.")
    length = spectrum.shape[axis]
    if dct_type == 1 and any_of(length < 2):
        raise OperatorError("mfcc: a transform of type 1 needs at least 2 elements.")
    shape = list(spectrum.shape)
    shape[axis] = minimum(length, n_mfcc)

    def bound(slots: Sequence[Sequence[int]]) -> list[int | None]:
        return [min(slots[0][axis], n_mfcc) if a == axis else None for a in range(spectrum.ndim)]

    return Apply(
        _kernel,
        tuple(shape),
        np.dtype(np.float32),
        spectrum.layout,
        tables=(Table(np.float32, (lifter,)),),
        static={"axis": axis, "kind": dct_type, "normalize": normalize},
        bound=bound,
    )
