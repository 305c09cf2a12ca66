"""Records the public names of the original and their parameters, in names.txt.

    <python with nvidia-dali-cuda120> tests/golden/record_names.py

A line is a name, with its parameters if it can be called and `= value` if it is an enumerator. What
the original's modules merely import is left out, and so are parameters that start with "_". DALI
2.4.0 made the list that is kept here.
"""

import enum
import inspect
import types
from collections.abc import Iterator
from pathlib import Path

import nvidia.dali as dali
import nvidia.dali.experimental.dynamic as ndd
import nvidia.dali.types as enumerations

# `typing` and the like, imported by the original's `__init__`; `pytorch` needs PyTorch.
LEAKS = {"DeviceLike", "NoReturn", "TypeAlias", "Union", "local", "pytorch"}


def parameters(function, skip: int = 0) -> str:
    """The signature without annotations; defaults that are not constants are `...`."""
    signature = inspect.signature(function)
    shown = [p for p in list(signature.parameters.values())[skip:] if p.name[0] != "_"]
    plain = (bool, int, float, str, type(None))
    empty = inspect.Parameter.empty
    bare = [
        p.replace(
            annotation=empty,
            default=p.default if p.default is empty or type(p.default) in plain else ...,
        )
        for p in shown
    ]
    text = inspect.Signature(bare)
    return str(text).replace("Ellipsis", "...")


def members(name: str, cls: type) -> Iterator[str]:
    for member in sorted(n for n in dir(cls) if not n.startswith("_")):
        value = inspect.getattr_static(cls, member)
        if isinstance(cls, enum.EnumMeta) and isinstance(value, cls):
            yield f"{name}.{member}"
        elif isinstance(value, staticmethod | classmethod):
            yield f"{name}.{member}{parameters(getattr(cls, member))}"
        elif inspect.isfunction(value):
            yield f"{name}.{member}{parameters(value, 1)}"
        else:
            yield f"{name}.{member}"


def described(name: str, value: object) -> Iterator[str]:
    if isinstance(value, enum.EnumMeta):
        yield name
        yield from members(name, value)
    elif isinstance(value, type):
        yield name + parameters(value.__init__, 1)
        if getattr(value, "_schema", None) is None:
            yield from members(name, value)
    elif callable(value) and not isinstance(value, ndd.DType):
        yield name + parameters(value)
    else:
        yield name


def names(module: types.ModuleType, prefix: str = "") -> Iterator[str]:
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") or name in LEAKS:
            continue
        if isinstance(value, types.ModuleType):
            if value.__name__.startswith(module.__name__ + "."):
                yield from names(value, f"{prefix}{name}.")
        elif str(getattr(value, "__module__", "")).startswith("nvidia.dali"):
            yield from described(prefix + name, value)


def enumerators() -> Iterator[str]:
    for kind in ("DALIDataType", "DALIImageType", "DALIInterpType"):
        for name, value in sorted(getattr(enumerations, kind).__members__.items()):
            if not name.startswith("_") and hasattr(enumerations, name):
                yield f"types.{name} = {int(value)}"


def main() -> None:
    reader = members("readers.File", ndd.readers.File)
    found = sorted({*names(ndd), *reader, *enumerators()})
    text = "\n".join([f"# nvidia-dali {dali.__version__}, by record_names.py", *found]) + "\n"
    Path(__file__).with_name("names.txt").write_text(text)
    print(len(found), "names")


if __name__ == "__main__":
    main()
