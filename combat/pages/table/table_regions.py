"""The table in regions: which there are, and all of them for one viewer.

A shape is filled by name: its fields are what the table, the page and `_find_parts` call the same. So a
region sees exactly these, and something new in it needs only its line in the shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from combat.display.forms.action_form import OverrulingView
from combat.display.map.scene import strip_scene
from combat.display.regions import Reader, Region, RegionPage, RegionShape, draw, find_version, shut
from combat.display.shapes.result_shapes import ResultView
from combat.display.shapes.table_shapes import ClockView, CombatantView, TableView, TurnView
from combat.display.shapes.wish_shapes import RulingForm, WishLine
from combat.play.improvising import REFUSED
from combat.rules.core.basics.words import possessive

from . import region_shapes as shapes
from .folding import FoldView, fold_rows
from .region_shapes import Name, Turn
from .rows import weave_clocks
from .squads import fold_squads

S = TypeVar("S", bound=RegionShape)
Regions = dict[str, tuple[str, type[RegionShape]]]  # by name: the template and the shape of each

REGIONS: Regions = {
    "bar-name": ("combat/table/bar_name.html", shapes.BarName),
    "bar-clock": ("combat/table/bar_clock.html", shapes.BarClock),
    "bar-settings": ("combat/table/bar_settings.html", shapes.BarSettings),
    "bar-undo": ("combat/table/result/bar_undo.html", shapes.BarUndo),
    "bar-actions": ("combat/table/bar_actions.html", shapes.BarActions),
    "handouts-shown": ("combat/table/handouts.html", shapes.Handouts),
    "clocks": ("combat/table/clocks/clocks.html", shapes.Clocks),
    "notices": ("combat/table/notices.html", shapes.Notices),
    "rules-note": ("combat/book/rules_note.html", shapes.RulesNote),
    "combatants-note": ("combat/table/rows/combatants_note.html", shapes.CombatantsNote),
    "combatants-more": ("combat/table/rows/combatants_more.html", shapes.CombatantsMore),
    "scene": ("combat/map/scene.html", shapes.Scene),
    "map-ground": ("combat/map/ground/map_ground_part.html", shapes.MapGround),
    "board-ground": ("combat/map/board/board_ground_part.html", shapes.BoardGround),
    "map-zoom": ("combat/map/map_zoom.html", shapes.MapZoom),
    "map-steps": ("combat/map/map_steps.html", shapes.MapSteps),
    "map-doors": ("combat/map/doors_part.html", shapes.MapDoors),
    "map-hands": ("combat/map/pointing/map_hands.html", shapes.MapHands),
    "ending-ask": ("combat/table/ending_ask.html", shapes.EndingAsk),
}
OF_SPECTATORS: Regions = {
    "watch-result": ("combat/table/result/watch_result.html", shapes.WatchResult),
    "watch-moment": ("combat/table/moments/moments.html", shapes.WatchMoment),
    "watch-join": ("combat/table/moments/joining.html", shapes.WatchJoin),
    "watch-ending": ("combat/table/moments/ending.html", shapes.WatchEnding),
}
ANY_TIME: Regions = {
    "words": ("combat/table/turn/words.html", shapes.Words),
    "free-dice": ("combat/table/turn/free_dice.html", shapes.FreeDice),
}
IN_FIGHTS: Regions = {
    **ANY_TIME,
    "turn-head": ("combat/table/turn/turn_head.html", shapes.TurnHead),
    "turn-call": ("combat/table/turn/turn_call.html", shapes.TurnCall),
    "my-plans": ("combat/table/planned/my_plans.html", shapes.MyPlans),
    "my-wish": ("combat/table/wishes/my_wish.html", shapes.MyWishes),
    "wish-new": ("combat/table/wishes/something_else.html", shapes.MyWishes),
    "wishes": ("combat/table/wishes/wishes.html", shapes.Wishes),
    "turn-open": ("combat/table/turn/turn_open.html", shapes.TurnOpen),
    "turn-result": ("combat/table/turn/turn_result.html", shapes.TurnResult),
    "turn-state": ("combat/table/turn/turn_state.html", shapes.TurnState),
    "turn-offer": ("combat/table/turn/turn_offer.html", shapes.TurnOffer),
    "turn-rulings": ("combat/table/wishes/tiles.html", shapes.Rulings),
    "turn-gm": ("combat/table/turn/turn_gm.html", shapes.TurnGm),
}
OUT_OF_FIGHTS: Regions = {
    **ANY_TIME,
    "turn-waiting": ("combat/table/waiting/turn_waiting.html", shapes.TurnWaiting),
}
ROW = "combat/table/rows/combatant.html"
FOLD_ROW = "combat/table/rows/fold.html"
CLOCK_ROW = "combat/table/rows/clock.html"
WINDOW = "combat/table/rows/window.html"
STEP = "combat/log/log_step.html"
OF_MENU = ("id", "full_name", "sheet", "hidden", "is_out", "given_up", "pc", "alias", "squad", "kin")
USUAL: dict[str, Any] = {  # what is seldom there
    "folds": frozenset(),
    "joining": None,
    "way_out": None,
    "overruling": None,
    "open": None,
    "advice": "",
    "missed": None,
    "start_form": None,
    "start_picks": (),
    "lacks_side": False,
    "empty_side": "",
    "sides": (),
    "row": "",
    "row_form": None,
    "terms": (),
    "passing": None,
    "ruling": None,
    "planning": None,
    "corrects": False,
}


def draw_page(table: TableView, shown: Mapping[str, Any]) -> RegionPage:
    """All regions of the page for one viewer. `shown` are the other values of the page, and what is open."""
    known = _find_parts(table, shown)
    viewer, is_fight = table.viewer, table.phase == "fight"
    of_viewer = OF_SPECTATORS if viewer.is_spectator else IN_FIGHTS if is_fight else OUT_OF_FIGHTS
    turns = _find_turns(table.turn)
    regions = {
        name: draw(template, _make(shape, known, turn=turns.get(name, turns[""])))
        for name, (template, shape) in {**REGIONS, **of_viewer}.items()
    }
    if viewer.is_gm or known["row_form"]:
        regions["row-window"] = _draw_window(table, known)
    frame = find_version(f"{viewer.role} {' '.join(regions)}")
    in_turn = weave_clocks(fold_squads(table.combatants), table.clocks.clocks)
    others = fold_squads(table.waiting_combatants)
    rows = tuple(_draw_rows((*in_turn, *others), known, regions))
    steps = [step for step in table.log if (step.lines or step.kind == "cancel") and not step.is_told_below]
    looks = table.looks
    log = [draw(STEP, _make(shapes.Step, known, step=step, look=looks.get(step.whose))) for step in steps]
    none = draw("combat/log/no_log.html", _make(shapes.NoLog, known))
    if table.prompt:
        why = table.why_waits
        regions = {name: shut(region, why) for name, region in regions.items()}
        rows = tuple([shut(row, why) for row in rows])
    return RegionPage(frame, regions, {"rows": rows, "log-lines": tuple(log) or (none,)})


def _make(shape: type[S], known: Mapping[str, Any], **more: Any) -> S:
    """A shape with the values of its fields."""
    return shape(*[more[name] if name in more else known[name] for name in shape.__struct_fields__])


def _draw_rows(
    rows: Iterable[CombatantView | ClockView], known: Mapping[str, Any], regions: dict[str, Region]
) -> Iterator[Region]:
    """All rows; in a long list namesakes fold, but for those the page is about: acting, open, just hurt."""
    hurt = {change.name for result in known["results"][-1:] for change in result.changes}
    kept = {known["row"], known["shown_of"], *hurt}
    is_fight, is_screen = known["phase"] == "fight", known["viewer"].is_spectator
    listed, folds = (rows, {}) if is_screen else fold_rows(rows, kept, in_turn=is_fight)
    for row in listed:
        if isinstance(row, FoldView):
            yield draw(FOLD_ROW, _make(shapes.FoldRow, known, fold=row))
        else:
            yield _draw_row(row, known, regions, fold=folds.get(row.id, 0))


def _draw_row(
    combatant: CombatantView | ClockView, known: Mapping[str, Any], regions: dict[str, Region], fold: int
) -> Region:
    """A combatant's row; its figure and its menu join the regions. A clock's row has neither."""
    if isinstance(combatant, ClockView):
        return draw(CLOCK_ROW, _make(shapes.ClockRow, known, clock=combatant))
    who, figure = combatant.id, combatant.figure
    if figure:
        part = known["part"] if known["part_of"] == who else ""
        shape = _make(shapes.RowFigure, known, figure=figure, whose=who, part=part)
        regions[f"figure-{who}"] = draw("characters/health/row_figure.html", shape)
    if known["viewer"].is_gm:
        one = {name: getattr(combatant, name) for name in OF_MENU}
        others = tuple([side for side in known["all_sides"] if side != combatant.side])
        menu = _make(shapes.RowMenu, known, combatant=one, others=others)
        regions[f"menu-{who}"] = draw("combat/table/rows/combatant_menu.html", menu)
    bare = msgspec.structs.replace(combatant, figure=None, kin=())
    noted = known["viewer"].is_gm and who in known["encounter"].noted
    more = {"is_shown": who == known["shown_of"] and not combatant.active, "has_figure": bool(figure)}
    chosen = known["row"] == who
    return draw(
        ROW, _make(shapes.Row, known, combatant=bare, noted=noted, is_chosen=chosen, fold=fold, **more)
    )


def _draw_window(table: TableView, known: Mapping[str, Any]) -> Region:
    """The small window of the combatant whose form is open."""
    chosen = next((one for one in table.everyone if one.id == known["row"]), None)
    bare = msgspec.structs.replace(chosen, figure=None, pips=()) if chosen else None
    return draw(WINDOW, _make(shapes.RowWindow, known, combatant=bare, form=known["row_form"]))


def _find_parts(table: TableView, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Every value that a region may show, by its name."""
    viewer, opened = table.viewer, shown.get("open")
    everyone, scene = table.everyone, table.scene
    fields = msgspec.structs.asdict(table) | {
        name: getattr(table, name)
        for name in (
            "your_turn",
            "has_sheets",
            "unusual",
            "usual_settings",
            "lead",
            "goes_on",
            "chooser",
            "to_act",
            "undoes",
            "unspent",
            "wanting",
            "plan_leads",
        )
    }
    return {
        **USUAL,
        **fields,
        **shown,
        "viewer": Reader(viewer.is_gm, viewer.is_seated, viewer.is_spectator),
        "prompt": bool(table.prompt),
        "unread": bool(shown.get("missed")) and not shown["missed"].is_read,
        "questions": table.prompt,
        "refused": shown["refused"].message if shown["refused"] else "",
        "handouts": tuple(shown["handouts"]),
        "ready": tuple([{"pk": one.pk, "name": one.name} for one in shown["ready"]]),
        "rollers": tuple([(one.id, one.name) for one in table.own]),
        "showing": bool(shown["room"] and shown["room"].showing),
        "way": table.seating.way if table.seating else "",
        "acting": _name(table.acting) if table.acting else None,
        "turn_of": possessive(table.acting.name) if table.acting else "",
        "together": tuple(map(_name, table.together)),
        "terrain": strip_scene(scene),
        "is_drawn": scene.is_drawn,
        "is_chase": bool(scene.road),
        "grid": "board-plain" in shown.get("folds", ()),
        "places": scene.places if scene.is_drawn else (),
        "steps": _find_steps(table),
        "gates": _find_gates(table),
        "last_line": _find_last_line(table),
        "wish_lines": tuple(_find_wish_lines(table, shown.get("ruling"))),
        "overruled_apart": _is_apart(table, shown.get("overruling")),
        "has_settings": bool(table.settings),
        "all_waiting": sum(one.count for one in table.reserves),
        "all_sides": sorted({one.side for one in everyone}),
        "has_combatants": bool(everyone),
        "shown_of": table.turn.combatant.id if table.turn else "",
        "open_name": opened.action.name if opened else "",
    }


