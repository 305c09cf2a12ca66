"""Prints the requirements of the development environment, one a line, from pyproject.toml.

`pip` can install a project's dependencies only along with the project, and the Makefile builds the
project itself, in place.
"""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def expand(extra: str, project: dict) -> list[str]:
    """The requirements of an extra, with references to the project's own extras resolved."""
    found = []
    for requirement in project["optional-dependencies"][extra]:
        own = re.fullmatch(rf"{project['name']}\[(.+)\]", requirement)
        if own:
            for name in own[1].split(","):
                found += expand(name.strip(), project)
        else:
            found.append(requirement)
    return found


def main() -> None:
    settings = tomllib.loads(PROJECT.read_text())
    # A wheel is built against the oldest JAX, this environment against the one that it runs.
    build = [r for r in settings["build-system"]["requires"] if not r.startswith("jax")]
    project = settings["project"]
    print("\n".join([*build, *project["dependencies"], *expand("dev", project)]))


if __name__ == "__main__":
    main()
