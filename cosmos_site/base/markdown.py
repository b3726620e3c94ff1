"""Markdown that people write, as HTML: without HTML of theirs, without pictures, with safe links alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

BELOW = 3  # a heading in a text stands below those of the page
HINT = "Markdown: **bold**, - list, # heading"


def draw_markdown(text: str) -> SafeString:
    """The text as HTML: each line break stays one, and what is typed as HTML is shown as it is typed."""
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


def cut_markdown(text: str, most: int) -> str:
    """The first words of a text without its marks, in one line of at most `most` characters; not escaped."""
    lines = (
        "".join(part.content or " " * part.type.endswith("break") for part in token.children or [token])
        for token in _make_parser().parse(text[: 5 * most])
    )
    return Truncator(" ".join(" ".join(lines).split())).chars(most)


def _make_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # most pages need none

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20})
    return parser.enable(["table", "strikethrough"]).disable("image")
