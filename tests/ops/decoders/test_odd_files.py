"""Real files that are unusual or damaged, against what the list beside them says of each."""

import csv
import io

import numpy as np
import pytest
from PIL import Image
from support.shared import shared_folder

import dynjax as ndd
from dynjax._native import native

FOLDER = shared_folder("data/odd")

# Cut short; the reason that is given.
REFUSED = {"jpeg_truncated.jpg": "truncated"}
if "TIFF" not in native.native_formats():  # pixels that Pillow has no mode for
    REFUSED |= dict.fromkeys(("tiff_10bit_rgb.tiff", "tiff_float32_rgb.tiff"), "not supported")
# Pillow turns it, whatever is asked for; what is compared with it is turned back.
TURNED = {"tiff_1bit_g4.tif": Image.Transpose.TRANSPOSE}
# Largest difference to Pillow's conversion to RGB, in counts, where it is not to the bit: products
# of ink rounded another way, 16 bits cut off and not rounded to 8.
ROUNDED = {
    *("jpeg_cmyk_adobe0.jpg", "jpeg_cmyk_adobe2.jpg", "png_gray16.png"),
    *("png_interlaced_rgba16.png", "tiff_cmyk_jpeg.tif", "tiff_rgb16.tiff"),
}
# Pillow shows wrong colours; see test_jp2_palette.py.
WRONG_IN_PILLOW = {"jp2_rgb.jp2"}
# Pillow saturates deep grey when it converts it to RGB; these are compared with its 16 bits.
DEEP = {"jp2_16bit.jp2": 65535, "pnm_gray16.pgm": 65535, "tiff_12bit.tif": 4095}


def listed() -> list[dict[str, str]]:
    if FOLDER is None:
        return []
    with open(FOLDER / "MANIFEST.tsv", newline="", encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [{"file": row[0], "expect": row[4]} for row in rows]


def test_the_files_are_there():
    if FOLDER is None:
        pytest.skip("the folder data/odd is not there; DYNJAX_SHARED says where it is looked for")
    assert len(listed()) >= 80


@pytest.mark.parametrize("row", listed(), ids=lambda row: row["file"])
def test_each_file_decodes_or_says_why_not(row):
    assert FOLDER is not None
    name = row["file"]
    data = np.fromfile(FOLDER / name, np.uint8)
    verdict, *size = row["expect"].split()
    if name in REFUSED or verdict == "error":
        with pytest.raises(ndd.OperatorError, match=rf"sample 0: .*{REFUSED.get(name, '')}"):
            ndd.decoders.image(data).evaluate()
        return
    image = np.asarray(ndd.decoders.image(data, adjust_orientation=False))
    width, height = map(int, size[:2])
    wanted = (height, width, 3)
    assert image.shape == wanted
    own = ndd.decoders.image(data, adjust_orientation=False, output_type=ndd.types.ANY_DATA)
    assert own.shape[:2] == wanted[:2]
    reference = of_pillow(name, data)
    if reference is not None:
        np.testing.assert_allclose(
            image.astype(int), reference, rtol=0, atol=1 if name in ROUNDED or name in DEEP else 0
        )


def of_pillow(name: str, data: np.ndarray) -> np.ndarray | None:
    """Pillow's pixels as RGB; None where it reads none, or wrong ones."""
    if name in WRONG_IN_PILLOW:
        return None
    try:
        picture = Image.open(io.BytesIO(data.tobytes()))
        if name in TURNED:
            picture = picture.transpose(TURNED[name])
        if name in DEEP:
            grey = np.asarray(picture).astype(np.float64) / DEEP[name] * 255
            return np.repeat(np.rint(grey)[..., None], 3, axis=2)
        return np.asarray(picture.convert("RGB")).astype(int)
    except Exception:
        return None


def test_a_batch_of_all_of_them_tells_good_from_bad():
    rows = listed()
    if not rows:
        pytest.skip("the folder data/odd is not there")
    assert FOLDER is not None
    files = ndd.batch([np.fromfile(FOLDER / row["file"], np.uint8) for row in rows])
    with pytest.warns(RuntimeWarning, match=r"samples could not be decoded and were filled"):
        images = ndd.decoders.image(files, on_error="fill", fill_shape=(2, 3), fill_value=9)
    bad = {rows[b.sample]["file"] for b in ndd.decoders.bad_samples(images)}
    wanted = {r["file"] for r in rows if r["expect"].startswith("error") or r["file"] in REFUSED}
    assert bad == wanted
    assert images.valid.tolist() == [r["file"] not in bad for r in rows]
    for b in ndd.decoders.bad_samples(images):
        assert (np.asarray(images.select(b.sample)) == 9).all()
        assert images.shape[b.sample] == (2, 3, 3)
