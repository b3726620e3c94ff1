"""A page as parts, each with a tag: what a page keeps, and what an answer gives it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from django.utils.safestring import mark_safe

from .drawings import Drawing

INSIDE = {  # the scene's own parts: its grounds, its buttons, its doors, and the tools to point and draw
    "map_ground": '<svg id="map-ground" hx-preserve></svg>',
    "board_ground": '<svg id="board-ground" hx-preserve></svg>',
    "map_zoom": '<div id="map-zoom" hx-preserve></div>',
    "map_steps": '<div id="map-steps" hx-preserve></div>',
    "map_doors": '<div id="map-doors" hx-preserve></div>',
    "map_hands": '<div id="map-hands" hx-preserve></div>',
}


class Piece(msgspec.Struct, frozen=True):
    """A piece of a part that a page keeps while it stays the same: its empty place, and its drawing."""

    place: str
    drawing: Drawing

    def put(self, html: str) -> str:
        """The HTML of the part with this piece in its place."""
        return html.replace(self.place, self.drawing.html)


class Part(msgspec.Struct, frozen=True):
    """A part: its id in the page, its HTML, and its tag. Several steps of a list share an id.

    `bare` is the HTML with empty places for its pieces: a page that has some of them gets only the others.
    The tags of the pieces end its own. With `is_whole` a page never gets it without all of them.
    """

    id: str
    bare: str
    tag: str
    pieces: tuple[Piece, ...] = ()
    is_whole: bool = False

    @property
    def html(self) -> str:
        """Its HTML with all pieces: put together when asked for, since most pages have it already."""
        return self._fill(())

    def lack(self, tag: str) -> str:
        """The HTML that a page with this tag needs to be up to date."""
        return self._fill(() if self.is_whole else tag.split(".")[1:])

    def _fill(self, has: Collection[str]) -> str:
        html = self.bare
        for piece in self.pieces:
            html = html if piece.drawing.tag in has else piece.put(html)
        return mark_safe(html)  # noqa: S308 - drawings of ours


class PageParts(msgspec.Struct, frozen=True):
    """A page for one viewer: its kind of frame, its parts, its rows, the steps of its log."""

    frame: str
    parts: tuple[Part, ...]
    rows: tuple[Part, ...]
    log: tuple[Part, ...]

    @property
    def manifest(self) -> str:
        """The tags of everything on the page, which its next request sends back."""
        return self.name_tags({}, {}, {})

    def name_tags(self, *known: Mapping[str, str]) -> str:
        """The tags of its parts, rows and steps; of those that are known, only the names."""
        lists = zip((self.parts, self.rows, self.log), known, strict=True)
        return "|".join((self.frame, *[" ".join(_name_tags(parts, tags)) for parts, tags in lists]))

    @property
    def by_name(self) -> dict[str, Any]:
        """The values of the frame's template."""
        named: dict[str, Any] = {part.id.replace("-", "_"): part.html for part in self.parts}
        for name, place in INSIDE.items():  # a patch leaves them as they are
            whole = str(named["scene"]).replace(place, str(named[name]))
            named["scene"] = mark_safe(whole)  # noqa: S308 - two drawings of ours
        return named | {"rows": [row.html for row in self.rows], "log": [step.html for step in self.log]}


def _name_tags(parts: tuple[Part, ...], known: Mapping[str, str]) -> list[str]:
    return [part.id if known.get(part.id) == part.tag else f"{part.id}={part.tag}" for part in parts]


def join(name: str, drawing: Drawing, pieces: Iterable[Piece], *, is_whole: bool = False) -> Part:
    """A part with its pieces."""
    known = tuple(pieces)
    tag = ".".join((drawing.tag, *[piece.drawing.tag for piece in known]))
    return Part(name, drawing.html, tag, known, is_whole)