def _name(one: CombatantView) -> Name:
    """What regions tell of others who have the turn: unchanged while these are hurt or spend actions."""
    return {"name": one.name, "look": one.look, "side": one.side}


def _find_turns(turn: TurnView | None) -> dict[str, Turn | None]:
    """A turn as each region shows it, by the region's name; for others, only whose it is."""
    if turn is None:
        return {"": None}
    one = turn.combatant
    whose: dict[str, Any] = {name: getattr(one, name) for name in ("id", "played", "name", "look", "player")}
    base = {"is_active": turn.is_active, "combatant": whose}
    # Which only their row shows, and the head
    everything = msgspec.structs.replace(one, initiative=None, is_player_here=False)
    head = {"zone": one.zone, "health": one.health, "is_player_here": one.is_player_here}
    return {
        "": base,
        "turn-head": {
            **base,
            "place": turn.place,
            "derived": turn.derived,
            "combatant": {**whose, **head},
        },
        "turn-state": {
            **base,
            "derived": turn.derived,
            "items": turn.items,
            "orders": turn.orders,
            "combatant": everything,
        },
        "turn-offer": {**base, "offer": turn.offer, "later": turn.later},
    }


def _find_last_line(table: TableView) -> ResultView | None:
    """The newest result, if it is one line above the actions of a turn: of an earlier turn, or of all.

    Players read all that others rolled so.
    """
    turn, last = table.turn, next((one for one in reversed(table.results) if not one.is_free), None)
    if last is None or turn is None or not turn.is_active:
        return None
    is_others = not table.viewer.is_gm and last.main.who != turn.combatant.name
    return last if last.is_past or is_others or _is_of_all(last) else None


