"""One window for an image and what belongs to it: `dynjax.auto_aug.resized_crop_together`."""

from collections.abc import Mapping, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._ops.random_crop_generator import random_crop_generator
from .._ops.resize import resize
from .._types.batch import Batch
from .._types.construct import as_batch
from .._types.enums import DALIInterpType
from .groups import Group
from .images import values_of


def resized_crop_together(
    sample: Mapping[str, Any],
    size: int | Sequence[int],
    *,
    random_area: Sequence[float] = (0.08, 1.0),
    random_aspect_ratio: Sequence[float] = (3 / 4, 4 / 3),
    num_attempts: int = 10,
    interp_type: Any = DALIInterpType.INTERP_LINEAR,
    antialias: bool = True,
    normalized: bool = True,
    key: Any = None,
    rng: Any = None,
) -> dict[str, Any]:
    """Cuts one random window out of all parts and resizes it.

    The mask takes the nearest pixel. A box is cut off at the window; one outside it keeps its place
    in the list and has no area.

    Args:
        sample: a dict as for `flip_together`.
        size: height and width of the results, or one number for both.
        random_area, random_aspect_ratio, num_attempts: of the window; see
            `random_crop_generator`.
        interp_type: filter for the image.
        antialias: for the image: widen the filter when shrinking.
        normalized: boxes and keypoints are relative to the image, and not in pixels.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        A dict with the same entries. Keypoints outside the window are outside the image.

    Raises:
        ArgumentError: neither image nor mask, parts that do not fit together.

    Example:
        >>> sample = {"mask": np.eye(8, dtype=np.uint8), "keypoints": np.float32([[0.5, 0.5]])}
        >>> out = dynjax.auto_aug.resized_crop_together(sample, 4, key=jax.random.key(1))
        >>> out["mask"].shape, out["keypoints"].shape
        ((4, 4), (1, 2))
    """
    group = Group("resized_crop_together", sample, normalized)
    draws = group.draws(key, rng)
    height, width = size if isinstance(size, Sequence) else (size, size)
    xp = jnp if group.traced else np
    sides = [xp.broadcast_to(xp.asarray(s, np.int32), (group.count,)) for s in group.size]
    anchor, shape = (
        values_of(x).astype(np.float32)
        for x in random_crop_generator(
            as_batch(xp.stack(sides, axis=-1)),
            random_area=list(random_area),
            random_aspect_ratio=list(random_aspect_ratio),
            num_attempts=num_attempts,
            key=draws.keys(0),
        )
    )

    def picture(name: str, data: Batch) -> Any:
        mask = name == "mask"
        return resize(
            data,
            size=(height, width),
            roi_start=as_batch(anchor),
            roi_end=as_batch(anchor + shape),
            interp_type=DALIInterpType.INTERP_NN if mask else interp_type,
            antialias=antialias and not mask,
        )

    down, right = height / shape[:, 0], width / shape[:, 1]
    xs = (right, 0.0, -anchor[:, 1] * right)
    ys = (0.0, down, -anchor[:, 0] * down)
    return group.moved(picture, (xs, ys), (float(height), float(width)))
