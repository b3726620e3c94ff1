"""The table page as parts, each with a tag: a digest of exactly what is drawn in it for a viewer.

A part is an element with an id. Its template is given what is listed here and nothing else, so one that was
drawn of the same before is not drawn again, whoever looks: a template that reads more of the table needs its
name in this list. The tokens of forms and the version that a page saw are marks in what is drawn, and filled
in when it is sent: they belong to an answer, not to a part.
"""

from __future__ import annotations

import hashlib
import re
import threading
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import msgspec
from django.template import Context, Engine
from django.utils.crypto import salted_hmac
from django.utils.safestring import SafeString, mark_safe

from combat.rules.core.basics.memory import remember_each
from combat.rules.core.system import System

from .map import strip_scene
from .shapes import FighterView, LogStep, TableView, TurnView

TAG_BYTES = 4
INDENT = re.compile(r"\n\s+")
KEEPS_SPACE = ("<textarea", "<pre")
MAX_KEPT = 3000  # drawings
INSIDE = {  # where the scene has parts of its own: its ground, and what hands point and draw with
    "map_ground": '<svg id="map-ground" hx-preserve></svg>',
    "map_hands": '<div id="map-hands" hx-preserve></div>',
}
TURNS = ("who", "state", "offered", "whose")  # a turn as far as a part needs it


@dataclass(frozen=True)
class Recipe:
    """How a part is drawn: its template, and the names of what that is given, of the table and besides.

    With something of `alone` open it is drawn for that answer alone, given everything.
    """

    template: str
    table: str = ""
    shown: str = ""
    alone: str = ""

    @cached_property
    def given(self) -> tuple[str, ...]:
        """The names of what it is given besides the table."""
        return tuple(self.shown.split())

    @cached_property
    def of_table(self) -> tuple[str, ...]:
        """The names of what it is given of the table."""
        return (*IN_EVERY, *self.table.split())

    @cached_property
    def turn(self) -> str:
        """The name of the turn it is given, as `turn` of the table; empty if it needs none."""
        return next((name for name in self.of_table if name in TURNS), "")

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The names of what is open in it alone."""
        return tuple(self.alone.split())


IN_EVERY = ("id", "slug", "viewer", "version")  # of the table
ROW = Recipe("combat/parts/fighter.html", shown="here fighter part part_of", alone="row_form")
MENU = "combat/parts/fighter_menu.html"
STEP = "combat/parts/log_step.html"
PARTS = {
    "bar-name": Recipe("combat/parts/bar_name.html", "name"),
    "bar-clock": Recipe(
        "combat/parts/bar_clock.html", "system round elapsed seating together acting", "downtime timer"
    ),
    "bar-settings": Recipe("combat/parts/bar_settings.html", "settings unusual prompt", "here again"),
    "bar-actions": Recipe(
        "combat/parts/bar_actions.html", "phase can_undo can_redo prompt", "downtime owns here"
    ),
    "handouts-shown": Recipe("combat/parts/handouts.html", "", "handouts owns encounter"),
    "notices": Recipe("combat/parts/notices.html", "", "refused advice"),
    "rules-note": Recipe("combat/parts/rules_note.html", "rules prompt", "here"),
    "fighters-note": Recipe("combat/parts/fighters_note.html", "verdict standing prompt", "here"),
    "fighters-more": Recipe("combat/parts/fighters_more.html", "has_fighters seating", "system here"),
    "scene": Recipe(
        "combat/parts/scene.html",
        "scene whose phase prompt",
        "system here encounter pens handles",
        alone="open",
    ),
    "map-ground": Recipe("combat/parts/map_ground_part.html", "terrain", "encounter"),
    "map-hands": Recipe("combat/parts/map_hands.html", "places", "pens"),
}
OF_SPECTATORS = {"watch-result": Recipe("combat/parts/watch_result.html", "results together acting awaited")}
OF_PLAYERS = {
    "turn-head": Recipe(
        "combat/parts/turn_head.html",
        "who acting together can_end_turn prompt round latest waiting",
        "system here",
    ),
    "turn-call": Recipe(
        "combat/parts/turn_call.html", "whose your_turn prompt together waiting verdict", "here"
    ),
    "turn-open": Recipe(
        "combat/parts/turn_open.html",
        "own prompt whose lead",
        "here system owns",
        alone="open advice ready refused",
    ),
    "turn-result": Recipe("combat/parts/turn_result.html", "prompt results", "open_name"),
    "turn-state": Recipe("combat/parts/turn_state.html", "state", "here system part part_of"),
    "turn-offer": Recipe(
        "combat/parts/turn_offer.html", "offered prompt verdict", "here system has_ready", alone="open"
    ),
    "turn-gm": Recipe("combat/parts/turn_gm.html", "gm_actions prompt", "here system downtime", alone="open"),
}


# ---- Marks ----


@cache
def find_mark(what: str) -> str:
    """What stands in a drawing for something of the answer it is sent in: nobody can guess it or type it."""
    return f"~{salted_hmac('combat.parts', what).hexdigest()[:24]}~"


def fill_marks(html: str, token: str, version: str) -> SafeString:
    """A drawing with the token of its forms and the version it shows."""
    filled = html.replace(find_mark("token"), token).replace(find_mark("version"), version)
    return mark_safe(filled)  # noqa: S308 - drawn by our template; token and version are ours


# ---- Drawing ----


@dataclass(frozen=True)
class Drawing:
    """What was drawn, and its tag."""

    html: SafeString
    tag: str


class Drawings:
    """The newest drawings of this process, by what they were drawn of."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[bytes, Drawing] = OrderedDict()
        self.lock = threading.Lock()
        self.drawn = 0

    def draw(self, template: str, given: dict[str, Any], *, keep: bool = True) -> Drawing:
        """What a template makes of this; once as long as it is kept."""
        key = make_key(template, given) if keep else None
        if key is not None:
            with self.lock:
                found = self.kept.get(key)
                if found:
                    self.kept.move_to_end(key)
                    return found
        made = self.make(template, given)
        if key is not None:
            with self.lock:
                self.kept[key] = made
                while len(self.kept) > self.most:
                    self.kept.popitem(last=False)
        return made

    def make(self, template: str, given: dict[str, Any]) -> Drawing:
        """Draw it."""
        self.drawn += 1
        marks = {"csrf_token": find_mark("token")}
        html = Engine.get_default().get_template(template).render(Context({**marks, **given})).strip()
        if not any(word in html for word in KEEPS_SPACE):
            html = INDENT.sub("\n", html)  # a quarter of it
        return Drawing(mark_safe(html), digest(html.encode()))  # noqa: S308 - drawn by our template, which escapes


