"""The operator record: what one operator's file defines, and everything else is derived from.

An operator is a *rule*: an ordinary function whose signature is the public one. It takes the
descriptions of its inputs and the values of its arguments, checks them, and says how each output
is obtained: its shape (columns, see `_types/columns.py`), dtype and layout, the kernel that
computes it and the kernel's per-sample parameters. The eager call, the form inside `jit`, the
captured node, the stub file and the reference page all come from this one function.

Annotations of keyword arguments say how a value is accepted: `PerSample[float]` takes a number, or
a Tensor, array or Batch with one number for each sample; `PerSample[list[float]]` likewise a list;
anything else takes a constant.
"""

import inspect
import types
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar, final

import numpy as np

from ._types.columns import Column, Shape
from ._types.dtypes import DType
from ._types.enums import DALIDataType
from ._types.storage import Storage

T = TypeVar("T")


class _PerSampleMark:
    pass


PerSample = Annotated[T | Any, _PerSampleMark()]
# What a user may pass as `dtype=`; a rule receives a NumPy dtype.
DTypeLike = DType | DALIDataType | type[Any] | np.dtype[Any] | str


@final
@dataclass(frozen=True, eq=False, slots=True)
class Kernel:
    """The arithmetic of one output, batched natively and written per sample in JAX.

    Attributes:
        name: the FFI target is `dynjax_<name>`.
        sample: `(inputs, extents, out_extent, tables, out_shape, dtype, **static) -> array` for one
            sample, in JAX; `extents` are true sizes inside padded slots. None: host only.
        native: whether the FFI target exists.
        reports: whether the native kernel writes a status for each sample.
        cost: work for each byte written, in units of a copied byte.
        pointwise: each element of the result depends on the same element of the inputs (or on a
            scalar) alone, so that a flat buffer of samples can be computed as it is.
    """

    name: str
    sample: Callable[..., Any] | None = None
    native: bool = True
    reports: bool = False
    cost: int = 1
    pointwise: bool = False


@final
@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """Per-sample parameters of a kernel: columns of one dtype, `[N, len(columns)]`."""

    dtype: Any
    columns: Sequence[Column]


@final
@dataclass(frozen=True, eq=False, slots=True)
class Apply:
    """An output that a kernel computes.

    Attributes:
        kernel: what computes it.
        shape, dtype, layout: of the output.
        tables: per-sample parameters, in the kernel's order.
        static: compile-time parameters; FFI attributes of the same names.
        bound: for each axis the largest extent it can have, or None; needed inside `jit` for axes
            whose extent is neither constant nor an input's.
        check: run just before the kernel on the host arrays of the inputs, `[N, ...]` or flat;
            raises what is wrong with their values.
        host: a quicker way than the kernel for data in host memory, such as a view: from the
            inputs' storages to the result's.
        prepared: run just before the kernel; gives the inputs to use instead of the call's, or
            None to use those.
    """

    kernel: Kernel
    shape: Shape
    dtype: np.dtype
    layout: str | None
    tables: Sequence[Table] = ()
    static: dict[str, Any] = field(default_factory=dict)
    bound: Sequence[int | None] | None = None
    check: Callable[[Sequence[np.ndarray]], None] | None = None
    host: Callable[[Sequence[Storage]], Storage] | None = None
    prepared: Callable[[], Sequence[Any] | None] | None = None


@final
@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """An output that the rule knows already: columns stacked into `[N, len(columns)]`."""

    columns: Sequence[Column]
    dtype: np.dtype
    layout: str | None = None


Output = Apply | Known


@final
@dataclass(frozen=True, slots=True)
class Argument:
    """One keyword argument of an operator."""

    name: str
    default: Any
    per_sample: bool
    listed: bool
    element: type | None


def _argument(parameter: inspect.Parameter) -> Argument:
    options, per_sample = _options(parameter.annotation)
    listed = any(typing.get_origin(o) is list for o in options)
    kinds = [typing.get_args(o)[0] if typing.get_origin(o) is list else o for o in options]
    element = kinds[0] if kinds and isinstance(kinds[0], type) else None
    return Argument(parameter.name, parameter.default, per_sample, listed, element)


