"""What a captured loop knows of its body: the values of a step and the calls that make them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, final

import numpy as np

from .._execution.chains import ChainedCall
from .._execution.repetition import Repetition
from .._random.rng import RNG
from .._schema import Operator

if TYPE_CHECKING:
    from .forms import Form

# A result that nobody asked for or kept in so many steps in a row is not computed ahead any more.
MAX_UNUSED = 2


@final
class Value:
    """One output of a source, a feeder or a call, the same in every step; compared by identity."""

    __slots__ = ("index", "node", "origin")

    def __init__(self, node: "Node | None", index: Any, origin: Any):
        """`node` made it (None: a source); `origin` is the source value that says which samples."""
        self.node = node
        self.index = index
        self.origin = origin if node is not None else self


@final
class Draw:
    """Where a random call takes its words.

    Attributes:
        rng: the generator.
        ordinal: which of the step's calls with this generator it is.
        offset: the number of words that the step has drawn from it before.
    """

    __slots__ = ("offset", "ordinal", "rng")

    def __init__(self, rng: RNG, ordinal: int, offset: int):
        self.rng = rng
        self.ordinal = ordinal
        self.offset = offset


@final
class Site:
    """Where calls stand in the source text, and how they went.

    Attributes:
        calls, captured: how many there were, and how many were found computed ahead.
        reason: why the last other one was not.
        missed: how many in a row were not, with these arguments.
        arguments: those of the last one.
        account: what it was called with, for the reason.
    """

    __slots__ = (
        *("account", "arguments", "calls", "captured", "filename", "line", "missed", "operator"),
        *("reason",),
    )

    def __init__(self, operator: str, filename: str, line: int):
        self.operator = operator
        self.filename = filename
        self.line = line
        self.calls = 0
        self.captured = 0
        self.reason = ""
        self.missed = 0
        self.arguments: Any = None
        self.account: Any = None


@final
class Node:
    """A call that was seen: its operator, inputs and arguments.

    Attributes:
        inputs, given: a `Value`, or the value itself.
        draw: for random operators that draw from a generator; where they did last.
        form: how it is written, if that says enough to recognise it.
        follower: the call that the last step made next.
        values: its outputs.
        kinds, dtypes: their classes, Batch or Tensor, and types.
        held: objects that its content names by identity, and that must not be freed.
        is_fixed: none of its arguments is a value of the step.
        active: it is computed ahead.
        joins: it is computed by a compiled program that may be joined with others.
        chains: it may be computed in one go with calls before or after it.
        repetition: makes it again and again, if the descriptions of its inputs say enough.
        marks: its results hold other samples than the source's batch, or mark some.
        wanted: results were asked for outside the captured calls.
        unused: steps in a row whose result nobody asked for or kept.
        seen, last: how many steps made the call, and the latest of them.
        failed_draws: steps in a row whose words were not those predicted.
    """

    __slots__ = (
        *("active", "batch_size", "chains", "device", "draw", "dtypes", "failed_draws"),
        *("follower", "form", "given", "held", "inputs", "is_fixed", "joins", "kinds", "last"),
        *("marks", "record", "repetition", "seen", "site", "unused", "values", "wanted"),
    )

    def __init__(
        self,
        record: Operator,
        inputs: tuple,
        batch_size: Any,
        device: Any,
        given: dict[str, Any],
        draw: Draw | None,
        site: Site,
    ):
        self.record = record
        self.inputs = inputs
        self.batch_size = batch_size
        self.device = device
        self.given = given
        self.draw = draw
        self.site = site
        self.held: Any = None
        self.form: Form | None = None
        self.follower: Node | None = None
        self.values: tuple[Value, ...] = ()
        self.kinds: tuple[type, ...] = ()
        self.dtypes: tuple[np.dtype, ...] = ()
        self.active = False
        self.joins = False
        self.marks = given.get("on_error", "raise") != "raise" or any(
            v.node is not None and v.node.marks for v in self.used()
        )
        self.chains = (
            record.chain is not None and batch_size is None and device is None and not self.marks
        )
        self.is_fixed = not any(type(v) is Value for v in given.values())
        repeats = self.is_fixed and device is None
        self.repetition = Repetition.of(record, batch_size, given) if repeats else None
        self.wanted = False
        self.unused = 0
        self.seen = 0
        self.last = -1
        self.failed_draws = 0

    @property
    def is_wanted(self) -> bool:
        """Whether the body asks for the result itself."""
        return self.wanted and self.unused < MAX_UNUSED

    @property
    def is_kept(self) -> bool:
        """Whether the body may ask for it, if no captured call does."""
        return self.unused < MAX_UNUSED

    def chained(self, data: Callable[[Any], Any], words: np.ndarray | None = None) -> ChainedCall:
        """The call as one of a chain.

        Args:
            data: gives the data of a `Value`, and anything else as it is.
            words: the key of a random call.
        """
        continues = self.record.chain == "continues"
        inputs = [None if continues and k == 0 else data(v) for k, v in enumerate(self.inputs)]
        given = self.given
        if words is not None or not self.is_fixed:
            given = {name: data(v) for name, v in given.items()}
        if words is not None:
            given["key"] = words
        return ChainedCall(self.record, inputs, given)

    def used(self) -> list[Value]:
        """The values that it reads."""
        return [v for v in (*self.inputs, *self.given.values()) if type(v) is Value]
