"""Shapes and layouts of expressions with several operands."""

from collections.abc import Sequence

from ..._types.columns import Shape, any_of, first_of, is_constant, is_traced, value_at, where
from ..._types.errors import OperatorError
from ..._types.spec import Spec


def broadcast_shape(what: str, shapes: Sequence[Shape]) -> Shape:
    """NumPy's rule, sample by sample: axes align on the right, extents agree or are 1."""
    rank = max(map(len, shapes))
    result = []
    for axis in range(-rank, 0):
        extent = None
        for shape in shapes:
            if len(shape) < -axis:
                continue
            extent = shape[axis] if extent is None else _joined(what, shapes, extent, shape[axis])
        result.append(extent)
    return tuple(result)


def _joined(what: str, shapes: Sequence[Shape], a, b):
    if a is b:
        return a
    if is_constant(a) and a == 1:
        return b
    if is_constant(b) and b == 1:
        return a
    if not is_traced(a, b):
        wrong = (a != b) & (a != 1) & (b != 1)
        if any_of(wrong):
            i = first_of(wrong)
            found = " and ".join(str(tuple(int(value_at(c, i)) for c in s)) for s in shapes)
            raise OperatorError(
                f"{what}: sample {i}: shapes {found} do not broadcast; extents must agree or be 1."
            )
    if is_constant(a) and is_constant(b):
        return a
    # Inside `jit` equal extents cannot be told apart from others; an operand's own is kept.
    return a if is_traced(a, b) and not is_constant(a) else where(a == 1, b, a)


def common_layout(what: str, specs: Sequence[Spec]) -> str | None:
    """The longest layout, of which all others must be a suffix. Scalars have no say."""
    longest = None
    for spec in specs:
        layout = spec.layout
        if not layout:
            continue
        if longest is None or layout.endswith(longest):
            longest = layout
        elif not longest.endswith(layout):
            raise OperatorError(
                f"{what}: layouts {longest!r} and {layout!r} do not go together; expected equal "
                "ones, or one that ends with the other."
            )
    return longest