def _options(annotation: Any) -> tuple[list[Any], bool]:
    """The alternatives of an annotation, and whether it accepts a value for each sample."""
    if typing.get_origin(annotation) is Annotated:
        marked = any(isinstance(m, _PerSampleMark) for m in annotation.__metadata__)
        options, inner = _options(annotation.__origin__)
        return options, marked or inner
    if not _is_union(annotation):
        return ([] if annotation in (type(None), Any) else [annotation]), False
    parts = [_options(o) for o in typing.get_args(annotation)]
    return [o for options, _ in parts for o in options], any(marked for _, marked in parts)


def _is_union(annotation: Any) -> bool:
    return isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union


@final
class Operator:
    """A public operator: callable, with the signature and documentation of its rule.

    Attributes:
        name: public name, with its module: `"decoders.image"`.
        rule: see the module's text.
        layouts: accepted layouts of the inputs, the preferred first; None accepts any.
        arguments: keyword arguments by name.
        min_inputs, max_inputs: how many positional inputs.
        reads_data: the rule needs the data themselves (a file's header): host only.
        devices: where it can be asked to run.
        outputs: how many results a call has unless its arguments say otherwise.
        random: calls take `key=` and `rng=`; the rule's `key` is the columns of its samples' keys,
            two uint32 words each.
        batch_only: every call is a batch call, with `batch_size=` if there is no batch to count.
    """

    def __init__(
        self, name, rule, layouts, reads_data, devices, outputs, random=False, batch_only=False
    ):
        signature = inspect.signature(rule)
        parameters = list(signature.parameters.values())
        inputs = [p for p in parameters if p.kind is inspect.Parameter.POSITIONAL_ONLY]
        keywords = [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
        if len(inputs) + len(keywords) != len(parameters):
            raise TypeError(f"{name}: inputs must be positional-only, arguments keyword-only")
        if random:
            keywords = [p for p in keywords if p.name != "key"]
        self.name = name
        self.rule = rule
        self.layouts = layouts
        self.reads_data = reads_data
        self.devices = devices
        self.outputs = outputs
        self.random = random
        self.batch_only = batch_only
        self.arguments = {p.name: _argument(p) for p in keywords}
        self.max_inputs = len(inputs)
        self.min_inputs = sum(p.default is inspect.Parameter.empty for p in inputs)
        self.__name__ = name.rpartition(".")[2]
        self.__qualname__ = self.__name__
        self.__module__ = "dynjax" + ("." + name.rpartition(".")[0] if "." in name else "")
        self.__doc__ = rule.__doc__
        self.__signature__ = _public_signature(inputs, keywords, random)
        self.__wrapped__ = rule

    def __call__(self, *inputs, batch_size=None, device=None, **arguments):
        return _caller(self, inputs, batch_size, device, arguments)

    def __repr__(self):
        return f"<operator {self.name}>"


def _public_signature(inputs, keywords, random) -> inspect.Signature:
    def optional(*names: str) -> list[inspect.Parameter]:
        return [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in names]

    last = optional("key", "rng") if random else []
    return inspect.Signature([*inputs, *optional("batch_size", "device"), *keywords, *last])


REGISTRY: dict[str, Operator] = {}
HIDDEN: dict[str, Operator] = {}


def operator(
    name: str,
    *,
    layouts: Sequence[str] | None = None,
    reads_data: bool = False,
    devices: Sequence[str] = ("cpu", "gpu", "tpu"),
    outputs: int = 1,
    random: bool = False,
    batch_only: bool = False,
    hidden: bool = False,
) -> Callable[[Callable[..., Output | tuple[Output, ...]]], Operator]:
    """Makes a rule an operator and registers it under its public name.

    A `hidden` one has no public name: Python's syntax calls it.
    """

    def register(rule) -> Operator:
        if name in REGISTRY or name in HIDDEN:
            raise ValueError(f"operator {name!r} is defined twice")
        accepted = tuple(layouts) if layouts else None
        record = Operator(name, rule, accepted, reads_data, devices, outputs, random, batch_only)
        (HIDDEN if hidden else REGISTRY)[name] = record
        return record

    return register


def _no_caller(record, inputs, batch_size, device, arguments):
    raise RuntimeError("dynjax's execution layer is not loaded; import dynjax, not its parts")


_caller: Callable[..., Any] = _no_caller


def set_caller(caller: Callable[..., Any]) -> None:
    """Tells operators who executes their calls; the execution layer does so when imported."""
    global _caller
    _caller = caller
