"""The table page as parts, each with a tag: a digest of exactly what a viewer sees in it.

A part is an element with an id. Its template gets only what is listed here, so equal values are drawn only
once, for all viewers. A template that reads more of the table needs the name in this list. The tokens of
forms and the version that a page saw are marks in the drawing, filled in when it is sent: they belong to
an answer, not to a part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

import msgspec
from django.utils.safestring import mark_safe

from combat.rules.core.basics.words import possessive

from ..drawings import DRAWINGS, Drawing, find_mark, write
from ..log.step_drawing import draw_step
from ..map.scene import strip_scene
from ..scene_drawing import SCENE, draw_scene
from ..shapes.result_shapes import ResultView
from ..shapes.table_shapes import CombatantView, LogStep, TableView, TurnView

INSIDE = {  # the scene's own parts: its grounds, its buttons, its doors, and the tools to point and draw
    "map_ground": '<svg id="map-ground" hx-preserve></svg>',
    "board_ground": '<svg id="board-ground" hx-preserve></svg>',
    "map_zoom": '<div id="map-zoom" hx-preserve></div>',
    "map_steps": '<div id="map-steps" hx-preserve></div>',
    "map_doors": '<div id="map-doors" hx-preserve></div>',
    "map_hands": '<div id="map-hands" hx-preserve></div>',
}
TURNS = ("who", "state", "offered", "whose")  # a turn, reduced to what a part needs


@dataclass(frozen=True)
class Recipe:
    """How a part is drawn: its template, and the names of its values, of the table and of the page.

    While something in `alone` is open, the part is drawn for that answer only, with all values. The template
    only writes what is `written`, and asks of it no more than whether there is any: the part is kept without
    these words, and they are filled in.
    """

    template: str
    table: str = ""
    shown: str = ""
    alone: str = ""
    written: str = ""

    @cached_property
    def given(self) -> tuple[str, ...]:
        """The names of its values that are not of the table."""
        return tuple(self.shown.split())

    @cached_property
    def of_table(self) -> tuple[str, ...]:
        """The names of its values of the table."""
        return (*IN_EVERY, *self.table.split(), *self.words)

    @cached_property
    def find(self) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
        """A getter of its values of the table."""
        return itemgetter(*self.of_table)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The names of its values of the table that are only written."""
        return tuple(self.written.split())

    @cached_property
    def turn(self) -> str:
        """The name of its kind of turn, passed as `turn` of the table; empty if it needs none."""
        return next((name for name in self.of_table if name in TURNS), "")

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The names of what can be open only in this part."""
        return tuple(self.alone.split())


IN_EVERY = ("id", "slug", "version")  # of the table; of the viewer, each knows whether it is the GM
ROW = Recipe("combat/table/rows/combatant.html", shown="here combatant folds score", alone="row_form")
FIGURE = "characters/health/row_figure.html"
MENU = "combat/table/rows/combatant_menu.html"
GROUP = "combat/forms/action_group.html"
PARTS = {
    "bar-name": Recipe("combat/table/bar_name.html", "name"),
    "bar-clock": Recipe(
        "combat/table/bar_clock.html",
        "system seating together",
        "downtime timer",
        written="round elapsed turn_of",
    ),
    "bar-settings": Recipe("combat/table/bar_settings.html", "settings unusual prompt", "here again"),
    "bar-undo": Recipe(
        "combat/table/result/bar_undo.html", "can_undo can_redo prompt", "here", written="undoes"
    ),
    "bar-actions": Recipe(
        "combat/table/bar_actions.html", "viewer phase paused prompt", "downtime owns here"
    ),
    "handouts-shown": Recipe("combat/table/handouts.html", "", "handouts owns encounter room"),
    "clocks": Recipe("combat/table/clocks/clocks.html", "clocks prompt", "here"),
    "notices": Recipe("combat/table/notices.html", "paused", "here refused advice"),
    "rules-note": Recipe("combat/book/rules_note.html", "rules prompt", "here"),
    "combatants-note": Recipe(
        "combat/table/rows/combatants_note.html", "viewer verdict standing prompt", "here"
    ),
    "combatants-more": Recipe(
        "combat/table/rows/combatants_more.html", "has_combatants seating", "system here"
    ),
    "scene": Recipe(
        SCENE,
        "viewer scene whose phase prompt",
        "system here encounter handles",
        alone="open",
    ),
    "map-ground": Recipe("combat/map/ground/map_ground_part.html", "terrain", "encounter"),
    "board-ground": Recipe("combat/map/board/board_ground_part.html", "terrain is_chase"),
    "map-zoom": Recipe("combat/map/map_zoom.html", "is_drawn"),
    "map-steps": Recipe("combat/map/map_steps.html", "steps", "pens"),
    "map-doors": Recipe("combat/map/doors_part.html", "gates prompt", "here handles"),
    "map-hands": Recipe("combat/map/pointing/map_hands.html", "viewer places", "pens"),
}
OF_SPECTATORS = {
    "watch-result": Recipe("combat/table/result/watch_result.html", "results together acting awaited"),
    "watch-moment": Recipe("combat/table/moments/moments.html", "moments"),
    "watch-join": Recipe("combat/table/moments/joining.html", "", "joining"),
    "watch-ending": Recipe("combat/table/moments/ending.html", "ending"),
}
OF_PLAYERS = {
    "turn-head": Recipe(
        "combat/table/turn/turn_head.html",
        "who acting together can_end_turn prompt waiting goes_on",
        "system here part_of",
        written="round latest place",
    ),
    "turn-call": Recipe(
        "combat/table/turn/turn_call.html", "whose your_turn prompt together waiting since verdict", "here"
    ),
    "turn-open": Recipe(
        "combat/table/turn/turn_open.html",
        "viewer own prompt paused whose lead",
        "here system owns",
        alone="open advice ready refused",
    ),
    "turn-result": Recipe(
        "combat/table/turn/turn_result.html", "prompt results last_line", "open_name", alone="overruling"
    ),
    "turn-state": Recipe("combat/table/turn/turn_state.html", "state", "here system part part_of"),
    "turn-offer": Recipe(
        "combat/table/turn/turn_offer.html",
        "offered prompt paused verdict to_act lead",
        "here system has_ready room",
        alone="open",
    ),
    "turn-gm": Recipe(
        "combat/table/turn/turn_gm.html", "gm_actions prompt clocks", "here system downtime", alone="open"
    ),
}


# ---- The page ----


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


def draw_page(table: TableView, shown: Mapping[str, Any]) -> PageParts:
    """All parts of the page for one viewer. `shown` are the other values of the page, and what is open."""
    role, is_fight = table.viewer.role, table.phase == "fight"
    recipes = dict(PARTS)
    if table.viewer.is_spectator:
        recipes |= OF_SPECTATORS
    elif is_fight:
        recipes |= OF_PLAYERS
    everything = _find_everything(table, shown)
    parts = [_draw(name, recipe, everything) for name, recipe in recipes.items()]
    if not table.viewer.is_spectator and not is_fight:
        drawing = DRAWINGS.draw("combat/table/waiting/turn_waiting.html", dict(everything), keep=False)
        parts.append(Part("turn-waiting", drawing.html, drawing.tag))
    rows = tuple(
        _draw_row(combatant, everything) for combatant in (*table.combatants, *table.waiting_combatants)
    )
    eyes = (table.id, table.slug, table.viewer.is_gm)
    log = tuple([step.__dict__.get("drawn", {}).get(eyes) or _find_step(step, eyes) for step in table.log])
    frame = f"{role}-{is_fight}-{bool(log)}"
    return PageParts(frame, tuple(parts), rows, log)


def _find_everything(table: TableView, shown: Mapping[str, Any]) -> dict[str, Any]:
    """All values that any part may get; the table becomes a dictionary of its fields."""
    viewer, turn = table.viewer, table.turn
    known = {
        name: getattr(table, name)
        for name in ("your_turn", "has_sheets", "unusual", "lead", "goes_on", "to_act", "undoes")
    }
    fields = msgspec.structs.asdict(table) | known
    fields |= {
        "version": find_mark("version"),
        "viewer": {
            "is_gm": viewer.is_gm,
            "is_seated": viewer.is_seated,
            "is_spectator": viewer.is_spectator,
        },
        "reader": {"is_gm": viewer.is_gm},
        "acting": _name(table.acting) if table.acting else None,
        "turn_of": possessive(table.acting.name) if table.acting else "",
        "together": [_name(one) for one in table.together],
        "who": _find_who(turn),
        "place": turn.place if turn else "",
        "state": _find_turn(turn, "derived items orders"),
        "offered": _find_turn(turn, "offer later named"),
        "whose": _find_turn(turn, ""),
        "terrain": strip_scene(table.scene),
        "is_drawn": table.scene.is_drawn,
        "is_chase": bool(table.scene.road),
        "last_line": _find_last_line(table),
        "steps": _find_steps(table),
        "gates": _find_gates(table),
        "places": table.scene.places if table.scene.is_drawn else (),
        "sides": sorted({one.side for one in (*table.combatants, *table.waiting_combatants)}),
        "has_combatants": bool(table.combatants or table.waiting_combatants),
    }
    opened = shown.get("open")
    return {
        **shown,
        "encounter": {"pk": table.id},
        "table": fields,
        "open_name": opened.action.name if opened else "",
    }


def _name(one: CombatantView) -> dict[str, Any]:
    """What the parts tell of others who have the turn: unchanged while these are hurt or spend actions."""
    return {"name": one.name, "look": one.look, "side": one.side}


def _find_turn(turn: TurnView | None, names: str, *more: str) -> dict[str, Any] | None:
    """The parts of a turn with these names, and who has it: as far as these need them, and with `more`."""
    if turn is None:
        return None
    known = {name: getattr(turn, name) for name in names.split()}
    one = turn.combatant
    combatant: Any = {name: getattr(one, name) for name in ("id", "pc", "name", "look", *more)}
    if "derived" in known:  # everything but the initiative, which only their row shows
        combatant = msgspec.structs.replace(one, initiative=None)
    return {**known, "is_active": turn.is_active, "combatant": combatant}


def _find_who(turn: TurnView | None) -> dict[str, Any] | None:
    """A turn as the head of the page needs it: its place in the round, which is only written, is a mark."""
    known = _find_turn(turn, "place", "zone", "health")
    return known and known | {"place": find_mark("place") if known["place"] else ""}


def _find_last_line(table: TableView) -> ResultView | None:
    """The newest result, if a player reads it above the actions of their turn: it is someone else's."""
    turn, last = table.turn, table.results[-1] if table.results else None
    if last is None or turn is None or not turn.is_active or table.viewer.is_gm:
        return None
    return last if last.main.who != turn.combatant.name else None


