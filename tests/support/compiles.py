"""Counts the programs that XLA compiles, so that "does not recompile" is a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import jax.monitoring


@dataclass
class Compiles:
    """How many programs were compiled, in any thread, since the block began."""

    count: int = 0


class CompileCounter:
    @contextmanager
    def __call__(self) -> Iterator[Compiles]:
        seen = Compiles()

        def listen(event: str, duration_secs: float, **_: object) -> None:
            if "backend_compile" in event:
                seen.count += 1

        jax.monitoring.register_event_duration_secs_listener(listen)
        try:
            yield seen
        finally:
            jax.monitoring.unregister_event_duration_listener(listen)
