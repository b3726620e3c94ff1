"""What a viewer may see of an encounter: frozen, filtered, ready for a template.

Nothing here decides what is secret: every fact has its audience from the start, and hidden
combatants are left out for everybody but the GM.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec.structs import replace

from combat.audience.changes import find_players
from combat.audience.things import HANDOUT
from combat.audience.viewer import Viewer
from combat.display.combatants.cards import Figures
from combat.display.forms.questions import find_deciders, view_prompt
from combat.display.forms.scene_effects import add_effects
from combat.display.forms.usual_odds import mark_ways
from combat.display.log_view import add_held, find_silent, names_of, view_log
from combat.display.map.bands import add_bands
from combat.display.map.board import set_board
from combat.display.map.ghosts import add_ghosts
from combat.display.map.road import view_road
from combat.display.map.scene import mark_movable, view_present_scene
from combat.display.rules_view import view_rules
from combat.display.shapes.result_shapes import Decider, Prompt, ResultView, Rolled
from combat.display.shapes.scene_shapes import SceneView
from combat.display.shapes.table_shapes import (
    ActionView,
    CombatantView,
    LogStep,
    Offer,
    Order,
    SeatingView,
    SettingView,
    TableView,
    TurnView,
    find_lead,
    view_lead,
    view_reserves,
)
from combat.models import Seat, StoredStep
from combat.play.writing.step_cache import find_rows
from combat.play.writing.unseen_turn import ToldLater
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Action, find_reasons
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.standing_orders import find_orders
from combat.rules.core.odds.proposals import propose
from combat.rules.core.sides import (
    describe_beaten,
    describe_in_sight,
    describe_losses,
    find_able,
    find_verdict,
    has_turns,
    is_asked,
    say_standing,
)
from combat.rules.core.space import map_of
from combat.rules.core.state.history import CANCEL, COMMAND, SEAL
from combat.rules.core.state.state import State, is_acting
from combat.rules.core.turn.squads import find_later_mates
from combat.rules.core.wording import Pen, pen_of
from combat.sharing.links import is_here
from combat.sharing.viewer_context import LOG_STEPS, ViewerContext

from .action_groups import join_refused, make_groups, view_offer
from .end_view import find_title, view_ending, view_finish, view_my_end
from .moments_view import view_moments
from .planned_view import find_aims, say_planned, view_planned
from .players_view import find_player_look
from .result_view import view_loot, view_results, view_rolls
from .rows import find_people, view_clocks, view_items, view_places
from .rulings_view import view_tiles
from .squads import add_squads
from .waiting_view import find_next, view_since, view_waiting
from .wishes_view import find_wanting, view_my_wish, view_wishes
from .words_view import view_words

SCENE_FOLD = "surroundings"  # the id of the menu of the scene conditions
MAX_TOLD = 4  # lines of a step that are read out


def _view_undo(context: ViewerContext, rows: list[StoredStep]) -> dict[str, Any]:
    """Whether the GM can undo a step that counts, or redo one."""
    is_gm, encounter = context.viewer.is_gm, context.encounter
    counts = encounter.steps > len(rows) or any(row.kind == COMMAND and not row.struck for row in rows)
    return {"can_undo": is_gm and counts, "can_redo": is_gm and bool(encounter.undone)}


def view_table(
    context: ViewerContext,
    chosen: str = "",
    steps: Iterable[StoredStep] | None = None,
    seen: str = "",
    folds: Collection[str] = (),
) -> TableView:
    """The table as one viewer may see it, with the actions of `chosen` and results since the step `seen`.

    `folds` are the ids of the open ones: a row's figure has no parts while its fold is closed.
    """
    encounter, viewer = context.encounter, context.viewer
    system, state, told, pins = context.system, context.known_state, context.told_lately, context.pins
    rows = add_held(context, recent_steps(context) if steps is None else list(steps), told)
    combatants = _view_people(context)
    log, lately = view_log(context, rows, told), find_lately(context, rows)
    seating, prompt = view_seating(system, state, combatants), _view_prompt(context, combatants)
    turn = view_turn(system, context.obscured_state, combatants, viewer, chosen=chosen, rows=rows, pins=pins)
    combatants, turn = _with_figures(context, combatants, turn, folds)
    scene = _view_scene(context, combatants, turn.combatant.id if turn else "")
    waits = bool(prompt) or (state.is_paused and not viewer.is_gm)
    results = view_results(context, lately, combatants, seen)
    announce = announce_last(state, combatants, log, way=seating.way if seating else "", viewer=viewer)
    return TableView(
        id=encounter.pk,
        name=encounter.name,
        system=system.name,
        slug=system.slug,
        version=context.stamp,
        phase=state.phase,
        round=state.round,
        elapsed=describe_time(state.clock),
        settings=_view_settings(context, folds),
        combatants=tuple(combatants[w] for w in state.order if w in combatants),
        waiting_combatants=tuple(f for w, f in combatants.items() if w not in state.order),
        turn=turn,
        acting=combatants.get(state.active),
        prompt=prompt,
        **_view_awaited(context, combatants),
        clocks=view_clocks(system, state, viewer, context.may_name(HANDOUT)),
        scene=scene if waits else mark_ways(system, state, mark_movable(system, state, scene, viewer), turn),
        log=log,
        **_view_undo(context, rows),
        can_end_turn=viewer.is_gm or (not waits and any(is_acting(state, who) for who in viewer.seats)),
        paused=state.is_paused,
        reserves=view_reserves(state),
        own=tuple(combatants[w] for w in combatants if w in viewer.seats),
        seating=seating,
        together=tuple(f for f in combatants.values() if f.active) if state.sharing else (),
        mates=_find_mates(context) if context.viewer.is_gm else (),
        gm_actions=view_gm_actions(system, state) if viewer.is_gm and combatants else None,
        viewer=viewer,
        **_view_verdict(context, combatants),
        results=results,
        **_view_lately(context, lately, combatants),
        rulings=view_tiles(context, turn.combatant.id, combatants) if turn else (),
        rules=view_rules(system, state),
        announce=announce_prompt(prompt) if prompt else announce,
        latest=find_latest(results, log) if _is_news(context, lately) else "",
    )


def _view_prompt(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> Prompt | None:
    """The open command, with the dice that have fallen in it."""
    prompt = view_prompt(context, combatants)
    return replace(prompt, rolled=_view_rolled(context)) if prompt else None


def _view_awaited(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> dict[str, Any]:
    """For whom spectators wait, and the dice so far; nothing if they know of nobody who is asked.

    Everybody else has the prompt instead.
    """
    waiting = context.pending if context.viewer.is_spectator else None
    awaited = find_deciders(context, waiting, combatants) if waiting else ()
    return {"awaited": awaited, "rolled": _view_rolled(context) if awaited else ()}


def _view_rolled(context: ViewerContext) -> tuple[Rolled, ...]:
    """The dice that have fallen in the open command, as far as the viewer may see them."""
    pen, waiting = Pen(context.system, names_of(context.known_state)), context.pending
    return tuple(view_rolls(pen, context.viewer.select(waiting.facts))) if waiting else ()


def _view_people(context: ViewerContext) -> dict[str, CombatantView]:
    """The rows of all whom the viewer knows; spectators see who is next."""
    found = find_people(context)
    for who in find_wanting(context) & found.keys():
        look = found[who].look
        found[who] = replace(found[who], wants=True, look=replace(look, marks=("talk", *look.marks[:1])))
    found = add_squads(context.known_state, found, context.viewer.is_gm)
    for who, words in say_planned(context, found).items():
        found[who] = replace(found[who], plans=words)
    for seat in _find_players(context, found):
        face, here = find_player_look(seat, found), is_here(seat.seen, timezone.now())
        for who in found.keys() & set(seat.combatants):
            own = None if found[who].pc else face
            found[who] = replace(found[who], player=seat.name, player_look=own, is_player_here=here)
    if context.viewer.is_spectator and (coming := find_next(context.system, context.known_state)) in found:
        found[coming] = replace(found[coming], next=True)
    return found


def _find_mates(context: ViewerContext) -> tuple[str, ...]:
    """The names of those of the acting squad who have a turn after who acts now."""
    system, state = context.system, context.known_state
    if state.active not in state.combatants:
        return ()
    later = (state.combatants[who] for who in find_later_mates(state, state.active))
    return tuple(one.name for one in later if has_turns(system, state, one))


def _find_players(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> Iterable[Seat]:
    """To the GM, the seats of those who play these combatants."""
    if not context.viewer.is_gm or not any(one.played for one in combatants.values()):
        return ()
    return find_players(context.encounter.pk).only("name", "seen", "combatants")


def _view_verdict(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> dict[str, Any]:
    """Whether one side has won; once the fight is over, who can still fight, who gave up and who is out."""
    system, state = context.system, context.known_state
    verdict = {"verdict": view_verdict(system, state, context.viewer)}
    if context.viewer.is_gm and verdict["verdict"] and (found := find_verdict(system, state)):
        verdict["losses"] = describe_losses(system, state, found)
    if state.phase != "over":
        return verdict
    fallen = tuple(one.name for one in combatants.values() if one.is_out)
    gave_up = tuple(one.name for one in combatants.values() if one.given_up and not one.is_out)
    standing = pen_of(system, state).draw(say_standing(find_able(system, state)))
    title = find_title(system, state)
    return {**verdict, "title": title, "standing": standing, "gave_up": gave_up, "fallen": fallen}


def _view_scene(context: ViewerContext, combatants: dict[str, CombatantView], whose: str) -> SceneView:
    """The scene as a map, as a road if it is a chase, or as a board if nothing is drawn."""
    scene, road = view_present_scene(context, combatants, whose), view_road(context, combatants, whose)
    scene = add_ghosts(context.system, context.known_state, scene)
    scene = add_bands(scene, combatants, map_of(context.known_state.scene).decks)
    return replace(scene, road=road) if road else set_board(context.system, context.known_state, scene, whose)


def _view_lately(
    context: ViewerContext, rows: list[StoredStep], combatants: dict[str, CombatantView]
) -> dict[str, Any]:
    """What the newest steps brought, as moments and to a player since their last turn; and what they want."""
    return {
        "waiting": view_waiting(context, rows, combatants),
        "since": view_since(context, rows, combatants),
        "moments": view_moments(context, rows, combatants),
        "loot": view_loot(context, rows, combatants),
        "ending": view_ending(context, combatants.values(), describe_time(context.known_state.clock)),
        "my_end": view_my_end(context, combatants),
        "finish": view_finish(context, combatants),
        "idle": context.unseen_turn.said if context.unseen_turn else "",
        "wishes": view_wishes(context, combatants),
        "mine": view_my_wish(context, combatants),
        "words": view_words(context, rows, combatants),
        "plans": view_planned(context, combatants),
        "aims": find_aims(context),
    }


def _with_figures(
    context: ViewerContext,
    combatants: dict[str, CombatantView],
    turn: TurnView | None,
    folds: Collection[str],
) -> tuple[dict[str, CombatantView], TurnView | None]:
    """The rows and the turn with parts of bodies, and what the combatant of the shown turn can do to them."""
    system, state, viewer = context.system, context.known_state, context.viewer
    if not system.look.figure:
        return combatants, turn
    whose = turn.combatant.id if turn else ""
    figures = Figures(system, state, viewer, whose, usual=find_usual(state, combatants, viewer))
    known = state.combatants
    found = {
        who: replace(row, figure=figures.view(known[who], f"figure-{who}" in folds))
        for who, row in combatants.items()
    }
    if turn:
        turn = replace(turn, combatant=replace(found[whose], figure=figures.view(known[whose])))
    return found, turn


def find_usual(state: State, combatants: Iterable[str], viewer: Viewer) -> str:
    """Whose actions a page shows that names nobody: theirs whose turn it is, or the viewer's first."""
    if viewer.plays(state.active):
        return state.active
    return next((who for who in combatants if who in viewer.seats), "")


