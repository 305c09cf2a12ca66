"""Records the results of the original, NVIDIA DALI, on small inputs.

Run it with an interpreter that has nvidia-dali-cuda120 and Pillow, in an environment of its own:

    <that python> tests/golden/record.py

It writes resize.npz, crop_mirror_normalize.npz and image.npz beside itself: for each case of
`cases.py` the result, and the version that made it; and operators.npz for `operator_cases.py`,
whose results may be several and have layouts. DALI 2.4.0 made those that are kept here.
"""

import io
import json
from pathlib import Path

import cases
import numpy as np
import nvidia.dali as dali
import nvidia.dali.experimental.dynamic as ndd
import operator_cases
from nvidia.dali import types
from PIL import Image

HERE = Path(__file__).parent


def encode(picture, kind, mode="RGB", **options):
    file = io.BytesIO()
    Image.fromarray(picture).convert(mode).save(file, kind, **options)
    return np.frombuffer(file.getvalue(), np.uint8).copy()


def encoded_files():
    picture = cases.image(17, 23)
    alpha = np.dstack([picture, cases.image(17, 23, 1, seed=1)])
    rgba = io.BytesIO()
    Image.fromarray(alpha).save(rgba, "PNG")
    exif = Image.Exif()
    exif[0x0112] = 6
    return {
        "jpeg-420": encode(picture, "JPEG", quality=90, subsampling="4:2:0"),
        "jpeg-444": encode(picture, "JPEG", quality=95, subsampling="4:4:4"),
        "jpeg-422-progressive": encode(picture, "JPEG", subsampling="4:2:2", progressive=True),
        "jpeg-grey": encode(picture, "JPEG", "L"),
        "jpeg-cmyk": encode(picture, "JPEG", "CMYK", quality=95),
        "jpeg-turned": encode(picture, "JPEG", exif=exif),
        "png-rgb": encode(picture, "PNG"),
        "png-grey": encode(picture, "PNG", "L"),
        "png-palette": encode(picture, "PNG", "P"),
        "png-bits": encode(picture, "PNG", "1"),
        "png-rgba": np.frombuffer(rgba.getvalue(), np.uint8).copy(),
        "bmp": encode(picture, "BMP"),
        "webp": encode(picture, "WEBP", lossless=True),
    }


def results(calls):
    recorded = {}
    for name, call in calls.items():
        try:
            recorded[name] = np.array(call().evaluate().cpu())
        except RuntimeError as error:
            recorded[name] = np.array(f"error: {type(error).__name__}")
            print(name, error.__cause__ or error)
    return recorded


def operator_results():
    """All samples in one array of bytes, since most are small, and name, type, shape and layout."""
    index, data = [], b""
    for name, call in operator_cases.operator_calls(ndd, types).items():
        for sample_name, sample in operator_cases.samples_of(name, call()).items():
            array = np.array(sample.evaluate().cpu())
            index.append([sample_name, array.dtype.name, array.shape, sample.layout or None])
            data += array.tobytes()
    return {"index": np.array(json.dumps(index)), "data": np.frombuffer(data, np.uint8)}


def save(name, recorded, **extra):
    path = HERE / f"{name}.npz"
    np.savez_compressed(path, dali_version=np.array(dali.__version__), **recorded, **extra)
    print(path.name, path.stat().st_size, "bytes,", len(recorded), "cases")


if __name__ == "__main__":
    save("resize", results(cases.resize_cases(ndd, types)))
    save("crop_mirror_normalize", results(cases.crop_mirror_normalize_cases(ndd, types)))
    files = encoded_files()
    recorded = results(cases.image_cases(ndd, types, files))
    save("image", recorded, **{f"file:{name}": data for name, data in files.items()})
    save("operators", operator_results())
