"""The operator record: what one operator's file defines, and everything else is derived from.

An operator is a *rule*: an ordinary function whose signature is the public one. It takes the
descriptions of its inputs and the values of its arguments, checks them, and says how each output
is obtained: its shape (columns, see `_types/columns.py`), dtype and layout, the kernel that
computes it and the kernel's per-sample parameters. The eager call, the form inside `jit`, the
captured node, the stub file and the reference page all come from this one function.

Annotations of keyword arguments say how a value is accepted: `PerSample[float]` takes a number, or
a Tensor, array or Batch with one number for each sample; `PerSample[list[float]]` likewise a list;
`PerSample[list[list[float]]]` a matrix, which the rule receives as a tuple of rows or, where the
user gave a flat list, of entries (`_ops/_lib/matrices.py`). `PerFrame[...]` takes the same and
also what `per_frame` marks; the rule receives `Frames` (`_types/frames.py`). Anything else takes a
constant.
"""

import inspect
import types
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar, final

import numpy as np

from ._types.columns import Column, ColumnsByFrame, Shape
from ._types.data import Data
from ._types.dtypes import DType
from ._types.enums import DALIDataType
from ._types.storage import Storage

T = TypeVar("T")


class _PerSampleMark:
    pass


class _PerFrameMark:
    pass


PerSample = Annotated[T | Any, _PerSampleMark()]
PerFrame = Annotated[T | Any, _PerSampleMark(), _PerFrameMark()]
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
        joins: the JAX form gives the same bits as part of a larger compiled program. Long formulas
            do not: what a compiler contracts depends on what stands beside it.
        chains: the native kernel can be a link of `_ops/_lib/picture_chain.py`.
    """

    name: str
    sample: Callable[..., Any] | None = None
    native: bool = True
    reports: bool = False
    cost: int = 1
    pointwise: bool = False
    joins: bool = False
    chains: bool = False


@final
@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """Per-sample parameters of a kernel: columns of one dtype, `[N, len(columns)]`."""

    dtype: Any
    columns: Sequence[Column] | ColumnsByFrame


Sizes = Sequence[int | None]
BoundOf = Callable[[Sequence[Sequence[int]]], Sizes]
Bound = Sizes | BoundOf


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
            whose extent is neither constant nor an input's. A function works it out from the slots
            of the inputs, one tuple of sizes for each of them.
        check: run just before the kernel on the elements of the inputs, `[N, ...]` or flat;
            raises what is wrong with their values.
        host: a quicker way than the kernel for data in host memory, such as a view: from the
            inputs' storages to the result's, or None where it does not serve their form.
        prepared: run just before the kernel; gives the inputs to use instead of the call's, or
            None to use those.
        source: which samples the result holds (`SampleSource`), if not those of the first input;
            there are as many as it says.
    """

    kernel: Kernel
    shape: Shape
    dtype: np.dtype
    layout: str | None
    tables: Sequence[Table] = ()
    static: dict[str, Any] = field(default_factory=dict)
    bound: Bound | None = None
    check: Callable[[Sequence[np.ndarray]], None] | None = None
    host: Callable[[Sequence[Storage]], Storage | None] | None = None
    prepared: Callable[[], Sequence[Any] | None] | None = None
    source: Any = None


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
    matrix: bool = False
    per_frame: bool = False


def _argument(parameter: inspect.Parameter) -> Argument:
    options, per_sample = _options(parameter.annotation)
    depth = max(map(_depth, options), default=0)
    inner = _innermost(options[0]) if options else None
    element = inner if isinstance(inner, type) else None
    by_frame = _per_frame(parameter.annotation)
    return Argument(
        *(parameter.name, parameter.default, per_sample, depth > 0, element, depth > 1, by_frame)
    )


def _per_frame(annotation: Any) -> bool:
    """Whether an annotation accepts a value for each frame."""
    if typing.get_origin(annotation) is Annotated:
        marked = any(isinstance(m, _PerFrameMark) for m in annotation.__metadata__)
        return marked or _per_frame(annotation.__origin__)
    return _is_union(annotation) and any(map(_per_frame, typing.get_args(annotation)))


def _depth(annotation: Any) -> int:
    """How many lists enclose the element: 2 for `list[list[float]]`."""
    if typing.get_origin(annotation) is not list:
        return 0
    return 1 + _depth(typing.get_args(annotation)[0])


def _innermost(annotation: Any) -> Any:
    while typing.get_origin(annotation) is list:
        annotation = typing.get_args(annotation)[0]
    return annotation


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


DEVICES = ("cpu", "gpu", "tpu")
MAX_INPUTS = 999  # of a variadic operator, as in the original


