"""Samples per second of the small pictures, captured over eager, an epoch of each in turn."""

import time

from workloads import captured_small


def prepare(ndd, files):
    both = [captured_small.prepare(ndd, files, capture) for capture in (True, False)]

    def run():
        seconds = []
        for epoch in both:
            start = time.perf_counter()
            epoch()
            seconds.append(time.perf_counter() - start)
        return {"over_eager": seconds[1] / seconds[0]}

    return run
