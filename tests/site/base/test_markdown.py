"""Markdown of guests: how much work and how many bytes a text of the greatest length can make."""

from __future__ import annotations

from typing import Any

import pytest
from markdown_it import MarkdownIt, rules_block
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from combat.play.campaigns.table_notes import MAX_NOTE
from cosmos_site.base.markdown import MAX_CELLS, MAX_QUOTED, cut_markdown, draw_markdown
from tests.combat.markup import Page

TABLE = f"{'|a' * 60}|\n{'|-' * 60}|\n"


def fill(first: str, line: str) -> str:
    """A text as long as a note can be."""
    return first + line * ((MAX_NOTE - len(first)) // len(line))


LONG = {
    "wide": fill(TABLE, "|\n"),
    "narrow": fill("a|b\n-|-\n", "|\n"),
    "many": fill("", "a|b\n-|-\nc|d\n\n"),
    "headers": fill("", f"{TABLE}\n"),
    "again": fill("", "a|b\n-|-\n"),
    "in quotes": fill("", "> a|b\n> -|-\n> c|d\n\n"),
    "in lists": fill("", "- a|b\n  -|-\n  c|d\n"),
}


@pytest.mark.parametrize("name", LONG)
def test_cells_of_all_tables_are_few(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Token] = []
    parse = MarkdownIt.parse

    def keep(parser: MarkdownIt, *given: Any) -> list[Token]:
        made[:] = parse(parser, *given)
        return made

    monkeypatch.setattr(MarkdownIt, "parse", keep)
    html = draw_markdown.__wrapped__(LONG[name])
    assert sum(token.type in ("td_open", "th_open") for token in made) <= MAX_CELLS
    assert len(html) < 10 * MAX_NOTE
    cut_markdown(LONG[name], 300)
    assert sum(token.type in ("td_open", "th_open") for token in made) <= MAX_CELLS


def test_table_over_the_limit_is_shown_as_typed_and_others_drawn() -> None:
    rows = "|c|d|\n" * (MAX_CELLS // 2)
    page = Page(draw_markdown(f"a|b\n-|-\n{rows}\n**bold**\n\ne|f\n-|-\ng|h\n"))
    assert "|c|d|" in page.all("p")[0].text
    assert page.one("strong").text == "bold"
    assert [cell.text for cell in page.all("td")] == ["g", "h"]


@pytest.mark.parametrize("lines", [">\n>> >\n***\n", ">a\n>>> >>>>>>\n", "> > > a\n", "- >\n  >>\n"])
def test_lines_that_quotes_look_at_are_few(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each quote looks at all its lines, and those in it look at them again."""
    seen: list[int] = []
    read = rules_block.blockquote

    def count(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        found = read(state, start, end, silent)
        seen.append(0 if silent or not found else state.line - start)
        return found

    monkeypatch.setattr(rules_block, "blockquote", count)
    html = draw_markdown.__wrapped__(fill("", lines))
    assert 0 < sum(seen) <= MAX_QUOTED
    assert len(html) < 10 * MAX_NOTE


def test_quotes_beyond_the_limit_are_shown_as_typed() -> None:
    page = Page(draw_markdown(">a\n" * (MAX_QUOTED + 1) + "\n**bold**"))
    assert page.all("blockquote") == []
    assert page.all("p")[0].text.startswith(">a")
    assert page.one("strong").text == "bold"


def test_usual_quotes_are_drawn() -> None:
    page = Page(draw_markdown("They said:\n> one\n> > two\n\n> three"))
    assert [quote.text.split() for quote in page.all("blockquote")] == [["one", "two"], ["two"], ["three"]]


def test_usual_table_is_drawn() -> None:
    page = Page(draw_markdown("a|b\n:-|-:\n1|2\n3|4\n\nText"))
    assert [cell.text for cell in page.all("td")] == ["1", "2", "3", "4"]
    assert page.all("th")[1]["align"] == "right"
    assert page.one("p").text == "Text"


def test_text_is_drawn_once() -> None:
    text = "A **note** that nobody else wrote"
    assert draw_markdown(text) is draw_markdown(text)
