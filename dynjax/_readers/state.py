"""What a reader saves of itself: its configuration and its position."""

import json
from collections.abc import Mapping
from typing import Any, final

from .._types.errors import ArgumentError
from .epochs import Position
from .order import Cursor

_VERSION = 1
# A state may move between numbers of shards where no shard has begun.
_SHARD_FIELDS = ("num_shards", "shard_id")


@final
class ReaderState(str):
    """Where a reader stands, as JSON text: what `Reader.get_state` returns.

    It holds no data, only the place in the stream of samples and what the stream follows from. As a
    `str` it can be stored anywhere.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"ReaderState({str.__repr__(self)})"


def to_state(configuration: Mapping[str, Any], position: Position) -> ReaderState:
    """The state of a reader with this configuration."""
    content = {
        "version": _VERSION,
        "configuration": dict(configuration),
        "epoch": position.epoch,
        "drawn": position.drawn,
        "passes": position.cursor.passes,
        "offset": position.cursor.offset,
    }
    return ReaderState(json.dumps(content, separators=(",", ":")))


def parse_state(label: str, state: Any) -> tuple[Mapping[str, Any], Position]:
    """Configuration and position of a state.

    Raises:
        TypeError: neither str nor bytes.
        ArgumentError: a text that is no state.
    """
    if not isinstance(state, str | bytes):
        raise TypeError(f"{label}: state={state!r:.80}; expected a ReaderState, str or bytes.")
    try:
        content = json.loads(state)
        numbers = [content[name] for name in ("epoch", "drawn", "passes", "offset")]
        configuration = content["configuration"]
        known = content["version"] == _VERSION and isinstance(configuration, dict)
    except (ValueError, KeyError, TypeError, RecursionError):
        known, numbers, configuration = False, [], {}
    if not known or not all(type(n) is int and n >= 0 for n in numbers):
        raise ArgumentError(
            f"{label}: {state[:60]!r} is no state of a reader; expected what get_state returned."
        )
    epoch, drawn, passes, offset = numbers
    return configuration, Position(epoch, drawn, Cursor(passes, offset))


def check_same(
    label: str, saved: Mapping[str, Any], own: Mapping[str, Any], position: Position
) -> None:
    """Checks that a state fits a reader.

    At the start of a pass the number of shards may differ: shards that all stand there have read
    the same passes to their ends, whatever their number.

    Raises:
        ArgumentError: it is the state of another reader; names the first field that differs.
    """
    for name in (*own, *(set(saved) - set(own))):
        if saved.get(name) == own.get(name):
            continue
        if name in _SHARD_FIELDS and position.cursor.offset == 0:
            continue
        remedy = "Restore it into a reader with the same arguments and data."
        if name in _SHARD_FIELDS:
            remedy = "Only a state from the end of a pass over the data may change its shard."
        raise ArgumentError(
            f"{label}: the state is of a reader with {name}={saved.get(name)!r}; this one has "
            f"{name}={own.get(name)!r}. {remedy}"
        )
