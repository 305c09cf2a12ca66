"""A forked child reads on, whatever threads of its parent were doing then."""

import pytest
from support.films import write_film
from support.processes import output

READ_ON = """
    import os, sys, threading, warnings
    warnings.filterwarnings("ignore", message=r".*fork.*")
    import numpy as np, dynjax as ndd
    {imports}

    parent, begun, go = os.getpid(), threading.Event(), threading.Event()
    work = {owner}.{name}

    def slow(*arguments, **options):
        if os.getpid() == parent and {which}:
            begun.set()
            go.wait()
        return work(*arguments, **options)

    {owner}.{name} = slow
    reader = {reader}
    epoch = reader.next_epoch(4)
    found = {numbers}(next(epoch))
    assert begun.wait(30)
    child = os.fork()
    if child != 0:
        code = os.waitpid(child, 0)[1]
    go.set()
    for batch in epoch:
        found += {numbers}(batch)
    assert found == [*range(12)], found
    os._exit(0) if child == 0 else print("child", code)
"""


def reads_on(path, **parts):
    assert output(READ_ON.format(**parts), str(path), timeout=60) == "child 0\n"


def test_rows_of_a_table(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"n": list(range(12))}), tmp_path / "a", row_group_size=4)
    reads_on(
        tmp_path / "a",
        imports="from dynjax._readers.parquet_index import ParquetIndex",
        owner="ParquetIndex",
        name="read",
        which="arguments[1] == 1",  # a later row group
        reader="ndd.readers.Parquet(path=sys.argv[1])",
        numbers="(lambda batch: np.asarray(batch['n']).tolist())",
    )


def test_films(tmp_path):
    pytest.importorskip("av")
    write_film(str(tmp_path / "a.mp4"), 12)
    reads_on(
        tmp_path / "a.mp4",
        imports="from dynjax._readers import video_source",
        owner="video_source",
        name="read_frames",
        which="arguments[2][0] >= 4",  # of a later batch
        reader="ndd.readers.Video(filenames=sys.argv[1], sequence_length=1,"
        " enable_frame_num='scalar', labels=[])",
        numbers="(lambda batch: np.asarray(batch[-1]).ravel().tolist())",
    )
