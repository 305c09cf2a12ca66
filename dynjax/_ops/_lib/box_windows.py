"""The search for a random window that overlaps boxes enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from ..._types.columns import Column
from ..._types.errors import OperatorError
from . import host_draws

# Windows without a limit of the user's: an impossible wish ends in an error and not in a loop.
_MOST = 10_000
# Windows drawn at once for all samples that have none yet: few at first, since most succeed soon.
_FIRST_CHUNK, _LARGEST_CHUNK = 8, 1024
_NO_CROP = -1.0


@final
@dataclass(frozen=True)
class Search:
    """What is wanted; see the arguments of `random_bbox_crop`."""

    what: str
    axes: int
    scaling: Sequence[float]
    aspect_ratio: Sequence[float]
    thresholds: Sequence[float]
    relative_to_box: bool
    every_box: bool
    no_crop: bool
    prune: float | None
    attempts: int
    total: int

    @property
    def limit(self) -> int:
        """How many windows are drawn at most."""
        return self.total if self.total > 0 else _MOST

    @property
    def options(self) -> np.ndarray:
        """The thresholds, and what stands for no crop."""
        return np.array([*self.thresholds, *([_NO_CROP] if self.no_crop else [])], np.float64)

    def check(self, has_image: bool, has_window: bool) -> None:
        """Raises OperatorError for wishes that make no sense."""

        def refuse(text: str) -> None:
            raise OperatorError(f"{self.what}: {text}")

        ranges = len(self.aspect_ratio) // 2
        if len(self.scaling) != 2 or not 0 <= self.scaling[0] <= self.scaling[1]:
            refuse(f"scaling={list(self.scaling)}; expected [least, largest].")
        if len(self.aspect_ratio) % 2 or ranges not in (1, 3 if self.axes == 3 else 1):
            refuse(f"aspect_ratio={list(self.aspect_ratio)}; expected [least, largest].")
        if any(not 0 <= a <= b for a, b in self.ratios):
            refuse(f"aspect_ratio={list(self.aspect_ratio)}; expected [least, largest].")
        if not len(self.thresholds) or any(not 0 <= t <= 1 for t in self.thresholds):
            refuse(f"thresholds={list(self.thresholds)}; expected numbers from 0 to 1.")
        if self.attempts < 1:
            refuse(f"num_attempts={self.attempts}; expected 1 or more.")
        if has_window and not has_image:
            refuse("crop_shape needs input_shape beside it.")
        if has_window and self.no_crop:
            refuse("crop_shape cannot be combined with allow_no_crop. Pass allow_no_crop=False.")

    @property
    def ratios(self) -> list[tuple[float, float]]:
        """Limits of x/y (, x/z, y/z)."""
        values = list(self.aspect_ratio)
        pairs = [(values[k], values[k + 1]) for k in range(0, len(values) - 1, 2)]
        return pairs * 3 if len(pairs) == 1 and self.axes == 3 else pairs


def found(
    search: Search,
    boxes: Sequence[np.ndarray],
    images: np.ndarray | None,
    windows: np.ndarray | None,
    key: Sequence[Column],
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """A window for each sample.

    Args:
        search: what is wanted.
        boxes: `[n, 2, axes]` for each sample: lower and upper corners, relative to the image.
        images: extents in pixels, `[N, axes]`, or None.
        windows: extents of the window in pixels, `[N, axes]`, or None.
        key: columns of the samples' keys.

    Returns:
        Start and shape of the windows relative to the image, `[N, axes]`, and which boxes of each
        sample are kept.
    """
    search.check(images is not None, windows is not None)
    count, axes = len(boxes), search.axes
    start, shape = np.zeros((count, axes)), np.ones((count, axes))
    kept = [np.ones(len(b), np.bool_) for b in boxes]
    best = np.full(count, -np.inf)
    missing = np.arange(count)
    done, chunk = 0, _FIRST_CHUNK
    while len(missing) and done < search.limit:
        size = min(chunk, search.limit - done)
        keys = [np.asarray(k)[missing] for k in key]
        batch = _Chunk(search, keys, done, size)
        fixed = None if windows is None or images is None else windows[missing] / images[missing]
        first, extent, valid = batch.windows(None if images is None else images[missing], fixed)
        left = []
        for k, i in enumerate(missing.tolist()):
            merit, inside = _judged(search, boxes[i], first[k], extent[k])
            fits = valid[k] & (merit >= batch.threshold[k])
            fits &= inside.any(axis=1) | (len(boxes[i]) == 0)
            fits |= batch.threshold[k] == _NO_CROP
            if fits.any():
                chosen = int(np.argmax(fits))
                if batch.threshold[k, chosen] == _NO_CROP:
                    start[i], shape[i], kept[i] = 0, 1, np.ones(len(boxes[i]), np.bool_)
                    continue
            else:
                # With a box inside, any window is better than without.
                worth = np.where(valid[k], merit + 2.0 * inside.any(axis=1), -1.0)
                chosen = int(np.argmax(worth))
                left.append(i)
                if worth[chosen] <= best[i]:
                    continue
                best[i] = worth[chosen]
            start[i], shape[i], kept[i] = first[k, chosen], extent[k, chosen], inside[chosen]
        missing = np.array(left, np.int64)
        done += size
        chunk = min(2 * chunk, _LARGEST_CHUNK)
    if len(missing) and search.total <= 0:
        raise OperatorError(
            f"{search.what}: sample {missing[0]}: none of {_MOST} windows fits. "
            "Allow others, other sizes, or set total_num_attempts to take the best of so many."
        )
    return start, shape, kept


@final
class _Chunk:
    """So many attempts of so many samples; the numbers of an attempt depend on its place alone."""

    def __init__(self, search: Search, keys: Sequence[np.ndarray], first: int, size: int):
        self._search = search
        # Block 0 of the words picks thresholds, the others make windows.
        self._draws = [
            host_draws.unit(host_draws.mixed(keys, 1 + d, size, first)).astype(np.float64)
            for d in range(2 * search.axes)
        ]
        rounds = np.arange(first, first + size) // search.attempts
        rounds, start = rounds - rounds[0], int(rounds[0])
        words = host_draws.mixed(keys, 0, int(rounds[-1]) + 1, start)
        options = search.options
        self.threshold = options[host_draws.below(words, len(options))[:, rounds]]

    def windows(
        self, images: np.ndarray | None, fixed: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Start and shape `[N, attempts, axes]`, and whether the shape is a possible one."""
        axes = self._search.axes
        if fixed is not None:
            shape = np.repeat(fixed[:, None], self.threshold.shape[1], axis=1)
            valid = np.ones(self.threshold.shape, np.bool_)
        else:
            shape, valid = self._shapes(images)
        place = np.stack(self._draws[axes:], axis=-1)
        start = place * (1 - shape)
        if fixed is not None and images is not None:
            start = np.round(start * images[:, None]) / images[:, None]
        return start, shape, valid

    def _shapes(self, images: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Each extent from the part of `scaling` that the ratios to those before it leave."""
        search = self._search
        low, high = search.scaling
        sizes = [low + self._draws[0] * (high - low)]
        valid = np.ones(self.threshold.shape, np.bool_)
        pairs = {(0, 1): 0, (0, 2): 1, (1, 2): 2}
        for axis in range(1, search.axes):
            least: Any = np.full_like(sizes[0], low)
            most: Any = np.full_like(sizes[0], high)
            own_least: Any = np.zeros_like(sizes[0])
            own_most: Any = np.full_like(sizes[0], np.inf)
            for before in range(axis):
                smallest, largest = search.ratios[pairs[before, axis]]
                # sizes[before] / size, in pixels, lies between them.
                pixels = 1.0 if images is None else (images[:, before] / images[:, axis])[:, None]
                with np.errstate(divide="ignore", invalid="ignore"):
                    own_least = np.maximum(own_least, sizes[before] * pixels / largest)
                    own_most = np.minimum(own_most, sizes[before] * pixels / smallest)
            valid &= own_least <= own_most
            # Where `scaling` and the ratios exclude each other, the ratios count.
            least = np.clip(least, own_least, own_most)
            most = np.clip(most, own_least, own_most)
            sizes.append(least + self._draws[axis] * (most - least))
        return np.stack(sizes, axis=-1), valid


def _judged(
    search: Search, boxes: np.ndarray, start: np.ndarray, shape: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The overlap of each window with the boxes, `[A]`, and which boxes it keeps, `[A, n]`."""
    if not len(boxes):
        return np.ones(len(start)), np.zeros((len(start), 0), np.bool_)
    low, high = boxes[None, :, 0].astype(np.float64), boxes[None, :, 1].astype(np.float64)
    first, last = start[:, None], (start + shape)[:, None]
    common = np.maximum(np.minimum(high, last) - np.maximum(low, first), 0).prod(axis=-1)
    area = (high - low).prod(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(area > 0, common / area, 0)
        if search.relative_to_box:
            overlap = share
        else:
            union = area + shape.prod(axis=-1)[:, None] - common
            overlap = np.where(union > 0, common / union, 0)
    centre = (low + high) / 2
    inside: np.ndarray = np.all((centre >= first) & (centre <= last), axis=-1)
    if search.prune is not None:
        inside = inside & (share >= search.prune)
    merit = overlap.min(axis=1) if search.every_box else overlap.max(axis=1)
    return merit, inside
