"""Class numbers as vectors: `dynjax.one_hot`."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._schema import Apply, DTypeLike, Kernel, Output, operator
from .._types.columns import is_constant
from .._types.dtypes import numpy_dtype
from .._types.errors import OperatorError
from .._types.spec import Spec
from ._lib.axes import position
from ._lib.convert import convert_host
from ._lib.host_samples import mapped


def _sample(
    inputs: Sequence[Any],
    extents: Any,
    out_extent: Any,
    tables: Any,
    *,
    out_shape: tuple[int, ...],
    dtype: Any,
    axis: int,
    on: Any,
    off: Any,
    scalar: bool,
) -> Any:
    del extents, out_extent, tables
    x = inputs[0].reshape(()) if scalar else inputs[0]
    shape = [1] * len(out_shape)
    shape[axis] = -1
    number = jnp.arange(out_shape[axis]).reshape(shape)
    chosen = jnp.expand_dims(jnp.trunc(x).astype(jnp.int32), axis) == number
    return jnp.where(chosen, jnp.asarray(on, dtype), jnp.asarray(off, dtype))


_kernel = Kernel("one_hot", _sample, native=False)


@operator("one_hot", alone=True)
def one_hot(
    x: Spec,
    /,
    *,
    axis: int | None = None,
    axis_name: str | None = None,
    dtype: DTypeLike = np.float32,
    num_classes: int = 0,
    off_value: float = 0.0,
    on_value: float = 1.0,
) -> Output:
    """Turns each class number into a vector with one place for each class.

    Args:
        x: class numbers, truncated if they are floats; those beyond the classes switch nothing on.
        axis: where the result has the classes; negative ones count from its end. Default: last,
            and an input of a single number, whatever its rank, gives one vector.
        axis_name: the letter of that axis; the input must have a layout.
        dtype: type of the result. Default: float32.
        num_classes: the number of classes.
        off_value, on_value: the two values, converted as `cast` does.

    Returns:
        Data with one axis more; but see `axis`.

    Raises:
        OperatorError: there cannot be such an axis.

    Source: DALI `OneHot`; definition checked against recordings.

    Example:
        >>> np.asarray(dynjax.one_hot(dynjax.tensor([1, 0]), num_classes=2))
        array([[0., 1.],
               [1., 0.]], dtype=float32)
    """
    kind = np.dtype(numpy_dtype(dtype))
    scalar = axis is None and all(is_constant(n) and n == 1 for n in x.shape)
    shape = () if scalar else x.shape
    where = position("one_hot", -1 if axis is None else axis, len(shape) + 1)
    layout = None
    if axis_name:
        if len(axis_name) != 1 or (x.layout is None and shape):
            raise OperatorError(
                f"one_hot: axis_name={axis_name!r} needs one letter, and an input with a layout."
            )
        known = x.layout if shape else ""
        assert known is not None
        layout = known[:where] + axis_name + known[where:]
    on, off = (convert_host(np.array([v]), kind)[0] for v in (on_value, off_value))
    out = (*shape[:where], num_classes, *shape[where:])

    def vectors(numbers: np.ndarray, at: int) -> np.ndarray:
        chosen = np.expand_dims(np.trunc(numbers), at) == _along(num_classes, at, numbers.ndim + 1)
        return np.where(chosen, on, off)

    def one(numbers: np.ndarray) -> np.ndarray:
        return vectors(numbers.reshape(()) if scalar else numbers, where)

    def all_samples(numbers: np.ndarray) -> np.ndarray:
        return vectors(numbers.reshape(-1) if scalar else numbers, where + 1)

    return Apply(
        _kernel,
        out,
        kind,
        layout,
        static={"axis": where, "on": on.item(), "off": off.item(), "scalar": scalar},
        host=mapped(x, out, kind, one, all_samples),
    )


def _along(count: int, axis: int, ndim: int) -> np.ndarray:
    shape = [1] * ndim
    shape[axis] = -1
    return np.arange(count).reshape(shape)
