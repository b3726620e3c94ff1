"""What a page lacks: the parts whose tags it does not have, as htmx's out-of-band swaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

from django.utils.safestring import SafeString

from ..drawings import DRAWINGS, fill, find_mark
from ..page_parts import PageParts, Part

MAX_LENGTH = 30_000  # of a manifest; a page with a longer one is sent whole
LISTS = 3  # the parts, the rows, the steps of the log
FIRST_TAG = re.compile(r"<\w+")
STEP = re.compile(r"(\w{1,40})\.(\d{1,3})", re.ASCII)  # of the log, by its mark and its number of lines
MOST_GONE = 200  # lines removed one by one; beyond it the whole log is sent
NOW = "combat/table/now.html"
WRITTEN = ("version", "your_turn", "asked", "next_up", "round", "announce")  # there, of the table
Tags = Mapping[str, str]


@dataclass(frozen=True)
class Manifest:
    """What a page says it has: its frame, and the tags of its parts, rows and steps in order."""

    frame: str
    parts: Tags
    rows: Tags
    log: Tags


def read_manifest(text: str) -> Manifest | None:
    """The manifest that a page sent; None without one, or if it cannot be read."""
    frame, *lists = text.split("|")
    if len(lists) != LISTS or len(text) > MAX_LENGTH:
        return None
    return Manifest(frame, *(_read_tags(words) for words in lists))


def _read_tags(words: str) -> Tags:
    return {name: tag for name, _, tag in [word.partition("=") for word in words.split()]}


def make_patch(has: Manifest | None, page: PageParts) -> str | None:
    """The HTML that updates a page with some parts to this one; None if the whole page must be swapped."""
    if has is None or has.frame != page.frame or list(has.parts) != [part.id for part in page.parts]:
        return None
    changed = (swap(part.lack(has.parts[part.id])) for part in page.parts if has.parts[part.id] != part.tag)
    return "\n".join([*changed, *_patch_rows(has.rows, page.rows), *_patch_log(has.log, page.log)])


def draw_now(shown: Mapping[str, Any], manifest: str) -> SafeString:
    """The values of a page that are in none of its parts, filled into one drawing for all pages."""
    table, refused = shown["table"], shown["refused"]
    words = {name: str(getattr(table, name)) for name in WRITTEN}
    words |= {"tag": shown["tag"], "again": shown["again"], "manifest": manifest}
    if refused:
        words["announce"] = refused.message
    drawing = DRAWINGS.draw(NOW, _outline_now(is_fight=table.phase == "fight", is_gm=table.viewer.is_gm))
    return fill(drawing.html, {name: escape(word) for name, word in words.items()})


@cache
def _outline_now(*, is_fight: bool, is_gm: bool) -> dict[str, Any]:
    """The same values with a mark for each that is only written."""
    seen = {"phase": "fight" if is_fight else "", "viewer": {"is_gm": is_gm}}
    table = {name: find_mark(name) for name in WRITTEN} | seen
    page = {name: find_mark(name) for name in ("tag", "again", "manifest")}
    return {"table": table, "tag": page["tag"], "again": page["again"], "parts": page, "refused": None}


def leave_out_known(now: str, has: Manifest | None, page: PageParts) -> str:
    """The values for a whole page without the tags that it has: `parts.js` fills them in."""
    return now.replace(page.manifest, page.name_tags(has.parts, has.rows, has.log)) if has else now


def swap(html: str, how: str = "true") -> str:
    """An element that htmx puts in place of the one with its id."""
    if first := FIRST_TAG.search(html):
        return f'{html[: first.end()]} hx-swap-oob="{how}"{html[first.end() :]}'
    return html


def _patch_rows(has: Tags, rows: Iterable[Part]) -> Iterator[str]:
    """The rows that differ; the whole list if rows come, go or change their order."""
    rows = tuple(rows)
    if list(has) == [row.id for row in rows]:
        yield from (swap(row.lack(has[row.id])) for row in rows if has[row.id] != row.tag)
        return
    kept = {row.id for row in rows if has.get(row.id) == row.tag}
    shown = (
        f'<li id="row-{row.id}" hx-preserve></li>' if row.id in kept else row.lack(has.get(row.id, ""))
        for row in rows
    )
    yield f'<ol class="rows" id="rows" hx-swap-oob="true">{"".join(shown)}</ol>'


def _patch_log(has: Tags, log: Iterable[Part]) -> Iterator[str]:
    """The new steps, and the removal of old ones at the end; the whole log if others have changed."""
    log = tuple(log)
    known = list(has)
    first = next((n for n, step in enumerate(log) if step.id in has), len(log))
    kept = [(step.id, step.tag) for step in log[first:]]
    gone = _name_lines(known[len(kept) :])
    if kept != list(has.items())[: len(kept)] or (not kept and known) or gone is None:
        steps = "".join(step.html for step in log)
        yield f'<ol class="log" id="log-lines" reversed hx-swap-oob="true">{steps}</ol>'
        return
    if first:
        steps = "".join(step.html for step in log[:first])
        yield f'<ol hx-swap-oob="afterbegin:#log-lines">{steps}</ol>'
    for line in gone:
        yield f'<li id="log-{line}" hx-swap-oob="delete"></li>'


def _name_lines(steps: Iterable[str]) -> list[str] | None:
    """The names of all lines of these steps; None for malformed steps, or for too many lines."""
    named: list[str] = []
    for step in steps:
        found = STEP.fullmatch(step)
        if found is None or len(named) > MOST_GONE:
            return None
        named += [f"{found[1]}-{line + 1}" for line in range(int(found[2]))]
    return named
