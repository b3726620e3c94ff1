"""Markdown that people write, as HTML: without HTML of theirs, without pictures, with safe links alone."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe

BELOW = 3  # a heading in a text stands below those of the page


def draw_markdown(text: str) -> SafeString:
    """The text as HTML: each line break stays one, and what is typed as HTML is shown as it is typed."""
    from markdown_it import MarkdownIt  # most pages need none

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20})
    parser.enable(["table", "strikethrough"]).disable("image")
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + BELOW, 6)}"
        for part in token.children or ():
            if part.type == "link_open":
                part.attrSet("rel", "noopener noreferrer nofollow")
    html: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html)  # noqa: S308 - the parser escapes all text and refuses other links than safe ones
