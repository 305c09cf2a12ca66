"""Leaving the interpreter in the middle of work is silent and ends with code 0."""

import pytest
from support.processes import output, python

START = """
    import sys, numpy as np, jax, dynjax as ndd
    batch = ndd.batch(np.zeros((8, 600, 600, 3), np.uint8), layout="HWC")
"""

ENDINGS = {
    "results_pending": """
    results = [ndd.resize(batch, size=[500, 500]) for _ in range(8)]
    """,
    "results_dropped": """
    for _ in range(8):
        ndd.crop_mirror_normalize(ndd.resize(batch, size=[500, 500]))
    """,
    "failure_pending": """
    results = [ndd.resize(batch, size=[500, 500]) for _ in range(4)]
    results.append(ndd.decoders.image(np.frombuffer(b"no picture", np.uint8)))
    """,
    "sys_exit": """
    results = [ndd.resize(batch, size=[500, 500]) for _ in range(8)]
    sys.exit(0)
    """,
    "views_alive": """
    import builtins
    result = ndd.resize(batch, size=[500, 500])
    builtins.kept = np.asarray(result), result.jax(), result
    result = ndd.resize(batch, size=[500, 500])
    """,
    "used_at_exit": """
    import atexit
    atexit.register(lambda: ndd.resize(batch, size=[500, 500]).evaluate())
    results = [ndd.resize(batch, size=[500, 500]) for _ in range(4)]
    """,
    "in_the_middle_of_an_epoch": """
    import io, os, tempfile, shutil, atexit
    from PIL import Image
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    os.mkdir(folder + "/a")
    for k in range(16):
        Image.fromarray(np.full((300, 300, 3), k, np.uint8)).save(f"{folder}/a/{k}.png")
    reader = ndd.readers.File(file_root=folder, prefetch_queue_depth=3)
    epoch = iter(reader.next_epoch(batch_size=4))
    for _ in range(2):
        files, labels = next(epoch)
        images = ndd.resize(ndd.decoders.image(files), size=[224, 224])
    """,
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_exit_in_the_middle(ending):
    assert output(START + ENDINGS[ending], timeout=60) == ""


def test_an_exception_of_the_user_ends_the_program_as_usual():
    done = python(START + ENDINGS["results_pending"] + "\n    raise KeyError('mine')\n")
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("KeyError: 'mine'")
    assert done.stderr.count("Traceback") == 1
