"""Calls of operators on pictures, for `operator_cases.py`."""

import numpy as np
from cases import image

VIDEO = np.stack([image(8, 10, seed=k) for k in range(3)])


def colour_cases(ndd, types):
    """Name -> call, of operators on the colours of a pixel."""
    rgb, grey = image(7, 9), image(7, 9, 1)

    def call(name, data=rgb, layout="HWC", **arguments):
        return lambda: getattr(ndd, name)(ndd.tensor(data, layout=layout), **arguments)

    def each(values):
        return ndd.per_frame(ndd.tensor(np.float32(values)))

    cases = {
        "brightness": call("brightness", brightness=1.2917, brightness_shift=-0.1),
        "brightness-float": call("brightness", brightness=1.3, dtype=types.FLOAT),
        "brightness-frames": call("brightness", VIDEO, "FHWC", brightness=each([0.5, 1, 2])),
        "contrast": call("contrast", contrast=1.6931, contrast_center=100.0),
        "contrast-frames": call("contrast", VIDEO, "FHWC", contrast=each([0.5, 1, 2])),
        "both-shift": call(
            "brightness_contrast", brightness=0.7, brightness_shift=0.3, contrast=1.2
        ),
        "hue": call("hue", hue=-75.0),
        "hue-frames": call("hue", VIDEO, "FHWC", hue=each([10, 120, -60])),
        "saturation": call("saturation", saturation=2.5),
        "hsv": call("hsv", hue=200.0, saturation=0.4, value=1.5),
        "hsv-frames": call("hsv", VIDEO, "FHWC", value=each([0.5, 1, 2])),
        "twist": call("color_twist", hue=33.0, saturation=1.4, brightness=0.8, contrast=1.3),
        "twist-frames": call("color_twist", VIDEO, "FHWC", contrast=each([0.5, 1, 2])),
        "equalize-grey": call("equalize", grey[..., 0], "HW"),
        "equalize-chw": call("equalize", np.ascontiguousarray(rgb.transpose(2, 0, 1)), "CHW"),
        "equalize-video": call("equalize", VIDEO, "FHWC"),
        "clahe": call("clahe", image(16, 24), tiles_x=4, tiles_y=2, clip_limit=2.0),
        "clahe-channels": call(
            "clahe", image(16, 24), tiles_x=4, tiles_y=2, clip_limit=2.0, luma_only=False
        ),
        "clahe-grey": call("clahe", image(20, 30, 1), tiles_x=2, tiles_y=2, clip_limit=1.5),
        "grid_mask": call("grid_mask", image(16, 20), tile=5, ratio=0.4, angle=0.3),
        "grid_mask-shift": call(
            "grid_mask", image(16, 20), tile=7, ratio=0.6, shift_x=2.0, shift_y=3.5
        ),
    }
    for dtype in ("int16", "int32", "float32"):
        data = image(5, 6, dtype=dtype)
        for name, arguments in {
            "brightness": {"brightness": 1.2917, "brightness_shift": 0.1},
            "contrast": {"contrast": 0.6},
            "hsv": {"hue": 20.0, "saturation": 1.3, "value": 0.9},
        }.items():
            cases[f"{name}-{dtype}"] = call(name, data, **arguments)
            cases[f"{name}-{dtype}-uint8"] = call(name, data, dtype=types.UINT8, **arguments)
    kinds = ("RGB", "BGR", "GRAY", "YCbCr")
    for source in kinds:
        data = image(5, 7, 1 if source == "GRAY" else 3)
        for target in kinds:
            if target == source:
                continue
            arguments = {
                "image_type": getattr(types, source),
                "output_type": getattr(types, target),
            }
            cases[f"convert-{source}-{target}"] = call("color_space_conversion", data, **arguments)
    for quality in (5, 50, 95):
        cases[f"jpeg-{quality}"] = call(
            "jpeg_compression_distortion", image(17, 18), quality=quality
        )
    return cases


