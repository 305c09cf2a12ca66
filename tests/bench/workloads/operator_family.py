"""Each operator of a family on 64 images; the figures are milliseconds a call; see `each.py`.

One pair of processes for a family, not for an operator: starting them would take most of the time.
Dense batches are 64 pictures of 256x256x3, ragged ones 64 photographs whose longer side is 256.
"""

import importlib

import numpy as np
from each import ms_of_each


def prepare(ndd, files, family, ragged):
    reader = ndd.readers.File(files=files["photos"][:64])
    jpegs, _labels = next(iter(reader.next_epoch(batch_size=64)))
    if ragged:
        photos = ndd.resize(ndd.decoders.image(jpegs), resize_longer=256).evaluate()
    else:
        photos = ndd.resize(ndd.decoders.image(jpegs), size=[256, 256]).evaluate()
    # A copy: calls on data that shares the caller's memory are synchronous in the original.
    images = ndd.batch([np.array(photo, order="C") for photo in photos], layout="HWC").evaluate()
    jpegs = jpegs.evaluate()
    return ms_of_each(FAMILIES[family](ndd, images, jpegs))


def _enumerations(ndd):
    return getattr(ndd, "types", None) or importlib.import_module("nvidia.dali.types")


def _decoders(ndd, x, jpegs):
    return {
        "image": lambda: ndd.decoders.image(jpegs),
        "image_crop": lambda: ndd.decoders.image_crop(jpegs, crop=[50, 50]),
        "image_slice": lambda: ndd.decoders.image_slice(jpegs, rel_start=[0.2, 0.2], rel_shape=[0.5, 0.5], axes=[0, 1]),  # noqa: E501
        "image_random_crop": lambda: ndd.decoders.image_random_crop(jpegs),
        "peek_image_shape": lambda: ndd.peek_image_shape(jpegs),
    }  # fmt: skip


def _geometry(ndd, x, jpegs):
    types = _enumerations(ndd)
    return {
        "resize": lambda: ndd.resize(x, size=[224, 224]),
        "resize_antialias_off": lambda: ndd.resize(x, size=[224, 224], antialias=False),
        "resize_cubic": lambda: ndd.resize(x, size=[224, 224], interp_type=types.INTERP_CUBIC),
        "resize_nearest": lambda: ndd.resize(x, size=[224, 224], interp_type=types.INTERP_NN),
        "resize_larger": lambda: ndd.resize(x, size=[400, 400]),
        "resize_shorter": lambda: ndd.resize(x, resize_shorter=160),
        "resize_float": lambda: ndd.resize(x, size=[224, 224], dtype=ndd.float32),
        "tensor_resize": lambda: ndd.tensor_resize(x, sizes=[224, 224], axes=[0, 1]),
        "resize_crop_mirror": lambda: ndd.resize_crop_mirror(x, size=[256, 256], crop=[200, 200]),
        "random_resized_crop": lambda: ndd.random_resized_crop(x, size=[224, 224]),
        "rotate": lambda: ndd.rotate(x, angle=17.0),
        "rotate_keep_size": lambda: ndd.rotate(x, angle=17.0, keep_size=True),
        "warp_affine": lambda: ndd.warp_affine(x, matrix=[0.9, 0.1, 3.0, -0.1, 1.1, 2.0]),
        "sphere": lambda: ndd.sphere(x),
        "water": lambda: ndd.water(x),
    }


