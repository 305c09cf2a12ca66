"""What could not be decoded: `dynjax.decoders.bad_samples`."""

from ..._types.batch import Batch
from ..._types.host import BadSample


def bad_samples(batch: Batch) -> list[BadSample]:
    """Lists the samples that could not be decoded, of the call that `batch` comes from.

    Args:
        batch: a result of `decoders.image` with `on_error="fill"` or `"skip"`, or of operators on
            it.

    Returns:
        For each of them `sample`, its place in the batch of files; `name`, its path if a reader
        gave it; and `reason`, all in order.

    Example:
        >>> import warnings
        >>> files = dynjax.batch([np.frombuffer(b"no picture", np.uint8)])
        >>> with warnings.catch_warnings(action="ignore"):
        ...     images = dynjax.decoders.image(files, on_error="fill")
        >>> dynjax.decoders.bad_samples(images)
        [BadSample(sample=0, name='', reason='the format was not recognised')]
    """
    return [] if batch.source is None else list(batch.source.bad)
