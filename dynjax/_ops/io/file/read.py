"""Contents of files: `dynjax.io.file.read`."""

import numpy as np

from ...._native import StatusCode, native
from ...._schema import Apply, Kernel, Output, operator
from ...._statuses import sample_error
from ...._types.data import Data
from ...._types.errors import OperatorError
from ...._types.host import SampleSource
from ...._types.storage import Dense, Packed, Storage
from ..._lib.host_samples import batching
from ..._lib.ready import host_samples

_WHAT = "io.file.read"
_kernel = Kernel("read", native=False)


@operator(_WHAT, reads_data=True, devices=("cpu",))
def read(filepaths: Data, /, *, dont_use_mmap: bool = False, use_o_direct: bool = False) -> Output:
    """Reads whole files; those of a batch at the same time.

    Args:
        filepaths: the bytes of each path, uint8, one axis; a zero ends it.
        dont_use_mmap, use_o_direct: hints of the original, without effect here.

    Returns:
        The bytes of each file, uint8, one axis.

    Raises:
        OperatorError: paths in another form, a file that cannot be read. Names the file.

    Source: DALI `io.file.Read`.

    Example:
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "greeting")
        ...     _ = path.write_bytes(b"hello")
        ...     data = dynjax.io.file.read(np.frombuffer(bytes(path), np.uint8)).evaluate()
        >>> bytes(np.asarray(data))
        b'hello'
    """
    del dont_use_mmap, use_o_direct
    spec = filepaths.spec
    if spec.ndim != 1 or spec.dtype != np.uint8:
        raise OperatorError(
            f"{_WHAT}: the paths have {spec.ndim} axes of {spec.dtype.name}; expected their bytes, "
            "one axis of uint8, such as np.frombuffer(os.fsencode(path), np.uint8)."
        )
    count, batched = batching([spec])
    samples = host_samples(_WHAT, filepaths, count)
    paths = [s.tobytes().split(b"\0", 1)[0] for s in samples]
    data, lengths, status = native.ReadTicket(paths).wait()
    if status[:, 0].any():
        names = SampleSource(np.arange(count), 0, paths.__getitem__)
        raise _read_error(status, names)
    kind = np.dtype(np.uint8)
    storage: Storage
    if batched:
        storage = Packed(data, np.ascontiguousarray(lengths[:, None], np.int32))
        return Apply(_kernel, (lengths,), kind, None, host=lambda _: storage)
    storage = Dense(data[: lengths[0]], batched=False)
    return Apply(_kernel, (int(lengths[0]),), kind, None, host=lambda _: storage)


def _read_error(status: np.ndarray, names: SampleSource) -> OperatorError:
    first = int(np.flatnonzero(status[:, 0])[0])
    if status[first, 0] == StatusCode.UNSUPPORTED:
        return OperatorError(
            f"{_WHAT}: sample {first} ({names.name(first)}): it is no regular file."
        )
    return sample_error(_WHAT, status, names)
