"""Where batches go: the argument `sharding` of `next_epoch`."""

from collections.abc import Mapping, Sequence
from typing import Any, final

import jax
import numpy as np

from .._types.batch import Batch
from .._types.device import Device
from .._types.errors import ArgumentError, OperatorError

_EXPECTED = "a jax.Device, a jax.sharding.Sharding, or None for an output that stays a Batch"


@final
class Placement:
    """Makes committed JAX arrays of a reader's outputs.

    Args:
        label: the reader's name, for messages.
        sharding: one target for all outputs, or a list, tuple or dict with one for each.

    Raises:
        TypeError: something that is no target.
    """

    def __init__(self, label: str, sharding: Any):
        self._label = label
        self._given = sharding
        for target in self._targets():
            if target is not None and not isinstance(
                target, jax.Device | jax.sharding.Sharding | Device
            ):
                raise TypeError(f"{label}: sharding={target!r:.80}; expected {_EXPECTED}.")

    def _targets(self) -> list[Any]:
        given = self._given
        if isinstance(given, Mapping):
            return list(given.values())
        return list(given) if isinstance(given, list | tuple) else [given]

    def spans_processes(self) -> bool:
        """Whether a target has devices of other processes: the arrays are then global ones."""
        return any(_is_global(target) for target in self._targets())

    def place(self, outputs: Any, shards: int) -> Any:
        """The outputs as arrays; those without a target as they are.

        Args:
            outputs: what the reader gives: a tuple, or a dict by name.
            shards: how many processes read a part of each global batch.

        Raises:
            ArgumentError: another number, or other names, of targets than outputs.
            OperatorError: samples of different shapes, or an array that the target cannot divide.
        """
        if isinstance(outputs, Mapping):
            targets = self._given if isinstance(self._given, Mapping) else None
            if targets is None and isinstance(self._given, list | tuple):
                raise self._mismatch(f"a dict with {list(outputs)}")
            if targets is None:
                targets = dict.fromkeys(outputs, self._given)
            if targets.keys() != outputs.keys():
                raise self._mismatch(f"a dict with {list(outputs)}")
            return {name: self._put(name, outputs[name], targets[name], shards) for name in outputs}
        if isinstance(self._given, Mapping):
            raise self._mismatch(f"one, or a tuple of {len(outputs)}")
        many = isinstance(self._given, list | tuple)
        chosen: Sequence[Any] = self._given if many else [self._given] * len(outputs)
        if len(chosen) != len(outputs):
            raise self._mismatch(f"one, or a tuple of {len(outputs)}")
        return tuple(
            self._put(k, output, target, shards)
            for k, (output, target) in enumerate(zip(outputs, chosen, strict=True))
        )

    def _mismatch(self, expected: str) -> ArgumentError:
        return ArgumentError(f"{self._label}: sharding={self._given!r:.200}; expected {expected}.")

    def _put(self, name: Any, output: Batch, target: Any, shards: int) -> Any:
        if target is None:
            return output
        if len(set(output.shape)) > 1:
            raise OperatorError(
                f"{self._label}: output {name!r} has samples of shapes {output.shape[:3]!r:.80}, "
                "...; expected equal ones for an array. Pass None as its sharding, decode or pad "
                "the batch, and place the result."
            )
        array = np.asarray(output)
        # What leaves as a JAX array follows JAX's 32- or 64-bit mode.
        array = array.astype(jax.dtypes.canonicalize_dtype(array.dtype), copy=False)
        if isinstance(target, Device):
            target = target.jax_device
        try:
            if not _is_global(target):
                return jax.device_put(array, target)
            placed = jax.make_array_from_process_local_data(target, array)
        except ValueError as error:
            raise OperatorError(
                f"{self._label}: output {name!r} of shape {array.shape} cannot be placed with "
                f"sharding={target}: {error}"
            ) from None
        if placed.shape[0] != len(array) * shards:
            raise OperatorError(
                f"{self._label}: output {name!r}: {shards} shards of {len(array)} samples, but a "
                f"global array of {placed.shape[0]} rows with sharding={target}: processes that "
                "hold the same rows must read the same shard. Divide the first axis among the "
                "processes, or pass num_shards and shard_id."
            )
        return placed


def _is_global(target: Any) -> bool:
    return isinstance(target, jax.sharding.Sharding) and not target.is_fully_addressable
