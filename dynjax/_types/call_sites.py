"""Where in the user's program an operator was called."""

import sys
import types
from typing import Any

CallSite = list[tuple[types.FrameType, int, int]]


def user_frame() -> tuple[Any, int]:
    """The nearest frame outside this package, and its `stacklevel` seen from the caller.

    None if there is none, as in a thread of the package's own.
    """
    frame: Any = sys._getframe(1)
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("dynjax."):
        frame, level = frame.f_back, level + 1
    return frame, level + 1


def where() -> tuple[str, int]:
    """File and line of the user's call. Unlike frames, they keep no values alive."""
    frame, _ = user_frame()
    return ("?", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def call_site() -> CallSite:
    """The caller's frames outside this package, innermost first, with their positions now."""
    frame, _ = user_frame()
    site = []
    while frame is not None:
        site.append((frame, frame.f_lasti, frame.f_lineno))
        frame = frame.f_back
    return site


def at_call_site(error: BaseException, site: CallSite) -> BaseException:
    """The error with the Python stack of the operator call as its traceback."""
    traceback = None
    for frame, lasti, lineno in site:
        traceback = types.TracebackType(traceback, frame, lasti, lineno)
    return error.with_traceback(traceback)
