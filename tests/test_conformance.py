"""The cases of conformance_areas.toml give the results that the suite recorded of DALI."""

import fnmatch
import importlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.shared import shared_folder

SUITE = shared_folder("conformance")
AREAS = tomllib.loads(Path(__file__).with_name("conformance_areas.toml").read_text())


def chosen_cases() -> list:
    """(area, case) parameters; one that says why there are none, else."""
    if SUITE is None:
        skip = pytest.mark.skip(reason="no ../shared/conformance here (or DYNJAX_SHARED)")
        return [pytest.param("", "", marks=skip, id="suite")]
    params = []
    for area, settings in AREAS.items():
        names = json.loads((SUITE / "gold" / f"{area}.json").read_text())
        differs = settings.get("differs", {})
        for pattern in [*settings["cases"], *differs]:
            if not fnmatch.filter(names, pattern):
                raise ValueError(f"conformance_areas.toml: no case of {area} matches {pattern!r}")
        for name in sorted(names):
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in settings["cases"]):
                marks = [pytest.mark.xfail(reason=differs[name])] if name in differs else []
                params.append(pytest.param(area, name, marks=marks, id=f"{area}/{name}"))
    return params


CASES = chosen_cases()


@pytest.fixture(scope="module")
def compare():
    """The suite's own comparison, set up as its command line sets it up."""
    sys.path.insert(0, str(SUITE))
    try:
        module = importlib.import_module("compare")
    finally:
        sys.path.remove(str(SUITE))
    module.LIFTED.update(json.loads((SUITE / "lifted.json").read_text()))
    return module


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    """The results of all chosen cases, run in processes of their own."""
    out = tmp_path_factory.mktemp("conformance")
    names = [argument for case in CASES for argument in ("--case", case.values[1])]
    command = [sys.executable, str(SUITE / "run.py"), "--impl", "dynjax", "--out", str(out), *names]
    # The suite is recorded on one device.
    env = {k: v for k, v in os.environ.items() if k != "XLA_FLAGS"}
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # the suite's folder may be read-only
    # Exits non-zero when a case fails; each case tells that itself.
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert any(out.iterdir()), f"run.py left no results:\n{done.stdout}\n{done.stderr}"
    return out


@pytest.mark.parametrize(("area", "name"), CASES)
def test_case(compare, results, area, name):
    gold, gold_arrays = compare.load(SUITE / "gold", area)
    new, new_arrays = compare.load(results, area)
    case = new[name]
    assert case["status"] == "ok", case.get("message") or case.get("error")
    tolerance = compare.limits(gold[name]["tol"], False)
    expected, result = gold[name]["result"], case["result"]
    compare.trees(expected, result, gold_arrays, new_arrays, name, tolerance, {"err": 0.0})
