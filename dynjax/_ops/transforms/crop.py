"""Affine matrices between boxes: `dynjax.transforms.crop`."""

import functools
from collections.abc import Sequence

import numpy as np

from ..._schema import Output, PerFrame, operator
from ..._types.columns import Column, maximum, minimum
from ..._types.spec import Spec
from .._lib.affine import Matrix, divided, repeated
from .._lib.affine_chain import transform

_WHAT = "transforms.crop"


@operator(_WHAT)
def crop(
    x: Spec | None = None,
    /,
    *,
    absolute: bool = False,
    from_end: PerFrame[list[float]] | None = None,
    from_start: PerFrame[list[float]] | None = None,
    reverse_order: bool = False,
    to_end: PerFrame[list[float]] | None = None,
    to_start: PerFrame[list[float]] | None = None,
) -> Output:
    """The matrix that maps one box onto another.

        out = to_start + (p - from_start) * (to_end - to_start) / (from_end - from_start)

    Args:
        x: an affine matrix `[d, d + 1]` to be applied first, or with layout `"F**"` a sequence of
            them. Default: none.
        absolute: swap starts and ends where the start is the larger one.
        from_end: upper corner of the first box; may vary by sample or frame, as all corners may.
            Default: 1.
        from_start: its lower corner. Default: 0.
        reverse_order: apply the new map first, `x` after it.
        to_end: upper corner of the second box. Default: 1.
        to_start: its lower corner. Default: 0.

    Returns:
        float32 `[d, d + 1]`, layout `"**"`; one for each frame, layout `"F**"`, where `x` or an
        argument has frames.

    Raises:
        OperatorError: corners or `x` of different dimensions or numbers of frames.

    Source: DALI `transforms.Crop`.

    Example:
        >>> np.asarray(dynjax.transforms.crop(from_end=[2.0, 4.0], to_end=[4.0, 4.0]))
        array([[2., 0., 0.],
               [0., 1., 0.]], dtype=float32)
    """
    return transform(
        *(_WHAT, functools.partial(_matrix, absolute), x, reverse_order),
        from_start=from_start,
        from_end=from_end,
        to_start=to_start,
        to_end=to_end,
    )


def _matrix(
    absolute: bool,
    from_start: Sequence[Column] | None,
    from_end: Sequence[Column] | None,
    to_start: Sequence[Column] | None,
    to_end: Sequence[Column] | None,
) -> Matrix:
    given = [c for c in (from_start, from_end, to_start, to_end) if c is not None]
    d = max((len(c) for c in given), default=1)
    low = repeated(_WHAT, "from_start", from_start, d, 0.0)
    high = repeated(_WHAT, "from_end", from_end, d, 1.0)
    to_low = repeated(_WHAT, "to_start", to_start, d, 0.0)
    to_high = repeated(_WHAT, "to_end", to_end, d, 1.0)
    rows: Matrix = []
    for i in range(d):
        a, b, c, e = low[i], high[i], to_low[i], to_high[i]
        if absolute:
            a, b, c, e = minimum(a, b), maximum(a, b), minimum(c, e), maximum(c, e)
        factor = divided(e - c, b - a)
        with np.errstate(invalid="ignore"):  # boxes without extent
            offset = c - a * factor
        rows.append([*(factor if i == j else 0.0 for j in range(d)), offset])
    return rows
