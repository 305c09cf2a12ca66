import io
import os
from pathlib import Path

import numpy as np
import pytest

from dynjax import OperatorError
from dynjax._readers import file_list
from dynjax._readers.file_filter import FileFilter
from dynjax._readers.file_index import index_file_list, index_files, index_folders
from dynjax._readers.names import NameTable

JPEGS = FileFilter(["*.jpg", "*.png"])


@pytest.fixture
def tree(tmp_path):
    names = (
        "a/1.jpg", "a/.hidden.jpg", "a/deeper/2.jpg", "c10/1.JPG", "c2/1.png", "root.jpg",
        "empty/readme.md", "z/10.jpg", "z/2.jpg", ".hid/1.jpg", "w s/a b.jpg",
    )  # fmt: skip
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "z" / "dangling.jpg").symlink_to(tmp_path / "nowhere")
    (tmp_path / "z" / "folder.jpg").mkdir()
    return tmp_path


def entries(index, root):
    return [
        (os.path.relpath(os.fsdecode(index.path(i)), root), int(index.labels[i]))
        for i in range(len(index))
    ]


def test_class_folders_in_byte_order(tree):
    assert entries(index_folders("reader", tree, JPEGS), tree) == [
        (".hid/1.jpg", 0), ("a/.hidden.jpg", 1), ("a/1.jpg", 1), ("c10/1.JPG", 2), ("c2/1.png", 3),
        ("link/.hidden.jpg", 5), ("link/1.jpg", 5), ("w s/a b.jpg", 6), ("z/10.jpg", 7),
        ("z/2.jpg", 7), ("z/dangling.jpg", 7),
    ]  # fmt: skip


def test_folder_filters_number_the_classes_anew(tree):
    index = index_folders("reader", tree, JPEGS, FileFilter(["C*", "[a-b]"]))
    assert entries(index, tree) == [
        ("a/.hidden.jpg", 0), ("a/1.jpg", 0), ("c10/1.JPG", 1), ("c2/1.png", 2)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("patterns", "case_sensitive", "kept"),
    [
        (["*.jpg"], False, {"a.jpg", "B.JPG", ".jpg", "a[1].jpg"}),
        (["*.jpg"], True, {"a.jpg", ".jpg", "a[1].jpg"}),
        (["*.JPG"], True, {"B.JPG"}),
        (["?.jpg", "*.png"], False, {"a.jpg", "B.JPG", "c.tar.png"}),
        (["[!a]*"], False, {"B.JPG", ".jpg", "c.tar.png", "jpg"}),
        (["*"], False, {"a.jpg", "B.JPG", ".jpg", "c.tar.png", "jpg", "a[1].jpg"}),
        (["*.*.png"], False, {"c.tar.png"}),
        (["jpg"], False, {"jpg"}),
    ],
)
def test_filters(patterns, case_sensitive, kept):
    names = ["a.jpg", "B.JPG", ".jpg", "c.tar.png", "jpg", "a[1].jpg"]
    chosen = FileFilter(patterns, case_sensitive=case_sensitive)
    assert {name for name in names if chosen.matches(name.encode())} == kept


def test_filters_take_names_that_are_not_text():
    assert FileFilter(["*.jpg"]).matches(b"\xff\xfe.jpg")
    assert FileFilter(["?.jpg"]).matches(b"\xff.jpg")


def test_names_that_are_not_text(tmp_path):
    folder = os.fsencode(tmp_path) + b"/class"
    os.mkdir(folder)
    Path(os.fsdecode(folder + b"/\xff.jpg")).write_bytes(b"x")
    assert index_folders("reader", tmp_path, JPEGS).path(0) == folder + b"/\xff.jpg"


@pytest.mark.parametrize("missing", ["nowhere", "root.jpg", ""])
def test_a_root_that_cannot_be_listed(tree, missing):
    root = tree / missing if missing else ""
    with pytest.raises(OperatorError, match=r"^reader: file_root: folder .*(No such|Not a dir)"):
        index_folders("reader", root, JPEGS)


def test_a_root_without_samples(tree):
    with pytest.raises(OperatorError, match=r"^reader: file_root=.*no file found among 8 class"):
        index_folders("reader", tree, FileFilter(["*.flac"]))
    with pytest.raises(OperatorError, match=r"no file found among 0 class folders \(of 8 folders"):
        index_folders("reader", tree, JPEGS, FileFilter(["x"]))


def test_files_and_labels(tree, monkeypatch):
    index = index_files("reader", ["a/1.jpg", Path("z/2.jpg")], None, tree)
    assert entries(index, tree) == [("a/1.jpg", 0), ("z/2.jpg", 1)]
    index = index_files("reader", ["a/1.jpg", "z/2.jpg"], [7, -1], tree)
    assert entries(index, tree) == [("a/1.jpg", 7), ("z/2.jpg", -1)]
    assert entries(index_files("reader", "a/1.jpg", 4, tree), tree) == [("a/1.jpg", 4)]
    absolute = index_files("reader", [str(tree / "a" / "1.jpg")], None, "/elsewhere")
    assert entries(absolute, tree) == [("a/1.jpg", 0)]
    # What is relative stays where it was when the reader was opened.
    monkeypatch.chdir(tree)
    index = index_files("reader", ["a/1.jpg"], None)
    monkeypatch.chdir("/")
    assert entries(index, tree) == [("a/1.jpg", 0)]


