"""Resident memory after the second and after the tenth epoch of the main job."""

from workloads import chain_eager, resident

EARLY, LATE = 2, 10


def prepare(ndd, files):
    epoch = chain_eager.prepare(ndd, files)

    def run():
        resident_mib = []
        for _ in range(LATE):
            epoch()
            resident_mib.append(resident.now())
        return {"rss_early": resident_mib[EARLY - 1], "rss_late": resident_mib[LATE - 1]}

    return run
