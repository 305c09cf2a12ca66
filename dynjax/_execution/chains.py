"""Calls that take pictures from their files to the result, as one native call."""

import contextlib
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, final

import numpy as np

from .._ops._lib.limits import get_max_image_pixels
from .._ops._lib.picture_chain import chained, joined_tables
from .._schema import Apply, Operator, Table
from .._types.batch import Batch
from .._types.data import Data
from .._types.device import Device
from .._types.spec import Spec
from .._types.tensor import Tensor
from .arguments import late_inputs
from .calls import batching, check_nbytes, with_layout
from .keys import take_key
from .preparation import Prepared, as_input, outputs_of, signature
from .recent import Recent
from .running import run
from .step import Step


@final
class ChainedCall:
    """One call of a chain.

    Attributes:
        inputs: data; the first one of a call that continues the chain is the result of the call
            before it, and None here.
        given: arguments, the same object while they are constant; with the key of a random
            operator.
    """

    __slots__ = ("given", "inputs", "record")

    def __init__(self, record: Operator, inputs: Sequence[Any], given: Mapping[str, Any]):
        self.record = record
        self.inputs = inputs
        self.given = given


@final
class _Link:
    """A call of a chain that was described.

    Attributes:
        given: its arguments.
        data: what it reads, of which only the description is there; None: the files.
        part: its output.
        made: the description of its result.
        size: the sizes of its result, as the joined kernel takes them.
        varies: whether its arguments may hold other values the next time.
    """

    __slots__ = ("data", "given", "made", "part", "size", "varies")

    def __init__(self, call: ChainedCall, data: Data | None, part: Apply, made: Data, size: Table):
        self.given = call.given
        self.data = data
        self.part = part
        self.made = made
        self.size = size
        self.varies = any(map(_varies, call.given.values()))

    def serves(self, call: ChainedCall, data: Data | None) -> bool:
        """Whether the call is the same on these data; what its record is does not change."""
        if self.varies or call.given is not self.given:
            return False
        return data is self.data and len(call.inputs) == 1


def _varies(argument: Any) -> bool:
    """Whether the same object may hold other values the next time, as a view of memory may."""
    return isinstance(argument, np.ndarray | Data)


class _Described(NamedTuple):
    """Calls that were made.

    Attributes:
        files: what the files were.
        links: the calls.
        tables: of the one output.
        prepared: how it is computed.
        recurs: whether the headers were those of the files before.
        largest: how many pixels a picture might have.
    """

    files: Spec
    links: list[_Link]
    tables: list[Table]
    prepared: Prepared
    recurs: bool
    largest: int

    def foretells(self, first: ChainedCall) -> bool:
        """Whether the headers of the files that this call reads are probably the same."""
        if not self.recurs or self.largest != get_max_image_pixels():
            return False
        return self.links[0].serves(first, None)


