"""The same loop run eagerly and captured."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import dynjax as ndd

STEPS = 6
BATCH = 4


def pictures(seed: int, height: int = 12, width: int = 10) -> ndd.Batch:
    """A batch of random uint8 pictures, all of one size."""
    rng = np.random.default_rng(seed)
    return ndd.batch(rng.integers(0, 256, (BATCH, height, width, 3), np.uint8), layout="HWC")


def ragged(seed: int) -> ndd.Batch:
    """A batch of random uint8 pictures of different sizes."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(5, 12, (BATCH, 2))
    return ndd.batch([rng.integers(0, 256, (*s, 3), np.uint8) for s in sizes], layout="HWC")


def loop(items: list[Any], captured: bool, **options: Any) -> Iterator[Any]:
    """Iterates over items, as a plain loop or as a captured one."""
    if captured:
        return ndd.ExternalSource(items).captured(batch_size=BATCH, **options)
    return iter(items)


def values(x: Any) -> Any:
    """Everything in a result, as NumPy arrays with their dtypes."""
    if isinstance(x, ndd.Batch):
        return [np.array(sample) for sample in x]
    if isinstance(x, ndd.Tensor):
        return np.array(x)
    if isinstance(x, list | tuple):
        return [values(v) for v in x]
    return x


def assert_same(a: Any, b: Any) -> None:
    """Two results of `values` agree bit for bit, in type too."""
    if isinstance(a, list):
        assert isinstance(b, list)
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        assert a.tobytes() == b.tobytes()
    else:
        assert a == b


def check(
    body: Callable[..., Any], items: list[Any] | None = None, *, epochs: int = 1, **options: Any
) -> ndd.capture.Report:
    """Runs `body(x, i, rng)` in both kinds of loops and compares all results and the generators.

    Returns:
        The report of the captured loop.
    """
    items = [pictures(k) for k in range(STEPS)] if items is None else items
    outcomes = []
    source = ndd.ExternalSource(items, cycle="raise")
    for captured in (False, True):
        rng = ndd.random.RNG(seed=7)
        ndd.random.set_seed(8)
        results = []
        for _ in range(epochs):
            batches = source.captured(batch_size=BATCH, **options) if captured else iter(items)
            results += [values(body(x, i, rng)) for i, x in enumerate(batches)]
        states = [str(rng.state), str(ndd.random.get_default_rng().state)]
        outcomes.append((results, states))
    assert_same(outcomes[0][0], outcomes[1][0])
    assert outcomes[0][1] == outcomes[1][1]
    return ndd.capture.report(source)
