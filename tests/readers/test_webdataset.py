import contextlib
import gzip
import io
import sys
import tarfile

import numpy as np
import pytest

import dynjax as ndd
from dynjax import OperatorError
from dynjax._native import native
from dynjax._readers import webdataset_index
from dynjax._readers.tar import TarError, members, scan_file
from dynjax._readers.webdataset_listed import _ENTRY

SAMPLES = [("a.jpg", b"A"), ("a.cls", b"10"), ("b.cls", b"2"), ("b.jpg", b"BBB")]


def archive(path, entries, form=tarfile.USTAR_FORMAT):
    with tarfile.open(path, "w", format=form) as tar:
        for name, content in entries:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type = tarfile.DIRTYPE
            else:
                info.size = len(content)
            tar.addfile(info, io.BytesIO(content or b""))
    return path


def index(path):
    """What wds2idx writes: version 1.2."""
    lines, last = [], None
    with tarfile.open(path) as tar:
        for m in tar.getmembers():
            stem, _, ext = m.name.partition(".")
            lines += [[]] if stem != last else []
            lines[-1].append(f"{ext} {m.offset_data} {m.size} {m.name}")
            last = stem
    text = f"v1.2 {len(lines)}\n" + "".join(" ".join(line) + "\n" for line in lines)
    path.with_suffix(".idx").write_text(text)
    return path.with_suffix(".idx")


def read(paths, batch_size=None, **kw):
    return list(ndd.readers.Webdataset(paths=paths, **kw).next_epoch(batch_size))


def contents(batches):
    """The bytes of each output of each sample."""
    rows = []
    for outputs in batches:
        samples = [o if isinstance(o, ndd.Batch) else [o] for o in outputs]
        rows += [[np.asarray(x).tobytes() for x in row] for row in zip(*samples, strict=True)]
    return rows


@pytest.mark.parametrize("indexed", [True, False])
@pytest.mark.parametrize("batch_size", [None, 2])
def test_several_archives(tmp_path, indexed, batch_size):
    first = archive(tmp_path / "a.tar", SAMPLES)
    second = archive(
        tmp_path / "b.tar", [("c.jpg", b"C"), ("c.cls", b""), ("d.jpg", b"D"), ("d.cls", b"4")]
    )
    index_paths = [index(first), index(second)] if indexed else None
    batches = read([first, second], batch_size, ext=["cls", "jpg"], index_paths=index_paths)
    assert contents(batches) == [[b"10", b"A"], [b"2", b"BBB"], [b"", b"C"], [b"4", b"D"]]


@pytest.mark.parametrize("compress", ["gzip", "zstd"])
def test_compressed_archives(tmp_path, compress):
    plain = archive(tmp_path / "a.tar", SAMPLES).read_bytes()
    if compress == "gzip":
        packed = gzip.compress(plain)
    else:
        packed = pytest.importorskip("zstandard").ZstdCompressor().compress(plain)
    (tmp_path / "b.tar").write_bytes(packed)
    batches = read(tmp_path / "b.tar", ext=["jpg", "cls"])
    assert contents(batches) == [[b"A", b"10"], [b"BBB", b"2"]]


def test_zstd_without_its_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (tmp_path / "a.tar").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(100))
    with pytest.raises(OperatorError, match="pip install zstandard"):
        read(tmp_path / "a.tar", ext=["x"])


@pytest.mark.parametrize(
    ("ext", "kw", "wanted"),
    [
        (["cls;jpg"], {}, [[b"A"], [b"2"]]),
        (["jpg", "cls;jpg"], {}, [[b"A", b"A"], [b"BBB", b"2"]]),
        ("jpg", {}, [[b"A"], [b"BBB"]]),
        (["JPG"], {}, [[b""], [b""]]),
        (["JPG"], {"case_sensitive_extensions": False}, [[b"A"], [b"BBB"]]),
    ],
)
def test_extensions(tmp_path, ext, kw, wanted):
    assert contents(read(archive(tmp_path / "a.tar", SAMPLES), ext=ext, **kw)) == wanted


def test_missing_components(tmp_path):
    path = archive(tmp_path / "a.tar", [*SAMPLES, ("c.cls", b"3")])
    kw = {"ext": ["jpg", "cls"]}
    for missing in ("", "empty"):
        got = contents(read(path, missing_component_behavior=missing, **kw))
        assert got == [[b"A", b"10"], [b"BBB", b"2"], [b"", b"3"]]
    assert len(read(path, missing_component_behavior="skip", **kw)) == 2
    with pytest.raises(OperatorError, match="sample 'c' lacks a component"):
        read(path, missing_component_behavior="error", **kw)
    with pytest.raises(OperatorError, match="missing_component_behavior='x'"):
        read(path, missing_component_behavior="x", **kw)


def test_samples_are_named_up_to_the_first_dot(tmp_path):
    entries = [("d/", None), ("d/a.x", b"1"), ("d/a.seg.png", b"2"), ("e.f/a.x", b"3"),
               ("e.f/none", b"4"), ("e.f/.x", b"5"), ("d/a.x", b"6")]  # fmt: skip
    got = contents(read(archive(tmp_path / "a.tar", entries), ext=["x", "seg.png"]))
    assert got == [[b"1", b"2"], [b"3", b""], [b"", b""], [b"5", b""], [b"6", b""]]


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names(tmp_path, form):
    entries = [("d" * 90 + "/" + "n" * 120 + ".é.x", b"1"), ("d" * 200 + ".x", b"2")]
    batches = read(archive(tmp_path / "a.tar", entries, form), ext=["é.x;x"])
    assert contents(batches) == [[b"1"], [b"2"]]
    assert batches[0][0].source.name(0).endswith(entries[0][0])


