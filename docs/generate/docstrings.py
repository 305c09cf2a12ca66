"""Google docstrings as Markdown."""

import inspect
import re

_SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|Example|Source|Note):(.*)$")
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*): (.*)$")
_LISTS = ("Args", "Attributes", "Raises")


def markdown(docstring: str | None) -> str:
    """Paragraphs, formulas (indented), lists of arguments and examples."""
    return "\n\n".join(_section(*part) for part in _parts(inspect.cleandoc(docstring or "")))


def _parts(text: str) -> list[tuple[str, list[str]]]:
    """The docstring's sections, each with its lines; the first one has no title."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        start = _SECTION.match(line)
        if start:
            parts.append((start[1], [start[2].strip()] if start[2].strip() else []))
        elif line and not line.startswith(" ") and parts[-1][0] in (*_LISTS, "Example"):
            parts.append(("", [line]))
        else:
            parts[-1][1].append(line)
    return [(title, _trimmed(lines)) for title, lines in parts if _trimmed(lines)]


def _trimmed(lines: list[str]) -> list[str]:
    return "\n".join(lines).strip("\n").split("\n") if any(lines) else []


def _section(title: str, lines: list[str]) -> str:
    if not title:
        return "\n".join(lines)
    body = [line.removeprefix("    ") for line in lines]
    if title == "Example":
        return "\n".join(["```pycon", *body, "```"])
    if title in _LISTS:
        return f"**{title}**\n\n" + "\n".join(_item(line) for line in body)
    return f"**{title}** " + "\n".join(line.strip() for line in body)


def _item(line: str) -> str:
    entry = _ENTRY.match(line)
    if not entry:
        return f"  {line.strip()}" if line else ""
    names = ", ".join(f"`{name}`" for name in entry[1].split(", "))
    return f"- {names}: {entry[2]}"
