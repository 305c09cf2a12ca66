import numpy as np
import pytest

import dynjax as ndd
from dynjax import OperatorError

BITS = {"u1": 8, "i2": 16, "i4": 32, "i8": 64, "f4": -32, "f8": -64}


def unit(array=None, *, first=False, cards=(), bits=None):
    """A header and data unit."""
    head = ["SIMPLE  = T" if first else "XTENSION= 'IMAGE   '           / a comment"]
    shape = () if array is None else array.shape
    kind = "u1" if array is None else array.dtype.str[1:]
    head.append(f"BITPIX  = {BITS[kind] if bits is None else bits}")
    head.append(f"NAXIS   = {len(shape)}")
    head += [f"NAXIS{k:<3}= {n}" for k, n in enumerate(reversed(shape), start=1)]
    text = "".join(card.ljust(80) for card in [*head, *cards, "END"]).encode()
    data = b"" if array is None else array.astype(f">{kind}").tobytes()
    return text + b" " * (-len(text) % 2880) + data + bytes(-len(data) % 2880)


ARRAY = np.arange(24).reshape(2, 3, 4)


def read(path, batch_size=None, **kw):
    epoch = ndd.experimental.readers.Fits(files=path, **kw).next_epoch(batch_size)
    return [[np.asarray(x) for x in outputs] for outputs in epoch]


@pytest.mark.parametrize("kind", BITS)
def test_types(tmp_path, kind):
    (tmp_path / "a").write_bytes(unit(first=True) + unit(ARRAY.astype(kind)))
    ((got,),) = read(tmp_path / "a")
    np.testing.assert_array_equal(got, ARRAY.astype(kind), strict=True)


@pytest.mark.parametrize(
    ("kind", "zero", "wanted"),
    [
        ("u1", -128, np.int8),
        ("i2", 32768, np.uint16),
        ("i4", 2**31, np.uint32),
        ("i8", 2**63, np.uint64),
    ],
)
def test_the_other_signedness(tmp_path, kind, zero, wanted):
    info = np.iinfo(wanted)
    values = np.array([info.min, 0, 5, info.max], wanted)
    raw = np.array([int(v) - zero for v in values.tolist()], kind)
    (tmp_path / "a").write_bytes(unit(first=True) + unit(raw, cards=[f"BZERO   = {zero}"]))
    np.testing.assert_array_equal(read(tmp_path / "a")[0][0], values, strict=True)


def test_scaled(tmp_path):
    cards = ["BSCALE  = 5.0D-1 / half", "BZERO   = 3"]
    (tmp_path / "a").write_bytes(unit(first=True) + unit(ARRAY.astype("i2"), cards=cards))
    np.testing.assert_array_equal(
        read(tmp_path / "a")[0][0], (ARRAY * 0.5 + 3).astype("f4"), strict=True
    )


def test_units_and_dtypes(tmp_path):
    content = unit(ARRAY.astype("i2"), first=True) + unit(ARRAY[0] * 1.5)
    (tmp_path / "a").write_bytes(content)
    first, second = read(tmp_path / "a", hdu_indices=[1, 2], dtypes=[ndd.float32, ndd.uint8])[0]
    np.testing.assert_array_equal(first, ARRAY.astype("f4"), strict=True)
    assert second.dtype == np.uint8
    assert second[0].tolist() == [0, 2, 3, 5]  # halves away from zero
    assert len(read(tmp_path / "a", hdu_indices=2)[0]) == 1
    with pytest.raises(OperatorError, match="1 dtypes for 2 units"):
        read(tmp_path / "a", hdu_indices=[1, 2], dtypes=[ndd.uint8])


@pytest.mark.parametrize(
    ("content", "kw", "message"),
    [
        (b"", {}, "it has 0 units"),
        (b"garbage", {}, "has no end"),
        (unit(first=True), {}, "it has 1 units"),
        (unit(first=True) + unit(ARRAY)[:3000], {}, "cut off: 120 of 192 bytes"),
        (unit(first=True) + unit(), {}, "holds no image"),
        (unit(first=True) + unit(ARRAY, bits=7), {}, "BITPIX 7"),
        (
            unit(first=True) + unit(ARRAY).replace(b"NAXIS2  = 3", b"NAXIS2  =-3"),
            {},
            "missing or neg",
        ),
        (unit(first=True) + unit(ARRAY).replace(b"'IMAGE   '", b"'BINTABLE'"), {}, "is no image"),
        (unit(first=True, cards=["PCOUNT  = -9"]) + unit(ARRAY), {}, "have -9 bytes"),
        (unit(first=True) + unit(np.zeros((1,) * 33, "u1")), {}, "NAXIS = 33"),
        (unit(ARRAY, first=True), {"hdu_indices": 0}, "numbers from 1"),
    ],
)
def test_errors(tmp_path, content, kw, message):
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(OperatorError, match=rf"^experimental\.readers\.Fits: .*{message}"):
        read(tmp_path / "a", **kw)


def test_compressed_image(tmp_path):
    fits = pytest.importorskip("astropy.io.fits")
    image = fits.CompImageHDU((ARRAY[0] * 1000).astype("i4"), compression_type="RICE_1")
    fits.HDUList([fits.PrimaryHDU(), image]).writeto(tmp_path / "a")
    np.testing.assert_array_equal(read(tmp_path / "a")[0][0], ARRAY[0] * 1000)


@pytest.mark.parametrize(
    ("there", "damaged"),
    [
        (b"ZNAXIS2 = ", b"ZNAXIS8 = "),  # a KeyError of astropy
        (b"ZNAXIS1 =                    4", b"ZNAXIS1 =           9999999999"),  # an OverflowError
    ],
)
def test_damaged_compressed_image(tmp_path, there, damaged):
    fits = pytest.importorskip("astropy.io.fits")
    image = fits.CompImageHDU((ARRAY[0] * 1000).astype("i4"), compression_type="RICE_1")
    fits.HDUList([fits.PrimaryHDU(), image]).writeto(tmp_path / "a")
    content = (tmp_path / "a").read_bytes()
    assert there in content
    (tmp_path / "a").write_bytes(content.replace(there, damaged.ljust(len(there))))
    with pytest.raises(OperatorError, match=r"Fits: sample 0 .*unit 2: .*Check the file"):
        read(tmp_path / "a")


@pytest.mark.parametrize("zero", ["NAN", "INF", "1D400"])
def test_offset_that_is_no_finite_number(tmp_path, zero):
    (tmp_path / "a").write_bytes(unit(ARRAY, first=True, cards=[f"BZERO   = {zero}"]))
    image = read(tmp_path / "a", hdu_indices=1)[0][0]
    assert image.dtype.kind == "f"
    assert not np.isfinite(image).any()


def test_samples_of_other_types(tmp_path):
    (tmp_path / "a").write_bytes(unit(ARRAY, first=True))
    (tmp_path / "b").write_bytes(unit(ARRAY * 1.0, first=True))
    with pytest.raises(OperatorError, match="other types or ranks"):
        read([tmp_path / "a", tmp_path / "b"], 2, hdu_indices=1)
