"""The rows of single operators; see `rows.py` and `workloads/operator_family.py`."""

from row import Row, Workload, at_most_times, least, times_better

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


def _rows(family: str, ragged: bool) -> list[Row]:
    compared = family != "gpu_in_the_original"
    workload = Workload(
        "operator_family", (("family", family), ("ragged", ragged)), ("photos",), compared=compared
    )
    kind = "ragged" if ragged else "dense"
    rows = []
    for name in OPERATORS[family]:
        of = f"operator.{family}.{name}.{kind}"
        title = f"{name} of 64 {'photos' if ragged else 'pictures of 256x256x3'}, CPU"
        bar = at_most_times(1.05)
        rows.append(Row(of, title, "ms", workload, least(f"{name}.cpu"), bar))
        # Nine tenths of the bar for CPU time: the threads are to be busy.
        wall = times_better(0.855)
        title = "the same, wall time"
        rows.append(Row(f"{of}.wall", title, "ms", workload, least(f"{name}.wall"), wall))
    return rows


ROWS: tuple[Row, ...] = tuple(
    row for family in OPERATORS for ragged in (False, True) for row in _rows(family, ragged)
)
