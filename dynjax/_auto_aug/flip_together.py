"""One flip for an image and what belongs to it: `dynjax.auto_aug.flip_together`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._ops.flip import flip
from .._types.batch import Batch
from .._types.construct import as_batch
from .groups import Group


def flip_together(
    sample: Mapping[str, Any],
    *,
    horizontal: float = 0.5,
    vertical: float = 0.0,
    normalized: bool = True,
    key: Any = None,
    rng: Any = None,
) -> dict[str, Any]:
    """Mirrors image, mask, boxes and keypoints, all or none of them.

    Args:
        sample: a dict with some of `"image"` and `"mask"` (HWC or HW, one size), `"boxes"`
            (float32 `[n, 4]`: left, top, right, bottom) and `"keypoints"` (float32 `[n, 2]`: x, y),
            samples or batches. Other entries are handed through.
        horizontal: probability of a mirror image, 0 to 1.
        vertical: probability of exchanging top and bottom, 0 to 1.
        normalized: boxes and keypoints are relative to the image, and not in pixels.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        A dict with the same entries.

    Raises:
        ArgumentError: neither image nor mask, parts that do not fit together.

    Example:
        >>> sample = {
        ...     "image": np.arange(6, dtype=np.uint8).reshape(2, 3, 1),
        ...     "boxes": np.array([[0.0, 0.0, 0.25, 1.0]], np.float32),
        ... }
        >>> out = dynjax.auto_aug.flip_together(sample, horizontal=1.0, key=jax.random.key(1))
        >>> np.asarray(out["image"])[..., 0].tolist(), np.asarray(out["boxes"]).tolist()
        ([[2, 1, 0], [5, 4, 3]], [[0.75, 0.0, 1.0, 1.0]])
    """
    group = Group("flip_together", sample, normalized)
    draws = group.draws(key, rng)
    across = (draws.unit(0) < np.float32(horizontal)).astype(np.int32)
    down = (draws.unit(1) < np.float32(vertical)).astype(np.int32)

    def picture(name: str, data: Batch) -> Any:
        del name
        return flip(data, horizontal=as_batch(across), vertical=as_batch(down))

    height, width = group.size
    xs = (1.0 - 2.0 * across, 0.0, width * across)
    ys = (0.0, 1.0 - 2.0 * down, height * down)
    return group.moved(picture, (xs, ys), group.size)
