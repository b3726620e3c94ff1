"""Where things are drawn beside their names: the digest of a drawing only says that something moved.

Lengths are rounded to a tenth, so a page differs only if someone could see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.combat.pages.table.patching import Node

NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
PLACES = ("viewBox", "transform", "x", "y", "cx", "cy", "r", "width", "height", "points", "d")
NAMES = ("aria-label", "data-name", "data-door", "data-thing")
SIGNS = {"icon", "mark", "emblem", "face", "qr", "figure"}  # drawn alike wherever they stand
LONG = 60  # letters of a path that somebody reads


def read_drawings(page: Node) -> list[str]:
    """A line for each named thing of each drawing of a page: its name, its kind, where it is drawn."""
    return [
        line
        for node in page.walk()
        if node.tag == "svg" and is_drawing(node) and not is_inside(node)
        for line in read_drawing(node, "")
    ]


def is_drawing(node: Node) -> bool:
    """Whether an element is a picture of its own, not a sign among words."""
    return SIGNS.isdisjoint(node.attrs.get("class", "").split())


def is_inside(node: Node) -> bool:
    """Whether an element stands in another drawing."""
    up = node.parent
    while up is not None:
        if up.tag == "svg":
            return True
        up = up.parent
    return False


def read_drawing(node: Node, around: str) -> Iterator[str]:
    """The lines of an element and of all inside it; what has no name takes that `around` it."""
    name = next((node.attrs[key] for key in NAMES if node.attrs.get(key)), "") or read_title(node)
    place = " ".join(
        f"{key}={round_all(value)}" for key, value in node.attrs.items() if key in PLACES and value
    )
    if place and len(place) <= LONG and (name or around):
        kind = ".".join([node.tag, *node.attrs.get("class", "").split()[:1]])
        yield " ".join(f"{name or around} · {kind} {place}".split())
    if not is_drawing(node):
        return
    for child in node.children:
        yield from read_drawing(child, name if child.tag in ("g", "text", "circle") else "")


def read_title(node: Node) -> str:
    """The words of an element's title, or its own if it is a text."""
    told = [node] if node.tag == "text" else [one for one in node.children if one.tag == "title"]
    return " ".join(part.text for one in told for part in one.walk()).strip()


def round_all(text: str) -> str:
    """A text with its numbers rounded to a tenth."""
    return NUMBER.sub(lambda found: f"{round(float(found[0]), 1) + 0.0:g}", text)
