"""In a forked child a use works, or raises a clear error; it never hangs."""

import pytest
from support.processes import output

# JAX warns of every fork of a process in which it has threads; that is its own matter.
START = """
    import multiprocessing, os, sys, warnings
    warnings.filterwarnings("ignore", message=r".*fork.*")
    import numpy as np, jax, dynjax as ndd

    def use():
        batch = ndd.batch(np.full((4, 300, 300, 3), 7, np.uint8), layout="HWC")
        assert (np.asarray(ndd.resize(batch, size=[200, 200])) == 7).all()  # in the background
        assert (np.asarray(ndd.resize(batch, size=[2, 2])) == 7).all()  # in place

    def attempt():
        try:
            use()
        except RuntimeError as error:
            assert "fork" in str(error), error  # a clear error is allowed
            return "refused"
        return "worked"

    def in_fork():
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(write, attempt().encode())
            except BaseException as error:
                os.write(write, repr(error).encode())
            finally:
                os._exit(0)
        os.close(write)
        os.waitpid(child, 0)
        return os.read(read, 1000).decode()

    def in_pool():
        with multiprocessing.get_context("fork").Pool(1) as pool:
            return pool.apply_async(attempt).get(60)
"""


@pytest.mark.parametrize("child", ["in_fork", "in_pool"])
@pytest.mark.parametrize("before", ["pass", "use()"], ids=["first_use", "used_before"])
def test_forked_child(child, before):
    program = (
        START
        + f"""
    {before}
    print({child}())
    use()  # the parent is none the worse
    """
    )
    assert output(program, timeout=90).strip() in ("worked", "refused")
