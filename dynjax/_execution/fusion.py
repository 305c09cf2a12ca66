"""`Program`: several operator calls as one jitted function, with the bits of the separate calls.

Compilers join what stands in one program: a product that feeds a sum becomes one fused
multiply-add, a 16-bit intermediate is kept in 32 bits. Results would differ from the separate
calls in their last bits. So the bits of every float result pass through an integer operation that
the compiler cannot foresee, which costs nothing measurable.
"""

import contextlib
import functools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, final

import jax
import jax.numpy as jnp
import numpy as np

from .._schema import Operator
from .._types.data import Data
from .._types.device import Device
from .._types.dtypes import is_wide
from .._types.storage import Dense, with_array
from .guards import NotGuardedError, guard
from .programs import constant_operand, recycles, result_buffer
from .recent import Recent
from .traced import call_traced

_Memory = tuple[tuple[int, ...], np.dtype[Any]]  # shape and dtype of a result


@final
class Slot:
    """An argument of a fused call that is not constant.

    Attributes:
        call: which call made it; -1: it is an input of the program.
        index: which output of the call, or which input.
    """

    __slots__ = ("call", "index")

    def __init__(self, call: int, index: int):
        self.call = call
        self.index = index


@final
class FusedCall:
    """One call of a program.

    Attributes:
        inputs, given: a `Slot`, or a constant.
        dtypes: of the outputs.
        key: which of the program's keys a random call takes; -1 for others.
    """

    __slots__ = ("batch_size", "dtypes", "given", "inputs", "key", "record")

    def __init__(
        self,
        record: Operator,
        inputs: Sequence[Any],
        batch_size: Any,
        given: Mapping[str, Any],
        dtypes: Sequence[np.dtype],
        key: int = -1,
    ):
        self.record = record
        self.inputs = inputs
        self.batch_size = batch_size
        self.given = given
        self.dtypes = dtypes
        self.key = key


_programs: "Recent[Program]" = Recent(1024)


def joined(calls: Sequence[FusedCall], outputs: Sequence[Slot]) -> "Program":
    """The program of these calls; calls of equal content share one.

    Args:
        calls: in an order in which they can be computed.
        outputs: which results are given back.
    """

    def part(x: Any) -> Hashable:
        return (Slot, x.call, x.index) if type(x) is Slot else guard(x)

    content: list[Hashable] = [tuple(map(part, outputs))]
    try:
        for c in calls:
            content.append((c.record, c.key, guard(c.batch_size), *map(part, c.inputs)))
            content.append(tuple((name, part(x)) for name, x in c.given.items()))
    except NotGuardedError:
        return Program(calls, outputs)
    key = tuple(content)
    program = _programs.get(key)
    if program is None:
        program = Program(calls, outputs)
        _programs.put(key, program)
    return program


@final
class Program:
    """Calls that run as one. Compiled again for each new shape of the inputs."""

    def __init__(self, calls: Sequence[FusedCall], outputs: Sequence[Slot]):
        self._calls = calls
        self._outputs = outputs
        self._wide = any(is_wide(dtype) for c in calls for dtype in c.dtypes)
        names = "_".join(dict.fromkeys(c.record.__name__ for c in calls))

        def program(
            into: list[jax.Array], inputs: list[Data], keys: list[Any], zero: Any
        ) -> list[Data]:
            del into
            return self._traced(inputs, keys, zero)

        program.__name__ = program.__qualname__ = f"dynjax_{names}"[:80]
        # The first argument is only there for its memory, which large results get.
        self._jitted = jax.jit(program, donate_argnums=0, keep_unused=True)
        self._recycled: Recent[list[_Memory | None]] = Recent(16)

    def __call__(self, inputs: list[Data], keys: list[np.ndarray]) -> list[Data]:
        """The outputs for these inputs and keys (two uint32 words each)."""
        wide = self._wide or any(is_wide(d.spec.dtype) for d in inputs)
        on_cpu = all(d.spec.device == Device.CPU for d in inputs)
        with jax.enable_x64(True) if wide else contextlib.nullcontext():
            recycled = self._memory(inputs, keys) if on_cpu else [None] * len(self._outputs)
            into = [result_buffer(*m, True) for m in recycled if m is not None]
            # What holds the program on the CPU, where it may read NumPy arrays alone.
            zero = _zero_on_cpu() if on_cpu else np.int32(0)
            outputs = self._jitted(into, inputs, keys, zero)
        for output, memory in zip(outputs, recycled, strict=True):
            output.storage.recyclable = memory is not None
        return outputs

    def _memory(self, inputs: list[Data], keys: list[np.ndarray]) -> list[_Memory | None]:
        """Shape and dtype of each output that gets recycled memory."""
        leaves, tree = jax.tree.flatten(inputs)
        key = tree, tuple((x.shape, x.dtype) for x in leaves)
        found = self._recycled.get(key)
        if found is None:
            found = []

            def outputs(inputs: list[Data], keys: list[Any], zero: Any) -> None:
                given = {id(x) for x in jax.tree.leaves(inputs)}
                found.extend(_memory_of(d, given) for d in self._traced(inputs, keys, zero))

            jax.eval_shape(outputs, inputs, keys, np.int32(0))
            self._recycled.put(key, found)
        return found

    def _traced(self, inputs: list[Data], keys: list[Any], zero: Any) -> list[Data]:
        made: list[tuple[Data, ...]] = []

        def value(x: Any) -> Any:
            if type(x) is not Slot:
                return x
            return inputs[x.index] if x.call < 0 else made[x.call][x.index]

        for call in self._calls:
            given = {name: value(x) for name, x in call.given.items()}
            if call.key >= 0:
                given["key"] = keys[call.key]
            result = call_traced(
                call.record, tuple(map(value, call.inputs)), call.batch_size, given
            )
            results = result if isinstance(result, tuple) else (result,)
            made.append(tuple(settled(r, zero) for r in results))
        return [made[slot.call][slot.index] for slot in self._outputs]


@functools.cache
def _zero_on_cpu() -> jax.Array:
    return constant_operand(np.zeros((), np.int32), Device.CPU.jax_device)


def _memory_of(output: Data, given: set[int]) -> _Memory | None:
    """What recycled memory a traced output takes: none if it is one of the inputs, by `id`."""
    array = output.storage.array
    dense = type(output.storage) is Dense and output.spec.batched and id(array) not in given
    return (array.shape, array.dtype) if dense and recycles(array.nbytes) else None


def settled(data: Data, zero: Any) -> Data:
    """The value with exactly the bits that its operator would have stored."""
    storage = data.storage
    array = storage.array
    if not jnp.issubdtype(array.dtype, jnp.floating):
        return data
    bits = jax.lax.bitcast_convert_type(array, f"uint{8 * array.dtype.itemsize}")
    bits = bits + zero.astype(bits.dtype)  # two exclusive ors, one after the other, would cancel
    exact = jax.lax.bitcast_convert_type(bits, array.dtype)
    return data._make(data.spec, with_array(storage, exact))
