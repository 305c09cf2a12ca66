"""The guide and the list of differences: each section is linked, each expected failure explained.

The tables of docs/conformance.md are the only place where a difference is stated; the guide refers
to them by section.
"""

import re
import tomllib
from pathlib import Path

from support.shared import ROOT

GUIDE = (ROOT / "docs/from-dali.md").read_text()
PAGE = (ROOT / "docs/conformance.md").read_text()
AREAS = tomllib.loads(Path(__file__).with_name("conformance_areas.toml").read_text())


def sections() -> dict[str, str]:
    """The text of each section of the page of differences, by its anchor."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-"): text
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_guide_refers_to_each_section():
    linked = set(re.findall(r"\(conformance\.md#([\w-]+)\)", GUIDE))
    assert linked == set(sections())


def test_each_section_has_rows():
    for anchor, text in sections().items():
        rows = re.findall(r"^\|(.+)\|$", text, re.MULTILINE)
        assert len(rows) > 2, anchor
        assert len({row.count(" | ") for row in rows if "---" not in row}) == 1, anchor


def test_expected_failures_are_listed():
    differing = {case for area in AREAS.values() for case in area.get("differs", {})}
    listed = re.findall(r"^\| (`.*?) \|", sections()["recorded-cases-that-differ"], re.MULTILINE)
    assert {case for row in listed for case in re.findall(r"`(\w+)`", row)} == differing


def test_rows_of_cases_lead_to_a_section():
    titles = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    for row in re.findall(r"^\| `.*? \| (.+) \|$", sections()["recorded-cases-that-differ"], re.M):
        assert row.partition(":")[0] in titles, row
