"""Remote paths: the same samples as from local files, whatever the connection does."""

import functools
import gzip
import http.server
import io
import itertools
import json
import struct
import tarfile
import threading
import time
import wave

import numpy as np
import pytest
from readers.formats import example, recordio, write_tfrecords

import dynjax as ndd
from dynjax import OperatorError
from dynjax._readers import remote
from dynjax._readers.remote_file import RemoteFile
from dynjax._readers.remote_read import RemoteRead

fsspec = pytest.importorskip("fsspec")
from fsspec.implementations.memory import MemoryFileSystem  # noqa: E402


class Troubled(MemoryFileSystem):
    """`troubled://`: files in memory; `trouble(path)` is called before each access."""

    protocol = "troubled"
    store = {}  # noqa: RUF012
    pseudo_dirs = [""]  # noqa: RUF012
    trouble = staticmethod(lambda path: None)
    requests = []  # noqa: RUF012

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.removeprefix("troubled://"))

    def cat_file(self, path, start=None, end=None, **kw):
        self.requests.append((path, start, end))
        type(self).trouble(path)
        return super().cat_file(path, start, end, **kw)

    def ls(self, path, detail=True, **kw):
        type(self).trouble(path)
        return super().ls(path, detail, **kw)


fsspec.register_implementation("troubled", Troubled, clobber=True)


@pytest.fixture(autouse=True)
def no_trouble(monkeypatch):
    monkeypatch.setattr(remote, "PAUSES", (0.001,) * 3)
    monkeypatch.setattr(Troubled, "trouble", staticmethod(lambda path: None))
    Troubled.store.clear()
    Troubled.requests.clear()


def upload(folder):
    """Copies a local folder; returns its URL."""
    system = fsspec.filesystem("troubled")
    for path in folder.rglob("*"):
        if path.is_file():
            system.pipe_file(f"/data/{path.relative_to(folder)}", path.read_bytes())
    return "troubled://data"


def sound():
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(8000)
        out.writeframes(np.arange(64, dtype="<i2").tobytes())
    return file.getvalue()


