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


def of_sample(what: str, sample: int, reason: str) -> OperatorError:
    """The error of one sample of a batch, whose number and reason are its attributes."""
    error = OperatorError(f"{what}: sample {sample}: {reason}")
    error.sample, error.reason = sample, reason  # type: ignore[attr-defined]
    return error


def at_call(error: Exception) -> Exception:
    """Marks an error that the call raises in every mode, instead of its result."""
    error.at_call = True  # type: ignore[attr-defined]
    return error