def view_verdict(system: System, state: State, viewer: Viewer) -> str:
    """The notice that only one side can still fight, as far as a viewer sees; else empty."""
    verdict = find_verdict(system, state)
    if verdict is None or (viewer.is_gm and not is_asked(system, state)):
        return ""
    return f"{describe_beaten(verdict)}: end the fight?" if viewer.is_gm else describe_in_sight(verdict)


def recent_steps(context: ViewerContext, most: int = LOG_STEPS) -> list[StoredStep]:
    """The newest steps of the log that a viewer can read, newest first: at most LOG_STEPS."""
    return find_rows(_find_steps(context, context.told_lately).order_by("-number")[:most])


def find_lately(context: ViewerContext, rows: list[StoredStep]) -> list[StoredStep]:
    """The steps since a player took their seat: only the log tells them what happened before.

    The steps of a branch have no time: it shows them all.
    """
    if context.seat is None or not context.viewer.is_seated:
        return rows
    return [row for row in rows if not row.created or row.created >= context.seat.created]


def _is_news(context: ViewerContext, lately: list[StoredStep]) -> bool:
    """Whether the head of a page has something to tell: not the choice that a player's turn waited for."""
    newest = lately[0].name if lately else ""
    action = context.system.actions.by_name.get(newest)
    return bool(lately) and (context.viewer.is_gm or action is None or not action.first)


