"""The two families of errors that operators raise."""


class OperatorError(RuntimeError):
    """An operator or reader could not do its work: bad data, sizes that do not fit, I/O."""


class ArgumentError(ValueError):
    """An argument, layout, device or batch size that the operator does not accept."""
