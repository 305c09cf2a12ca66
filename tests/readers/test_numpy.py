import numpy as np
import pytest

import dynjax as ndd
from dynjax import ArgumentError, OperatorError


def save(folder, **arrays):
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def read(batch_size=None, **kw):
    return [o for (o,) in ndd.readers.Numpy(**kw).next_epoch(batch_size)]


DTYPES = ["bool", "u1", "i1", "u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f2", "<f4", "<f8", ">i4"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3, 4)])
def test_arrays_come_back(tmp_path, dtype, shape):
    array = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 2).astype(dtype)
    fortran = np.array(array, order="F")  # asfortranarray adds an axis to scalars
    save(tmp_path, a=array, b=fortran)
    batch = read(2, file_root=tmp_path)[0]
    for sample in batch:
        got = np.asarray(sample)
        np.testing.assert_array_equal(got, array)
        assert got.dtype == array.dtype.newbyteorder("=")
    assert batch.layout is None


def test_samples_may_differ_in_shape(tmp_path):
    save(tmp_path, a=np.ones((2, 3)), b=np.ones((5, 1)))
    assert read(2, file_root=tmp_path)[0].shape == [(2, 3), (5, 1)]


@pytest.mark.parametrize(
    ("roi", "window"),
    [
        ({"roi_start": [1, 2]}, np.s_[1:, 2:]),
        ({"roi_start": [1], "roi_axes": [-1]}, np.s_[:, 1:]),
        ({"roi_start": 1}, np.s_[1:, 1:]),
        ({"roi_start": [1, 2], "roi_end": [3, 4]}, np.s_[1:3, 2:4]),
        ({"roi_shape": [2], "roi_axes": 0}, np.s_[:2]),
        ({"rel_roi_start": [0.5, 0], "rel_roi_shape": [0.25, 1]}, np.s_[2:3, :]),
        ({"roi_start": np.array([1, 1]), "rel_roi_end": [0.75, 0.5]}, np.s_[1:3, 1:3]),
        ({"roi_start": [-2, 3], "roi_end": [9, 9], "out_of_bounds_policy": "trim_to_shape"},
         np.s_[:, 3:]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("order", ["C", "F"])
def test_region_of_interest(tmp_path, roi, window, order):
    array = np.arange(24, dtype=np.int16).reshape(4, 6)
    save(tmp_path, a=np.asarray(array, order=order))
    (got,) = read(file_root=tmp_path, **roi)
    np.testing.assert_array_equal(np.asarray(got), array[window])


def test_padded_region(tmp_path):
    save(tmp_path, a=np.arange(4, dtype=np.uint8), b=np.arange(6, dtype=np.uint8))
    roi = {"roi_start": [-1], "roi_end": [6], "out_of_bounds_policy": "pad", "fill_value": 9}
    a, b = (np.asarray(x).tolist() for x in read(file_root=tmp_path, **roi))
    assert a == [9, 0, 1, 2, 3, 9, 9]
    assert b == [9, 0, 1, 2, 3, 4, 5]


def test_region_of_a_direct_call(tmp_path):
    save(tmp_path, a=np.arange(5), b=np.arange(10, 15))
    reader = ndd.readers.Numpy(2, file_root=tmp_path, roi_end=[4])
    got = reader(batch_size=2, roi_start=ndd.batch([[1], [3]]))
    assert [np.asarray(t).tolist() for t in got] == [[1, 2, 3], [13]]
    got = reader(batch_size=2)
    assert got.shape == [(4,), (4,)]
    with pytest.raises(ArgumentError, match="roi_end given to the constructor and to the call"):
        reader(batch_size=2, roi_end=[3])
    with pytest.raises(ArgumentError, match="roi_start is a Batch"):
        ndd.readers.Numpy(file_root=tmp_path, roi_start=ndd.batch([[1]]))


def test_where_files_come_from(tmp_path):
    for name in ("b.npy", "z/d.npy", "B/c.npy", "z/deep/x.npy", "a.NPY", "n.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        with open(tmp_path / name, "wb") as file:
            np.save(file, np.zeros(1))
    names = [x.source.name(0) for x in read(file_root=tmp_path)]
    assert [n.removeprefix(f"{tmp_path}/") for n in names] == ["b.npy", "B/c.npy", "z/d.npy"]
    names = [x.source.name(0) for x in read(file_root=tmp_path, file_filter="[cd].*")]
    assert [n.removeprefix(f"{tmp_path}/") for n in names] == ["B/c.npy", "z/d.npy"]
    (tmp_path / "list.txt").write_text("z/d.npy\n\nb.npy\n")
    assert len(read(file_list=tmp_path / "list.txt")) == 2
    assert len(read(files=["b.npy", "z/deep/x.npy"], file_root=tmp_path)) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "does not start"),
        (b"hello, this is not a numpy file", "does not start"),
        (b"\x93NUMPY\x01\x00\xff\xff{}", "its header has 65535 bytes"),
        (b"\x93NUMPY\x01\x00\x02\x00{}", "header is malformed"),
        (b"\x93NUMPY\x01\x00\x10\x00" + b"(" * 16, "header is malformed"),
    ],
)
def test_files_that_are_none(tmp_path, content, message):
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(
        OperatorError, match=rf"^readers\.Numpy: sample 0 \('.*a.npy'\): .*{message}"
    ):
        read(file_root=tmp_path)


@pytest.mark.parametrize("array", [np.zeros(2, complex), np.array(["a"]), np.zeros(2, "M8[s]")])
def test_elements_that_are_no_numbers(tmp_path, array):
    save(tmp_path, a=array)
    with pytest.raises(OperatorError, match="expected plain numbers"):
        read(file_root=tmp_path)


def header(text, content=b""):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + content


@pytest.mark.parametrize(
    "shape", ["(9223372036854775807, 99)", "(3, -4)", "(3, 4.5)", "'(3, 4)'", "(3, 5)", "(True, 3)"]
)
def test_hostile_headers(tmp_path, shape):
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    (tmp_path / "a.npy").write_bytes(header(text, bytes(48)))
    with pytest.raises(OperatorError, match=r"malformed|holds 48 bytes"):
        read(file_root=tmp_path)


def test_cut_off(tmp_path):
    save(tmp_path, a=np.zeros((3, 4), np.float32))
    (tmp_path / "a.npy").write_bytes((tmp_path / "a.npy").read_bytes()[:-1])
    with pytest.raises(OperatorError, match="holds 47 bytes of the 48"):
        read(file_root=tmp_path)


def test_a_file_that_the_region_does_not_fit(tmp_path):
    save(tmp_path, a=np.zeros(5), b=np.zeros(3), c=np.zeros(4))
    with pytest.raises(
        OperatorError, match=r"^readers\.Numpy: sample 1 .*b\.npy.* window \[1, 4\)"
    ):
        read(2, file_root=tmp_path, roi_start=1, roi_end=4)
    reader = ndd.readers.Numpy(file_root=tmp_path, roi_start=1, roi_end=4, on_error="skip")
    (batch,) = next(reader.next_epoch(3))
    assert batch.shape == [(3,), (3,)]
    assert [bad.index for bad in reader.skipped] == [1]


def test_errors(tmp_path):
    save(tmp_path, a=np.zeros(3), b=np.zeros((3, 1)), c=np.zeros(3, int))
    for names in (["a", "b"], ["a", "c"]):
        with pytest.raises(OperatorError, match=r"sample 1 .*the first of its batch"):
            read(2, files=[f"{n}.npy" for n in names], file_root=tmp_path)
    for kw, message in (
        ({}, "no data"),
        ({"files": ["a"], "file_list": "b"}, "expected one"),
        ({"file_root": tmp_path, "file_filter": "x*"}, "no file found"),
        ({"files": [], "file_root": tmp_path}, "files is empty"),
        ({"file_root": tmp_path, "out_of_bounds_policy": "x"}, "out_of_bounds_policy='x'"),
        ({"file_root": tmp_path, "roi_start": [1], "rel_roi_start": [0.5]}, "cannot be combined"),
        ({"file_root": tmp_path, "roi_end": [1], "roi_shape": [1]}, "cannot be combined"),
        ({"file_root": tmp_path, "roi_end": [4]}, "does not fit"),
        ({"file_root": tmp_path, "roi_start": [2], "roi_end": [1]}, "ends at 1, before"),
        ({"file_root": tmp_path, "roi_start": [1], "roi_axes": [5]}, "axis 5 does not exist"),
    ):
        with pytest.raises(OperatorError, match=message):
            read(**kw)
    with pytest.raises(TypeError, match="roi_start='x'"):
        ndd.readers.Numpy(files=["a"], roi_start="x")
