"""Reordered axes: `dynjax.transpose`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from .._schema import Apply, Kernel, Output, operator
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.strided_copy import strided


def _sample(
    inputs: Sequence[Any],
    extents: Any,
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    perm: tuple[int, ...],
) -> Any:
    del extents, out_extent, tables, out_shape, dtype
    return jnp.transpose(inputs[0], perm)


_kernel = Kernel("transpose", _sample, native=False)


@operator("transpose", alone=True)
def transpose(
    x: Spec,
    /,
    *,
    output_layout: str | None = None,
    perm: list[int] | None = None,
    transpose_layout: bool = True,
) -> Output:
    """Reorders the axes.

    Args:
        x: any data.
        output_layout: layout of the result. Default: see `transpose_layout`.
        perm: which axis of the input becomes each axis of the result. Default: all reversed.
        transpose_layout: reorder the layout's letters as well; otherwise they stay.

    Returns:
        The reordered data.

    Raises:
        OperatorError: `perm` is no permutation of the axes, or the layout does not fit.

    Source: DALI `Transpose`.

    Example:
        >>> dynjax.transpose(dynjax.tensor(np.zeros((2, 3, 4))), perm=[2, 0, 1]).shape
        (4, 2, 3)
    """
    order = tuple(reversed(range(x.ndim))) if perm is None else tuple(perm)
    if sorted(order) != list(range(x.ndim)):
        raise OperatorError(
            f"transpose: perm={list(order)} is no permutation of 0 to {x.ndim - 1}."
        )
    layout = x.layout
    if output_layout:
        if len(output_layout) != x.ndim:
            raise OperatorError(
                f"transpose: output_layout={output_layout!r} has {len(output_layout)} letters; the "
                f"result has {x.ndim} axes."
            )
        layout = output_layout
    elif layout is not None and transpose_layout:
        layout = "".join(layout[a] for a in order)
    shape = tuple(x.shape[a] for a in order)
    moved = strided("transpose", x, shape, perm=order)
    return Apply(_kernel, shape, x.dtype, layout, static={"perm": order}, host=moved.host)
