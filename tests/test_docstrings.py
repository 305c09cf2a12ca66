"""The examples in the package's docstrings run and print what they say."""

import doctest
import importlib
import pkgutil
from types import ModuleType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dynjax

MODULES = [
    "dynjax",
    *sorted(
        m.name
        for m in pkgutil.walk_packages(dynjax.__path__, "dynjax.")
        if not m.name.rpartition(".")[2].startswith("_dynjax_ops")
    ),
]
NAMES = {"dynjax": dynjax, "ndd": dynjax, "np": np, "jax": jax, "jnp": jnp}


def examples(module: ModuleType) -> list[doctest.DocTest]:
    """The doctests of a module's functions and classes, and of operators, which are neither."""
    found = {t.name: t for t in doctest.DocTestFinder(exclude_empty=True).find(module)}
    for name, item in vars(module).items():
        path = f"{module.__name__}.{name}"
        text = getattr(item, "__doc__", None) or ""
        if getattr(item, "__module__", None) == module.__name__ and ">>>" in text:
            parse = doctest.DocTestParser().get_doctest
            found.setdefault(path, parse(text, dict(NAMES), path, module.__file__, None))
    return [t for t in found.values() if t.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report = []
    for test in examples(importlib.import_module(name)):
        test.globs.update(NAMES)
        runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)
