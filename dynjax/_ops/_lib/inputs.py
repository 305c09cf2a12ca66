"""Operators whose inputs are more than a fixed list of data."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..._schema import REGISTRY, Operator, Output
from ..._types.batch import Batch
from ..._types.columns import Shape
from ..._types.data import padded
from ..._types.device import Device
from ..._types.spec import Spec
from ..._types.storage import Dense, Padded

MAX_INPUTS = 999  # as in the original


class _Variadic(Operator):  # type: ignore[misc] # pyright: ignore
    """An operator of any number of inputs: its rule takes `*inputs` after the first."""

    def __init__(self, name: str, rule: Callable[..., Output]):
        signature = inspect.signature(rule)
        fixed = [p for p in signature.parameters.values() if p.kind is not p.VAR_POSITIONAL]
        rule.__signature__ = signature.replace(parameters=fixed)  # type: ignore[attr-defined]
        super().__init__(name, rule, None, False, ("cpu", "gpu", "tpu"), 1)
        del rule.__signature__  # type: ignore[attr-defined]
        self.max_inputs = MAX_INPUTS
        shown = list(self.__signature__.parameters.values())
        shown.insert(1, inspect.Parameter("inputs", inspect.Parameter.VAR_POSITIONAL))
        self.__signature__ = inspect.Signature(shown)


class _Positional(Operator):  # type: ignore[misc] # pyright: ignore
    """An operator whose later inputs are parameters: they may vary from sample to sample.

    They arrive at the rule as columns, like keyword arguments of the names `extra`.
    """

    def __init__(self, name: str, rule: Callable[..., Output], extra: Sequence[str]):
        super().__init__(name, rule, None, False, ("cpu", "gpu", "tpu"), 1)
        self._extra = extra
        own = list(self.__signature__.parameters.values())
        moved = [
            inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY, default=None) for n in extra
        ]
        kept = [p for p in own[1:] if p.name not in extra]
        self.__signature__ = inspect.Signature([own[0], *moved, *kept])

    def __call__(
        self, *inputs: Any, batch_size: Any = None, device: Any = None, **arguments: Any
    ) -> Any:
        if 1 < len(inputs) <= 1 + len(self._extra):
            for name, value in zip(self._extra, inputs[1:], strict=False):
                if value is not None:
                    arguments[name] = value
            inputs = inputs[:1]
        return super().__call__(*inputs, batch_size=batch_size, device=device, **arguments)


def variadic(name: str) -> Callable[[Callable[..., Output]], Operator]:
    """Registers a rule `(first, /, *others, ...)` as an operator of up to `MAX_INPUTS` inputs."""

    def register(rule: Callable[..., Output]) -> Operator:
        return REGISTRY.setdefault(name, _Variadic(name, rule))

    return register


def positional(name: str, extra: Sequence[str]) -> Callable[[Callable[..., Output]], Operator]:
    """Registers a rule whose keyword arguments `extra` are the inputs after the first."""

    def register(rule: Callable[..., Output]) -> Operator:
        return REGISTRY.setdefault(name, _Positional(name, rule, extra))

    return register


def all_inputs(first: Spec, others: Sequence[Spec]) -> list[Spec]:
    """The inputs of a variadic rule."""
    return [first, *others]


class _RaggedList(Operator):  # type: ignore[misc] # pyright: ignore
    """An operator one of whose list arguments may have another length in each sample.

    The rule receives it padded with zeros, and the lengths as `lengths`.
    """

    def __init__(self, name: str, rule: Callable[..., Output], ragged: str):
        super().__init__(name, rule, None, False, ("cpu", "gpu", "tpu"), 1)
        self._ragged = ragged
        shown = [p for p in self.__signature__.parameters.values() if p.name != "lengths"]
        self.__signature__ = inspect.Signature(shown)

    def __call__(
        self, *inputs: Any, batch_size: Any = None, device: Any = None, **arguments: Any
    ) -> Any:
        value = arguments.get(self._ragged)
        if isinstance(value, Batch) and value.spec.ndim == 1 and not value.spec.uniform:
            storage = value.storage
            slots = storage if isinstance(storage, Padded) else padded(value, storage)
            count, length = slots.array.shape
            where = (count, True, value.spec.device)
            arguments[self._ragged] = _batch((length,), slots.array, *where)
            arguments["lengths"] = _batch((), slots.extent[:, 0], *where)
        return super().__call__(*inputs, batch_size=batch_size, device=device, **arguments)


def _batch(shape: Shape, array: Any, count: int, batched: bool, device: Device) -> Batch:
    spec = Spec(count, shape, np.dtype(array.dtype), None, batched, device)
    return Batch._make(spec, Dense(array))


def ragged_list(name: str, argument: str) -> Callable[[Callable[..., Output]], Operator]:
    """Registers a rule whose list argument may vary in length; see `_RaggedList`."""

    def register(rule: Callable[..., Output]) -> Operator:
        return REGISTRY.setdefault(name, _RaggedList(name, rule, argument))

    return register
