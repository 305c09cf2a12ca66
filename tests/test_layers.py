"""Imports inside the package look down, without cycles, and keep off JAX's private parts."""

import ast
import functools
from pathlib import Path

import pytest

import dynjax

ROOT = Path(dynjax.__file__).parent
# The layer of each part; a module imports its own part or a lower layer. Parts of one layer that
# stand side by side and may not import each other have numbers of their own in between.
LAYERS = {
    "_dynjax_ops": 0,
    "_types": 1,
    "_random": 1.4,
    "_native": 1.5,
    "_direct": 1.55,
    "_by_platform": 1.55,
    "_statuses": 1.6,
    "_schema": 1.7,
    "_ops": 2,
    "_execution": 3,
    "_capture": 4,
    "_readers": 5,
    "_auto_aug": 5.5,
}
PUBLIC = 6
# `_ops/_lib` holds what operators share and imports none of them.
MODULES = sorted(p.relative_to(ROOT) for p in ROOT.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = ["dynjax", *path.with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in MODULES}


@functools.cache
def imported(path: Path) -> list[tuple[str, bool]]:
    """Absolute names of what a module imports, and whether when it is imported itself."""
    package = ["dynjax", *path.parts[:-1]]
    tree = ast.parse((ROOT / path).read_text())
    at_import = set(map(id, _outside_functions(tree)))
    found = []
    for node in ast.walk(tree):
        early = id(node) in at_import
        if isinstance(node, ast.Import):
            found += [(alias.name, early) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                is_module = inner in NAMES or alias.name == "_dynjax_ops"
                found.append((inner if is_module else module, early))
    return found


def _outside_functions(node):
    """The nodes that run when the module is imported."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _outside_functions(child)


def layer_of(name: str) -> float:
    part = name.split(".")[1] if "." in name else ""
    return LAYERS.get(part, PUBLIC)


def test_every_private_part_has_a_layer():
    parts = {p.parts[0].removesuffix(".py") for p in MODULES}
    unknown = {p for p in parts if p.startswith("_") and p != "__init__"} - set(LAYERS)
    assert not unknown


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_look_down(path):
    own = name_of(path)
    for name, _ in imported(path):
        if name.split(".")[0] == "dynjax":
            assert layer_of(name) <= layer_of(own), f"{own} imports {name}"
            if ".".join(own.split(".")[1:3]) == "_ops._lib" and name.startswith("dynjax._ops"):
                assert name.startswith("dynjax._ops._lib"), f"{own} imports {name}"
            if own != "dynjax":
                assert name != "dynjax", f"{own} imports the package itself"


def test_there_are_no_cycles():
    graph = {name_of(p): {n for n, early in imported(p) if early and n in NAMES} for p in MODULES}
    done: set[str] = set()

    def visit(name, trail):
        if name in trail:
            pytest.fail(" -> ".join([*trail[trail.index(name) :], name]))
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, [*trail, name])
            done.add(name)

    for name in sorted(graph):
        visit(name, [])


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_private_parts_of_jax_are_left_alone(path):
    assert not [n for n, _ in imported(path) if n.startswith(("jax._src", "jaxlib"))]
    assert "jax._src" not in (ROOT / path).read_text()


@pytest.mark.parametrize(
    "path", [p for p in MODULES if len(p.parts) == 1 and not p.name.startswith("_")], ids=str
)
def test_public_modules_hold_names_only(path):
    tree = ast.parse((ROOT / path).read_text())
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.Expr)
    assert [type(n).__name__ for n in tree.body if not isinstance(n, allowed)] == []
