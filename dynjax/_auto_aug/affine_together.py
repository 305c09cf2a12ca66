"""One affine map for an image and what belongs to it: `dynjax.auto_aug.affine_together`."""

from collections.abc import Mapping, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from .._ops.warp_affine import warp_affine
from .._types.batch import Batch
from .._types.enums import DALIInterpType
from .groups import Group
from .moved import matrices


def affine_together(
    sample: Mapping[str, Any],
    *,
    angle: Sequence[float] = (0.0, 0.0),
    scale: Sequence[float] = (1.0, 1.0),
    shear: Sequence[float] = (0.0, 0.0),
    translate: Sequence[float] = (0.0, 0.0),
    fill_value: float | None = 0,
    mask_fill_value: float | None = 0,
    interp_type: Any = DALIInterpType.INTERP_LINEAR,
    normalized: bool = True,
    key: Any = None,
    rng: Any = None,
) -> dict[str, Any]:
    """Turns, scales, shears and shifts all parts by one draw, about the middle of the image.

        p' = R(angle) scale [1 shear; 0 1] (p - middle) + middle + shift

    The size stays. The mask takes the nearest pixel. A box becomes the upright box around its moved
    corners, cut off at the image; one outside it keeps its place in the list and has no area.

    Args:
        sample: a dict as for `flip_together`.
        angle: least and largest angle in degrees, counter-clockwise as displayed.
        scale: least and largest factor, more than 0.
        shear: least and largest shift along x for each pixel along y.
        translate: largest shift along x and y, as shares of width and height.
        fill_value: what is outside the image. None: the nearest pixel.
        mask_fill_value: what is outside the mask. None: the nearest pixel.
        interp_type: for the image: `INTERP_LINEAR` or `INTERP_NN`.
        normalized: boxes and keypoints are relative to the image, and not in pixels.
        key: a JAX key, or one for each sample. Default: drawn from `rng`.
        rng: a `dynjax.random.RNG`. Default: the thread's.

    Returns:
        A dict with the same entries. Keypoints that leave the image lie outside it.

    Raises:
        ArgumentError: neither image nor mask, parts that do not fit together.

    Example:
        >>> sample = {
        ...     "image": np.array([[[1], [2]], [[3], [4]]], np.uint8),
        ...     "keypoints": np.float32([[0.25, 0.25]]),
        ... }
        >>> out = dynjax.auto_aug.affine_together(
        ...     sample, angle=(90, 90), key=jax.random.key(1)
        ... )
        >>> np.asarray(out["image"])[..., 0].tolist(), np.asarray(out["keypoints"]).round(3)
        ([[2, 4], [1, 3]], array([[0.25, 0.75]], dtype=float32))
    """
    group = Group("affine_together", sample, normalized)
    draws = group.draws(key, rng)
    xp = jnp if draws.traced else np
    turn = draws.between(0, *angle) * np.float32(np.pi / 180)
    factor, slope = draws.between(1, *scale), draws.between(2, *shear)
    height, width = group.size
    right = draws.between(3, -translate[0], translate[0]) * width
    down = draws.between(4, -translate[1], translate[1]) * height
    # y points down.
    cos, sin = factor * xp.cos(turn), factor * xp.sin(turn)
    a, b, d, e = cos, cos * slope + sin, -sin, cos - sin * slope
    x, y = width / 2, height / 2
    moved = ((a, b, x + right - a * x - b * y), (d, e, y + down - d * x - e * y))

    def picture(name: str, data: Batch) -> Any:
        mask = name == "mask"
        return warp_affine(
            data,
            matrix=matrices(moved, group.count),
            inverse_map=False,
            fill_value=mask_fill_value if mask else fill_value,
            interp_type=DALIInterpType.INTERP_NN if mask else interp_type,
        )

    return group.moved(picture, moved, group.size)


def rotate_together(
    sample: Mapping[str, Any],
    angle: Sequence[float] = (-30.0, 30.0),
    *,
    fill_value: float | None = 0,
    mask_fill_value: float | None = 0,
    interp_type: Any = DALIInterpType.INTERP_LINEAR,
    normalized: bool = True,
    key: Any = None,
    rng: Any = None,
) -> dict[str, Any]:
    """Turns all parts by one angle about the middle of the image, whose size stays.

    Args:
        sample: a dict as for `flip_together`.
        angle: least and largest angle in degrees, counter-clockwise as displayed.
        fill_value, mask_fill_value, interp_type, normalized, key, rng: as for `affine_together`.

    Returns:
        A dict with the same entries.

    Raises:
        ArgumentError: neither image nor mask, parts that do not fit together.

    Example:
        >>> sample = {"mask": np.eye(4, dtype=np.uint8)}
        >>> out = dynjax.auto_aug.rotate_together(sample, (90, 90), key=jax.random.key(1))
        >>> np.asarray(out["mask"])[0].tolist()
        [0, 0, 0, 1]
    """
    return affine_together(
        sample,
        angle=angle,
        fill_value=fill_value,
        mask_fill_value=mask_fill_value,
        interp_type=interp_type,
        normalized=normalized,
        key=key,
        rng=rng,
    )
