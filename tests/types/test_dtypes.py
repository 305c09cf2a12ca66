"""`DType`, `dtype`, `type_id`, and the enumerations of `dynjax.types`."""

import ml_dtypes
import numpy as np
import pytest

import dynjax as ndd
from dynjax import types

NAMES = {
    "i8": ndd.int8,
    "i16": ndd.int16,
    "i32": ndd.int32,
    "i64": ndd.int64,
    "u8": ndd.uint8,
    "u16": ndd.uint16,
    "u32": ndd.uint32,
    "u64": ndd.uint64,
    "f16": ndd.float16,
    "f32": ndd.float32,
    "f64": ndd.float64,
    "bool": ndd.bool,
    "bfloat16": ndd.bfloat16,
}


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    kind = NAMES[name]
    assert (kind.name, str(kind)) == (name, name)
    assert ndd.dtype(name) is kind
    assert ndd.DType.parse(name) is kind
    assert ndd.dtype(kind) is kind


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (np.uint8, ndd.uint8),
        (np.dtype("float32"), ndd.float32),
        (np.float64, ndd.float64),
        (ml_dtypes.bfloat16, ndd.bfloat16),
        (float, ndd.float32),
        (bool, ndd.bool),
        (types.FLOAT, ndd.float32),
        (types.BOOL, ndd.bool),
        (types.INTERP_TYPE, ndd.InterpType),
        ("uint8", ndd.uint8),
        ("float32", ndd.float32),
        ("f32e8m23", ndd.float32),
    ],
)
def test_dtype_accepts(given, wanted):
    assert ndd.dtype(given) is wanted


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (int, TypeError, "int"),
        ("foo", ValueError, "no element type is called 'foo'"),
        ("i7", KeyError, "i7"),
        ("tf32", KeyError, "tf32"),
        (types.STRING, KeyError, "STRING"),
        (3, TypeError, "3 is no element type"),
        (np.complex64, TypeError, "complex64"),
    ],
)
def test_dtype_refuses(given, kind, message):
    with pytest.raises(kind, match=message):
        ndd.dtype(given)


def test_attributes():
    assert (
        repr(ndd.float32) == "DType(kind=Kind.float, bits=32, exponent_bits=8, significand_bits=23)"
    )
    assert repr(ndd.uint8) == "DType(kind=Kind.unsigned, bits=8)"
    for kind, family, bits, exponent in (
        (ndd.float32, ndd.DType.Kind.float, 32, 8),
        (ndd.bool, ndd.DType.Kind.bool, 8, None),
        (ndd.InterpType, ndd.DType.Kind.enum, 32, None),
    ):
        assert (kind.kind, kind.bits, kind.bytes, kind.exponent_bits) == (
            *(family, bits, bits // 8),
            exponent,
        )


def test_equality_and_hash():
    twin = ndd.dtype(ndd.DType.Kind.unsigned, 8)
    assert twin == ndd.uint8
    assert hash(twin) == hash(ndd.uint8)
    assert ndd.uint8 != ndd.int8
    assert ndd.float16 != ndd.bfloat16
    assert ndd.DataType != ndd.ImageType
    assert ndd.uint8 != "u8"
    assert (ndd.uint8 == 3) is False


def test_type_ids():
    assert ndd.type_id(ndd.float32) is types.FLOAT
    assert ndd.type_id(types.UINT8) is types.UINT8
    assert ndd.bfloat16.type_id is None
    with pytest.raises(ValueError, match=r"^type_id: expected a DType or DALIDataType, got 'u8'"):
        ndd.type_id("u8")


def test_every_type_id_leads_back():
    for kind in NAMES.values():
        if kind.type_id is not None:
            assert ndd.dtype(kind.type_id) is kind
            assert ndd.DType.from_type_id(kind.type_id) is kind