def _movement(ndd, x, jpegs):
    return {
        "crop": lambda: ndd.crop(x, crop=[100, 100]),
        "crop_float": lambda: ndd.crop(x, crop=[100, 100], dtype=ndd.float32),
        "slice": lambda: ndd.slice(x, rel_start=[0.1, 0.2], rel_shape=[0.7, 0.6], axes=[0, 1]),
        "crop_mirror_normalize": lambda: ndd.crop_mirror_normalize(x, mean=[120.0, 110.0, 100.0], std=[58.0, 57.0, 57.0]),  # noqa: E501
        "crop_mirror_normalize_hwc": lambda: ndd.crop_mirror_normalize(x, mirror=1, output_layout="HWC", std=[58.0]),  # noqa: E501
        "flip": lambda: ndd.flip(x, horizontal=1),
        "flip_vertical": lambda: ndd.flip(x, horizontal=0, vertical=1),
        "transpose": lambda: ndd.transpose(x, perm=[2, 0, 1]),
        "pad": lambda: ndd.pad(x, axes=[0, 1], align=[512, 512]),
        "paste": lambda: ndd.paste(x, fill_value=[1, 2, 3], ratio=1.5),
        "erase": lambda: ndd.erase(x, anchor=[20, 30], shape=[40, 50], axis_names="HW"),
        "grid_mask": lambda: ndd.grid_mask(x, tile=40, ratio=0.4),
        "cast": lambda: ndd.cast(x, dtype=ndd.float32),
        "cat": lambda: ndd.cat(x, x, axis=0),
        "stack": lambda: ndd.stack(x, x),
        "copy": lambda: ndd.copy(x),
        "normalize": lambda: ndd.normalize(x, axes=[0, 1]),
        "lookup_table": lambda: ndd.lookup_table(x, keys=[1, 2, 3], values=[9, 8, 7], dtype=ndd.uint8),  # noqa: E501
    }  # fmt: skip


def _colour(ndd, x, jpegs):
    types = _enumerations(ndd)
    return {
        "brightness": lambda: ndd.brightness(x, brightness=1.3),
        "contrast": lambda: ndd.contrast(x, contrast=0.8),
        "brightness_contrast": lambda: ndd.brightness_contrast(x, brightness=1.3, contrast=0.8),
        "brightness_contrast_float": lambda: ndd.brightness_contrast(x, brightness=1.3, dtype=ndd.float32),  # noqa: E501
        "hue": lambda: ndd.hue(x, hue=30.0),
        "saturation": lambda: ndd.saturation(x, saturation=0.6),
        "hsv": lambda: ndd.hsv(x, hue=30.0, saturation=0.6, value=1.1),
        "color_twist": lambda: ndd.color_twist(x, hue=30.0, saturation=0.6, brightness=1.1),
        "rgb_to_grey": lambda: ndd.color_space_conversion(x, image_type=types.RGB, output_type=types.GRAY),  # noqa: E501
        "rgb_to_ycbcr": lambda: ndd.color_space_conversion(x, image_type=types.RGB, output_type=types.YCbCr),  # noqa: E501
        "rgb_to_bgr": lambda: ndd.color_space_conversion(x, image_type=types.RGB, output_type=types.BGR),  # noqa: E501
        "clahe": lambda: ndd.clahe(x, tiles_x=8, tiles_y=8, clip_limit=2.0),
        "clahe_channels": lambda: ndd.clahe(x, tiles_x=8, tiles_y=8, clip_limit=2.0, luma_only=False),  # noqa: E501
        "equalize": lambda: ndd.equalize(x),
        "jpeg_compression_distortion": lambda: ndd.jpeg_compression_distortion(x, quality=50),
        "noise_gaussian": lambda: ndd.noise.gaussian(x, stddev=10.0),
        "noise_salt_and_pepper": lambda: ndd.noise.salt_and_pepper(x, prob=0.1),
        "noise_shot": lambda: ndd.noise.shot(x, factor=4.0),
    }  # fmt: skip


def _filters(ndd, x, jpegs):
    window = ndd.tensor(np.float32([[0, 1, 0], [1, -3, 1], [0, 1, 0]]))
    return {
        "gaussian_blur": lambda: ndd.gaussian_blur(x, sigma=1.5),
        "gaussian_blur_wide": lambda: ndd.gaussian_blur(x, window_size=21),
        "laplacian": lambda: ndd.laplacian(x, window_size=5),
        "filter": lambda: ndd.filter(x, window),
    }


def _gpu_in_the_original(ndd, x, jpegs):
    return {
        "median_blur": lambda: ndd.experimental.median_blur(x),
        "median_blur_wide": lambda: ndd.experimental.median_blur(x, window_size=15),
        "dilate": lambda: ndd.experimental.dilate(x),
        "dilate_wide": lambda: ndd.experimental.dilate(x, mask_size=15),
        "erode": lambda: ndd.experimental.erode(x),
        "jitter": lambda: ndd.jitter(x),
    }


FAMILIES = {
    "decoders": _decoders,
    "geometry": _geometry,
    "movement": _movement,
    "colour": _colour,
    "filters": _filters,
    "gpu_in_the_original": _gpu_in_the_original,
}
