"""Which frames of a sequence are taken, and what stands for those beyond its ends."""

import numpy as np

_MODES = {
    "none": "none",
    "constant": "constant",
    "edge": "edge",
    "repeat": "edge",
    "reflect_1001": "reflect_1001",
    "symmetric": "reflect_1001",
    "reflect_101": "reflect_101",
    "reflect": "reflect_101",
}
FILLED = -1  # the number of a frame that holds the fill value


def pad_mode_name(mode: str) -> str | None:
    """The plain name of a mode, `"none"` and `"constant"` among them; None: there is no such."""
    return _MODES.get(mode)


def pad_mode_names() -> str:
    """All names, for messages."""
    return ", ".join(_MODES)


def padded_numbers(numbers: np.ndarray, count: int, mode: str) -> np.ndarray:
    """Numbers of existing frames for any numbers.

    Args:
        numbers: int64 `[F]`.
        count: of the frames that exist, at least 1: 0 to count - 1.
        mode: a plain name: `"none"` leaves out what does not exist, `"constant"` gives `FILLED`
            for it, `"edge"` the nearest frame, `"reflect_1001"` and `"reflect_101"` go back
            and forth, with the last frame twice or once.
    """
    inside = (numbers >= 0) & (numbers < count)
    if mode == "none":
        return numbers[inside]
    if mode == "constant":
        return np.where(inside, numbers, FILLED)
    if mode == "edge":
        return np.clip(numbers, 0, count - 1)
    once = mode == "reflect_101"
    period = max(2 * count - 2 * once, 1)
    turned = numbers % period
    return np.where(turned < count, turned, period - 1 + once - turned)


def evenly(start: int, stop: int, count: int) -> np.ndarray:
    """`count` numbers from `start` to `stop - 1`, evenly spread; halves are rounded up."""
    return np.floor(np.linspace(start, stop - 1, count) + 0.5).astype(np.int64)


def fill_color(what: str, values: object) -> np.ndarray:
    """A fill value as uint8 `[3]`.

    Raises:
        ValueError: another number of values, or one beyond 0 to 255. Says so in words.
    """
    color = np.atleast_1d(np.asarray(values))
    if color.dtype.kind not in "iuf" or color.ndim != 1 or len(color) not in (1, 3):
        raise ValueError(f"{what}: fill_value={values!r}; expected one number, or one a channel.")
    if color.min() < 0 or color.max() > 255:
        raise ValueError(f"{what}: fill_value={values!r}; expected 0 to 255.")
    return np.broadcast_to(color.astype(np.uint8), (3,))