def find_steps(context: ViewerContext) -> QuerySet[StoredStep]:
    """The steps of the log that a viewer can read: the GM all, others those that count or have dice."""
    return _find_steps(context, context.told_later).defer("after")


def _find_steps(context: ViewerContext, told: ToldLater) -> QuerySet[StoredStep]:
    viewer, rows = context.viewer, StoredStep.objects.filter(encounter=context.encounter)
    if viewer.is_gm:
        return rows
    stands, fell = Q(kind__in=(COMMAND, SEAL), struck=False), Q(kind__in=(COMMAND, CANCEL), dice=True)
    unread = [*find_silent(context), *told.steps, *context.held]
    return rows.filter(_find_readable(viewer), stands | fell).exclude(number__in=unread)


def find_standing_steps(context: ViewerContext) -> QuerySet[StoredStep]:
    """The steps whose state a viewer can look at: for the GM all, for others those that count."""
    viewer, rows = context.viewer, context.encounter.log.defer("after")
    if viewer.is_gm:
        return rows
    standing = rows.filter(_find_readable(viewer), kind=COMMAND, struck=False)
    return standing.exclude(number__in=[*find_silent(context), *context.told_later.steps, *context.held])


def _find_readable(viewer: Viewer) -> Q:
    mine = Q(public=True)
    for who in viewer.seats:
        mine |= Q(private__contains=f",{who},")
    return mine