@final
class Chain:
    """Calls that take pictures from their files to the result, made again and again.

    What was described for the files before serves those that are described alike. Descriptions are
    shared then, so that this is seen by identity, as far as a call's arguments are constant; of a
    call whose arguments are data, the tables alone are made anew. Where headers recur, the next
    ones are not looked at before the pictures are decoded, which tells where they differ.
    """

    __slots__ = ("_described", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._described: _Described | None = None

    def __call__(self, calls: Sequence[ChainedCall]) -> tuple[Data, list[Spec]] | None:
        """The last call's result, and the descriptions of all results.

        Returns:
            None: these calls cannot be joined.

        Raises:
            Exception: some call is wrong, or its data are. Which, and what of them, the calls say
                when they are made one by one.
        """
        first, files = calls[0].record, calls[0].inputs[0]
        files = files if isinstance(files, Data) else as_input(first, files)
        files.settle()
        if files.spec.device != Device.CPU:
            return None
        with self._lock:
            return self._run(files, calls)

    def _run(self, files: Data, calls: Sequence[ChainedCall]) -> tuple[Data, list[Spec]] | None:
        before, self._described = self._described, None  # should anything fail below
        if before is not None and not _are_alike(before.files, files.spec):
            before = None
        if before is not None and before.foretells(calls[0]):
            with contextlib.suppress(Exception):  # what is wrong is told below
                return self._made(files, calls, before, before.links[:1])
            before = None
        return self._made(files, calls, before, [])

    def _made(
        self,
        files: Data,
        calls: Sequence[ChainedCall],
        before: _Described | None,
        links: list[_Link],
    ) -> tuple[Data, list[Spec]] | None:
        """Makes the calls; the first ones may be described in `links`."""
        first = calls[0].record
        for k, call in enumerate(calls[len(links) :], len(links)):
            data = links[-1].made if links else files
            link = _link(call, data, files, None if before is None else before.links[k])
            if link is None:
                return None
            links.append(link)
        described = _described(first, files, links, before)
        if described is None:
            return None
        prepared = described.prepared
        check_nbytes(calls[-1].record, prepared.nbytes)
        (storage,) = run(0, first, prepared, [files], None, None)
        if prepared.prepare is None:  # else it holds these very files
            self._described = described
        kind = Batch if isinstance(files, Batch) else Tensor
        return kind._make(prepared.specs[0], storage), [link.made.spec for link in links]


def _described(
    first: Operator, files: Data, links: list[_Link], before: _Described | None
) -> _Described | None:
    """How the calls are computed together; None: they cannot be."""
    parts = [link.part for link in links]
    sizes = [link.size for link in links]
    if before is not None and all(map(_differ_in_tables, links, before.links)):
        tables = joined_tables(parts, sizes)
        (step,) = before.prepared.outputs
        assert isinstance(step, Step)
        step.retable(before.tables, tables)
        recurs = links[0] is before.links[0]  # then the limit was that of before, too
        largest = before.largest if recurs else get_max_image_pixels()
        return _Described(files.spec, links, tables, before.prepared, recurs, largest)
    whole = chained(parts, sizes)
    if whole is None:
        return None
    count, batched = files.spec.count, isinstance(files, Batch)
    read = with_layout(first, files.spec)
    step = Step(whole, [read], count, batched, False)
    prepared = Prepared([step], [read], count, batched, whole.prepared, whole.source)
    tables = list(whole.tables)
    return _Described(files.spec, links, tables, prepared, False, get_max_image_pixels())


def _are_alike(before: Spec, files: Spec) -> bool:
    """Whether what was prepared for some files serves others of other lengths."""
    if before.uniform or files.uniform:
        return False
    a, b = ((s.count, s.batched, s.dtype, s.layout) for s in (before, files))
    return a == b


def _link(call: ChainedCall, data: Data, files: Data, before: _Link | None) -> _Link | None:
    """The description of a call on `data`; `before` is that of the files before, if any."""
    if before is not None and before.serves(call, data):
        return before
    part = _part(call, data, files)
    if part is None:
        return None
    if before is not None and part is before.part:
        return before
    if before is not None and _has_same_result(part, before.part):
        made, size = before.made, before.size
    else:
        shape = tuple(part.shape)
        count, batched = files.spec.count, isinstance(files, Batch)
        spec = Spec(count, shape, part.dtype, part.layout, batched, Device.CPU)
        made = type(files)._make(spec, None)  # its description is all that is asked for
        size = Table(np.int32, shape)
    return _Link(call, None if data is files else data, part, made, size)


def _has_same_result(part: Apply, before: Apply) -> bool:
    """Whether the results are described alike, without a look at what is in their columns."""
    shape, other = part.shape, before.shape
    alike = part.dtype == before.dtype and part.layout == before.layout
    return alike and len(shape) == len(other) and all(map(_is_same, shape, other))


def _is_same(column: Any, other: Any) -> bool:
    return column is other or (type(column) is type(other) is int and column == other)


def _differ_in_tables(link: _Link, before: _Link) -> bool:
    """Whether at most the tables of two outputs differ, whose results are described alike."""
    part, other = link.part, before.part
    if part is other:
        return True
    return (
        link.made is before.made
        and part.kernel is other.kernel
        and part.static == other.static
        and (part.check, part.prepared, part.source) == (None, None, None)
        and (other.check, other.prepared, other.source) == (None, None, None)
        and [(t.dtype, len(t.columns)) for t in part.tables]
        == [(t.dtype, len(t.columns)) for t in other.tables]
    )


# What calls that go on a chain are, for shapes and arguments that were seen before.
_parts: Recent[Apply] = Recent(1024)


def _part(call: ChainedCall, data: Data, files: Data) -> Apply | None:
    """The only output of a call on `data`; `files` are those that it is made of."""
    record, inputs, given = call.record, tuple(call.inputs), dict(call.given)
    if record.late_inputs:
        inputs, given = late_inputs(record, inputs, given)
    call_key = take_key(record, given, traced=False) if record.random else None
    key = None
    if call_key is None and not any(map(_varies, given.values())):
        key = signature(record, [data], None, given)
    if key is not None and (known := _parts.get(key)) is not None:
        return known
    size = None if call_key is None else call_key.batch_size(None)
    # Results have as many samples as the files; arguments may make a batch of one file.
    count, batched = batching(record, [files], size, given)
    if len(inputs) != 1 or (count, batched) != (files.spec.count, isinstance(files, Batch)):
        return None
    read = data if record.reads_data else with_layout(record, data.spec)
    outputs, _ = outputs_of(record, [read], count, given, call_key)
    part = outputs[0]
    if len(outputs) != 1 or not isinstance(part, Apply):
        return None
    if key is not None:
        _parts.put(key, part)
    return part
