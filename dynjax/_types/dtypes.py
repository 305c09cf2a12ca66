"""`DType`: element types at the public face. Inside the library they are NumPy dtypes."""

import enum
import re

import ml_dtypes
import numpy as np

from .enums import DALIDataType, DALIImageType, DALIInterpType


class DType:
    """The type of one element.

    Attributes:
        kind: `DType.Kind`: unsigned, signed, float, bool or enum.
        bits: width in bits.
        exponent_bits, significand_bits: of floating-point types, else None.
        name: short name, such as `"u8"` or `"f32"`.
        type_id: the matching `types.DALIDataType`; None for bfloat16.

    Example:
        >>> dynjax.uint8
        DType(kind=Kind.unsigned, bits=8)
        >>> dynjax.dtype("float32") is dynjax.float32
        True
    """

    class Kind(enum.Enum):
        """Families of element types."""

        unsigned = "unsigned"
        signed = "signed"
        float = "float"
        bool = "bool"
        enum = "enum"

        def __repr__(self):
            return f"Kind.{self.name}"

        __str__ = __repr__

    __slots__ = (
        "_numpy",
        "bits",
        "exponent_bits",
        "kind",
        "name",
        "significand_bits",
        "type_id",
    )

    def __init__(
        self,
        kind: "DType.Kind",
        bits: int,
        exponent_bits: int | None = None,
        significand_bits: int | None = None,
        name: str | None = None,
        type_id: DALIDataType | None = None,
    ):
        self.kind = kind
        self.bits = bits
        self.exponent_bits = exponent_bits
        self.significand_bits = significand_bits
        self.name = name if name is not None else f"{kind.name[0]}{bits}"
        self.type_id = type_id
        self._numpy = _NUMPY.get(self.name)

    @property
    def bytes(self) -> int:
        """Width in bytes."""
        return self.bits // 8

    def _key(self):
        key = (self.kind, self.bits, self.exponent_bits, self.significand_bits)
        return (*key, self.type_id) if self.kind is DType.Kind.enum else key

    def __eq__(self, other):
        if not isinstance(other, DType):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        parts = [f"kind={self.kind}", f"bits={self.bits}"]
        if self.exponent_bits is not None:
            parts.append(f"exponent_bits={self.exponent_bits}")
            parts.append(f"significand_bits={self.significand_bits}")
        return f"DType({', '.join(parts)})"

    def __str__(self):
        return self.name

    def __call__(self, data):
        """A tensor of this type: `dynjax.uint8([1, 2])`."""
        from .construct import tensor

        return tensor(data, dtype=self)

    @classmethod
    def from_type_id(cls, type_id: DALIDataType) -> "DType":
        """The type with this identifier. Raises KeyError for identifiers without one."""
        return _BY_TYPE_ID[type_id]

    @classmethod
    def from_fw_type(cls, numpy_type) -> "DType":
        """The type of a NumPy (or JAX) dtype or scalar class."""
        return _BY_NUMPY[np.dtype(numpy_type)]

    @classmethod
    def parse(cls, name: str) -> "DType":
        """The type called `name`: `"u8"`, `"f32"`, `"f32e8m23"`, or NumPy's `"uint8"`."""
        if name in _BY_NAME:
            return _BY_NAME[name]
        if name in _BY_LONG_NAME:
            return _BY_LONG_NAME[name]
        if match := re.fullmatch(r"f(\d+)e(\d+)m(\d+)", name):
            bits, exponent, significand = map(int, match.groups())
            for known in _BY_NAME.values():
                if known._key() == (DType.Kind.float, bits, exponent, significand):
                    return known
        if re.fullmatch(r"[iuf]\d+|tf32", name):
            raise KeyError(name)
        raise ValueError(f"dtype: no element type is called {name!r}; expected e.g. 'u8' or 'f32'.")


_NUMPY = {
    **{f"{k}{b}": np.dtype(f"{k}{b // 8}") for k in "iu" for b in (8, 16, 32, 64)},
    **{f"f{b}": np.dtype(f"f{b // 8}") for b in (16, 32, 64)},
    "bool": np.dtype(bool),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
}

_INT = {"i": (DType.Kind.signed, "INT"), "u": (DType.Kind.unsigned, "UINT")}


def _integer(name: str) -> DType:
    kind, prefix = _INT[name[0]]
    return DType(kind, int(name[1:]), name=name, type_id=DALIDataType[prefix + name[1:]])