def mosaic_cases(ndd, types):
    """Name -> call, of `debayer`."""
    cases = {}
    for dtype in ("uint8", "uint16"):
        mosaic = image(10, 30, 1, dtype)[..., 0]
        for algorithm in ("bilinear_ocv", "edgeaware_ocv", "vng_ocv", "gray_ocv"):
            if algorithm == "vng_ocv" and dtype == "uint16":
                continue
            for position in ([0, 0], [0, 1], [1, 0], [1, 1]):
                cases[f"{algorithm}-{dtype}-{position[0]}{position[1]}"] = (
                    lambda m=mosaic, a=algorithm, p=position: ndd.debayer(
                        ndd.tensor(m, layout="HW"), algorithm=a, blue_position=p
                    )
                )
    flat = np.tile(np.uint8([[40, 100], [100, 200]]), (5, 6)) + image(10, 12, 1)[..., 0] // 64
    cases["vng_ocv-low"] = lambda: ndd.debayer(
        ndd.tensor(flat, layout="HW"), algorithm="vng_ocv", blue_position=[0, 0]
    )
    cases["video"] = lambda: ndd.debayer(
        ndd.tensor(VIDEO[..., 0].copy(), layout="FHW"),
        blue_position=ndd.per_frame(ndd.tensor(np.int32([[0, 0], [0, 1], [1, 1]]))),
    )
    return cases


def filter_cases(ndd, types):
    """Name -> call, of operators that look at neighbours."""
    rng = np.random.RandomState(0)
    window = rng.uniform(-0.2, 0.4, (3, 4)).astype(np.float32)
    windows = rng.uniform(-0.1, 0.3, (3, 3, 2)).astype(np.float32)
    rgb = image(9, 11)

    def call(name, data=rgb, layout="HWC", inputs=(), **arguments):
        return lambda: getattr(ndd, name)(ndd.tensor(data, layout=layout), *inputs, **arguments)

    def framed(values):
        return ndd.per_frame(ndd.tensor(values))

    fills = np.uint8([0, 100, 250])
    cases = {
        "filter-valid": call("filter", inputs=(window,), mode="valid"),
        "filter-anchor": call("filter", inputs=(window,), anchor=[0, 3]),
        "filter-fill": call("filter", inputs=(window, np.uint8(77)), border="constant"),
        "filter-float": call("filter", inputs=(window,), dtype=types.FLOAT),
        "filter-video": call("filter", VIDEO, "FHWC", inputs=(window,)),
        "filter-frames": lambda: ndd.filter(ndd.tensor(VIDEO, layout="FHWC"), framed(windows)),
        "filter-frames-fill": lambda: ndd.filter(
            ndd.tensor(VIDEO, layout="FHWC"), framed(windows), framed(fills), border="constant"
        ),
        "filter-frames-anchor": lambda: ndd.filter(
            ndd.tensor(VIDEO, layout="FHWC"),
            framed(windows),
            anchor=framed(np.int32([[0, 0], [2, 1], [1, 0]])),
        ),
        "filter-spread": lambda: ndd.filter(ndd.tensor(rgb, layout="HWC"), framed(windows)),
        "blur-sigmas": call("gaussian_blur", sigma=[0.7, 2.0]),
        "blur-window": call("gaussian_blur", sigma=1.0, window_size=[3, 7]),
        "blur-float": call("gaussian_blur", sigma=1.5, dtype=types.FLOAT),
        "blur-chw": call(
            "gaussian_blur", np.ascontiguousarray(rgb.transpose(2, 0, 1)), "CHW", sigma=1
        ),
        "blur-video": call("gaussian_blur", VIDEO, "FHWC", sigma=1.5),
        "blur-frames": call("gaussian_blur", VIDEO, "FHWC", sigma=framed(np.float32([0.5, 1, 2]))),
        "blur-volume": call("gaussian_blur", VIDEO, "DHWC", sigma=0.8),
        "blur-line": call("gaussian_blur", image(1, 11, 1).ravel(), "W", sigma=1.5),
        "laplacian": call("laplacian", window_size=5),
        "laplacian-scale": call("laplacian", window_size=5, scale=0.25, dtype=types.FLOAT),
        "laplacian-normalized": call(
            "laplacian", window_size=5, normalized_kernel=True, dtype=types.FLOAT
        ),
        "laplacian-smoothing": call(
            "laplacian", window_size=5, smoothing_size=1, dtype=types.FLOAT
        ),
        "laplacian-axes": call(
            "laplacian", window_size=[3, 5], scale=[0.5, 0.1], dtype=types.FLOAT
        ),
        "laplacian-volume": call("laplacian", VIDEO, "DHWC", dtype=types.FLOAT),
        "laplacian-frames": call("laplacian", VIDEO, "FHWC", scale=framed(np.float32([1, 2, 3]))),
    }
    for border in ("reflect_101", "reflect_1001", "wrap", "clamp", "constant"):
        cases[f"filter-{border}"] = call("filter", inputs=(window,), border=border)
        # Wider than the image.
        cases[f"filter-{border}-wide"] = call(
            "filter", rgb[:2, :3].copy(), inputs=(np.float32(np.ones((7, 9)) / 63),), border=border
        )
    for dtype in ("int16", "uint16", "float32"):
        data = image(6, 7, dtype=dtype)
        cases[f"filter-{dtype}"] = call("filter", data, inputs=(window,))
        cases[f"blur-{dtype}"] = call("gaussian_blur", data, sigma=1.2)
        cases[f"laplacian-{dtype}"] = call("laplacian", data, dtype=types.FLOAT)
    return cases


