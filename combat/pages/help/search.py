"""A search in the texts of help: each part of a page by its heading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import unescape

from combat.rules.core.book.rulebook import mentions

PART = re.compile(r'<section id="([\w-]+)".*?</section>', re.DOTALL)
HEADING = re.compile(r"<h2[^>]*>(.*?)</h2>", re.DOTALL)
UNREAD = re.compile(r"<svg.*?</svg>|<[^>]+>", re.DOTALL)
# Words of a question that say nothing about what it asks
SMALL = re.compile(
    "a|an|and|are|can|do|does|for|how|i|in|is|it|my|of|on|or|our|the|they|this|to|we|what|where|who"
)
AROUND = 90  # characters before and after the first word that was found


@dataclass(frozen=True)
class Part:
    """A part of a page of help: its page, its anchor, its heading and its words."""

    page: str
    anchor: str
    title: str
    text: str


@dataclass(frozen=True)
class Hit:
    """A part that was found, with the words around the first one."""

    part: Part
    said: str


def read_parts(page: str, html: str) -> Iterator[Part]:
    """The parts of a page: its sections, or all of it if it has none."""
    found = [(one[1], one[0]) for one in PART.finditer(html)]
    for anchor, inside in found:
        heading = HEADING.search(inside)
        title = _read(heading[1]) if heading else ""
        yield Part(page, anchor, title, _read(inside).removeprefix(title).strip())
    if not found:
        yield Part(page, "main", "", _read(html))


def _read(html: str) -> str:
    return " ".join(unescape(UNREAD.sub(" ", html)).split())


def search(parts: Iterable[Part], asked: str, ask: Callable[[Part], str]) -> list[Hit]:
    """The parts with every word, those first that have one in their heading or in the questions of `ask`."""
    said = re.findall(r"\w[\w’'-]*", asked.casefold())
    words = [word for word in said if not SMALL.fullmatch(word)] or said
    if not words:
        return []
    found = [one for one in parts if mentions(f"{one.title} {one.text} {ask(one)}".casefold(), words)]
    found.sort(key=lambda one: not any(mentions(f"{one.title} {ask(one)}".casefold(), [w]) for w in words))
    return [Hit(one, _cut(one.text, words)) for one in found]


def _cut(text: str, words: list[str]) -> str:
    """The text around the first of the words; its beginning where only a question has them."""
    at = next((place for word in words if (place := text.casefold().find(word)) >= 0), 0)
    start, end = text.find(" ", max(0, at - AROUND)) if at > AROUND else 0, text.rfind(" ", at, at + AROUND)
    is_whole = at + AROUND >= len(text)
    return (
        f"{'… ' if start else ''}{text[start : None if is_whole else end].strip()}{'' if is_whole else ' …'}"
    )
