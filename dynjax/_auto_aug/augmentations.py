"""What a policy chooses from: each takes images and one parameter for each sample."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._ops.brightness import brightness
from .._ops.cast_like import cast_like
from .._ops.contrast import contrast
from .._ops.crop_mirror_normalize import crop_mirror_normalize
from .._ops.equalize import equalize
from .._ops.filter import filter as correlated
from .._ops.reductions.extrema import max as largest
from .._ops.reductions.extrema import min as smallest
from .._ops.reductions.sums import mean
from .._ops.reductions.sums import sum as total
from .._ops.rotate import rotate
from .._ops.saturation import saturation
from .._ops.warp_affine import warp_affine
from .._types.batch import Batch
from .._types.construct import as_batch
from .images import sides, values_of
from .moved import matrices


@dataclass(frozen=True)
class Border:
    """What geometric augmentations read outside the image, and how between pixels."""

    fill: float | None
    interp: Any

    @property
    def arguments(self) -> dict[str, Any]:
        return {"fill_value": self.fill, "interp_type": self.interp}


Augmentation = Callable[[Batch, Any, Border], Any]


# `[[xx, xy, x], [yx, 1, y]]`: where the pixels of the input come to lie in the result.
Entries = tuple[Any, Any, Any, Any, Any]
STILL: Entries = (1.0, 0.0, 0.0, 0.0, 0.0)


def _sheared_x(images: Batch, shear: Any) -> Entries:
    del images
    return 1.0, shear, 0.0, 0.0, 0.0


def _sheared_y(images: Batch, shear: Any) -> Entries:
    del images
    return 1.0, 0.0, 0.0, shear, 0.0


def _translated_x(images: Batch, pixels: Any) -> Entries:
    del images
    return 1.0, 0.0, pixels, 0.0, 0.0


def _translated_y(images: Batch, pixels: Any) -> Entries:
    del images
    return 1.0, 0.0, 0.0, 0.0, pixels


def _translated_x_by_share(images: Batch, share: Any) -> Entries:
    return _translated_x(images, share * _float(sides(images)[1]))


def _translated_y_by_share(images: Batch, share: Any) -> Entries:
    return _translated_y(images, share * _float(sides(images)[0]))


# Augmentations that one warp can do together.
MAPS: dict[str, Callable[[Batch, Any], Entries]] = {
    "shear_x": _sheared_x,
    "shear_y": _sheared_y,
    "translate_x": _translated_x,
    "translate_x_share": _translated_x_by_share,
    "translate_y": _translated_y,
    "translate_y_share": _translated_y_by_share,
}


def moved(images: Batch, entries: Entries, border: Border) -> Any:
    """Each image through its map."""
    xx, xy, x, yx, y = entries
    matrix = matrices(((xx, xy, x), (yx, 1.0, y)), images.batch_size)
    return warp_affine(images, matrix=matrix, inverse_map=False, **border.arguments)


def _warp(name: str) -> Augmentation:
    def warp(images: Batch, parameter: Any, border: Border) -> Any:
        return moved(images, MAPS[name](images, parameter), border)

    return warp


def _float(column: Any) -> Any:
    return float(column) if isinstance(column, int) else column.astype(np.float32)


def _rotate(images: Batch, angle: Any, border: Border) -> Any:
    return rotate(images, angle=as_batch(angle), keep_size=True, **border.arguments)


def _brightness(images: Batch, factor: Any, border: Border) -> Any:
    del border
    return brightness(images, brightness=as_batch(factor))


def _contrast(images: Batch, factor: Any, border: Border) -> Any:
    """About the mean luma, as Pillow's."""
    del border
    if images.layout == "HWC":
        channels = values_of(mean(images, axis_names="HW"))
        center = sum(channels[:, k] * np.float32(w) for k, w in enumerate(_LUMA))
        return contrast(images, contrast=as_batch(factor), contrast_center=as_batch(center))
    weights = np.array(_LUMA, np.float32)
    channels = mean(images, axis_names="HW", keep_dims=True)
    center = total(channels * weights, axis_names="C", keep_dims=True)
    return cast_like(center + (images - center) * as_batch(factor), images)


_LUMA = (0.299, 0.587, 0.114)


def _color(images: Batch, factor: Any, border: Border) -> Any:
    del border
    return saturation(images, saturation=as_batch(factor))


_BLUR = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / 13
_SAME = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], np.float32)


def _sharpness(images: Batch, factor: Any, border: Border) -> Any:
    """Between a blurred image (0) and the image itself (1), and beyond."""
    del border
    factor = factor[:, None, None]
    return correlated(images, as_batch((1 - factor) * _BLUR + factor * _SAME))


def _posterize(images: Batch, bits: Any, border: Border) -> Any:
    """The highest bits of each value: at least one."""
    del border
    kept = bits.round().clip(1, 8).astype(np.int32)
    return images & as_batch((256 - (1 << (8 - kept))).astype(np.uint8))


_ALL_BITS = np.uint8(255)


def _solarize(images: Batch, threshold: Any, border: Border) -> Any:
    """What is not below the threshold is inverted."""
    del border
    return images ^ ((images >= as_batch(threshold)) * _ALL_BITS)


def _solarize_add(images: Batch, shift: Any, border: Border) -> Any:
    """What is below 128 becomes brighter."""
    del border
    return images + (images < np.uint8(128)) * as_batch(shift.astype(np.uint8))


def _invert(images: Batch, parameter: Any, border: Border) -> Any:
    del parameter, border
    return images ^ _ALL_BITS


def _equalize(images: Batch, parameter: Any, border: Border) -> Any:
    del parameter, border
    return equalize(images)


def _auto_contrast(images: Batch, parameter: Any, border: Border) -> Any:
    """Each channel stretched to 0 to 255; one that is flat stays."""
    del parameter, border
    if images.layout == "HWC":
        low = values_of(smallest(images, axis_names="HW")).astype(np.float32)
        span = values_of(largest(images, axis_names="HW")).astype(np.float32) - low
        low, scale = low * (span > 0), span / 255 + (span == 0)
        return crop_mirror_normalize(
            images, mean=as_batch(low), std=as_batch(scale), dtype="uint8", output_layout="HWC"
        )
    low = smallest(images, axis_names="HW", keep_dims=True)
    span = largest(images, axis_names="HW", keep_dims=True) - low
    varies = span > np.uint8(0)
    span = span * varies + (varies ^ True) * _ALL_BITS
    return cast_like((images - low * varies) * (255.0 / span), images)


AUGMENTATIONS: dict[str, Augmentation] = {
    "auto_contrast": _auto_contrast,
    "brightness": _brightness,
    "color": _color,
    "contrast": _contrast,
    "equalize": _equalize,
    "invert": _invert,
    "posterize": _posterize,
    "rotate": _rotate,
    "sharpness": _sharpness,
    "solarize": _solarize,
    "solarize_add": _solarize_add,
    **{name: _warp(name) for name in MAPS},
}
