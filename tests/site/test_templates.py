"""Templates that read line by line: short lines, one element opened on each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "templates"
MAX_COLUMNS = 160
BLOCKS = (
    "html|head|body|title|section|article|header|footer|main|nav|aside|div|p|ul|ol|li|dl|dt|dd|h1|h2|h3|h4|"
    "form|fieldset|legend|table|caption|thead|tbody|tr|th|td|details|summary|dialog|figure|figcaption|option"
)
OPENED = re.compile(rf"<(?:{BLOCKS})\b")
PAGES = [
    TEMPLATES / "base.html",
    *sorted((TEMPLATES / "combat").rglob("*.html")),
    *sorted((TEMPLATES / "cosmos").rglob("*.html")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TEMPLATES).as_posix())
def test_lines_of_templates_are_short_and_open_one_element(page: Path) -> None:
    lines = enumerate(page.read_text().splitlines(), 1)
    wrong = [n for n, line in lines if len(line) > MAX_COLUMNS or len(OPENED.findall(line)) > 1]
    assert not wrong, f"lines {wrong}: at most {MAX_COLUMNS} characters and one element"


def test_templates_ask_what_a_viewer_may_and_compare_no_name_of_a_role() -> None:
    found = [page.name for page in PAGES if ".role" in page.read_text()]
    assert not found, f"{found}: ask is_gm, is_seated or is_spectator, which cannot be misspelled in silence"
