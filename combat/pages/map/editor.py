"""The page that draws a scene: the map, what can be drawn, and a list of everything on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.widgets import ChoiceWidget
from django.http import QueryDict
from msgspec import UNSET

from combat.play.scenes.drawing import HOMES, KINDS, PICTURE, WAY, Kind, Shape, points_of, shapes_in
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Light, Passage, Point, Scene, Wall, Zone, map_of, plot
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.state.state import State

LOOKS: dict[type[Shape], str] = {Wall: "line", Passage: "way", Light: "round"}  # others are boxes
MAX_LISTED = 100  # of one kind: others are chosen on the map
TITLES = {
    "zones": "Zones",
    "walls": "Walls, doors, windows, fences",
    "obstacles": "Obstacles",
    "lights": "Lights",
    "hidden": "Hidden areas",
    "ways": "Ways between decks",
    "picture": "Picture",
}
WAS = "was"  # sent by each form that tells what it showed


@dataclass(frozen=True)
class ShapeView:
    """A shape in the list: its reference, its name, its place."""

    ref: str
    name: str
    where: str


@dataclass(frozen=True)
class ShapeGroup:
    """The shapes of one kind, as far as they are listed."""

    title: str
    shapes: tuple[ShapeView, ...]
    count: int

    @property
    def more(self) -> int:
        """How many are not listed."""
        return self.count - len(self.shapes)


@dataclass(frozen=True)
class Drawn:
    """Everything drawn, for the pointer and for the list.

    `spots` are references and points. `snap` is the side of a square in meters: shapes snap to the corners
    of squares, tokens to their centres.
    """

    kinds: tuple[Kind, ...]
    groups: tuple[ShapeGroup, ...]
    spots: list[list[Any]]
    snap: float


def view_drawn(system: System, state: State) -> Drawn:
    """Everything drawn on a scene, and the grid for new shapes."""
    scene, hexes = state.scene, system.space.has_hexes(state)
    homes = [home for home in TITLES if home != PICTURE and shapes_in(scene, home)]
    groups = [_view_group(home, shapes_in(scene, home)) for home in homes]
    picture = map_of(scene).picture
    if picture:
        groups.append(_view_group(PICTURE, (picture,)))
    spots = [_view_spot(home, shape, hexes) for home in homes for shape in shapes_in(scene, home)]
    spots += [_view_spot(PICTURE, picture, False)] if picture else []
    kinds = tuple(kind for kind in KINDS.values() if kind.key != WAY or map_of(scene).decks)
    return Drawn(kinds, tuple(groups), spots, map_of(scene).cell or system.space.cell_meters)


def _view_group(home: str, shapes: tuple[Shape, ...]) -> ShapeGroup:
    views = tuple(view_shape(home, shape) for shape in shapes[:MAX_LISTED])
    return ShapeGroup(TITLES[home], views, len(shapes))


def refer(home: str, shape: Shape) -> str:
    """The reference of a shape in pages."""
    return f"{home}:{getattr(shape, 'id', '')}"


def read_reference(text: str) -> tuple[str, str]:
    """The field of the scene that holds a shape, and the shape's id."""
    home, _, shape_id = text.partition(":")
    return home, shape_id


def view_shape(home: str, shape: Shape) -> ShapeView:
    """A shape in the list."""
    a, b = points_of(shape)
    return ShapeView(refer(home, shape), name_shape(home, shape), f"{_say(a)} to {_say(b)}")


def _say(point: Point) -> str:
    return f"{round(point.x, 1):g}, {round(point.y, 1):g}".replace("-", "\N{MINUS SIGN}")


def name_shape(home: str, shape: Shape) -> str:
    """The name of a shape, or its kind and id."""
    if isinstance(shape, Passage):
        return ", ".join([shape.name or shape.kind.capitalize()] + ["shut"] * (not shape.open))
    number = str(getattr(shape, "id", "")).lstrip("wola")
    name = getattr(shape, "name", "")
    if isinstance(shape, Wall):
        words = [name or f"{shape.kind.capitalize()} {number}"]
        words += ["open"] * (shape.kind == DOOR and shape.open) + ["secret"] * shape.secret
        return ", ".join(words)
    return name or f"{HOMES[home].label if home in HOMES else TITLES[home]} {number}".strip()


def _view_spot(home: str, shape: Shape, hexes: bool) -> list[Any]:
    """What the pointer needs of a shape: its reference, its form and its points as drawn."""
    look = LOOKS.get(type(shape), "box")
    points: Iterable[Point] = points_of(shape)
    leans = hexes and isinstance(shape, Zone) and not shape.upright
    drawn = [plot(p.x, p.y, leans) for p in points]
    return [
        refer(home, shape),
        "lean" if leans else look,
        *(round(number, 2) for spot in drawn for number in spot),
    ]


def find_open(scene: Scene, text: str) -> tuple[str, str]:
    """The reference of the shape whose form is open, if that shape exists."""
    home, shape_id = read_reference(text)
    ids: list[str] = [getattr(shape, "id", "") for shape in shapes_in(scene, home)] if home in HOMES else []
    is_there = shape_id in ids or (home == PICTURE and map_of(scene).picture is not None)
    return (home, shape_id) if is_there else ("", "")


# Forms of the scene that two GMs have open at once: what only the other one changed stays as it is now. A
# form sends back what it showed when it was opened: `was-NAME` beside each field, as rows of the roster do.


def list_was(now: forms.Form) -> list[tuple[str, str]]:
    """The hidden fields that tell what a form shows: their names and words."""
    words = _list_words(now).items()
    return [(WAS, "1"), *((f"{WAS}-{name}", word) for name, shown in words for word in shown)]


def merge(sent: QueryDict, now: forms.Form) -> QueryDict:
    """What was sent; a field that the sender left as it was has its present value."""
    merged = sent.copy()
    for name, words in _list_words(now).items() if WAS in sent else ():
        if sent.getlist(name) == sent.getlist(f"{WAS}-{name}"):
            merged.setlist(name, words)
    return merged


def check_both(sent: QueryDict, now: forms.Form) -> None:
    """Refuse what would replace, unread, another person's change of the same field."""
    both = []
    for name, words in _list_words(now).items() if WAS in sent else ():
        mine, was = sent.getlist(name), sent.getlist(f"{WAS}-{name}")
        if was not in (mine, words) and mine != words:
            both.append(f"{now.fields[name].label} is {_say_merged(now.fields[name], words)}")
    if both:
        text = f"Someone changed this meanwhile: {', '.join(both)} now. Compare, then save to replace it."
        raise Refused("stale", text)


def _list_words(form: forms.Form) -> dict[str, list[str]]:
    """What a browser sends for each field of a form in which nothing is changed."""
    return {bound.name: _find_words(bound) for bound in form}


def _find_words(bound: forms.BoundField) -> list[str]:
    value, field = bound.value(), bound.field
    if isinstance(field, forms.BooleanField):
        return ["on"] if value else []
    words = field.widget.format_value(None if value is UNSET else value)
    return [word or "" for word in words] if isinstance(words, list) else [words or ""]


def _say_merged(field: forms.Field, words: list[str]) -> str:
    if isinstance(field, forms.BooleanField):
        return "selected" if words else "not selected"
    names = dict(field.widget.choices) if isinstance(field.widget, ChoiceWidget) else {}
    said = ", ".join(str(names.get(word, word)) for word in words if names or word)
    return f"“{said}”" if said else "empty"
