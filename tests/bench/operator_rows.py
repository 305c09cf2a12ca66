"""The rows of single operators; see `rows.py` and `workloads/operator_family.py`."""

from collections.abc import Callable, Sequence

from row import Round, Row, Workload, at_most_times

# By family, as in the workload. The original has the last ones on GPUs alone.
OPERATORS = {
    "decoders": ("image", "image_crop", "image_slice", "image_random_crop", "peek_image_shape"),
    "geometry": (
        *("resize", "resize_antialias_off", "resize_cubic", "resize_nearest", "resize_larger"),
        *("resize_shorter", "resize_float", "tensor_resize", "resize_crop_mirror"),
        *("random_resized_crop", "rotate", "rotate_keep_size", "warp_affine", "sphere", "water"),
    ),
    "movement": (
        *("crop", "crop_float", "slice", "crop_mirror_normalize", "crop_mirror_normalize_hwc"),
        *("flip", "flip_vertical", "transpose", "pad", "paste", "erase", "grid_mask", "cast"),
        *("cat", "stack", "copy", "normalize", "lookup_table"),
    ),
    "colour": (
        *("brightness", "contrast", "brightness_contrast", "brightness_contrast_float", "hue"),
        *("saturation", "hsv", "color_twist", "rgb_to_grey", "rgb_to_ycbcr", "rgb_to_bgr"),
        *("clahe", "clahe_channels", "equalize", "jpeg_compression_distortion"),
        *("noise_gaussian", "noise_salt_and_pepper", "noise_shot"),
    ),
    "filters": ("gaussian_blur", "gaussian_blur_wide", "laplacian", "filter"),
    "gpu_in_the_original": (
        *("median_blur", "median_blur_wide", "dilate", "dilate_wide", "erode", "jitter"),
    ),
}


def _least(name: str) -> Callable[[Sequence[Round]], float]:
    # Of many short measurements on a machine that may be busy, the least disturbed.
    return lambda rounds: min(r[name] for r in rounds)


def _rows(family: str, ragged: bool) -> list[Row]:
    compared = family != "gpu_in_the_original"
    workload = Workload(
        "operator_family", (("family", family), ("ragged", ragged)), ("photos",), compared=compared
    )
    kind = "ragged" if ragged else "dense"
    return [
        Row(
            f"operator.{family}.{name}.{kind}",
            f"{name} of 64 {'photos' if ragged else 'pictures of 256x256x3'}, CPU",
            "ms",
            workload,
            _least(name),
            at_most_times(1.05),
        )
        for name in OPERATORS[family]
    ]


ROWS: tuple[Row, ...] = tuple(
    row for family in OPERATORS for ragged in (False, True) for row in _rows(family, ragged)
)