@pytest.mark.parametrize(
    ("files", "labels", "error", "message"),
    [
        ([], None, OperatorError, "files is empty"),
        (["a", "b"], [1], OperatorError, "labels has 1 entries for 2 files"),
        (["a", "b"], [], OperatorError, "labels has 0 entries for 2 files"),
        (["a"], [2**31], OperatorError, "32-bit"),
        (["a"], [0.5], TypeError, "labels must be ints"),
        (["a"], ["x"], TypeError, "labels must be ints"),
        (["a", 3], None, TypeError, "files must be a list of paths"),
    ],
)
def test_files_errors(files, labels, error, message):
    with pytest.raises(error, match=f"^reader: .*{message}"):
        index_files("reader", files, labels)


def write_list(folder, text):
    path = folder / "list.txt"
    path.write_text(text, newline="")
    return path


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a/1.jpg 3\nz/2.jpg 4\n", [("a/1.jpg", 3), ("z/2.jpg", 4)]),
        ("a/1.jpg 3\r\nz/2.jpg 4", [("a/1.jpg", 3), ("z/2.jpg", 4)]),
        ("\n  \na/1.jpg\t 3 \n\n", [("a/1.jpg", 3)]),
        ("w s/a b.jpg 5\n", [("w s/a b.jpg", 5)]),
        ("a/1.jpg 3 4\n", [("a/1.jpg 3", 4)]),
        ("a/1.jpg 007\n", [("a/1.jpg", 7)]),
    ],
)
def test_file_list(tree, text, wanted):
    assert entries(index_file_list("reader", write_list(tree, text)), tree) == wanted


def test_file_list_below_another_root(tree, tmp_path_factory):
    path = write_list(tmp_path_factory.mktemp("lists"), "1.jpg 3\n")
    assert entries(index_file_list("reader", path, tree / "a"), tree) == [("a/1.jpg", 3)]
    assert entries(index_file_list("reader", path), path.parent) == [("1.jpg", 3)]


@pytest.mark.parametrize(
    "line", ["a -1", "a x", "a", "5", " 5", "a 1.5", "a +3", "a 3x", "a 2147483648", "# note"]
)
def test_file_list_names_the_bad_line(tmp_path, line):
    path = write_list(tmp_path, f"good 1\n{line}\n")
    with pytest.raises(OperatorError, match=r"^reader: file_list=.*line 2: .*'path label'"):
        index_file_list("reader", path)


def test_file_list_that_cannot_be_read(tmp_path):
    with pytest.raises(OperatorError, match="No such file"):
        index_file_list("reader", tmp_path / "none.txt")
    with pytest.raises(OperatorError, match="Is a directory"):
        index_file_list("reader", tmp_path)
    with pytest.raises(OperatorError, match="names no file"):
        index_file_list("reader", write_list(tmp_path, "\n \n"))


def test_name_table():
    names = [b"", b"a", b"\xff\x00", b"longer name" * 100]
    table = NameTable(names)
    assert [table[i] for i in range(len(table))] == names
    assert len(NameTable([])) == 0


def test_a_million_names_take_little_memory():
    import tracemalloc

    tracemalloc.start()
    index = index_files("reader", (f"folder/file{i:07d}.jpg" for i in range(200_000)), None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # 23 letters, 8 bytes for where they end, 4 for the label; growing a block doubles it at worst.
    assert peak / 200_000 < 100
    assert index.path(199_999).endswith(b"folder/file0199999.jpg")
    assert index.labels.dtype == np.int32


def test_lists_are_parsed_alike_at_once_and_line_by_line(monkeypatch):
    rng = np.random.default_rng(0)
    words = [b"a", b"b c", b"\xc3\xa4.jpg", b"x  y", b"d/e", b" f"]
    ends = [b" 1", b" 0007", b" 2147483647", b"  3", b"\t4", b" 5\r", b" 6 ", b""]
    quick = 0
    for seed in range(200):
        usual = seed % 2 == 0
        rows = [
            bytes(rng.choice(words)) + bytes(rng.choice(ends[: 3 if usual else None]))
            for _ in range(int(rng.integers(1, 6)))
        ]
        block = b"\n".join(rows) + b"\n" * int(rng.integers(0, 2))
        if (found := file_list._plain(block)) is not None:
            expected = file_list._any("x", "list", 0, block)
            assert found[0] == expected[0]
            assert [c.tolist() for c in found[1:]] == [c.tolist() for c in expected[1:]]
            quick += 1
    assert quick > 90
    for bad in (b"a\n", b"a x\n", b" 1\n", b"a 2147483648\n", b"a 1\nb\n"):
        assert file_list._plain(bad) is None
    monkeypatch.setattr(file_list, "_BLOCK", 7)
    table, labels = file_list.parse_file_list("x", "list", io.BytesIO(b"aa 1\nb c 22\n\nd 3"))
    assert [table[i] for i in range(len(table))] == [b"aa", b"b c", b"d"]
    assert labels.tolist() == [1, 22, 3]
    with pytest.raises(OperatorError, match="line 4"):
        file_list.parse_file_list("x", "list", io.BytesIO(b"aa 1\nb c 22\n\nd x"))