def test_dtypes(tmp_path):
    entries = [("a.n", b"xyz"), ("a.x", np.arange(3.0).tobytes()), ("b.n", b""), ("b.x", b"")]
    path = archive(tmp_path / "a.tar", entries)
    (batch,) = read(path, 2, ext=["n", "x"], dtypes=[ndd.uint8, ndd.float64])
    assert [np.asarray(t).tolist() for t in batch[1]] == [[0, 1, 2], []]
    assert batch[1].dtype == ndd.float64
    with pytest.raises(OperatorError, match=r"sample 0 .*'n' has 3 bytes, no multiple of 4"):
        read(path, 2, ext=["n"], dtypes=[ndd.int32])
    with pytest.raises(OperatorError, match="dtypes has 1 entries; expected 2"):
        read(path, ext=["n", "x"], dtypes=[ndd.int32])


def test_damaged_archives(tmp_path):
    """Whatever byte of a header is changed: samples or an error."""
    good = archive(tmp_path / "a.tar", [("a.x", b"1" * 600), ("b.x", b"2")]).read_bytes()
    rng = np.random.default_rng(0)
    for at in range(0, 512, 3):
        damaged = bytearray(good)
        damaged[at] = rng.integers(256)
        (tmp_path / "b.tar").write_bytes(damaged)
        with contextlib.suppress(OperatorError):
            assert len(read(tmp_path / "b.tar", ext=["x"])) <= 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no sample"),
        (b"no archive" * 100, "there is no header at byte 0"),
        (b"\x1f\x8bno gzip either", "expected a tar archive"),
        (None, "No such file"),
    ],
)
def test_files_that_are_none(tmp_path, content, message):
    if content is not None:
        (tmp_path / "a.tar").write_bytes(content)
    with pytest.raises(OperatorError, match=message):
        read(tmp_path / "a.tar", ext=["x"])


def test_cut_off_archive(tmp_path):
    path = archive(tmp_path / "a.tar", [("a.x", b"1"), ("b.x", b"2" * 2000)])
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(OperatorError, match="member at byte 1024 goes beyond the end"):
        read(path, ext=["x"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no index"),
        ("v9 1\n", "is no index"),
        ("v1.2 1\njpg 512\n", "line 2: 2 words"),
        ("v1.2 1\njpg x 1 a.jpg\n", "line 2: offset"),
        ("v1.2 1\njpg 99999999 1 a.jpg\n", "its file ends before it does"),
        ("v1.2 1\njpg 512 9223372036854775807 a.jpg\n", "line 2: offset"),
    ],
)
def test_bad_indices(tmp_path, text, message):
    path = archive(tmp_path / "a.tar", SAMPLES)
    (tmp_path / "i").write_text(text)
    with pytest.raises(OperatorError, match=message):
        read(path, ext=["jpg"], index_paths=tmp_path / "i")


def test_index_of_version_1_1(tmp_path):
    path = archive(tmp_path / "a.tar", SAMPLES)
    (tmp_path / "i").write_text("v1.1 1\njpg 512 1 cls 1536 2\n")
    assert contents(read(path, ext=["cls", "jpg"], index_paths=tmp_path / "i")) == [[b"10", b"A"]]


def test_native_scan_agrees_with_the_python_one(tmp_path):
    """Also for long names and large members, with which the headers are hopped to."""
    rng = np.random.default_rng(0)
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        entries = [("d", None)]
        for k in range(40):
            folder = "/".join(["ä" * int(rng.integers(1, 20))] * int(rng.integers(0, 4)))
            name = f"{folder}/{k:03}" + rng.choice([".jpg", ".a.b", "", "."])
            size = int(
                rng.choice([0, 1, 511, 512, 3000, 300_000], p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1])
            )
            entries.append((name.lstrip("/"), rng.bytes(size)))
        path = archive(tmp_path / "a.tar", entries, form)
        with path.open("rb") as file:
            expected = [(m.name, m.offset, m.size) for m in members(file, path.stat().st_size)]
        raw, names, *_ = native.scan_tar(bytes(path))
        rows = raw.view(_ENTRY)
        ends = rows["name"] + rows["name_size"]
        text = names.tobytes()
        found = [text[a:b] for a, b in zip(rows["name"], ends, strict=True)]
        assert list(zip(found, rows["offset"], rows["size"], strict=True)) == expected
        whole = path.read_bytes()
        for end in range(0, len(whole), len(whole) // 20):  # cut off: the same verdict
            path.write_bytes(whole[:end])
            assert verdict(scan_natively, path) == verdict(scan_in_python, path)


def scan_natively(path):
    return len(scan_file(bytes(path))[0]) // _ENTRY.itemsize


def scan_in_python(path):
    with path.open("rb") as file:
        return sum(1 for _ in members(file, path.stat().st_size))


def verdict(scan, path):
    try:
        return scan(path)
    except TarError as error:
        return str(error)


def test_the_index_is_kept(tmp_path, monkeypatch):
    path = archive(tmp_path / "a.tar", SAMPLES)
    first = contents(read(path, ext=["jpg", "cls"], index_cache=tmp_path / "cache"))
    calls = []
    monkeypatch.setattr(webdataset_index, "scan_file", lambda p: calls.append(p) or scan_file(p))
    assert contents(read(path, ext=["jpg", "cls"], index_cache=tmp_path / "cache")) == first
    # Another choice of members is made from the same index.
    kept = read(path, ext="cls", index_cache=tmp_path / "cache")
    assert contents(kept) == [[b"10"], [b"2"]]
    assert calls == []
    archive(path, [("z.cls", b"new")])
    assert contents(read(path, ext="cls", index_cache=tmp_path / "cache")) == [[b"new"]]
    assert len(calls) == 1
