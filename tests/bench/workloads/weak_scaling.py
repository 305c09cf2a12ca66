"""Two processes with a core and a shard each, beside one process alone.

Each reads, decodes and resizes photographs with one thread, on a core of its own. The figure is the
time that a process takes alone over the time that it takes beside the other: 1 if nothing that they
share, memory and storage among it, holds them up. What two processes reach that share no data at
all, and only add numbers, is what the machine's cores allow: many are halves of one.
"""

import multiprocessing
import os
import time

PASSES = 4
SUMS = 3_000_000  # of one pass of arithmetic


def _arithmetic():
    total = 0
    for number in range(SUMS):
        total += number
    return total


def _pipeline(rank, files):
    import dynjax as ndd

    ndd.set_num_threads(1)
    reader = ndd.readers.File(files=files, num_shards=2, shard_id=rank, stick_to_shard=True)

    def one_pass():
        for contents, _ in reader.next_epoch(batch_size=32):
            ndd.resize(ndd.decoders.image(contents), size=(224, 224)).evaluate()

    return one_pass


def _process(rank, files, barrier, results):
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[rank]})
    one_pass = _arithmetic if files is None else _pipeline(rank, files)
    one_pass()
    barrier.wait()
    start = time.perf_counter()
    for _ in range(PASSES):
        one_pass()
    results.put((rank, time.perf_counter() - start))


def _times(context, files, ranks):
    barrier, results = context.Barrier(len(ranks)), context.Queue()
    jobs = [
        context.Process(target=_process, args=(rank, files, barrier, results)) for rank in ranks
    ]
    for job in jobs:
        job.start()
    times = dict(results.get(timeout=300) for _ in jobs)
    for job in jobs:
        job.join()
    return times


def prepare(ndd, files, work="pipeline"):
    # A fresh interpreter each: a forked child has none of JAX's threads.
    context = multiprocessing.get_context("spawn")
    photos = files["photos"] if work == "pipeline" else None

    def run():
        # Each against itself: the photographs of one shard may be larger.
        alone = _times(context, photos, [0]) | _times(context, photos, [1])
        together = _times(context, photos, [0, 1])
        return {"units": PASSES, "efficiency": min(alone[k] / together[k] for k in together)}

    return run
