"""Arrays in NumPy's file format: `dynjax.decoders.numpy`."""

import io
import math

import numpy as np

from ..._schema import DTypeLike, Output, operator
from ..._statuses import place
from ..._types.data import Data
from ..._types.dtypes import numpy_dtype
from ..._types.errors import OperatorError
from .._lib.convert import convert_host
from .._lib.host_samples import batching
from .._lib.ready import host_samples, ready

_WHAT = "decoders.numpy"
_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


@operator(_WHAT, reads_data=True, devices=("cpu",))
def numpy(data: Data, /, *, dtype: DTypeLike | None = None) -> Output:
    """Reads arrays from the contents of `.npy` files.

    Args:
        data: the bytes of each file, uint8, one axis.
        dtype: type of the result, converted as by `cast`. Default: that of the file.

    Returns:
        The array of each file. All arrays of a batch have one type and one number of axes.

    Raises:
        OperatorError: data in another form, cut short or of a type without numbers, arrays that
            differ in type or number of axes. Names the sample.

    Source: the format's definition, `numpy.lib.format`.

    Example:
        >>> import io
        >>> file = io.BytesIO()
        >>> np.save(file, np.array([[1, 2]], np.int16))
        >>> np.asarray(dynjax.decoders.numpy(np.frombuffer(file.getvalue(), np.uint8)))
        array([[1, 2]], dtype=int16)
    """
    spec = data.spec
    if spec.ndim != 1 or spec.dtype != np.uint8:
        raise OperatorError(
            f"{_WHAT}: the input has {spec.ndim} axes of {spec.dtype.name}; expected files as one "
            "axis of uint8."
        )
    count, batched = batching([spec])
    arrays: list[np.ndarray] = []
    for i, encoded in enumerate(host_samples(_WHAT, data, count)):
        try:
            arrays.append(_array(encoded.tobytes()))
        except (ValueError, EOFError, SyntaxError) as error:
            where = place(i, data.source)
            raise OperatorError(f"{_WHAT}: {where}: no array of numbers: {error}") from error
    kinds = {(a.dtype.name, a.ndim) for a in arrays}
    if len(kinds) > 1 and (dtype is None or len({a.ndim for a in arrays}) > 1):
        found = ", ".join(f"{ndim} axes of {name}" for name, ndim in sorted(kinds))
        raise OperatorError(f"{_WHAT}: the arrays differ: {found}. Decode them one by one.")
    if dtype is not None:
        kind = np.dtype(numpy_dtype(dtype))
        arrays = [convert_host(a, kind) for a in arrays]
    elif arrays:
        kind = arrays[0].dtype
    else:
        kind = np.dtype(np.float32)
    return ready(arrays, arrays[0].ndim if arrays else 1, kind, batched)


def _array(encoded: bytes) -> np.ndarray:
    """Raises ValueError for anything else than an array of numbers."""
    file = io.BytesIO(encoded)
    version = np.lib.format.read_magic(file)
    if version not in _READERS:
        raise ValueError(f"version {version} of the format is for records, not numbers.")
    shape, by_columns, kind = _READERS[version](file)
    if kind.kind not in "biuf" or kind.itemsize > 8:
        raise ValueError(f"its elements are {kind}.")
    start, wanted = file.tell(), math.prod(shape)
    if wanted * kind.itemsize > len(encoded) - start:
        raise ValueError(f"the data end before the {wanted} elements do.")
    flat = np.frombuffer(encoded, kind, wanted, start).astype(kind.newbyteorder("="))
    return flat.reshape(shape, order="F" if by_columns else "C")
