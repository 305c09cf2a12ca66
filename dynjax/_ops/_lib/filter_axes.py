"""The axes that a filter works on: all but frames and channels."""

from ..._types.errors import OperatorError

MAX_AXES = 3


def filtered_axes(what: str, layout: str | None, ndim: int) -> tuple[int, ...]:
    """Positions of the filtered axes, which lie side by side.

    Raises:
        OperatorError: frames or channels in the middle, or not 1 to 3 filtered axes.
    """
    letters = layout or "*" * ndim
    axes = tuple(a for a, letter in enumerate(letters) if letter not in "FC")
    if not 1 <= len(axes) <= MAX_AXES:
        raise OperatorError(
            f"{what}: the input has {len(axes)} axes beside frames and channels (layout "
            f"{layout!r}); expected 1 to {MAX_AXES}. Set the layout with dynjax.as_batch(data, "
            "layout=...)."
        )
    if axes[-1] - axes[0] != len(axes) - 1 or "F" in letters[axes[-1] :]:
        raise OperatorError(
            f"{what}: layout {layout!r}: expected frames first and channels first or last."
        )
    return axes


def per_axis(what: str, name: str, values, count: int) -> list:
    """One value for each filtered axis; a single one serves all.

    Raises:
        OperatorError: another number of values.
    """
    if len(values) == 1:
        return list(values) * count
    if len(values) != count:
        raise OperatorError(
            f"{what}: {name} has {len(values)} values; expected 1 or {count}, the number of "
            "filtered axes."
        )
    return list(values)
