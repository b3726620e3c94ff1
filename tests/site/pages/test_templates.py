"""Templates that read line by line: short lines, at most one element opened on each."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[3] / "templates"
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


def test_lines_of_templates_are_short_and_open_one_element() -> None:
    assert len(PAGES) > 100
    wrong = [
        f"{page.relative_to(TEMPLATES)}:{number}"
        for page in PAGES
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1)
        if len(line) > MAX_COLUMNS or len(OPENED.findall(line)) > 1
    ]
    assert not wrong, f"{wrong}: at most {MAX_COLUMNS} characters and one element"


def test_templates_ask_what_a_viewer_may_and_compare_no_name_of_a_role() -> None:
    found = [page.name for page in PAGES if ".role" in page.read_text()]
    assert not found, f"{found}: ask is_gm, is_seated or is_spectator, which cannot be misspelled in silence"