def describe_time(seconds: int) -> str:
    """Elapsed time in words."""
    if seconds < 60:
        return f"{seconds} s"
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{hours // 24} days {hours % 24} h" if hours % 24 else f"{hours // 24} days"


def view_settings(system: System, state: State) -> tuple[SettingView, ...]:
    """The scene conditions, each with its value and the others it could have."""
    return tuple(SettingView(one, system.setting(state, one.key)) for one in system.find_settings(state))


def _view_settings(context: ViewerContext, folds: Collection[str]) -> tuple[SettingView, ...]:
    """The scene conditions; for a GM who has them open, with what they do now."""
    views = view_settings(context.system, context.known_state)
    if not context.viewer.is_gm or SCENE_FOLD not in folds:
        return views
    return add_effects(context.system, context.obscured_state, views)


def view_turn(
    system: System,
    state: State,
    combatants: dict[str, CombatantView],
    viewer: Viewer,
    chosen: str,
    rows: Iterable[StoredStep] = (),
    pins: tuple[str, ...] = (),
) -> TurnView | None:
    """The actions of the chosen combatant, or of the one whose turn it is."""
    is_chosen = chosen in combatants and viewer.plays(chosen)
    who = chosen if is_chosen else find_usual(state, combatants, viewer)
    if state.phase != "fight" or who not in combatants:
        return None
    combatant = state.combatants[who]
    shown = combatants[who]
    place = f"round {state.round}"
    if who in state.order:
        place = f"{state.order.index(who) + 1} of {len(state.order)}"
    lead = find_lead(system, state, combatant)
    bar = tuple(name for name in shown.bar or () if name in system.actions.by_name)
    offer = view_offer(
        system, state, combatant, combatants, lead=lead, rows=rows, pins=bar or pins, keeps=bool(bar)
    )
    acts = is_acting(state, who)
    is_done = not acts or not offer.has_first or _has_nothing_left(system, state, shown)
    return TurnView(
        combatant=shown,
        place=f"{place} · {shown.zone}" if shown.zone else place,
        derived=pen_of(system, state).derived(system.characters.facts_of(state, combatant)),
        offer=offer,
        later=() if acts else view_later(system, state),
        items=view_items(system, (*system.characters.borrowed_items(state, combatant), *combatant.items)),
        is_active=acts,
        orders=tuple(
            Order(rule, system.words.words.get(f"answer.{value}", value))
            for rule, value in find_orders(combatant).items()
        ),
        lead=view_lead(lead, state, combatant) if lead else None,
        is_done=not lead and is_done,
    )


def _has_nothing_left(system: System, state: State, shown: CombatantView) -> bool:
    """Whether the turn of someone is spent, or its main part is and the tactics know nothing for the rest."""
    if not shown.pips:
        return False
    if any(pool.left for pool in shown.pips if pool.main):
        return False
    return not any(pool.left for pool in shown.pips) or propose(system, state, shown.id) is None


def view_later(system: System, state: State) -> tuple[str, ...]:
    """The labels of what a combatant can do in its turn."""
    own = (one for one in system.actions.by_name.values() if one.who != "gm" and one.on_turn)
    return tuple(action.label for action in own if action.has_place(state))


def view_gm_actions(system: System, state: State) -> Offer | None:
    """The GM's own actions, in any phase: those that no combatant takes. None if the game has none."""
    actions, kinds = _find_gm_actions(system), system.kinds
    if not actions:
        return None
    groups, refused = dict[str, list[ActionView]](), list[ActionView]()
    for action, reason in zip(actions, find_reasons(actions, state, ""), strict=True):
        named, look = ((action.label, action.rule),), kinds.of_action(action.name)
        view = ActionView(
            action.name, action.label, action.text, reason, rule=action.rule, named=named, look=look
        )
        (refused if reason else groups.setdefault(action.group, [])).append(view)
    return Offer((), make_groups(groups), tuple(join_refused(refused)), len(refused))


def _find_gm_actions(system: System) -> tuple[Action, ...]:
    """The GM's own actions, without those that have buttons elsewhere."""
    others, known = (system.actions.start, system.actions.advance), system.actions.by_name.values()
    return tuple([one for one in known if one.who == "gm" and one.name not in others])


def view_seating(system: System, state: State, combatants: dict[str, CombatantView]) -> SeatingView | None:
    """The seating order, in games that use it; each seat with its moves up and down."""
    seating = system.turn.seating
    if seating is None:
        return None
    seats = view_places(seating.find(state), combatants)
    return SeatingView(seating.label, seating.move, seating.rule, seating.find_way(state), seats=seats)


# What is announced after a step: by the live region of a screen reader, and if no card shows it.


def find_latest(results: tuple[ResultView, ...], log: tuple[LogStep, ...]) -> str:
    """The last event, if no card shows it, without whose turn it is: the page's head says that."""
    if results and log and results[-1].key == log[0].number:
        return ""
    told = _read_lines(log[0], without="turn") if log else []
    return _join_lines(_mark_undone(told[-MAX_TOLD:], log))


def announce_last(
    state: State, combatants: dict[str, CombatantView], log: tuple[LogStep, ...], way: str, viewer: Viewer
) -> str:
    """The announcement after a swap; for a new round also its direction."""
    is_own = not viewer.is_gm and viewer.plays(state.active)
    words = _read_lines(log[0], without="turn" if is_own else "") if log else []
    if is_own:
        words.append("Your turn.")
    elif state.active in combatants and not any("turn" in word for word in words):
        words.append(f"{possessive(combatants[state.active].name)} turn.")
    told = _mark_undone(words[-MAX_TOLD:], log)
    is_new = bool(log) and any(line.kind == "round" for line in log[0].lines)
    if way and is_new and not any(way in word for word in told):
        told = [f"Round {state.round}, {way}.", *told]
    return _join_lines(told)


def announce_prompt(prompt: Prompt) -> str:
    """What an open action came to so far, its questions to the viewer, and who else is asked."""
    told = [line.text for line in prompt.lines[-MAX_TOLD:]]
    told += [f"{question.who}: {question.text}" for question in prompt.questions]
    if prompt.obstacle:
        told.append(prompt.obstacle)
    elif prompt.missing:
        told += [_say_decider(one) for one in prompt.deciders]
    elif not prompt.questions:
        told.append("Waiting for an answer.")
    return _join_lines(told)


def _say_decider(one: Decider) -> str:
    """Who is asked elsewhere, as the page shows it: "Knuckles decides (the GM)."."""
    verb = ("roll" if one.rolls else "decide") + ("" if " or " in one.name else "s")
    return f"{one.name} {verb}{' (the GM)' if one.by_gm else ''}."


def _read_lines(step: LogStep, without: str = "") -> list[str]:
    """The lines of a step but those of a kind; of a canceled action only that: its rolls do not count."""
    if step.kind == "cancel":
        return [f"Canceled: {step.label}"]
    return [line.text for line in step.lines if line.kind != without]


def _mark_undone(told: list[str], log: tuple[LogStep, ...]) -> list[str]:
    """The lines of the newest step, marked if it is undone: players see no step for the undo itself."""
    return [f"Undone: {told[0]}", *told[1:]] if told and log and log[0].struck else told


def _join_lines(told: Iterable[str]) -> str:
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in told)
