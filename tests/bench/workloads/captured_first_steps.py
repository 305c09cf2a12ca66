"""The first two steps of the captured main job in a fresh process: one traced, one compiled.

With `cached`, another process has filled JAX's persistent cache before.
"""

import os
import shutil
import subprocess
import sys
import tempfile

from workloads import captured_chain

FILL = """
import sys
import dynjax
from workloads import captured_first_steps
captured_first_steps.prepare(dynjax, {"photos": sys.argv[1:]}, cached=False)()
"""


def prepare(ndd, files, cached):
    photos = {"photos": files["photos"][:128]}
    folder = tempfile.mkdtemp(prefix="dynjax-bench-cache-")
    if cached:
        options = {
            "JAX_COMPILATION_CACHE_DIR": folder,
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        subprocess.run(
            [sys.executable, "-c", FILL, *photos["photos"]], env=os.environ | options, check=True
        )
        import jax

        jax.config.update("jax_compilation_cache_dir", folder)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    epoch = captured_chain.prepare(ndd, photos)

    def run():
        figures = epoch()
        shutil.rmtree(folder)
        return figures

    return run
