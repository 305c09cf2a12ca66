"""The calls that are recorded from the original and repeated with dynjax: one list for both.

Takes the module (`nvidia.dali.experimental.dynamic` or `dynjax`) and its enumerations, so that it
needs nothing but NumPy. Files to decode lie beside it in the recording, as their bytes.
"""

import numpy as np


def image(height, width, channels=3, dtype="uint8", seed=0):
    """Waves and noise: smooth parts, edges, and every value."""
    rng = np.random.RandomState(seed)
    y, x, c = np.mgrid[:height, :width, :channels]
    waves = (
        0.5 + 0.4 * np.sin(x / 2.5 + c) * np.cos(y / 3.5) + 0.1 * rng.rand(height, width, channels)
    )
    if dtype == "float32":
        return waves.astype(dtype)
    info = np.iinfo(dtype)
    return (info.min + waves * (float(info.max) - info.min)).clip(info.min, info.max).astype(dtype)


def resize_cases(ndd, types):
    """Name -> call, of `resize`."""
    kinds = ("NN", "LINEAR", "CUBIC", "LANCZOS3", "TRIANGULAR", "GAUSSIAN")

    def resize(data=None, layout="HWC", **arguments):
        data = image(21, 30) if data is None else data
        return lambda: ndd.resize(ndd.tensor(data, layout=layout), **arguments)

    cases = {}
    for kind in kinds:
        interp = getattr(types, f"INTERP_{kind}")
        for name, size in (("down", [8, 11]), ("up", [33, 47]), ("mixed", [50, 7])):
            for antialias in (True, False):
                cases[f"{kind}-{name}-{antialias}"] = resize(
                    size=size, interp_type=interp, antialias=antialias
                )
    linear = {
        "shorter": {"resize_shorter": 9},
        "longer": {"resize_longer": 13},
        "x": {"resize_x": 17},
        "stretch": {"resize_x": 17, "mode": "stretch"},
        "not_larger": {"size": [10, 10], "mode": "not_larger"},
        "not_smaller": {"size": [10, 10], "mode": "not_smaller", "max_size": 13},
        "exact": {"resize_x": 17, "subpixel_scale": False},
        "flip": {"size": [-9, 40]},
        "region": {"size": [9, 9], "roi_start": [2.5, 3.0], "roi_end": [11.0, 22.25]},
        "back": {"size": [9, 9], "roi_start": [15, 3], "roi_end": [2.5, 22.25]},
        "relative": {
            "size": [9, 9],
            "roi_start": [0.1, 0.2],
            "roi_end": [0.9, 0.6],
            "roi_relative": True,
        },
        "float": {"size": [9, 12], "dtype": types.FLOAT},
    }
    cases |= {f"linear-{name}": resize(**arguments) for name, arguments in linear.items()}
    for dtype in ("int16", "uint16", "float32"):
        cases[f"dtype-{dtype}"] = resize(image(13, 17, dtype=dtype), size=[7, 23])
    chw = np.ascontiguousarray(image(13, 17).transpose(2, 0, 1))
    cases["layout-CHW"] = resize(chw, "CHW", size=[7, 23])
    cases["layout-FHWC"] = resize(image(13, 17)[None].repeat(2, 0), "FHWC", size=[7, 23])
    cases["layout-DHWC"] = resize(
        np.stack([image(13, 17, seed=k) for k in range(4)]), "DHWC", size=[6, 7, 23]
    )
    return cases


def crop_mirror_normalize_cases(ndd, types):
    """Name -> call, of `crop_mirror_normalize`."""

    def call(data=None, layout="HWC", **arguments):
        data = image(11, 14) if data is None else data
        return lambda: ndd.crop_mirror_normalize(ndd.tensor(data, layout=layout), **arguments)

    mean, std = [120.5, 100.25, 90.0], [58.4, 57.1, 61.0]
    cases = {
        "plain": call(),
        "normalised": call(mean=mean, std=std),
        "scaled": call(mean=mean, std=std, scale=30.5, shift=10.25, dtype=types.UINT8),
        "signed": call(mean=[128.0], dtype=types.INT8),
        "half": call(mean=mean, std=std, dtype=types.FLOAT16),
        "mirror": call(mirror=1, crop=[5, 6], crop_pos_x=0.3, crop_pos_y=0.9),
        "same_layout": call(output_layout="HWC", mean=mean),
        "padded_channels": call(pad_output=True, mean=mean),
        "beyond": call(
            crop=[13, 9], out_of_bounds_policy="pad", fill_values=[1.0, 2.0, 3.0], mirror=1
        ),
        "trimmed": call(crop=[13, 9], out_of_bounds_policy="trim_to_shape"),
        "frames": call(image(11, 14)[None].repeat(2, 0), "FHWC", output_layout="FCHW", crop=[4, 4]),
    }
    for dtype in ("int16", "uint16", "int32", "float32"):
        cases[f"input-{dtype}"] = call(image(5, 6, dtype=dtype), mean=[1000.0], std=[7.0])
    for k, position in enumerate((0.1, 0.35, 0.5, 0.7, 0.9)):
        for rounding in ("round", "truncate"):
            cases[f"window-{k}-{rounding}"] = call(
                crop=[4, 4],
                crop_pos_x=position,
                crop_pos_y=1 - position,
                rounding=rounding,
                dtype=types.UINT8,
            )
    return cases


def image_cases(ndd, types, files):
    """Name -> call, of `decoders.image` on encoded files by name."""
    cases = {}
    for name, data in files.items():
        for output in ("RGB", "BGR", "GRAY", "YCbCr", "ANY_DATA"):
            if name == "jpeg-grey" and output in ("YCbCr", "ANY_DATA"):
                continue  # the original writes beyond its memory and may take the process along
            cases[f"{name}-{output}"] = lambda d=data, o=output: ndd.decoders.image(
                ndd.tensor(d), output_type=getattr(types, o)
            )
    for dtype in ("INT8", "UINT16", "INT16", "UINT32", "INT32", "FLOAT"):
        for name in ("jpeg-420", "png-rgb"):
            cases[f"{name}-{dtype}"] = lambda d=files[name], t=dtype: ndd.decoders.image(
                ndd.tensor(d), dtype=getattr(types, t)
            )
    return cases