DRAWINGS = Drawings(MAX_KEPT)


def make_key(template: str, given: dict[str, Any]) -> bytes | None:
    """What tells a drawing from others; None if something in it cannot be compared, such as a form."""
    plain = {name: value.slug if isinstance(value, System) else value for name, value in given.items()}
    try:
        raw = msgspec.msgpack.encode((template, plain), enc_hook=_plain)
    except (TypeError, OverflowError):
        return None
    return hashlib.blake2b(raw, digest_size=16).digest()


def _plain(thing: Any) -> Any:
    if isinstance(thing, SafeString):
        return thing.encode()
    raise TypeError(type(thing).__name__)


def digest(raw: bytes) -> str:
    """A short digest for a tag."""
    return urlsafe_b64encode(hashlib.blake2b(raw, digest_size=TAG_BYTES).digest()).decode().rstrip("=")


# ---- The page ----


@dataclass(frozen=True)
class Part:
    """A part: its id in the page, and what it shows. Several steps of a list share one.

    `bare` is it without its menu, for a page that has that: the end of the tag is the menu's.
    """

    id: str
    html: str
    tag: str
    bare: str = ""

    def lack(self, tag: str) -> str:
        """What a page lacks of it that has it as it was with this tag."""
        has_menu = tag.rpartition(".")[2] == self.tag.rpartition(".")[2]
        return self.bare if self.bare and has_menu else self.html


@dataclass(frozen=True)
class PageParts:
    """A page for one viewer: what kind of frame it has, its parts, its rows, the steps of its log."""

    frame: str
    parts: tuple[Part, ...]
    rows: tuple[Part, ...]
    log: tuple[Part, ...]

    @property
    def manifest(self) -> str:
        """The tags of everything on the page, as its next question brings them along."""
        lists = (self.parts, self.rows, self.log)
        return "|".join((self.frame, *(" ".join(f"{p.id}={p.tag}" for p in parts) for parts in lists)))

    @property
    def by_name(self) -> dict[str, Any]:
        """What the frame is filled with."""
        named: dict[str, Any] = {part.id.replace("-", "_"): part.html for part in self.parts}
        for name, place in INSIDE.items():  # in a patch they stay as they are
            whole = str(named["scene"]).replace(place, str(named[name]))
            named["scene"] = mark_safe(whole)  # noqa: S308 - two drawings of ours
        return named | {"rows": [row.html for row in self.rows], "log": [step.html for step in self.log]}


def draw_page(table: TableView, shown: Mapping[str, Any]) -> PageParts:
    """All parts of the page for one viewer. `shown` is what it has besides the table, and what is open."""
    role, is_fight = table.viewer.role, table.phase == "fight"
    recipes = dict(PARTS)
    if table.viewer.is_spectator:
        recipes |= OF_SPECTATORS
    elif is_fight:
        recipes |= OF_PLAYERS
    everything = _find_everything(table, shown)
    parts = [_draw(name, recipe, everything) for name, recipe in recipes.items()]
    if not table.viewer.is_spectator and not is_fight:
        drawing = DRAWINGS.draw("combat/parts/turn_waiting.html", dict(everything), keep=False)
        parts.append(Part("turn-waiting", drawing.html, drawing.tag))
    rows = tuple(_draw_row(fighter, everything) for fighter in (*table.fighters, *table.waiting_fighters))
    eyes = (table.id, table.slug, role, table.viewer.is_gm, table.viewer.is_seated)
    log = tuple([_draw_step(step, *eyes) for step in table.log])
    frame = f"{role}-{is_fight}-{bool(log)}"
    return PageParts(frame, tuple(parts), rows, log)


