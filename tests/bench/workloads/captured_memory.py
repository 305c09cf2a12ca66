"""Peak memory of a captured epoch of the main job in a fresh process.

The start is the process with the module imported and nothing read, as in `memory`.
"""

from workloads import captured_chain, resident


def prepare(ndd, files):
    def run():
        resident.forget_peak()
        start = resident.now()
        captured_chain.prepare(ndd, files)()
        peak = resident.peak()
        return {"start_mib": start, "peak_mib": peak, "over_start_mib": peak - start}

    return run
