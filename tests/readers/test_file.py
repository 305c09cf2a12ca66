import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import dynjax as ndd
from dynjax import ArgumentError, OperatorError


@pytest.fixture
def folder(tmp_path):
    """Two classes, ten files; file i holds i + 1 times its number as a byte."""
    for i in range(10):
        path = tmp_path / "data" / ("ant" if i < 5 else "bee") / f"{i}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes([i] * (i + 1)))
    return tmp_path / "data"


def contents(batch):
    return [bytes(np.asarray(sample)) for sample in batch]


def test_files_arrive_whole(folder):
    reader = ndd.readers.File(file_root=folder)
    data, labels = zip(*reader.next_epoch(batch_size=5), strict=True)
    assert [sample for batch in data for sample in contents(batch)] == [
        bytes([i] * (i + 1)) for i in range(10)
    ]
    assert [np.asarray(b.jax()).reshape(-1).tolist() for b in labels] == [[0] * 5, [1] * 5]
    assert data[0].dtype == ndd.uint8
    assert labels[0].dtype == ndd.int32
    assert data[0].layout is None


def test_single_samples(folder):
    reader = ndd.readers.File(file_root=folder)
    samples = [(bytes(np.asarray(d)), int(label.item())) for d, label in reader.next_epoch()]
    assert samples == [(bytes([i] * (i + 1)), i // 5) for i in range(10)]


def test_lists_of_files(folder):
    reader = ndd.readers.File(file_root=folder, files=["bee/9.jpg", "ant/0.jpg"], labels=[4, -1])
    data, labels = next(reader.next_epoch(batch_size=2))
    assert contents(data) == [b"\x09" * 10, b"\x00"]
    assert [label.item() for label in labels] == [4, -1]
    (folder / "list.txt").write_text("bee/9.jpg 7\n")
    reader = ndd.readers.File(file_list=folder / "list.txt")
    data, labels = next(reader.next_epoch(batch_size=1))
    assert contents(data) == [b"\x09" * 10]
    assert labels.select(0).item() == 7


@pytest.mark.parametrize(
    ("kw", "message"),
    [
        ({}, "no data; expected file_root"),
        ({"file_root": "nowhere"}, "No such file or directory"),
        ({"files": ["a"], "file_list": "b"}, "files and file_list='b' given"),
        ({"files": []}, "files is empty"),
        ({"files": ["a"], "labels": [1, 2]}, "labels has 2 entries for 1 files"),
        ({"file_list": "nowhere"}, "No such file or directory"),
        ({"file_root": ".", "labels": [1]}, "labels given without files"),
        ({"file_root": ".", "file_filters": []}, "file_filters is empty"),
        ({"file_root": ".", "dir_filters": []}, "dir_filters is empty"),
        ({"file_root": ".", "dir_filters": "nothing"}, "no file found"),
    ],
)
def test_errors_at_the_first_read(kw, message):
    reader = ndd.readers.File(**kw)
    for read in (lambda: next(reader.next_epoch(batch_size=1)), reader.get_metadata):
        with pytest.raises(OperatorError, match=rf"^readers\.File: .*{message}"):
            read()


@pytest.mark.parametrize("kw", [{"file_root": 3}, {"file_filters": 3}, {"dir_filters": [3]},
                                {"file_list": 3}, {"seed": "a"}, {"files": 3}])  # fmt: skip
def test_arguments_of_impossible_types(folder, kw):
    name = next(iter(kw))
    with pytest.raises(TypeError, match=rf"^readers\.File: {name} must be"):
        next(ndd.readers.File(**{"file_root": folder, **kw}).next_epoch(batch_size=1))


def test_call_errors():
    with pytest.raises(TypeError, match="batch_size"):
        ndd.readers.File(file_root=".", batch_size=4)
    with pytest.raises(ValueError, match="device"):
        ndd.readers.File(file_root=".", device="x")


def test_an_unreadable_file_is_named_and_can_be_repaired(folder):
    reader = ndd.readers.File(file_root=folder, name="train", prefetch_queue_depth=3)
    epoch = reader.next_epoch(batch_size=4)
    broken = folder / "ant" / "2.jpg"
    content = broken.read_bytes()
    reader.get_metadata(batch_size=4)  # lists the folders
    broken.unlink()
    for _ in range(2):
        with pytest.raises(
            OperatorError,
            match=r"^readers\.File 'train': sample 2 \('.*ant/2\.jpg'\): .*No such file",
        ):
            next(epoch)
    broken.mkdir()
    with pytest.raises(OperatorError, match=r"ant/2\.jpg.*Is a directory"):
        next(epoch)
    broken.rmdir()
    os.mkfifo(broken)
    with pytest.raises(OperatorError, match=r"ant/2\.jpg.*no regular file"):
        next(epoch)
    broken.unlink()
    broken.write_bytes(content)
    assert [contents(data)[0] for data, _ in epoch] == [b"\0", b"\x04" * 5, b"\x08" * 9]


def test_an_empty_file_is_an_empty_sample(folder):
    (folder / "ant" / "0.jpg").write_bytes(b"")
    data, _ = next(ndd.readers.File(file_root=folder).next_epoch(batch_size=3))
    assert data.shape == [(0,), (2,), (3,)]
    data, _ = next(ndd.readers.File(file_root=folder).next_epoch())
    assert data.shape == (0,)


def test_hints_change_nothing(folder, read_labels):
    plain = read_labels(ndd.readers.File(file_root=folder), 3, 2)
    for kw in (
        {"dont_use_mmap": True}, {"lazy_init": True}, {"read_ahead": True},
        {"skip_cached_images": True}, {"tensor_init_bytes": 1}, {"prefetch_queue_depth": 7},
        {"enable_checkpointing": True},
    ):  # fmt: skip
        assert read_labels(ndd.readers.File(file_root=folder, **kw), 3, 2) == plain


def test_another_process_reads_the_same_order(folder, read_labels):
    code = (
        "import sys, numpy as np, dynjax as ndd\n"
        "r = ndd.readers.File(file_root=sys.argv[1], random_shuffle=True, seed=7)\n"
        "print([len(np.asarray(d)) for _ in range(3) for d, _ in r.next_epoch()])"
    )
    command = [sys.executable, "-c", code, str(folder)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    reader = ndd.readers.File(file_root=folder, random_shuffle=True, seed=7)
    here = [len(np.asarray(d)) for _ in range(3) for d, _ in reader.next_epoch()]
    assert printed.stdout.strip() == str(here)


def test_leaving_in_mid_epoch_is_quiet(folder):
    code = (
        "import sys, dynjax as ndd\n"
        "r = ndd.readers.File(file_root=sys.argv[1], prefetch_queue_depth=4)\n"
        "e = r.next_epoch(batch_size=2); next(e)"
    )
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def native_threads():
    return len(os.listdir("/proc/self/task"))


def test_readers_leave_no_threads_and_no_memory(folder):
    def loop():
        reader = ndd.readers.File(file_root=folder, prefetch_queue_depth=3)
        next(reader.next_epoch(batch_size=2))

    loop()
    threads, python = native_threads(), threading.active_count()
    for _ in range(50):
        loop()
    assert native_threads() <= threads
    assert threading.active_count() == python


def test_a_forked_child_reads_on(folder):
    code = (
        "import os, sys, warnings, numpy as np, dynjax as ndd\n"
        "warnings.simplefilter('ignore')\n"
        "r = ndd.readers.File(file_root=sys.argv[1], prefetch_queue_depth=4)\n"
        "e = r.next_epoch(batch_size=2); next(e)\n"
        "child = os.fork()\n"
        "sizes = [s[0] for d, _ in e for s in d.shape]\n"
        "assert sizes == list(range(3, 11)), sizes\n"
        "os._exit(0) if child == 0 else sys.exit(os.waitpid(child, 0)[1])"
    )
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr


def test_files_that_change_never_give_other_bytes(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100_000)
    reader = ndd.readers.File(files=[path])
    stop = threading.Event()

    def change():
        while not stop.is_set():
            os.truncate(path, 10)
            os.truncate(path, 100_000)

    writer = threading.Thread(target=change)
    writer.start()
    outcomes, end = set(), time.monotonic() + 0.5
    try:
        while time.monotonic() < end:
            try:
                data, _ = next(reader.next_epoch(batch_size=1))
            except OperatorError as error:
                outcomes.add("size changed" in str(error))
            else:
                outcomes.add(data.shape[0][0])
    finally:
        stop.set()
        writer.join()
    assert outcomes <= {10, 100_000, True}


def test_arguments_may_be_none(folder):
    reader = ndd.readers.File(
        file_root=Path(folder), num_shards=None, shard_id=None, seed=None, random_shuffle=None,
        pad_last_batch=None, shuffle_after_epoch=None, file_filters=None, labels=None,
        prefetch_queue_depth=None, case_sensitive_filter=None, stick_to_shard=None,
    )  # fmt: skip
    assert len(reader.next_epoch(batch_size=4)) == 3


def test_readers_of_accelerators_are_refused(monkeypatch):
    import jax

    monkeypatch.setitem(ndd._types.device._OVERRIDES, "gpu", jax.devices("cpu")[1:])
    with pytest.raises(ArgumentError, match=r"^readers\.File: device='gpu'"):
        ndd.readers.File(file_root=".", device="gpu")
