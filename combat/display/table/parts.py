"""The table page as parts, each with a tag: a digest of exactly what a viewer sees in it.

A part is an element with an id. Its template gets only what is listed here, so equal values are drawn only
once, for all viewers. A template that reads more of the table needs the name in this list. The tokens of
forms and the version that a page saw are marks in the drawing, filled in when it is sent: they belong to
an answer, not to a part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
from django.utils.safestring import SafeString

from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.basics.words import possessive

from ..drawings import DRAWINGS, Drawing, find_mark, write
from ..log.step_drawing import draw_step
from ..map.scene import strip_scene
from ..page_parts import PageParts, Part, Piece, join
from ..scene_drawing import SCENE, draw_scene
from ..shapes.result_shapes import ResultView
from ..shapes.table_shapes import CombatantView, LogStep, TableView, TurnView

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
        "who acting together can_end_turn prompt waiting goes_on unspent",
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


QUIET = (  # what passed turns seldom change: found with one key
    *("bar-name", "bar-settings", "bar-actions", "handouts-shown", "clocks", "notices", "rules-note"),
    *("combatants-note", "map-ground", "board-ground", "map-zoom", "map-steps", "map-doors", "map-hands"),
    "turn-gm",
)


# ---- The page ----


class _Plan(NamedTuple):
    """What a page consists of: its parts, which of them are quiet, and all that these are drawn from."""

    recipes: Mapping[str, Recipe]
    quiet: tuple[str, ...]
    found_by: Recipe


@cache
def _make_plan(*, is_spectator: bool, is_fight: bool) -> _Plan:
    recipes = PARTS | (OF_SPECTATORS if is_spectator else OF_PLAYERS if is_fight else {})
    quiet = tuple([name for name in QUIET if name in recipes])
    table = dict.fromkeys(word for name in quiet for word in recipes[name].table.split())
    shown = dict.fromkeys(word for name in quiet for word in recipes[name].given)
    return _Plan(recipes, quiet, Recipe(" ".join(quiet), " ".join(table), " ".join(shown)))


def draw_page(table: TableView, shown: Mapping[str, Any]) -> PageParts:
    """All parts of the page for one viewer. `shown` are the other values of the page, and what is open."""
    role, is_fight, looks_on = table.viewer.role, table.phase == "fight", table.viewer.is_spectator
    plan, everything = _make_plan(is_spectator=looks_on, is_fight=is_fight), _find_everything(table, shown)
    quiet = _draw_quiet(plan, everything)
    parts = [quiet.get(name) or _draw(name, recipe, everything) for name, recipe in plan.recipes.items()]
    if not looks_on and not is_fight:
        drawing = DRAWINGS.draw("combat/table/waiting/turn_waiting.html", dict(everything), keep=False)
        parts.append(Part("turn-waiting", drawing.html, drawing.tag))
    around, everyone = _find_around(everything), (*table.combatants, *table.waiting_combatants)
    rows = tuple([_draw_row(combatant, around, everything) for combatant in everyone])
    eyes = (table.id, table.slug, table.viewer.is_gm)
    log = tuple([step.__dict__.get("drawn", {}).get(eyes) or _find_step(step, eyes) for step in table.log])
    frame = f"{role}-{is_fight}-{bool(log)}"
    return PageParts(frame, tuple(parts), rows, log)


def _find_everything(table: TableView, shown: Mapping[str, Any]) -> dict[str, Any]:
    """All values that any part may get; the table becomes a dictionary of its fields."""
    viewer, turn = table.viewer, table.turn
    known = {
        name: getattr(table, name)
        for name in ("your_turn", "has_sheets", "unusual", "lead", "goes_on", "to_act", "undoes", "unspent")
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
    given = _find_given(recipe, everything) | more
    if recipe.template == SCENE:
        return draw_scene(given)
    if not recipe.words:
        return DRAWINGS.draw(recipe.template, given)
    part = given["table"]
    words = {name: str(part[name]) for name in recipe.words if part[name]}
    part |= {name: find_mark(name) for name in words}
    return write(DRAWINGS.draw(recipe.template, given), words)


def _find_given(recipe: Recipe, everything: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a recipe, with nothing of its own open."""
    table = everything["table"]
    part = {"viewer": table["reader"], **dict(zip(recipe.of_table, recipe.find(table), strict=True))}
    part["turn"] = part.pop(recipe.turn, None)
    given = {name: everything.get(name) for name in recipe.given}
    return {**dict.fromkeys(recipe.own), **given, "table": part}


def _draw_quiet(plan: _Plan, everything: Mapping[str, Any]) -> Mapping[str, Part]:
    """The quiet parts of a page, by name; none while a form is open, which may be in one of them."""
    if everything.get("open"):
        return {}

    def draw(*_: object) -> Drawing:
        drawn = tuple([_draw_with(plan.recipes[name], everything) for name in plan.quiet])
        return Drawing(SafeString(""), "", drawn)

    found = DRAWINGS.draw(plan.found_by.template, _find_given(plan.found_by, everything), make=draw)
    pairs = zip(plan.quiet, found.parts, strict=True)
    return {name: Part(name, one.html, one.tag) for name, one in pairs}


