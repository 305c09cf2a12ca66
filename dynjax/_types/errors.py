"""The two families of errors that operators raise."""


class OperatorError(RuntimeError):
    """An operator or reader could not do its work: bad data, sizes that do not fit, I/O."""


class ArgumentError(ValueError):
    """An argument, layout, device or batch size that the operator does not accept."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument of a type that cannot stand for what is expected."""


class OutOfRangeError(OperatorError, IndexError):
    """An index beyond the end of an axis."""


class RankError(OperatorError, TypeError):
    """Samples of different numbers of axes."""


class SampleError(OperatorError):
    """What is wrong with one sample of a batch.

    Attributes:
        sample: its number in the batch.
        reason: what was found and what is to be done, without operator and sample.
    """

    sample = 0
    reason = ""

    @classmethod
    def of(cls, what: str, sample: int, reason: str) -> "SampleError":
        """The error of a sample in a call of the operator `what`."""
        error = cls(f"{what}: sample {sample}: {reason}")
        error.sample, error.reason = sample, reason
        return error


def at_call(error: Exception) -> Exception:
    """Marks an error that the call raises in every mode, instead of its result."""
    error.at_call = True  # type: ignore[attr-defined]
    return error
