"""States of readers and generators in checkpoints of Orbax, next to a model's parameters."""

import functools
import json
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any, final

import jax

from .._types.errors import ArgumentError

_VERSION = 1


@final
class Stateful:
    """Readers, generators and other objects with a state, as one part of an Orbax checkpoint.

    It is a `StatefulCheckpointable` of Orbax: pass it among the checkpointables of
    `orbax.checkpoint.v1.save_checkpointables` and `load_checkpointables`. Loading hands the states
    to the objects. Each process writes a file of its own; where the number of processes has changed
    since, the state of the first serves all, which readers take at the start of a pass over the
    data.

    Args:
        objects: an object with `get_state` and `set_state`, or a mapping of names to such.
            Checkpointing is enabled in readers, which must not have been read without it.

    Example:
        >>> rng = dynjax.random.RNG(seed=5)
        >>> text, expected = dynjax.checkpoint.Stateful({"rng": rng}).get_state(), rng()
        >>> fresh = dynjax.random.RNG(seed=1)
        >>> dynjax.checkpoint.Stateful({"rng": fresh}).set_state(text)
        >>> fresh() == expected
        True
    """

    def __init__(self, objects: Any):
        given = objects if isinstance(objects, Mapping) else {"state": objects}
        self._objects: dict[str, Any] = dict(given)
        for name, value in self._objects.items():
            if not (hasattr(value, "get_state") and hasattr(value, "set_state")):
                raise TypeError(
                    f"Stateful: {name!r} is a {type(value).__name__}; expected an object with "
                    "get_state and set_state."
                )
            if enable := getattr(value, "_enable_checkpointing", None):
                enable()

    def get_state(self) -> str:
        """The states of all objects, as JSON text."""
        states: dict[str, str] = {}
        for name, value in self._objects.items():
            # A reader that was not read yet has a state too: the start.
            get = getattr(value, "_current_state", value.get_state)
            states[name] = str(get())
        return json.dumps({"version": _VERSION, "states": states})

    def set_state(self, state: str) -> None:
        """Hands the states to the objects.

        Raises:
            ArgumentError: a text of another kind, or states of other names.
        """
        try:
            content = json.loads(state)
            states, version = content["states"], content["version"]
        except (ValueError, TypeError, KeyError):
            states, version = None, None
        if version != _VERSION or not isinstance(states, dict):
            raise ArgumentError(f"Stateful: {state[:60]!r} is no state that get_state returned.")
        if set(states) != set(self._objects):
            raise ArgumentError(
                f"Stateful: the checkpoint has states of {sorted(states)!r}; expected "
                f"{sorted(self._objects)!r}. Make it of the same objects."
            )
        for name, value in self._objects.items():
            value.set_state(states[name])

    async def save(self, directory: Any) -> Awaitable[None]:
        """Takes the states now, and gives Orbax what writes them."""
        text = self.get_state()

        async def write() -> None:
            await directory.await_creation()
            _write(directory.path, text)

        return write()

    async def load(self, directory: Any) -> Awaitable[None]:
        """Reads the states now, and gives Orbax what hands them to the objects."""
        text = _read(directory)

        async def restore() -> None:
            self.set_state(text)

        return restore()


def orbax_save(objects: Any) -> Any:
    """The arguments with which `orbax.checkpoint.CheckpointManager.save` stores states.

    Args:
        objects: as of `Stateful`, or one.

    Returns:
        `orbax.checkpoint.args.CheckpointArgs`, for example as a part of `args.Composite`.

    Raises:
        ImportError: the package `orbax-checkpoint` is missing.
    """
    return _classes()[0](_stateful(objects))


def orbax_restore(objects: Any) -> Any:
    """The arguments with which `CheckpointManager.restore` hands stored states to objects.

    Args:
        objects: as those that were saved.

    Returns:
        As `orbax_save`.

    Raises:
        ImportError: the package `orbax-checkpoint` is missing.
    """
    return _classes()[1](_stateful(objects))


def _stateful(objects: Any) -> Stateful:
    return objects if isinstance(objects, Stateful) else Stateful(objects)


@functools.cache
def _classes() -> tuple[Any, Any]:
    """The argument classes for saving and restoring, known to Orbax along with their handler."""
    try:
        import orbax.checkpoint as ocp  # type: ignore[import-not-found]
    except ImportError:
        raise ImportError(
            "checkpoints of Orbax need the package orbax-checkpoint: pip install orbax-checkpoint"
        ) from None
    args: Any = ocp.args

    class StateHandler(ocp.CheckpointHandler):
        """Writes states as text when it is called; they are too small to be worth a thread."""

        def save(self, directory: Any, args: Any) -> None:
            _write(directory, args.stateful.get_state())

        def restore(self, directory: Any, args: Any) -> Any:
            args.stateful.set_state(_read(directory))
            return args.stateful

    class _Args(args.CheckpointArgs):
        def __init__(self, stateful: Stateful):
            self.stateful = stateful

    class StateSave(_Args):
        """What to save."""

    class StateRestore(_Args):
        """What to restore."""

    args.register_with_handler(StateHandler, for_save=True)(StateSave)
    args.register_with_handler(StateHandler, for_restore=True)(StateRestore)
    return StateSave, StateRestore


def _file(index: int, count: int) -> str:
    return f"process_{index}-of-{count}.json"


def _write(directory: Any, text: str) -> None:
    (directory / _file(jax.process_index(), jax.process_count())).write_text(text)


def _read(directory: Any) -> str:
    own = directory / _file(jax.process_index(), jax.process_count())
    if own.exists():
        return own.read_text()
    first = sorted(Path(directory).glob("process_0-of-*.json"))
    if not first:
        raise FileNotFoundError(
            f"{directory}: no states of readers or generators are stored there."
        )
    return first[0].read_text()
