"""Results recorded from the original; `tests/golden/record.py` made them."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import dynjax
from dynjax import types

GOLDEN = Path(__file__).parent.parent / "golden"


def load(name):
    with np.load(GOLDEN / f"{name}.npz") as recording:
        return dict(recording)


def cases_module():
    spec = importlib.util.spec_from_file_location("golden_cases", GOLDEN / "cases.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = cases_module()
RECORDED = {name: load(name) for name in ("resize", "crop_mirror_normalize", "image")}
FILES = {
    name.removeprefix("file:"): data
    for name, data in RECORDED["image"].items()
    if name.startswith("file:")
}
CALLS = {
    "resize": CASES.resize_cases(dynjax, types),
    "crop_mirror_normalize": CASES.crop_mirror_normalize_cases(dynjax, types),
    "image": CASES.image_cases(dynjax, types, FILES),
}

# Where the original's own roundings differ from the definition: at most one count.
#   resize: its cubic and Lanczos weights come from a table, good to 5e-4, and its sums are ordered
#   otherwise; image: CMYK and the scaling of 8 bits to wider integers pass through float32.
COUNTS = {"resize": 1, "crop_mirror_normalize": 0, "image": 0}
FLOATS = {
    "resize": {"rtol": 0, "atol": 1e-3},  # the table of weights, on values in [0, 1] and [0, 255]
    "crop_mirror_normalize": {"rtol": 1e-5, "atol": 1e-4},
    "image": {"rtol": 1e-6, "atol": 0},
}


@pytest.mark.parametrize(
    ("operator", "name"), [(operator, name) for operator in CALLS for name in CALLS[operator]]
)
def test_recorded(operator, name):
    wanted = RECORDED[operator][name]
    if wanted.dtype.kind == "U":
        pytest.skip(f"the original refuses it: {wanted}")
    got = np.asarray(CALLS[operator][name]())
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    if got.dtype.kind == "f":
        np.testing.assert_allclose(got, wanted, **FLOATS[operator])
        return
    distance = np.abs(got.astype(np.float64) - wanted)
    if got.dtype.itemsize == 4:
        assert distance.max() <= np.abs(wanted.astype(np.float64)).max() * 2.0**-23
        return
    assert distance.max() <= COUNTS[operator]
    # The original counts one of two Gaussian taps that lie on the rim, whichever rounding favours.
    assert distance.mean() < (0.04 if "GAUSSIAN" in name else 0.02)


@pytest.mark.parametrize("operator", CALLS)
def test_recordings_are_complete_and_state_their_version(operator):
    recorded = {n for n in RECORDED[operator] if not n.startswith("file:")}
    assert recorded == {*CALLS[operator], "dali_version"}
    assert str(RECORDED[operator]["dali_version"]) == "2.4.0"


def test_recordings_stay_small():
    assert sum(path.stat().st_size for path in GOLDEN.glob("*.npz")) < 300_000
