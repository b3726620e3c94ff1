"""Templates that read line by line: short lines, at most one element opened on each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.template import Template, engines
from django.template.loader_tags import BlockNode, ExtendsNode
from django.urls import reverse

from combat.pages.help.views import WHOLE
from tests.browser import BY_ITSELF

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


def test_templates_ask_what_a_viewer_may_do_and_name_no_role() -> None:
    found = [page.name for page in PAGES if ".role" in page.read_text()]
    assert not found, f"{found}: ask is_gm, is_seated or is_spectator, which cannot be misspelled in silence"


def find_template(name: str) -> Template:
    engine: Any = engines["django"]
    found: Template = engine.engine.get_template(name)
    return found


def find_extension(template: Template) -> Any:
    """How a template extends another; None if it does not."""
    return next((node for node in template.nodelist if isinstance(node, ExtendsNode)), None)


def find_parent(extension: Any) -> Template:
    """What a template extends; only pages of help name it by a value, "frame"."""
    name = extension.parent_name.token
    return find_template(WHOLE if name == "frame" else name.strip("\"'"))


def list_blocks(template: Template) -> set[str]:
    """The blocks of a template and of all it extends."""
    nodes: list[Any] = template.nodelist.get_nodes_by_type(BlockNode)
    own = {node.name for node in nodes}
    if extension := find_extension(template):
        own |= list_blocks(find_parent(extension))
    return own


def list_lost_blocks(template: Template) -> set[str]:
    """The blocks that a template fills and nothing above it shows."""
    if not (extension := find_extension(template)):
        return set()
    filled = {node.name for node in extension.nodelist if isinstance(node, BlockNode)}
    return filled - list_blocks(find_parent(extension))


def test_every_template_is_readable_and_shows_its_filled_blocks() -> None:
    names = [page.relative_to(TEMPLATES).as_posix() for page in sorted(TEMPLATES.rglob("*.html"))]
    lost = {name: list_lost_blocks(find_template(name)) for name in names}
    assert not {name: blocks for name, blocks in lost.items() if blocks}


def test_a_block_that_nothing_defines_is_found() -> None:
    child = Template('{% extends "base.html" %}{% block htmx %}{% endblock %}{% block head %}{% endblock %}')
    assert list_lost_blocks(child) == {"htmx"}


OWN_HEADS = {  # what extends base.html itself, and why it, and what extends it, has a head of its own
    "trouble.html": "an error: nothing leads to it, and there is nothing to do beside what it says",
    "combat/home/home.html": "the front and the home begin with the fight that is next",
    "combat/table/table.html": "the bar of the table, whose clock and turn change in place",
    "combat/whatif/branch.html": "the bar of a table",
    "combat/sharing/share/page.html": "the bar of the table that it stands beside",
    "combat/sharing/share/full.html": "shown from afar: a code, and the words to it",
    "combat/sharing/join/join.html": "an invitation: the fight's picture and name are its cover",
    "combat/sharing/closed.html": "a closed door, which opens in place",
    "combat/campaigns/handouts/handout.html": "the paper alone, with the title that stands on it",
    "characters/sheet.html": "the portrait with the name, changed with the sheet",
    "characters/seated.html": "the same portrait",
    "characters/shared/sheet.html": "the same portrait",
    "characters/steps/page.html": "the steps, beside a portrait that grows",
    "characters/print.html": "paper",
    "characters/print_several.html": "paper",
    "characters/shared/print.html": "paper",
}
COVERED = {  # these begin with a picture that carries the name and what comes first
    "combat/campaigns/campaign.html",
    "combat/report/report.html",
    "combat/sharing/given.html",
}


def find_base(template: Template) -> str:
    """The template just above base.html that a page is made of; itself if it extends base.html."""
    extension = find_extension(template)
    parent = find_parent(extension)
    return str(template.name) if parent.name == "base.html" else find_base(parent)


def test_every_page_has_the_one_head_or_a_reason_for_its_own() -> None:
    names = (path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html"))
    pages = [page for page in map(find_template, names) if find_extension(page)]
    assert {find_base(page) for page in pages} == {"headed.html", *OWN_HEADS}
    covers = {page.name for page in pages if "cover" in find_extension(page).blocks}
    assert covers - {"headed.html"} == COVERED


def test_what_pages_post_by_themselves_is_no_press() -> None:
    """A test that waits for the answer to its press would take the other for it on a slow machine."""
    posts = re.compile(
        r'hx-post="{% url "(\w+)" ([^"]*) %}"[^>]*?hx-trigger="[^"]*\b(?:load|every)\b', re.DOTALL
    )
    found = {
        name for path in Path("templates").rglob("*.html") for name, _ in posts.findall(path.read_text())
    }
    assert found == {"prep_odds", "prep_who", "given_odds"}
    for name in found:
        assert BY_ITSELF.search(reverse(name, args=["a" if name == "given_odds" else 1])), name