def geometry_cases(ndd, types):
    """Name -> call, of operators that move pixels."""
    rgb = image(9, 12)

    def call(name, data=rgb, layout="HWC", inputs=(), **arguments):
        return lambda: getattr(ndd, name)(ndd.tensor(data, layout=layout), *inputs, **arguments)

    def framed(values):
        return ndd.per_frame(ndd.tensor(np.float32(values)))

    chw = np.ascontiguousarray(rgb.transpose(2, 0, 1))
    matrix = np.float32([[0.913, 0.217, -1.537], [-0.153, 1.119, 0.731]])
    near, linear = types.INTERP_NN, types.INTERP_LINEAR
    cases = {
        "erase-frames": call("erase", VIDEO, "FHWC", anchor=[1.0, 0, 2], shape=[1.0, 4, 5]),
        "erase-names": call("erase", VIDEO, "FHWC", anchor=[2.0], shape=[3.0], axis_names="W"),
        "erase-axes": call("erase", VIDEO, "FHWC", anchor=[2.0, 1], shape=[3.0, 1], axes=[2, 0]),
        "erase-fill": call(
            "erase", anchor=[2.0, 3, 5, 1], shape=[3.0, 4, 9, 2], fill_value=[1.0, 2, 3]
        ),
        "erase-chw": call(
            "erase", chw, "CHW", anchor=[0.2, 0.3], shape=[0.4, 0.5], normalized=True
        ),
        "erase-centred": call("erase", anchor=[4.0, 6], shape=[3.0, 4], centered_anchor=True),
        "rotate-canvas": call("rotate", angle=33.0, interp_type=linear),
        "rotate-kept": call("rotate", angle=-70.0, keep_size=True, fill_value=9.0),
        "rotate-sized": call("rotate", angle=20.0, size=[11, 10], interp_type=near),
        "rotate-frames": call("rotate", VIDEO, "FHWC", angle=framed([0, 45, 90]), keep_size=True),
        "rotate-volume": call(
            "rotate", VIDEO, "DHWC", angle=30.0, axis=[0.0, 0.3, 1.0], keep_size=True
        ),
        "warp": call("warp_affine", matrix=matrix, fill_value=0.0),
        "warp-clamped": call("warp_affine", matrix=matrix),
        "warp-near": call("warp_affine", matrix=matrix, interp_type=near, fill_value=7.0),
        "warp-forward": call("warp_affine", matrix=matrix, inverse_map=False, fill_value=0.0),
        "warp-sized": call("warp_affine", matrix=matrix, size=[5, 15], dtype=types.FLOAT),
        "warp-input": call("warp_affine", inputs=(matrix,), fill_value=0.0),
        "sphere-linear": call("sphere", interp_type=linear),
        "sphere-fill": call("sphere", interp_type=near, fill_value=5.0),
        "water": call(
            "water", ampl_x=2.0, ampl_y=3.0, freq_x=0.3, freq_y=0.2, phase_x=0.5, phase_y=1.0
        ),
        "water-linear": call("water", interp_type=linear, fill_value=3.0),
        "flip-depth": call("flip", VIDEO, "DHWC", depthwise=1, horizontal=0),
        "flip-chw": call("flip", chw, "CHW", vertical=1),
        "paste": call("paste", ratio=1.7, fill_value=[1, 2, 3], paste_x=0.3, paste_y=0.8),
        "paste-square": call("paste", ratio=1.2, fill_value=4, min_canvas_size=20.0),
        "crop-trim": call("crop", crop=[20, 5], out_of_bounds_policy="trim_to_shape"),
        "crop-pad": call(
            "crop", crop=[12, 16], out_of_bounds_policy="pad", fill_values=[1.0, 2, 3]
        ),
        "crop-float": call("crop", crop=[4, 5], crop_pos_x=0.1, crop_pos_y=0.7, dtype=types.FLOAT),
        "crop-volume": call("crop", VIDEO, "DHWC", crop=[2, 4, 5], crop_pos_z=1.0),
        "pad-align": call("pad", axes=[0, 1], align=[4, 7], fill_value=9),
        "pad-shape": call("pad", axis_names="WC", shape=[20, -1]),
        "slice-names": call("slice", rel_start=[0.2], rel_shape=[0.5], axis_names="W"),
        "slice-pad": call(
            "slice", start=[-2, 3], shape=[6, 20], axis_names="HW", out_of_bounds_policy="pad"
        ),
        "slice-end": call("slice", start=[2, 1], end=[7, 9], axes=[0, 1]),
        "resized": call("resize_crop_mirror", resize_shorter=11.0, crop=[7, 7], mirror=3),
        "tensor_resize": call("tensor_resize", sizes=[5, 17, 3]),
        "tensor_resize-scale": call(
            "tensor_resize", scales=[1.5, 0.6], axes=[0, 1], dtype=types.FLOAT
        ),
        "tensor_resize-roi": call(
            "tensor_resize", sizes=[6, 6], axes=[0, 1], roi_start=[1.0, 8.0], roi_end=[7.0, 2.0]
        ),
        "tensor_resize-centre": call(
            "tensor_resize", sizes=[6, 7], axes=[0, 1], alignment=[0.0, 1.0], interp_type=near
        ),
        "multi_paste": lambda: ndd.multi_paste(
            ndd.batch([rgb, rgb[::-1].copy()], layout="HWC"),
            in_ids=np.int32([0, 1, 1]),
            output_size=[20, 22],
            out_anchors=np.int32([[0, 0], [3, 4], [9, 9]]),
            in_anchors=np.int32([[0, 0], [2, 2], [1, 0]]),
            shapes=np.int32([[9, 12], [5, 6], [8, 7]]),
        ),
        "transpose": call("transpose", perm=[2, 0, 1]),
        "transpose-video": call(
            "transpose", VIDEO, "FHWC", perm=[3, 0, 1, 2], transpose_layout=False
        ),
        "rearranged": call("sequence_rearrange", VIDEO, "FHWC", new_order=[2, 0, 0, 1]),
    }
    for dtype in ("int16", "int32", "float32"):
        data = image(6, 8, dtype=dtype)
        cases[f"warp-{dtype}"] = call("warp_affine", data, matrix=matrix, fill_value=1.0)
        cases[f"rotate-{dtype}"] = call("rotate", data, angle=15.0, keep_size=True)
    return cases
