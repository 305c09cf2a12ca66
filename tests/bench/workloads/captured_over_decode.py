"""CPU time of the captured main job over that of decoding alone, an epoch of each in turn."""

import time

from idle import wait_until_idle

from workloads import captured_chain, decode_only


def prepare(ndd, files):
    both = [captured_chain.prepare(ndd, files), decode_only.prepare(ndd, files)]

    def run():
        seconds = []
        for epoch in both:
            start = time.process_time()
            epoch()
            wait_until_idle()
            seconds.append(time.process_time() - start)
        return {"over_decode": seconds[0] / seconds[1]}

    return run
