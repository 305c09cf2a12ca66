"""What C++ and Python both write down is in step, and the extension offers what operators need."""

import re
from pathlib import Path

import jax
import numpy as np
import pytest

import dynjax
from dynjax import _schema, _statuses
from dynjax._native import FFI_DTYPE, StatusCode, native
from dynjax._types.enums import DALIInterpType

SOURCES = Path(__file__).parent.parent.parent / "ops"


def enumeration(path: str, name: str) -> dict[str, int]:
    """The members of a C++ `enum class`, in snake case."""
    text = (SOURCES / path).read_text()
    body = re.search(rf"enum class {name}[^{{]*\{{(.*?)\}};", text, re.DOTALL).group(1)
    members = re.findall(r"k(\w+) = (\d+)", body)
    return {re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", n).upper(): int(v) for n, v in members}


def test_status_codes():
    assert enumeration("base/status.h", "StatusCode") == {c.name: c.value for c in StatusCode}


def test_every_failure_has_words():
    for code in StatusCode:
        if code is not StatusCode.OK:
            assert _statuses.reason(code, 2), code
    assert (
        _statuses.reason(StatusCode.IO, 2)
        == "the file could not be read (No such file or directory)"
    )


def test_filters():
    ours = {m.name.removeprefix("INTERP_"): m.value for m in DALIInterpType}
    theirs = enumeration("resize/filters.h", "Filter")
    assert theirs == {"NEAREST" if k == "NN" else k: v for k, v in ours.items()}


def test_element_types():
    header = Path(jax.ffi.include_dir(), "xla/ffi/api/c_api.h").read_text()
    codes = dict(re.findall(r"XLA_FFI_DataType_(\w+) = (\d+)", header))
    names = {"bool": "PRED", "bfloat16": "BF16"}
    for name, code in FFI_DTYPE.items():
        if name not in names:
            kind = {"i": "S", "u": "U", "f": "F"}[np.dtype(name).kind]
            names[name] = f"{kind}{np.dtype(name).itemsize * 8}"
        assert int(codes[names[name]]) == code, name


def test_targets_have_the_names_of_kernels():
    targets = native.registrations()
    assert {"empty", "decode", "resample", "crop_mirror_normalize"} <= set(targets)
    assert all(type(capsule).__name__ == "PyCapsule" for capsule in targets.values())


@pytest.mark.parametrize("name", sorted(_schema.REGISTRY))
def test_records_are_found_under_their_public_names(name):
    item = dynjax
    for part in name.split("."):
        item = getattr(item, part)
    assert item is _schema.REGISTRY[name]
    assert item.__doc__
    assert "Raises:" in item.__doc__
    assert "Source:" in item.__doc__