def make(folder):
    """Small data of all formats."""
    for k, name in enumerate(("cats/1.jpg", "cats/2.jpg", "dogs/1.jpg", "dogs/sub/9.jpg")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(bytes([k]) * (k + 1))
    (folder / "list.txt").write_text("cats/2.jpg 7\ndogs/1.jpg 3\n")
    (folder / "arrays").mkdir()
    np.save(folder / "arrays/a.npy", np.arange(6.0).reshape(2, 3))
    np.save(folder / "arrays/b.npy", np.ones((1, 4)))
    records = [example(x=bytes([k]) * 40, n=[k]) for k in range(6)]
    write_tfrecords(folder / "r.tfrecord", records, folder / "r.idx")
    with tarfile.open(folder / "w.tar", "w") as tar:
        for k in range(4):
            for ending, content in (("jpg", bytes([k]) * (9 + k)), ("cls", b"%d" % k)):
                info = tarfile.TarInfo(f"{k}.{ending}")
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    (folder / "w.tar.gz").write_bytes(gzip.compress((folder / "w.tar").read_bytes()))
    blob, lines = b"", ""
    for k in range(3):
        lines += f"{k}\t{len(blob)}\n"
        blob += recordio([struct.pack("<IfQQ", 0, k, k, 0) + bytes([k]) * 8])
    (folder / "m.rec").write_bytes(blob)
    (folder / "m.idx").write_text(lines)
    (folder / "s.wav").write_bytes(sound())


def manifest(folder, root):
    """Its paths are absolute: they differ between here and there."""
    entry = {"audio_filepath": f"{root}/s.wav", "text": "x"}
    lines = [entry | {"duration": duration} for duration in (0.002, 0.004)]
    (folder / "manifest.json").write_text("\n".join(map(json.dumps, lines)))


def coco(folder):
    document = {
        "categories": [{"id": 5}],
        "images": [
            {"id": k, "file_name": f"cats/{k}.jpg", "width": 4, "height": 4} for k in (1, 2)
        ],
        "annotations": [{"image_id": 1, "category_id": 5, "bbox": [0, 0, 2, 2]}],
    }
    (folder / "coco.json").write_text(json.dumps(document))


FEATURES = {
    "x": ndd.tfrecord.FixedLenFeature([], ndd.tfrecord.string, ""),
    "n": ndd.tfrecord.FixedLenFeature([1], ndd.tfrecord.int64, 0),
}
READERS = {
    "folders": lambda d: ndd.readers.File(file_root=d),
    "files": lambda d: ndd.readers.File(files=[f"{d}/cats/1.jpg", f"{d}/dogs/1.jpg"]),
    "files below": lambda d: ndd.readers.File(files=["cats/1.jpg", "dogs/1.jpg"], file_root=d),
    "list": lambda d: ndd.readers.File(file_list=f"{d}/list.txt"),
    "numpy": lambda d: ndd.readers.Numpy(file_root=f"{d}/arrays"),
    "tfrecord": lambda d: ndd.readers.TFRecord(path=f"{d}/r.tfrecord", features=FEATURES),
    "tfrecord with index": lambda d: ndd.readers.TFRecord(
        path=f"{d}/r.tfrecord", index_path=f"{d}/r.idx", features=FEATURES
    ),
    "tar": lambda d: ndd.readers.Webdataset(paths=f"{d}/w.tar", ext=["jpg", "cls", "no"]),
    "tar.gz": lambda d: ndd.readers.Webdataset(paths=f"{d}/w.tar.gz", ext=["cls", "jpg"]),
    "mxnet": lambda d: ndd.readers.MXNet(path=f"{d}/m.rec", index_path=f"{d}/m.idx"),
    "nemo": lambda d: ndd.readers.NemoAsr(manifest_filepaths=f"{d}/manifest.json"),
    "coco": lambda d: ndd.readers.COCO(file_root=d, annotations_file=f"{d}/coco.json"),
}


def values(reader, batch_size=3):
    found = []
    for outputs in reader.next_epoch(batch_size, last_batch="partial"):
        columns = outputs.values() if isinstance(outputs, dict) else outputs
        found.append([[np.asarray(t).tolist() for t in c.tensors] for c in columns])
    return found


@pytest.mark.parametrize("kind", READERS)
def test_samples_are_those_of_local_files(tmp_path, kind):
    make(tmp_path)
    coco(tmp_path)
    manifest(tmp_path, tmp_path)
    expected = values(READERS[kind](str(tmp_path)))
    manifest(tmp_path, "troubled://data")
    assert values(READERS[kind](upload(tmp_path))) == expected


def failing(times, error=None):
    """Each path fails so often before it works."""
    seen = {}
    lock = threading.Lock()

    def trouble(path):
        with lock:
            seen[path] = seen.get(path, 0) + 1
            if seen[path] <= times:
                raise error or ConnectionError("reset")

    return staticmethod(trouble)


@pytest.mark.parametrize("kind", ["folders", "list", "tfrecord", "tar.gz", "coco"])
def test_errors_that_pass_are_tried_again(tmp_path, monkeypatch, kind):
    make(tmp_path)
    coco(tmp_path)
    expected = values(READERS[kind](str(tmp_path)))
    url = upload(tmp_path)
    monkeypatch.setattr(Troubled, "trouble", failing(2))
    assert values(READERS[kind](url)) == expected


def many(count=24):
    system = fsspec.filesystem("troubled")
    for k in range(count):
        system.pipe_file(f"/many/{k:03}", bytes([k]))
    return [f"troubled://many/{k:03}" for k in range(count)]


def labels(batch):
    return np.asarray(batch[1]).ravel().tolist()


@pytest.mark.parametrize("capture", [False, True])
def test_slow_and_failing_files_lose_and_repeat_nothing(monkeypatch, capture):
    """Delays and errors at random; every sample of a shuffled epoch comes once, in its order."""
    files = many()
    rng, lock = np.random.default_rng(0), threading.Lock()

    def trouble(path):
        with lock:
            delay, fails = rng.uniform(0, 0.004), rng.uniform() < 0.2
        time.sleep(delay)
        if fails:
            raise TimeoutError("slow")

    options = {"random_shuffle": True, "initial_fill": None, "prefetch_queue_depth": 3}
    expected = [labels(b) for b in ndd.readers.File(files=files, **options).next_epoch(4)]
    monkeypatch.setattr(Troubled, "trouble", staticmethod(trouble))
    monkeypatch.setattr(remote, "PAUSES", (0.001,) * 12)
    reader = ndd.readers.File(files=files, **options)
    found = []
    for content, label in reader.next_epoch(4, capture=capture):
        found.append((np.asarray(label + 1) - 1).ravel().tolist())
        assert [int(np.asarray(t)[0]) for t in content.tensors] == found[-1]
    assert found == expected
    assert sorted(itertools.chain(*found)) == list(range(24))


def test_an_error_that_stays_names_the_file_and_loses_nothing(monkeypatch):
    files = many()
    monkeypatch.setattr(Troubled, "trouble", staticmethod(lambda p: _broken(p, "/many/005")))
    reader = ndd.readers.File(files=files)
    epoch = reader.next_epoch(4)
    assert labels(next(epoch)) == [0, 1, 2, 3]
    with pytest.raises(OperatorError, match=r"sample 5 .*many/005.*ConnectionError: broken"):
        next(epoch)
    monkeypatch.setattr(Troubled, "trouble", staticmethod(lambda path: None))
    assert labels(next(reader.next_epoch(4))) == [4, 5, 6, 7]


def _broken(path, bad):
    if path == bad:
        raise ConnectionError("broken")


def test_remote_batches_are_not_read_far_ahead():
    epoch = ndd.readers.File(files=many(40)).next_epoch(2)
    for k in range(8):
        next(epoch)
        assert {path for path, _, _ in Troubled.requests} <= {
            f"/many/{i:03}" for i in range(2 * k + 4)
        }


def test_skipping(monkeypatch):
    files = many(8)
    monkeypatch.setattr(Troubled, "trouble", staticmethod(lambda p: _broken(p, "/many/005")))
    reader = ndd.readers.File(files=files, on_error="skip")
    with pytest.warns(RuntimeWarning, match="1 samples"):
        found = [labels(b) for b in reader.next_epoch(4)]
    assert found == [[0, 1, 2, 3], [4, 6, 7]]
    assert reader.skipped[0].name == files[5]


@pytest.mark.parametrize(
    ("error", "said"),
    [(FileNotFoundError("x"), "No such file"), (PermissionError("x"), "Permission denied")],
)
def test_final_errors_are_raised_at_once(monkeypatch, error, said):
    files = many(1)
    monkeypatch.setattr(Troubled, "trouble", failing(100, error))
    with pytest.raises(OperatorError, match=said):
        next(ndd.readers.File(files=files).next_epoch(1))
    # The batch that was asked for, and the one ahead of it.
    assert len(Troubled.requests) <= 2


@pytest.mark.parametrize(
    "reader",
    [
        lambda: ndd.readers.File(file_root="troubled://none"),
        lambda: ndd.readers.File(file_list="troubled://none/list"),
        lambda: ndd.readers.TFRecord(path="troubled://none/r", features=FEATURES),
        lambda: ndd.readers.Webdataset(paths="troubled://none/w.tar", ext="jpg"),
        lambda: ndd.readers.MXNet(path="troubled://none/r", index_path="troubled://none/i"),
        lambda: ndd.readers.NemoAsr(manifest_filepaths="troubled://none/m"),
        lambda: ndd.readers.COCO(annotations_file="troubled://none/c", file_root="x"),
    ],
)
def test_what_is_missing_is_named(reader):
    with pytest.raises(OperatorError, match=r"troubled://none.*No such file"):
        next(reader().next_epoch(1))


def test_lmdb_is_local():
    for reader in (ndd.readers.Caffe, ndd.readers.Caffe2):
        with pytest.raises(OperatorError, match="Copy the database here"):
            next(reader(path="troubled://x").next_epoch(1))


def test_a_missing_package_is_named(monkeypatch):
    def lacking(scheme):
        raise ImportError(f"Install {scheme}fs")

    remote.check_installed.cache_clear()
    monkeypatch.setattr(fsspec, "get_filesystem_class", lacking)
    reader = ndd.readers.File(files=["s3://bucket/1.jpg"])
    with pytest.raises(ImportError, match="pip install s3fs"):
        next(reader.next_epoch(1))
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    with pytest.raises(ImportError, match=r"pip install 'dynjax\[remote\]'"):
        next(reader.next_epoch(1))


def test_unknown_scheme():
    with pytest.raises(OperatorError, match=r"sample 0 \('nosuch://a'\).*not known"):
        next(ndd.readers.File(files=["nosuch://a"]).next_epoch(1))


def test_ranges_that_lie_together_are_one_request():
    fsspec.filesystem("troubled").pipe_file("/r", bytes(range(200)))
    offsets, lengths = np.array([100, 0, 10, 50]), np.array([5, 10, 10, 0])
    data, found, failed = RemoteRead([b"troubled://r"] * 4, offsets, lengths).wait()
    assert data.tolist() == [*range(100, 105), *range(20)]
    assert (found.tolist(), failed) == ([5, 10, 10, 0], {})
    assert Troubled.requests == [("/r", 0, 105)]
    assert data.ctypes.data % 64 == 0


def test_a_file_that_is_shorter_than_its_index():
    fsspec.filesystem("troubled").pipe_file("/r", b"abc")
    read = RemoteRead([b"troubled://r"] * 2, np.array([0, 2]), np.array([2, 2]))
    assert read.wait()[2] == {1: None}


def test_dropping_a_read_cancels_it(monkeypatch):
    files = [f.encode() for f in many(200)]
    monkeypatch.setattr(Troubled, "trouble", staticmethod(lambda path: time.sleep(0.01)))
    RemoteRead(files)
    time.sleep(0.05)
    asked = len(Troubled.requests)
    time.sleep(0.1)
    assert asked <= len(Troubled.requests) <= asked + 16


def test_remote_file():
    content = np.random.default_rng(0).bytes(100_000)
    fsspec.filesystem("troubled").pipe_file("/f", content)
    file = RemoteFile("troubled://f")
    assert file.read() == content
    for start, count in ((5, 10), (99_990, 20), (100_000, 1), (50, 0)):
        file.seek(start)
        assert file.read(count) == content[start : start + count]
    assert file.seek(-3, 2) == 99_997


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def test_http(tmp_path):
    pytest.importorskip("aiohttp")
    (tmp_path / "1.jpg").write_bytes(b"one")
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        outputs = next(ndd.readers.File(files=[f"{url}/1.jpg"]).next_epoch(1))
        assert np.asarray(outputs[0].tensors[0]).tobytes() == b"one"
        with pytest.raises(OperatorError, match=r"2\.jpg.*No such file"):
            next(ndd.readers.File(files=[f"{url}/2.jpg"]).next_epoch(1))
        server.shutdown()
