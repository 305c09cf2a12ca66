"""`Checkpoint`: the states of readers and generators, by name."""

import json
from dataclasses import dataclass
from typing import Any, final

from .._types.errors import ArgumentError, OperatorError
from .checkpoint_files import newest_file, write_next

_VERSION = 2
_ANONYMOUS = "__op_"


@final
@dataclass(slots=True)
class _Entry:
    """An object, its state, and whether the state still waits to be handed to it."""

    op: Any = None
    state: Any = None
    type_name: str | None = None
    dirty: bool = False


@final
class Checkpoint:
    """Saves and restores readers, random generators and other objects with a state.

    To save: register the objects, read, `collect`, `save`. To go on in a new process: `load`,
    register fresh objects under the same names, read. An object has `get_state(*, cuda_stream=...)`
    and `set_state(state)`. A checkpoint is not to be used from several threads.

    Example:
        >>> rng = dynjax.random.RNG(seed=5)
        >>> saved = dynjax.checkpoint.Checkpoint()
        >>> saved.register(rng, "rng")
        'rng'
        >>> saved.collect()
        >>> text, expected = saved.serialize(), rng()
        >>> restored, fresh = dynjax.checkpoint.Checkpoint(), dynjax.random.RNG(seed=1)
        >>> restored.deserialize(text)
        >>> restored.register(fresh, "rng")
        'rng'
        >>> fresh() == expected
        True
    """

    __slots__ = ("_complete", "_entries", "_loaded")

    def __init__(self):
        self.clear()

    def clear(self) -> None:
        """Forgets objects and states."""
        self._entries: dict[str, _Entry] = {}
        self._complete = self._loaded = False

    @property
    def names(self) -> list[str]:
        """The names of all objects and states."""
        return list(self._entries)

    @property
    def is_complete(self) -> bool:
        """Whether `collect` read the states of all objects."""
        return self._complete

    @property
    def is_loaded(self) -> bool:
        """Whether the states come from `load` or `deserialize`."""
        return self._loaded

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def register(self, op: Any, name: str | None = None) -> str:
        """Adds an object; a state that waits under its name is handed to it at once.

        Args:
            op: a reader, an RNG, or another object with `get_state` and `set_state`.
            name: a stable name. Default: one by the order of registration.

        Returns:
            The name.

        Raises:
            ValueError: a reserved or empty name, or a state of another reader.
            KeyError: the loaded checkpoint has no state of that name.
            TypeError: the name belongs to an object of another type.
            RuntimeError: the object has another name already, the states are collected already, or
                a reader was read before without checkpointing.
        """
        if name is not None and (not name or name.startswith(_ANONYMOUS)):
            raise ArgumentError(
                f"Checkpoint.register: name={name!r}; expected one that is not empty and does not "
                f"start with {_ANONYMOUS!r}."
            )
        known = next((k for k, entry in self._entries.items() if entry.op is op), None)
        if known is not None:
            if name not in (None, known):
                raise OperatorError(
                    f"Checkpoint.register: name={name!r}; the object is registered as {known!r}."
                )
            return known
        if name is None:
            name = f"{_ANONYMOUS}{sum(e.op is not None for e in self._entries.values())}"
        entry = self._entries.get(name)
        if entry is None:
            self._check_new(name)
            entry = _Entry()
        self._check_type(name, entry, op)
        if enable := getattr(op, "_enable_checkpointing", None):
            enable()
        if entry.dirty:
            op.set_state(entry.state)
        entry.op, entry.type_name, entry.dirty = op, type(op).__name__, False
        self._entries[name] = entry
        return name

    def _check_new(self, name: str) -> None:
        if self._loaded:
            raise KeyError(
                f"Checkpoint.register: the loaded checkpoint has no {name!r}; it has "
                f"{', '.join(map(repr, self._entries))}."
            )
        if self._complete:
            raise OperatorError(
                f"Checkpoint.register: {name!r} is new, after collect(). Register everything "
                "before, or call clear()."
            )

    @staticmethod
    def _check_type(name: str, entry: _Entry, op: Any) -> None:
        if entry.type_name not in (None, type(op).__name__):
            raise TypeError(
                f"Checkpoint.register: {name!r} is of type {entry.type_name}, the object is of "
                f"type {type(op).__name__}."
            )

    def collect(self) -> None:
        """Reads the states of all objects. May be repeated.

        Raises:
            RuntimeError: a state has no object, or an object cannot give its state.
        """
        for name, entry in self._entries.items():
            if entry.op is None:
                raise OperatorError(
                    f"Checkpoint.collect: {name!r} has a state but no object. Register it."
                )
        states = {k: e.op.get_state(cuda_stream=None) for k, e in self._entries.items()}
        for name, state in states.items():
            entry = self._entries[name]
            entry.state, entry.dirty = state, False
        self._complete, self._loaded = True, False

    def restore(self) -> None:
        """Hands the states to their objects that were not handed out yet.

        Raises:
            RuntimeError: a state has no object, or an object no state.
        """
        if all(entry.state is None for entry in self._entries.values()):
            return
        for name, entry in self._entries.items():
            if entry.op is None or entry.state is None:
                lacks = "object" if entry.op is None else "state"
                raise OperatorError(f"Checkpoint.restore: {name!r} has no {lacks}.")
        for entry in self._entries.values():
            if entry.dirty:
                entry.op.set_state(entry.state)
                entry.dirty = False

    def get_state(self, name: str) -> Any:
        """The stored state; None if there is none yet.

        Raises:
            KeyError: unknown name.
        """
        if name not in self._entries:
            raise KeyError(f"Checkpoint.get_state: there is no {name!r}.")
        return self._entries[name].state

    def set_state(self, name: str, value: Any, op_type: Any = None) -> None:
        """Stores a state; `restore`, or `register` of that name, hands it out.

        Args:
            name: of an object that is registered, or will be.
            value: the state.
            op_type: the object's class, or the class's name.

        Raises:
            KeyError: the checkpoint is complete and has no such name.
            TypeError: `op_type` is neither class nor str.
        """
        if op_type is not None and not isinstance(op_type, type | str):
            raise TypeError(f"Checkpoint.set_state: op_type={op_type!r}; expected a class or str.")
        if self._complete and name not in self._entries:
            raise KeyError(f"Checkpoint.set_state: the complete checkpoint has no {name!r}.")
        entry = self._entries.setdefault(name, _Entry())
        entry.state, entry.dirty = value, True
        if op_type is not None:
            entry.type_name = op_type.__name__ if isinstance(op_type, type) else op_type

    def serialize(self) -> str:
        """All states as JSON text.

        Raises:
            RuntimeError: there are none.
        """
        states = {
            name: {"state": str(entry.state), "type": entry.type_name}
            for name, entry in self._entries.items()
            if entry.state is not None
        }
        if not states:
            raise OperatorError("Checkpoint.serialize: there are no states. Call collect().")
        return json.dumps({"version": _VERSION, "states": states})

    def deserialize(self, data: str) -> None:
        """Replaces all states by those of a text from `serialize`.

        Raises:
            ValueError: another text; `json.JSONDecodeError` if it is no JSON.
        """
        states = _parsed(json.loads(data))
        kept = {k: e for k, e in self._entries.items() if e.op is not None}
        self._entries = {k: _Entry(e.op, None, e.type_name) for k, e in kept.items()}
        for name, (state, type_name) in states.items():
            entry = self._entries.setdefault(name, _Entry(None, None, type_name))
            entry.state, entry.dirty = state, True
        self._loaded, self._complete = True, False

    def save(self, filename: str) -> str:
        """Writes the states to the next free file of a pattern, wholly or not at all.

        Args:
            filename: a path with `{seq}` in place of the number; a format is allowed: `{seq:04d}`.

        Returns:
            The path.

        Raises:
            ValueError: no `{seq}`, or another field.
            RuntimeError: there are no states.
            OSError: the file cannot be written.
        """
        return write_next(filename, self.serialize())

    def load(self, filename: str) -> str:
        """Reads the file with the highest number of a pattern, as `deserialize` does.

        Returns:
            The path.

        Raises:
            ValueError: no `{seq}`, or a file that is no checkpoint.
            FileNotFoundError: there is no such file.
        """
        path = newest_file(filename)
        with open(path, encoding="ascii") as file:
            self.deserialize(file.read())
        return path


def _parsed(content: Any) -> dict[str, tuple[str, str | None]]:
    """Name -> state and type. Raises ValueError for anything but what `serialize` writes."""
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        found = content.get("version") if isinstance(content, dict) else content
        raise ArgumentError(
            f"Checkpoint.deserialize: version {found!r:.60}; expected a checkpoint of version "
            f"{_VERSION}."
        )
    states = content.get("states")
    if not isinstance(states, dict):
        raise ArgumentError("Checkpoint.deserialize: the text has no states.")
    for name, entry in states.items():
        valid = (
            isinstance(entry, dict)
            and isinstance(entry.get("state"), str)
            and isinstance(entry.get("type"), str | None)
        )
        if not valid:
            raise ArgumentError(
                f"Checkpoint.deserialize: {name!r} is {entry!r:.60}; expected state and type."
            )
    return {name: (entry["state"], entry.get("type")) for name, entry in states.items()}
