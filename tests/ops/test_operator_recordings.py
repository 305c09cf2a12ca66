"""Results of many operators, recorded from the original; `tests/golden/record.py` made them."""

import importlib
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import dynjax
from dynjax import types

GOLDEN = Path(__file__).parent.parent / "golden"


def cases_module():
    sys.path.insert(0, str(GOLDEN))
    try:
        return importlib.import_module("operator_cases")
    finally:
        sys.path.remove(str(GOLDEN))


CASES = cases_module()
CALLS = CASES.operator_calls(dynjax, types)


def load():
    """Name -> (sample, layout), and the version that made them."""
    with np.load(GOLDEN / "operators.npz") as recording:
        data, found, at = recording["data"].tobytes(), {}, 0
        for name, dtype, shape, layout in json.loads(str(recording["index"])):
            sample = np.frombuffer(data, dtype, math.prod(shape), at).reshape(shape)
            found[name] = sample, layout
            at += sample.nbytes
        return found, str(recording["dali_version"])


RECORDED, VERSION = load()

# Where the original's own roundings show, in parts of the largest value.
#   resample: it steps through the signal in single precision.
#   int32: it computes in float32, in another order.
RELATIVE = {"sound/resample": 1e-3, "number/audio-resample": 1e-3}
FLOAT = 1e-5
INT32 = 2.0**-21

# One count, for these shares of the values: halves of sevenths in the last columns, and positions
# that are worked out in another order.
COUNTS = {"mosaic/vng_ocv-uint8": 0.002, "geometry/warp-int16": 0.01}


def of(table, name, default):
    return next((v for prefix, v in table.items() if name.startswith(prefix)), default)


@pytest.mark.parametrize("name", CALLS)
def test_recorded(name):
    samples = CASES.samples_of(name, CALLS[name]())
    assert samples.keys() == {n for n in RECORDED if n.startswith(f"{name}/")}
    for sample_name, sample in samples.items():
        got, (wanted, layout) = np.asarray(sample), RECORDED[sample_name]
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        assert (sample.layout or None) == layout
        distance = np.abs(got.astype(np.float64) - wanted)
        bound = of(RELATIVE, name, FLOAT if got.dtype.kind == "f" else 0)
        if got.dtype.name == "int32":
            bound = INT32
        share = of(COUNTS, name, 0)
        assert distance.max() <= max(bound * np.abs(wanted.astype(np.float64)).max(), share > 0)
        if share:
            assert np.mean(distance > 0) <= share


def test_the_recording_is_complete_and_states_its_version():
    assert {n.rsplit("/", 2)[0] for n in RECORDED} == set(CALLS)
    assert VERSION == "2.4.0"