def _find_wish_lines(table: TableView, ruling: RulingForm | None) -> Iterator[WishLine]:
    """Lines on the map in meters: between the tokens of a wish, unless it was refused, of the ruling that is
    open, and of plans.
    """
    spots = {token.id: token.spot for token in table.scene.tokens if not token.inside}
    wishes = [wish for wish in table.wishes if wish.status != REFUSED]
    pairs = [(ruling.who, ruling.about)] if ruling else [(wish.who, wish.whom) for wish in wishes]
    for who, whom in pairs:
        if who in spots and whom in spots:
            yield WishLine(spots[who], spots[whom])
    for who, whom in table.aims:
        if who in spots and whom in spots:
            yield WishLine(spots[who], spots[whom], plans=True)


def _is_apart(table: TableView, overruling: OverrulingView | None) -> bool:
    """Whether the roll that is to be overruled has no card in sight: its form then stands alone."""
    last = _find_last_line(table)
    keys = {one.key for one in table.results} - {last.key if last else ""}
    return overruling is not None and str(overruling.step) not in keys


def _is_of_all(result: ResultView) -> bool:
    """Whether several people rolled the same without an outcome, such as initiative."""
    rolls = (result.main, *result.others)
    same = len({one.what for one in rolls}) == 1 and not any(one.verdict for one in rolls)
    return same and len({one.who for one in rolls}) > 1


def _find_steps(table: TableView) -> dict[str, Any] | None:
    """What the buttons beside a map depend on; None if there is no map, or for spectators."""
    if table.viewer.is_spectator or not table.scene.is_drawn:
        return None
    free = not table.prompt
    moves = bool(free and table.turn and table.turn.is_active)
    decks = moves and bool(table.scene.ways or len(table.scene.decks) > 1)
    return {"cell": table.scene.cell, "moves": moves, "decks": decks, "hides": free and table.viewer.is_gm}


def _find_gates(table: TableView) -> dict[str, Any] | None:
    """The doors of a map, and for the GM what players see of it; None without either."""
    scene, plan = table.scene, table.scene.plan
    if not scene.is_drawn or not (plan.doors or table.viewer.is_gm):
        return None
    secrets = ("hidden", "fog", "remembers", "things") if table.viewer.is_gm else ()
    known = {name: getattr(plan, name) for name in ("doors", *secrets)}
    return {"plan": known, "unit": scene.unit, "secrets": bool(secrets and not table.prompt)}
