"""Markdown that people write, as HTML: without HTML of theirs, without pictures, with safe links alone."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

BELOW = 3  # a heading in a text stands below those of the page
MAX_CELLS = 500  # of all tables in a text; one line of a wide table can make 60 of them
MAX_QUOTED = 5_000  # lines that all quotes in a text look at; those within each other look at the same again
HINT = "Markdown: **bold**, - list, # heading"


@lru_cache(maxsize=64)  # a note is read more often than written
def draw_markdown(text: str) -> SafeString:
    """The text as HTML: each line break stays one, and what is typed as HTML is shown as it is typed.

    So are tables of too many cells, and quotes within each other of too many lines.
    """
    parser = _make_parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + BELOW, 6)}"
        if style := token.attrs.pop("style", ""):  # of a cell: no style may stand in a page
            token.attrSet("align", str(style).partition(":")[2])
        for part in token.children or ():
            if part.type == "link_open":
                part.attrSet("rel", "noopener noreferrer nofollow")
    html: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html)  # noqa: S308 - the parser escapes all text and refuses other links than safe ones


def split_sections(text: str) -> list[tuple[str, str]]:
    """The parts of a text, each with the heading it begins with: those of the highest level begin a part.

    Words before the first heading are a part without one.
    """
    tokens = _make_parser().parse(text)
    heads = [
        (token.tag, token.map, tokens[number + 1].content)
        for number, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    top = min((tag for tag, _, _ in heads), default="")
    lines, parts = text.split("\n"), [("", 0, 0)]
    parts += [(title, first, end) for tag, (first, end), title in heads if tag == top]
    ends = [first for _, first, _ in parts[1:]] + [len(lines)]
    said = [
        (title, "\n".join(lines[end:to]).strip()) for (title, _, end), to in zip(parts, ends, strict=True)
    ]
    return [(cut_markdown(title, 80), words) for title, words in said if title or words]


def cut_markdown(text: str, most: int) -> str:
    """The first words of a text without its marks, in one line of at most `most` characters; not escaped."""
    lines = (
        "".join(part.content or " " * part.type.endswith("break") for part in token.children or [token])
        for token in _make_parser().parse(text[: 5 * most])
    )
    return Truncator(" ".join(" ".join(lines).split())).chars(most)


@cache
def _make_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # most pages need none

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20})
    parser.enable(["table", "strikethrough"]).disable("image")
    parser.block.ruler.at("table", _read_table, {"alt": ["paragraph", "reference"]})
    ends = ["paragraph", "reference", "blockquote", "list"]  # what a quote ends, as the parser has it
    parser.block.ruler.at("blockquote", _read_quote, {"alt": ends})
    return parser


def _read_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The parser's rule for tables, as long as the cells of a text are few: they are counted before."""
    from markdown_it.rules_block import table

    if not table(state, start, end, True):
        return False
    columns = state.src[state.bMarks[start + 1] : state.eMarks[start + 1]].count("|") + 1
    left, lines = state.env.get("cells", MAX_CELLS), 0
    while start + lines < end and not state.isEmpty(start + lines) and lines * columns <= left:
        lines += 1
    if lines * columns > left:
        return False
    if not silent:
        state.env["cells"] = left - lines * columns
    return silent or table(state, start, end, False)


def _read_quote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The parser's rule for quotes, as long as they look at few lines: they are counted before."""
    from markdown_it.rules_block import blockquote

    left = state.env.get("quoted", MAX_QUOTED)
    if left < 0 or not blockquote(state, start, end, True):
        return False
    if silent:
        return True
    lines = 0
    while start + lines < end and not state.isEmpty(start + lines):
        lines += 1
    state.env["quoted"] = left - lines
    return lines <= left and blockquote(state, start, end, False)