def _find_steps(table: TableView) -> dict[str, Any] | None:
    """What the buttons beside a map depend on; None if there is no map, or for spectators."""
    if table.viewer.is_spectator or not table.scene.is_drawn:
        return None
    free = not table.prompt
    moves = bool(free and table.turn and table.turn.is_active)
    return {"cell": table.scene.cell, "moves": moves, "hides": free and table.viewer.is_gm}


def _find_gates(table: TableView) -> dict[str, Any] | None:
    """The doors of a map, and for the GM what players see of it; None without either."""
    scene, plan = table.scene, table.scene.plan
    if not scene.is_drawn or not (plan.doors or table.viewer.is_gm):
        return None
    secrets = ("hidden", "fog", "remembers") if table.viewer.is_gm else ()
    known = {name: getattr(plan, name) for name in ("doors", *secrets)}
    return {"plan": known, "unit": scene.unit, "secrets": bool(secrets and not table.prompt)}


def _draw(name: str, recipe: Recipe, everything: Mapping[str, Any]) -> Part:
    if name == "turn-offer":
        return _draw_offer(name, recipe, everything)
    drawing = _draw_with(recipe, everything)
    return Part(name, drawing.html, drawing.tag)


def _draw_with(recipe: Recipe, everything: Mapping[str, Any], **more: Any) -> Drawing:
    """Draw a part with the values of its recipe; with all values while something of its own is open."""
    for name in recipe.own:
        if everything.get(name):
            return DRAWINGS.draw(recipe.template, {**everything, **more}, keep=False)
    table = everything["table"]
    part = {"viewer": table["reader"], **dict(zip(recipe.of_table, recipe.find(table), strict=True))}
    part["turn"] = part.pop(recipe.turn, None)
    given = {name: everything.get(name) for name in recipe.given}
    given = {**dict.fromkeys(recipe.own), **given, **more, "table": part}
    if recipe.template == SCENE:
        return draw_scene(given)
    if not recipe.words:
        return DRAWINGS.draw(recipe.template, given)
    words = {name: str(part[name]) for name in recipe.words if part[name]}
    part |= {name: find_mark(name) for name in words}
    return write(DRAWINGS.draw(recipe.template, given), words)


