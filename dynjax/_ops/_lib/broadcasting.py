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
    if is_constant(a):
        return a
    return b if is_constant(b) else where(a == 1, b, a)


def broadcast_bound(slots: Sequence[Sequence[int]], rank: int) -> list[int | None]:
    """The largest extents of the result, for operands in slots of these sizes."""
    aligned = [(1,) * (rank - len(slot)) + tuple(slot) for slot in slots]
    return [max(sizes) for sizes in zip(*aligned, strict=True)]


def common_layout(what: str, specs: Sequence[Spec]) -> str | None:
    """The longest layout, of which all others must be a suffix. Scalars have no say.

    None where the result has more axes than that names.
    """
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
    return longest if longest and len(longest) == max(s.ndim for s in specs) else None
