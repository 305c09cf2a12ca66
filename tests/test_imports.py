"""What `import dynjax` does not do."""

import json

from support.processes import output

PROGRAM = """
    import json, os, sys, threading
    import jax
    from jax._src import xla_bridge

    def tasks():
        return len(os.listdir("/proc/self/task"))

    flags = dict(jax.config.values)
    before = tasks()
    forks = []
    os.register_at_fork(before=lambda: forks.append(1))
    import dynjax
    print(json.dumps({
        "threads": [t.name for t in threading.enumerate()],
        "native_threads": tasks() - before,
        "backends": sorted(xla_bridge._backends),
        "flags": sorted(k for k, v in jax.config.values.items() if flags.get(k) is not v),
        "forks": len(forks),
        "optional": sorted({"torch", "flax", "skimage", "sklearn", "chex"} & set(sys.modules)),
    }))
"""


def test_import_is_quiet():
    seen = json.loads(output(PROGRAM))
    assert seen == {
        "threads": ["MainThread"],
        "native_threads": 0,
        "backends": [],
        "flags": [],
        "forks": 0,
        "optional": [],
    }


def test_import_leaves_the_environment_alone():
    program = """
        import os, random, numpy as np
        import jax
        def state():
            return dict(os.environ), random.getstate(), str(np.random.get_state()), os.getcwd()
        before = state()
        import dynjax
        assert before == state()
    """
    assert output(program) == ""