def _draw_row(combatant: CombatantView, everything: Mapping[str, Any]) -> Part:
    """A combatant's row, which ignores what is open in other rows.

    It is drawn around the initiative, which some games roll again in every round.
    """
    own = dict(everything)
    if own.get("row") != combatant.id:
        own |= {"row_form": "", "row": ""}
    if own.get("part_of") != combatant.id:
        own |= {"part_of": "", "part": ""}
    score = combatant.initiative
    row = msgspec.structs.replace(combatant, figure=None, initiative=None)
    known = {
        "combatant": row,
        "folds": bool(combatant.figure),
        "score": "" if score is None else find_mark("score"),
    }
    drawing = write(_draw_with(ROW, own, **known), {} if score is None else {"score": str(score)})
    return _join(combatant.id, drawing, _draw_pieces(combatant, own), is_whole=bool(own.get("row_form")))


def _join(name: str, drawing: Drawing, pieces: Iterable[Piece], *, is_whole: bool = False) -> Part:
    """A part with its pieces."""
    known = tuple(pieces)
    tag = ".".join((drawing.tag, *[piece.drawing.tag for piece in known]))
    return Part(name, drawing.html, tag, known, is_whole)


def _draw_offer(name: str, recipe: Recipe, everything: Mapping[str, Any]) -> Part:
    """The actions on offer, with their groups as pieces."""
    known = everything if everything.get("open") else _outline_groups(everything)
    drawing = _draw_with(recipe, known, apart=True)
    return _join(name, drawing, _draw_groups(drawing.html, everything))


