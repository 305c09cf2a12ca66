"""What dynjax offers: its public modules, and what each of their names is."""

import ast
import inspect
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import dynjax
from dynjax._schema import HIDDEN, Operator


@dataclass(frozen=True)
class Entry:
    """A public name; `dotted` is relative to `dynjax`."""

    dotted: str
    value: Any

    @property
    def name(self) -> str:
        return self.dotted.rpartition(".")[2]

    @property
    def operator(self) -> Operator | None:
        """The record: its own, or that behind a function."""
        own = self.value if isinstance(self.value, Operator) else None
        return own or HIDDEN.get(self.dotted)

    @property
    def on_data(self) -> bool:
        """Whether it is an operator, or a function that is one in all but name."""
        numeric = self.dotted.startswith("math.") and inspect.isfunction(self.value)
        return self.operator is not None or numeric

    @property
    def signature(self) -> inspect.Signature:
        """The public parameters, with the annotations of the source."""
        shown = inspect.signature(self.value)
        if not isinstance(self.value, Operator):
            return shown
        own = dict(inspect.signature(self.value.rule).parameters)
        if self.value.random:
            del own["key"]  # of the samples; callers give one of their own
        return shown.replace(
            parameters=[
                p.replace(annotation=own[p.name].annotation) if p.name in own else p
                for p in shown.parameters.values()
            ],
            return_annotation=inspect.signature(self.value.rule).return_annotation,
        )

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.value) or "").partition("\n")[0]


@dataclass(frozen=True)
class Module:
    """A public module; `name` is the one that users know it by."""

    name: str
    value: ModuleType

    @property
    def path(self) -> Path:
        return Path(self.value.__file__ or "")

    @cached_property
    def entries(self) -> list[Entry]:
        prefix = self.name.removeprefix("dynjax").removeprefix(".")
        named = {n: getattr(self.value, n) for n in sorted(self.value.__all__, key=str.lower)}
        return [
            Entry(f"{prefix}.{n}".removeprefix("."), value)
            for n, value in named.items()
            if not inspect.ismodule(value)
        ]

    @cached_property
    def imports(self) -> dict[str, str]:
        """The statement that imports each name which the module only passes on."""
        found = {}
        for node in ast.parse(self.path.read_text()).body:
            if isinstance(node, ast.ImportFrom):
                origin = "." * node.level + (node.module or "")
                for alias in node.names:
                    name = alias.asname or alias.name
                    found[name] = f"from {origin} import {alias.name} as {name}"
        return found


def modules() -> list[Module]:
    """All public modules with an `__all__`, `dynjax` first."""
    found, waiting = [], [Module("dynjax", dynjax)]
    while waiting:
        module = waiting.pop(0)
        names = getattr(module.value, "__all__", [])
        inner = {n: getattr(module.value, n) for n in names}
        waiting += [
            Module(f"{module.name}.{n}", m) for n, m in inner.items() if inspect.ismodule(m)
        ]
        found += [module] if names else []
    return [found[0], *sorted(found[1:], key=lambda m: m.name)]
