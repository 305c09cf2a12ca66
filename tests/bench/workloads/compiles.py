"""How many programs XLA compiles for the main job, and how long that takes; ours alone."""

from workloads import chain_eager

EPOCHS = 10


def prepare(ndd, files, shuffled):
    import jax.monitoring

    seconds = []

    def note(event, duration, **_):
        if "backend_compile" in event:
            seconds.append(duration)

    jax.monitoring.register_event_duration_secs_listener(note)
    epoch = chain_eager.prepare(ndd, files, random_shuffle=shuffled)

    def run():
        count, spent = [], []
        for _ in range(EPOCHS if shuffled else 2):
            del seconds[:]
            epoch()
            count.append(len(seconds))
            spent.append(sum(seconds))
        return {
            "first": count[0],
            "second": count[1],
            "all": sum(count),
            "first_seconds": spent[0],
        }

    return run
