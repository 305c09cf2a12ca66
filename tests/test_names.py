"""Every public name of the original is here, with the same parameters, or its absence is explained.

golden/names.txt is the original's list, golden/not_yet.txt what is still to be built. What differs
for good stands in the table "Names" of docs/conformance.md: `name`, `name(parameter)`, or a pattern
of these.
"""

import ast
import fnmatch
import functools
import importlib
import inspect
import re
from pathlib import Path

import pytest
from support.shared import ROOT

import dynjax

GOLDEN = Path(__file__).parent / "golden"


def lines(name: str) -> list[str]:
    text = (GOLDEN / name).read_text().splitlines()
    return [line for line in text if line and not line.startswith("#")]


def explained() -> set[str]:
    """The first column of the table "Names"."""
    page = (ROOT / "docs/conformance.md").read_text()
    section = re.search(r"^## Names\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| (`.*?) \|", section[1] if section else "", re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


RECORDED = lines("names.txt")
NAMES = [re.split(r"[( ]", line)[0] for line in RECORDED]
NOT_YET = lines("not_yet.txt")
EXPLAINED = explained()


def is_explained(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in EXPLAINED)


def found(name: str) -> object | None:
    """The object at a dotted path below dynjax, or None."""
    first, *rest = name.split(".")
    try:
        value = getattr(dynjax, first)
        return functools.reduce(getattr, rest, value)
    except AttributeError:
        return None


def parameters(text: str) -> ast.arguments:
    function = ast.parse(f"def f{text}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function.args


def differences(name: str, text: str) -> list[str]:
    """The parameters of the original that ours lacks, and ours that a call must give besides."""
    theirs = parameters(text)
    try:
        ours = list(inspect.signature(found(name)).parameters.values())
    except ValueError:  # an exception or another type without a signature
        return []
    member = inspect.isfunction(found(name)) and inspect.isclass(found(name.rpartition(".")[0]))
    if member and ours[:1] and ours[0].name == "self":
        ours = ours[1:]
    by_name = {p.name for p in ours if p.kind is not p.POSITIONAL_ONLY}
    positional = [p.name for p in ours if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    anything = any(p.kind is p.VAR_POSITIONAL for p in ours)
    passed_on = any(p.kind is p.VAR_KEYWORD for p in ours)
    lacking = [a.arg for a in theirs.kwonlyargs if not (passed_on or a.arg in by_name)]
    for at, a in enumerate(theirs.args, len(theirs.posonlyargs)):
        if a.arg not in by_name or positional[at : at + 1] != [a.arg]:
            lacking.append(a.arg)
    count = len(theirs.posonlyargs)
    if count > sum(p.kind is p.POSITIONAL_ONLY for p in ours) and not anything:
        lacking += [a.arg for a in theirs.posonlyargs[len(positional) :]]
    if theirs.vararg and not anything:
        lacking.append(f"*{theirs.vararg.arg}")
    needed = {a.arg for a, d in zip(theirs.kwonlyargs, theirs.kw_defaults, strict=True) if not d}
    needed |= {a.arg for a in theirs.args[: len(theirs.args) - len(theirs.defaults)]}
    for p in ours:
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty and p.name not in needed:
            lacking.append(p.name)
    return lacking


@pytest.mark.parametrize(("name", "line"), list(zip(NAMES, RECORDED, strict=True)), ids=NAMES)
def test_name(name, line):
    if is_explained(name) or any(name == n or name.startswith(f"{n}.") for n in NOT_YET):
        return
    value = found(name)
    assert value is not None, "build it, list it in golden/not_yet.txt, or explain it"
    if " = " in line:
        assert int(value) == int(line.rpartition(" = ")[2])
    elif "(" in line:
        lacking = differences(name, line[len(name) :])
        unexplained = [p for p in lacking if not is_explained(f"{name}({p})")]
        assert unexplained == [], "take the parameters, or explain them"


@pytest.mark.parametrize("name", NOT_YET)
def test_what_is_not_built_is_absent(name):
    assert name in NAMES, "no name of the original"
    assert found(name) is None, "it is here: take it off golden/not_yet.txt"


def test_explanations_are_needed():
    """Each row is about something that does differ."""
    differing = set()
    for name, line in zip(NAMES, RECORDED, strict=True):
        if found(name) is None:
            differing.add(name)
        elif "(" in line:
            lacking = differences(name, line[len(name) :])
            differing |= {f"{name}({p})" for p in lacking} | ({name} if lacking else set())
    for pattern in EXPLAINED:
        assert fnmatch.filter(differing, pattern), f"{pattern}: nothing of the original differs so"


def test_submodules_can_be_imported():
    for name in {n.rpartition(".")[0] for n in NAMES}:
        if name and inspect.ismodule(found(name)):
            assert importlib.import_module(f"dynjax.{name}") is found(name)
