"""How many programs of this package JAX has compiled, or fetched from its persistent cache."""

import threading
from typing import final

import jax.monitoring


@final
class Compiles:
    """A running total.

    Attributes:
        count: programs.
        seconds: what they took.
    """

    def __init__(self):
        self.count = 0
        self.seconds = 0.0
        self._lock = threading.Lock()

    def note(self, event: str, duration_secs: float, **about: str | int) -> None:
        """Is told of everything that JAX measures."""
        if "backend_compile" in event and "dynjax_" in str(about.get("fun_name")):
            with self._lock:
                self.count += 1
                self.seconds += duration_secs


compiles = Compiles()
jax.monitoring.register_event_duration_secs_listener(compiles.note)
