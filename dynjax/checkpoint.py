"""Saving and restoring the states of readers and generators: `dynjax.checkpoint`."""

from ._execution.checkpoint import Checkpoint
from ._execution.checkpoint_orbax import Stateful, orbax_restore, orbax_save
from ._execution.context import current_checkpoint as current
from ._readers.state import ReaderState

__all__ = ["Checkpoint", "ReaderState", "Stateful", "current", "orbax_restore", "orbax_save"]