def _outline_groups(everything: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values with only the keys of the groups on offer, which makes the key of the drawing short."""
    table = everything["table"]
    turn = table["offered"]
    if turn is None:
        return everything
    return {**everything, "table": {**table, "offered": {**turn, "offer": turn["offer"].outline}}}


def _draw_groups(bare: str, everything: Mapping[str, Any]) -> Iterator[Piece]:
    """The groups of actions that have a place in the offer: unchanged in the next turn if it has the same."""
    turn, to_act = everything["table"]["offered"], everything["table"]["to_act"]
    for group in turn["offer"].groups if turn else ():
        place = f'<details id="group-{group.key}" hx-preserve></details>'
        if place in bare:
            leads = to_act and bool([action for action in group.actions if action.first])
            given = {"group": group, "named": turn["named"], "table": {"to_act": leads}, "open": None}
            yield Piece(place, DRAWINGS.draw(GROUP, given))


def _draw_pieces(combatant: CombatantView, everything: Mapping[str, Any]) -> Iterator[Piece]:
    """What stays in a row while its combatant acts: the parts of the body, and the GM's menu."""
    table, who = everything["table"], combatant.id
    if combatant.figure:
        given = {name: everything.get(name, "") for name in ("part", "part_of")}
        drawing = DRAWINGS.draw(
            FIGURE, {"figure": combatant.figure, "whose": who, "slug": table["slug"], **given}
        )
        yield Piece(f'<details id="figure-{who}" hx-preserve></details>', drawing)
    if table["viewer"]["is_gm"]:
        yield Piece(f'<details id="menu-{who}" hx-preserve></details>', _draw_menu(combatant, everything))


def _draw_menu(combatant: CombatantView, everything: Mapping[str, Any]) -> Drawing:
    """The GM's menu of a combatant: unchanged while the combatant acts, is hurt or moves."""
    names = ("id", "full_name", "sheet", "hidden", "is_out", "given_up")
    one: dict[str, Any] = {name: getattr(combatant, name) for name in names}
    table = {name: everything["table"][name] for name in ("id", "version", "phase")}
    one["others"] = [side for side in everything["table"]["sides"] if side != combatant.side]
    here, owns = everything["here"], everything["owns"]
    return DRAWINGS.draw(MENU, {"combatant": one, "table": table, "here": here, "owns": owns})


def _find_step(step: LogStep, eyes: tuple[Any, ...]) -> Part:
    """A step of the log as drawn for eyes; kept with the step, which is kept with its row."""
    part = step.__dict__.setdefault("drawn", {})[eyes] = _draw_step(step, *eyes)
    return part


def _draw_step(step: LogStep, pk: int, slug: str, is_gm: bool) -> Part:
    """A step of the log, with its number of lines, so that a page can remove each of them."""
    drawing = draw_step(step, pk, slug, is_gm=is_gm)
    count = len(step.lines) + (step.kind == "cancel")
    return Part(f"{step.number}.{count}", drawing.html, drawing.tag)