def _find_everything(table: TableView, shown: Mapping[str, Any]) -> dict[str, Any]:
    """All that any part may be given; a table is not the one that was seen, but its parts by name."""
    viewer, turn = table.viewer, table.turn
    known = {name: getattr(table, name) for name in ("your_turn", "has_sheets", "unusual", "lead")}
    fields = {name: getattr(table, name) for name in TableView.__dataclass_fields__} | known
    fields |= {
        "version": find_mark("version"),
        "viewer": {
            "is_gm": viewer.is_gm,
            "is_seated": viewer.is_seated,
            "is_spectator": viewer.is_spectator,
        },
        "who": _find_turn(turn, "place"),
        "state": _find_turn(turn, "derived items orders"),
        "offered": _find_turn(turn, "offer later"),
        "whose": _find_turn(turn, ""),
        "terrain": strip_scene(table.scene),
        "places": table.scene.places if table.scene.is_drawn else (),
        "has_fighters": bool(table.fighters or table.waiting_fighters),
    }
    opened = shown.get("open")
    return {
        **shown,
        "encounter": {"pk": table.id},
        "table": fields,
        "open_name": opened.action.name if opened else "",
    }


def _find_turn(turn: TurnView | None, names: str) -> dict[str, Any] | None:
    """What of a turn a part is given: these, and who has it; of them all that is needed for these."""
    if turn is None:
        return None
    known = {name: getattr(turn, name) for name in names.split()}
    one = turn.fighter
    fighter: Any = {"id": one.id, "pc": one.pc, "name": one.name, "look": one.look}
    return {**known, "is_active": turn.is_active, "fighter": one if "derived" in known else fighter}


def _draw(name: str, recipe: Recipe, everything: Mapping[str, Any]) -> Part:
    drawing = _draw_with(recipe, everything)
    return Part(name, drawing.html, drawing.tag)


def _draw_with(recipe: Recipe, everything: Mapping[str, Any], **more: Any) -> Drawing:
    """Draw a part of what its recipe names; of everything while something of its own is open."""
    for name in recipe.own:
        if everything.get(name):
            return DRAWINGS.draw(recipe.template, {**everything, **more}, keep=False)
    table = everything["table"]
    part = {name: table[name] for name in recipe.of_table}
    part["turn"] = table[recipe.turn] if recipe.turn else None
    given = {name: everything.get(name) for name in recipe.given}
    return DRAWINGS.draw(recipe.template, {**given, **more, "table": part})


def _draw_row(fighter: FighterView, everything: Mapping[str, Any]) -> Part:
    """A combatant's row. What is open in another's is nothing to it."""
    own = dict(everything)
    if own.get("row") != fighter.id:
        own |= {"row_form": "", "row": ""}
    if own.get("part_of") != fighter.id:
        own |= {"part_of": "", "part": ""}
    drawing = _draw_with(ROW, own, fighter=fighter)
    if not everything["table"]["viewer"]["is_gm"]:
        return Part(fighter.id, drawing.html, drawing.tag)
    menu = _draw_menu(fighter, everything)
    place = f'<details id="menu-{fighter.id}" hx-preserve></details>'
    whole = mark_safe(drawing.html.replace(place, menu.html))  # noqa: S308 - two drawings of ours
    return Part(fighter.id, whole, f"{drawing.tag}.{menu.tag}", "" if own.get("row_form") else drawing.html)


def _draw_menu(fighter: FighterView, everything: Mapping[str, Any]) -> Drawing:
    """What the GM can do with a combatant: the same while it is acting, harmed or moved."""
    one = {"id": fighter.id, "name": fighter.full_name, "sheet": fighter.sheet, "hidden": fighter.hidden}
    table = {name: everything["table"][name] for name in ("id", "version")}
    here, owns = everything["here"], everything["owns"]
    return DRAWINGS.draw(MENU, {"fighter": one, "table": table, "here": here, "owns": owns})


@remember_each
def _draw_step(step: LogStep, pk: int, slug: str, role: str, is_gm: bool, is_seated: bool) -> Part:
    """A step of the log: as many lines as it has, so that a page can drop each of them."""
    table = {"id": pk, "slug": slug, "viewer": {"role": role, "is_gm": is_gm, "is_seated": is_seated}}
    others = {"oldest_first": False, "can_branch": False, "signed": False}  # as on the page of the log
    drawing = DRAWINGS.draw(STEP, {"slug": slug, "table": table, "step": step, **others})
    count = len(step.lines) + (step.kind == "cancel")
    return Part(f"{step.number}.{count}", drawing.html, drawing.tag)
