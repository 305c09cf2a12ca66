"""`get_property(key="source_info")`: files by the names under which they were listed."""

import json

import numpy as np
import pytest

import dynjax as ndd

LISTED = ["a/a_0.jpg", "./b/b_0.jpg", "b//b_0.jpg", "../root/a/a_0.jpg", "{}/root/a/a_0.jpg"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Class folders, arrays and a data set of COCO below the working folder."""
    for name in ("root/a/a_0.jpg", "root/b/b_0.jpg", "np/0.npy", "np/sub/s.npy", "coco/i1.jpg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("npy"):
            np.save(tmp_path / name, np.zeros(2))
        else:
            (tmp_path / name).write_bytes(b"xyz")
    (tmp_path / "root/list.txt").write_text(
        "".join(f"{line.format(tmp_path)} {i}\n" for i, line in enumerate(LISTED))
    )
    (tmp_path / "np/list.txt").write_text(f"0.npy\n./sub/s.npy\n{tmp_path}/np/0.npy\n")
    image = {"id": 1, "file_name": "i1.jpg", "width": 4, "height": 4}
    box = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 2], "area": 4, "iscrowd": 0}
    content = {"images": [image], "annotations": [box], "categories": [{"id": 1, "name": "a"}]}
    (tmp_path / "coco/a.json").write_text(json.dumps(content))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def infos(reader):
    """What the samples of one pass say of where they come from."""
    found = []
    for batch in reader.next_epoch(batch_size=1):
        first = batch[0] if isinstance(batch, tuple | list) else batch
        found += [bytes(np.asarray(t)) for t in ndd.get_property(first, key="source_info").tensors]
    return [text.decode() for text in found]


@pytest.mark.parametrize(
    ("reader", "arguments", "wanted"),
    [
        ("File", {"file_root": "root"}, ["a/a_0.jpg", "b/b_0.jpg"]),
        ("File", {"file_root": "{}/root/"}, ["a/a_0.jpg", "b/b_0.jpg"]),
        ("File", {"file_list": "root/list.txt"}, LISTED),
        ("File", {"file_list": "root/list.txt", "file_root": "{}/root"}, LISTED),
        ("File", {"files": ["root/a/a_0.jpg", "./root//b/b_0.jpg"]}, None),
        ("File", {"files": ["a/a_0.jpg", "./b/b_0.jpg"], "file_root": "root"}, None),
        ("Numpy", {"file_root": "np"}, ["./0.npy", "sub/s.npy"]),
        ("Numpy", {"file_list": "np/list.txt"}, ["0.npy", "./sub/s.npy", "{}/np/0.npy"]),
        ("Numpy", {"files": ["0.npy", "./sub/s.npy"], "file_root": "np"}, None),
        ("COCO", {"file_root": "{}/coco", "annotations_file": "coco/a.json"}, ["i1.jpg"]),
    ],
)
def test_files_are_told_as_they_are_listed(folder, reader, arguments, wanted):
    """Recorded from the original for the same folders."""
    given = {k: v.format(folder) if isinstance(v, str) else v for k, v in arguments.items()}
    wanted = arguments["files"] if wanted is None else [w.format(folder) for w in wanted]
    assert infos(getattr(ndd.readers, reader)(**given)) == wanted


def test_parts_of_batches_and_messages(folder):
    ((data, _),) = ndd.readers.File(file_root="root").next_epoch(batch_size=2)
    part = ndd.get_property(data.select([1]), key="source_info")
    assert bytes(np.asarray(part.select(0))) == b"b/b_0.jpg"
    one = ndd.get_property(data.select(1), key="source_info")
    assert bytes(np.asarray(one)) == b"b/b_0.jpg"
    with pytest.raises(ndd.OperatorError, match=rf"sample 0 \({folder}/root/a/a_0.jpg\)"):
        ndd.decoders.image(data).evaluate()
