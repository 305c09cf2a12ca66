"""Errors that are met ahead of their turn."""

from collections.abc import Callable, Iterator
from typing import Any, NoReturn, final


@final
class Failure:
    """An error that waits for its turn, in place of a result.

    Attributes:
        error: what was raised; None once it was thrown.
    """

    __slots__ = ("_trial", "error")

    def __init__(self, error: BaseException, trial: Any = None):
        self.error: BaseException | None = error
        self._trial = trial  # lives as long as the error

    def throw(self) -> NoReturn:
        """Raises the error, once: what still referred to it would be held by its frames."""
        error, self.error, self._trial = self.error, None, None
        assert error is not None
        try:
            raise error
        finally:
            del error


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives, or the Failure if it raises an Exception."""
    trial = _trial(function, *arguments)
    result, error = next(trial)
    return result if error is None else Failure(error, trial)


def _trial(function: Callable[..., Any], *arguments: Any) -> Iterator[tuple[Any, Exception | None]]:
    """A generator, since the frame of one that waits does not refer to its caller's.

    Through the frames of its traceback an error would hold the loop, which could not notice then
    that it was left. When the garbage collector closes the generator, its frame refers to those
    that happen to run, and is garbage only if it holds nothing that is.
    """
    try:
        result = function(*arguments)
    except Exception as error:
        del function, arguments
        yield None, error
    else:
        yield result, None