@final
class Operator:
    """A public operator: callable, with the signature and documentation of its rule.

    Attributes:
        name: public name, with its module: `"decoders.image"`.
        rule: see the module's text.
        layouts: accepted layouts of the inputs, the preferred first; None accepts any.
        arguments: keyword arguments by name.
        min_inputs, max_inputs: how many positional inputs.
        late_inputs: per-sample arguments that are given as the inputs after the first and not by
            name; the rule receives them as keyword arguments.
        ragged: list arguments that may have another length in each sample. The rule receives such
            a list padded with zeros, and in `lengths` how many numbers each sample has, by name of
            the argument.
        reads_data: the rule needs the data themselves (a file's header): host only.
        takes_traced: a rule that reads data also takes traced ones, and then gives the result
            itself.
        host_only: the result depends on values that only the host can see, such as which sample is
            taken.
        devices: where it can be asked to run.
        outputs: how many results a call has unless its arguments say otherwise.
        random: calls take `key=` and `rng=`; the rule's `key` is the columns of its samples' keys,
            two uint32 words each.
        batch_only: every call is a batch call, with `batch_size=` if there is no batch to count.
        chain: several calls can be one native call that takes each picture from its file to the
            result: this one `"begins"` or `"continues"` such a chain; None: it does not. Then it is
            `alone` too.
        alone: the result of a sample has the same bits whatever other samples are in its batch, so
            that small batches may be computed as one.
    """

    def __init__(
        self,
        name,
        rule,
        *,
        layouts=None,
        reads_data=False,
        takes_traced=False,
        host_only=False,
        devices=DEVICES,
        outputs=1,
        random=False,
        batch_only=False,
        late_inputs=(),
        ragged=(),
        chain=None,
        alone=False,
    ):
        parameters = list(inspect.signature(rule).parameters.values())
        inputs = [p for p in parameters if p.kind is inspect.Parameter.POSITIONAL_ONLY]
        others = [p for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL]
        keywords = [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
        if len(inputs) + len(others) + len(keywords) != len(parameters):
            raise TypeError(f"{name}: inputs must be positional-only, arguments keyword-only")
        hidden = ("key",) if random else ("lengths",) if ragged else ()
        keywords = [p for p in keywords if p.name not in hidden]
        self.name = name
        self.rule = rule
        self.layouts = layouts
        self.reads_data = reads_data
        self.takes_traced = takes_traced
        self.host_only = host_only
        self.devices = devices
        self.outputs = outputs
        self.random = random
        self.batch_only = batch_only
        self.late_inputs = tuple(late_inputs)
        self.ragged = frozenset(ragged)
        self.chain = chain
        self.alone = alone or chain is not None
        self.arguments = {p.name: _argument(p) for p in keywords}
        self.max_inputs = MAX_INPUTS if others else len(inputs) + len(self.late_inputs)
        self.min_inputs = sum(p.default is inspect.Parameter.empty for p in inputs)
        self.__name__ = name.rpartition(".")[2]
        self.__qualname__ = self.__name__
        self.__module__ = "dynjax" + ("." + name.rpartition(".")[0] if "." in name else "")
        self.__doc__ = rule.__doc__
        late = [p for n in self.late_inputs for p in keywords if p.name == n]
        named = [p for p in keywords if p not in late]
        positional = [p.replace(kind=inspect.Parameter.POSITIONAL_ONLY) for p in late]
        self.__signature__ = _public_signature([*inputs, *positional, *others], named, random)
        self.__wrapped__ = rule

    @property
    def traceable(self) -> bool:
        """Whether it can be called inside `jit`, `vmap` and `grad`."""
        return self.takes_traced or not (self.reads_data or self.host_only)

    def __call__(self, *inputs, batch_size=None, device=None, **arguments):
        return _caller(self, inputs, batch_size, device, arguments)

    # A descriptor is a routine to `help`, which then shows the signature. In a class an operator
    # stays what it is.
    def __get__(self, instance, owner=None):
        return self

    def __repr__(self):
        return f"<operator {self.name}>"


def _public_signature(inputs, keywords, random) -> inspect.Signature:
    """Names and defaults; the annotations say what the rule receives, not what a caller passes."""

    def optional(*names: str) -> list[inspect.Parameter]:
        return [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in names]

    last = optional("key", "rng") if random else []
    shown = [*inputs, *optional("batch_size", "device"), *keywords, *last]
    return inspect.Signature([p.replace(annotation=inspect.Parameter.empty) for p in shown])


REGISTRY: dict[str, Operator] = {}
HIDDEN: dict[str, Operator] = {}


def operator(
    name: str,
    *,
    layouts: Sequence[str] | None = None,
    reads_data: bool = False,
    takes_traced: bool = False,
    host_only: bool = False,
    devices: Sequence[str] = DEVICES,
    outputs: int = 1,
    random: bool = False,
    batch_only: bool = False,
    late_inputs: Sequence[str] = (),
    ragged: Sequence[str] = (),
    chain: Literal["begins", "continues"] | None = None,
    alone: bool = False,
    hidden: bool = False,
) -> Callable[[Callable[..., Output | Data | tuple[Output, ...]]], Operator]:
    """Makes a rule an operator and registers it under its public name; see `Operator`.

    A rule with `*inputs` after its first input takes up to `MAX_INPUTS` of them. A `hidden`
    operator has no public name: Python's syntax calls it.
    """

    def register(rule) -> Operator:
        if name in REGISTRY or name in HIDDEN:
            raise ValueError(f"operator {name!r} is defined twice")
        record = Operator(
            name,
            rule,
            layouts=tuple(layouts) if layouts else None,
            reads_data=reads_data,
            takes_traced=takes_traced,
            host_only=host_only,
            devices=devices,
            outputs=outputs,
            random=random,
            batch_only=batch_only,
            late_inputs=late_inputs,
            ragged=ragged,
            chain=chain,
            alone=alone,
        )
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