int8, int16, int32, int64 = map(_integer, ("i8", "i16", "i32", "i64"))
uint8, uint16, uint32, uint64 = map(_integer, ("u8", "u16", "u32", "u64"))
float16 = DType(DType.Kind.float, 16, 5, 10, "f16", DALIDataType.FLOAT16)
float32 = DType(DType.Kind.float, 32, 8, 23, "f32", DALIDataType.FLOAT)
float64 = DType(DType.Kind.float, 64, 11, 52, "f64", DALIDataType.FLOAT64)
bfloat16 = DType(DType.Kind.float, 16, 8, 7, "bfloat16")
bool_ = DType(DType.Kind.bool, 8, name="bool", type_id=DALIDataType.BOOL)
DataType = DType(DType.Kind.enum, 32, name="DataType", type_id=DALIDataType.DATA_TYPE)
ImageType = DType(DType.Kind.enum, 32, name="ImageType", type_id=DALIDataType.IMAGE_TYPE)
InterpType = DType(DType.Kind.enum, 32, name="InterpType", type_id=DALIDataType.INTERP_TYPE)

_STORED = (
    *(int8, int16, int32, int64, uint8, uint16, uint32, uint64),
    *(float16, float32, float64, bfloat16, bool_),
)
_ALL = (*_STORED, DataType, ImageType, InterpType)
_BY_NAME = {d.name: d for d in _ALL}
_BY_LONG_NAME = {_NUMPY[d.name].name: d for d in _STORED}
_BY_TYPE_ID = {d.type_id: d for d in _ALL if d.type_id is not None}
_BY_NUMPY = {d._numpy: d for d in _STORED}
# Members of enumerations are stored as int32. A note on the NumPy dtype, which NumPy itself does
# not look at, tells them from numbers.
_ENUM_STORED = {
    d.name: np.dtype(np.int32, metadata={"enum": d.name}) for d in (DataType, ImageType, InterpType)
}
ENUM_DTYPES = {DALIDataType: DataType, DALIImageType: ImageType, DALIInterpType: InterpType}


def dtype(kind, *args, **kwargs) -> DType:
    """Converts to a `DType`, or builds one from `(kind, bits, ...)`.

    Args:
        kind: a DType, a `types.DALIDataType`, a name (`"u8"`, `"uint8"`), a NumPy or JAX dtype,
            `float` (float32) or `bool`.

    Raises:
        TypeError: no element type corresponds to the argument.
        ValueError, KeyError: an unknown name.
    """
    if args or kwargs:
        return DType(kind, *args, **kwargs)
    if isinstance(kind, DType):
        return kind
    if isinstance(kind, DALIDataType):
        return DType.from_type_id(kind)
    if isinstance(kind, str):
        return DType.parse(kind)
    if kind is float:
        return float32
    if kind is bool:
        return bool_
    if kind is not int:
        try:
            return _BY_NUMPY[np.dtype(kind)]
        except (TypeError, KeyError):
            pass
    raise TypeError(f"dtype: {kind!r} is no element type; expected a DType, a name or a dtype.")


def type_id(dtype: DType | DALIDataType) -> DALIDataType | None:
    """The `types.DALIDataType` of a DType."""
    if isinstance(dtype, DALIDataType):
        return dtype
    if isinstance(dtype, DType):
        return dtype.type_id
    raise ValueError(f"type_id: expected a DType or DALIDataType, got {dtype!r}.")


def numpy_dtype(kind) -> np.dtype:
    """The NumPy dtype in which elements of this type are stored."""
    if isinstance(kind, np.dtype):
        return kind
    stored = dtype(kind)._numpy
    if stored is None:
        if dtype(kind).kind is DType.Kind.enum:
            return _ENUM_STORED[dtype(kind).name]
        raise TypeError(f"dtype: {kind!r} has no storage.")
    return stored


def public_dtype(stored: np.dtype) -> DType:
    """The DType of elements stored as `stored`."""
    enumeration = enum_name(stored)
    return _BY_NUMPY[stored] if enumeration is None else _BY_NAME[enumeration]


def enum_name(stored: np.dtype) -> str | None:
    """The name of the enumeration whose members are stored, or None."""
    return stored.metadata["enum"] if stored.metadata else None


def enum_members(stored: np.dtype) -> dict[int, str]:
    """The names of the members of the enumeration that is stored; empty for numbers."""
    name = enum_name(stored)
    for members, kind in ENUM_DTYPES.items():
        if kind.name == name:
            return {int(m): m.name for m in members}
    return {}


def is_wide(stored: np.dtype) -> bool:
    """Whether JAX needs its 64-bit mode for this dtype."""
    return stored.itemsize == 8