class _Around(NamedTuple):
    """What rows show besides their combatants; the `part` of the one of `part_of` is open."""

    id: int
    slug: str
    phase: str
    is_gm: bool
    sides: tuple[str, ...]
    here: str
    owns: bool
    part: str
    part_of: str


def _find_around(everything: Mapping[str, Any]) -> _Around:
    table = everything["table"]
    return _Around(
        table["id"],
        table["slug"],
        table["phase"],
        table["viewer"]["is_gm"],
        tuple(table["sides"]),
        everything["here"],
        everything["owns"],
        everything.get("part", ""),
        everything.get("part_of", ""),
    )


def _draw_row(combatant: CombatantView, around: _Around, everything: Mapping[str, Any]) -> Part:
    """A combatant's row, which ignores what is open in other rows."""
    who = combatant.id
    if around.part and around.part_of != who:
        around = around._replace(part="", part_of="")
    if everything.get("row_form") and everything.get("row") == who:
        return _draw_row_anew(combatant, around, everything)
    return _draw_closed_row(combatant, around)


def _look_at_row(combatant: CombatantView, around: _Around) -> Seen:
    return (combatant,), around


@remember_by(_look_at_row)
def _draw_closed_row(combatant: CombatantView, around: _Around) -> Part:
    """A row without a form: the same until its combatant changes."""
    table = {"id": around.id, "slug": around.slug, "version": find_mark("version")}
    table["reader"] = {"is_gm": around.is_gm}
    return _draw_row_anew(combatant, around, {"table": table, "here": around.here})


def _draw_row_anew(combatant: CombatantView, around: _Around, everything: Mapping[str, Any]) -> Part:
    """A row, drawn around the initiative, which some games roll again in every round."""
    score = combatant.initiative
    known = {
        "combatant": msgspec.structs.replace(combatant, figure=None, initiative=None),
        "folds": bool(combatant.figure),
        "score": "" if score is None else find_mark("score"),
    }
    words = {} if score is None else {"score": str(score)}
    drawing = write(_draw_with(ROW, everything, **known), words)
    pieces = _draw_pieces(combatant, around)
    return join(combatant.id, drawing, pieces, is_whole=bool(everything.get("row_form")))


def _draw_offer(name: str, recipe: Recipe, everything: Mapping[str, Any]) -> Part:
    """The actions on offer, with their groups as pieces."""
    known = everything if everything.get("open") else _outline_groups(everything)
    drawing = _draw_with(recipe, known, apart=True)
    return join(name, drawing, _draw_groups(drawing.html, everything))


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


def _look_at_pieces(combatant: CombatantView, around: _Around) -> Seen:
    one = combatant
    own = (one.id, one.full_name, one.sheet, one.hidden, one.is_out, one.given_up, one.side)
    return (one.figure,), (own, around)


@remember_by(_look_at_pieces)
def _draw_pieces(combatant: CombatantView, around: _Around) -> tuple[Piece, ...]:
    """What stays in a row while its combatant acts: the parts of the body, and the GM's menu."""
    who, pieces = combatant.id, list[Piece]()
    if combatant.figure:
        given = {"figure": combatant.figure, "whose": who, "slug": around.slug}
        given |= {"part": around.part, "part_of": around.part_of}
        place = f'<details id="figure-{who}" hx-preserve></details>'
        pieces.append(Piece(place, DRAWINGS.draw(FIGURE, given)))
    if around.is_gm:
        place = f'<details id="menu-{who}" hx-preserve></details>'
        pieces.append(Piece(place, _draw_menu(combatant, around)))
    return tuple(pieces)


def _draw_menu(combatant: CombatantView, around: _Around) -> Drawing:
    """The GM's menu of a combatant: unchanged while the combatant acts, is hurt or moves."""
    names = ("id", "full_name", "sheet", "hidden", "is_out", "given_up")
    one: dict[str, Any] = {name: getattr(combatant, name) for name in names}
    one["others"] = [side for side in around.sides if side != combatant.side]
    table = {"id": around.id, "version": find_mark("version"), "phase": around.phase}
    given = {"combatant": one, "table": table, "here": around.here, "owns": around.owns}
    return DRAWINGS.draw(MENU, given)


def _find_step(step: LogStep, eyes: tuple[Any, ...]) -> Part:
    """A step of the log as drawn for eyes; kept with the step, which is kept with its row."""
    part = step.__dict__.setdefault("drawn", {})[eyes] = _draw_step(step, *eyes)
    return part


def _draw_step(step: LogStep, pk: int, slug: str, is_gm: bool) -> Part:
    """A step of the log, with its number of lines, so that a page can remove each of them."""
    drawing = draw_step(step, pk, slug, is_gm=is_gm)
    count = len(step.lines) + (step.kind == "cancel")
    return Part(f"{step.number}.{count}", drawing.html, drawing.tag)
