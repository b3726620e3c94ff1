"""What a viewer may see of an encounter: frozen, filtered, ready for a template.

Nothing here decides what is secret: every fact carries its audience since its birth, and
hidden fighters are simply left out for everybody but the GM.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Q, QuerySet

from combat.audience.changes import PendingCommand, find_held, people_of
from combat.audience.secrecy import mask_choices, mask_names, view_obscured_health
from combat.audience.viewer import Viewer
from combat.models import Encounter, StoredStep
from combat.play.deadlines import seconds_left
from combat.play.group_rolls import find_problem, find_words, question_key
from combat.play.kept_steps import NEWEST, find_newest, find_rows
from combat.rules.core.aboard import find_aboard, find_carrier
from combat.rules.core.basics.dice import parse_dice
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.requests import Choice, ChoiceRequest, RollRequest
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Action, find_refusal
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.standing_orders import find_orders
from combat.rules.core.sides import describe_beaten, describe_in_sight, find_able, find_verdict, say_standing
from combat.rules.core.space import find_zone
from combat.rules.core.state.history import CANCEL, COMMAND, SEAL
from combat.rules.core.state.state import Combatant, Item, State, Until, is_acting, present
from combat.rules.core.system import FOR_GOOD, System
from combat.rules.core.wording import describe_facts, pen_of
from combat.sharing.viewer_context import ViewerContext

from .action_groups import make_groups, view_offer
from .announcing import announce_last, find_latest
from .cover import uncover
from .division import view_parts
from .figures import view_figure
from .leading_action import view_lead
from .log_view import names_of, view_log
from .map import letters_of, mark_movable, view_scene
from .namesakes import name_choices, name_fully, name_people, number_namesakes
from .question_shapes import Die, Prompt, Question
from .reaction_odds import add_prospects
from .result_view import view_results
from .rules_view import view_rules
from .shapes import (
    ActionView,
    Chip,
    FighterView,
    Group,
    Order,
    Pips,
    Rider,
    SeatingView,
    SeatView,
    SettingView,
    TableView,
    TurnView,
)
from .sheets_of_rows import add_sheets
from .tokens import find_look
from .tones import find_tones
from .waiting_view import find_next, view_waiting
from .zone_moves import mark_ways

LOG_STEPS = NEWEST


def view_table(
    context: ViewerContext, chosen: str = "", steps: Iterable[StoredStep] | None = None, seen: str = ""
) -> TableView:
    """The table as one viewer may see it. `chosen` is the fighter whose actions are shown, `seen` the step
    whose result somebody saw last."""
    encounter, viewer = context.encounter, context.viewer
    system, state = context.system, context.known_state
    rows = list(steps if steps is not None else recent_steps(context))
    fighters = {f.id: view_fighter(system, state, f, viewer) for f in present(state)}
    fighters = add_sheets(context, fighters)
    if viewer.is_spectator and (coming := find_next(system, state)) in fighters:
        fighters[coming] = replace(fighters[coming], next=True)
    log = view_log(context, rows)
    seating = view_seating(system, state, fighters)
    turn = view_turn(system, context.obscured_state, fighters, viewer, chosen, rows, context.pins)
    if system.figure:
        fighters = _with_figures(system, state, fighters, viewer, turn)
        turn = replace(turn, fighter=fighters[turn.fighter.id]) if turn else None
    prompt = view_prompt(context)
    whose = turn.fighter.id if turn else ""
    scene = uncover(view_scene(system, state, fighters, whose=whose), context.full_state, viewer)
    scene = scene if prompt else mark_movable(scene, viewer)
    results = view_results(context, rows, fighters, seen)
    announce = announce_last(state, fighters, log, seating.way if seating else "")
    return TableView(
        id=encounter.pk,
        name=encounter.name,
        system=system.name,
        slug=system.slug,
        version=context.stamp,
        phase=state.phase,
        round=state.round,
        elapsed=describe_time(state.clock),
        settings=view_settings(system, state),
        fighters=tuple(fighters[w] for w in state.order if w in fighters),
        waiting_fighters=tuple(f for w, f in fighters.items() if w not in state.order),
        turn=turn,
        acting=fighters.get(state.active),
        prompt=prompt,
        awaited=find_awaited(context),
        scene=scene if prompt else mark_ways(system, state, scene, turn),
        log=log,
        can_undo=viewer.is_gm and _has_live_step(encounter, rows),
        can_redo=viewer.is_gm and bool(encounter.undone),
        can_end_turn=viewer.is_gm or any(is_acting(state, who) for who in viewer.seats),
        own=tuple(fighters[w] for w in fighters if w in viewer.seats),
        seating=seating,
        together=tuple(f for f in fighters.values() if f.active) if state.sharing else (),
        gm_actions=view_gm_actions(system, state) if viewer.is_gm and fighters else (),
        viewer=viewer,
        verdict=view_verdict(system, state, viewer),
        standing=view_standing(system, state) if state.phase == "over" else "",
        fallen=tuple(f.name for f in fighters.values() if f.out) if state.phase == "over" else (),
        results=results,
        waiting=view_waiting(context, rows, fighters),
        rules=view_rules(system, state),
        announce=announce,
        latest=find_latest(announce, results, log, viewer),
    )


def _with_figures(
    system: System, state: State, fighters: dict[str, FighterView], viewer: Viewer, turn: TurnView | None
) -> dict[str, FighterView]:
    """The rows with the parts of each, and what the one whose turn is shown can do to them."""
    actor = turn.fighter.id if turn else ""
    return {
        who: replace(row, figure=view_figure(system, state, state.combatants[who], viewer, actor))
        for who, row in fighters.items()
    }


def view_standing(system: System, state: State) -> str:
    """Who can still fight, of those a viewer knows of."""
    names = {who: fighter.name for who, fighter in state.combatants.items()}
    return system.draw(say_standing(find_able(system, state)), names)


def view_verdict(system: System, state: State, viewer: Viewer) -> str:
    """That only one side can still fight, as far as a viewer sees; empty while that is not so."""
    verdict = find_verdict(system, state)
    if verdict is None:
        return ""
    return f"{describe_beaten(verdict)}: end the fight?" if viewer.is_gm else describe_in_sight(verdict)


def _has_live_step(encounter: Encounter, rows: list[StoredStep]) -> bool:
    return encounter.steps > len(rows) or any(r.kind == COMMAND and not r.struck for r in rows)


def recent_steps(context: ViewerContext, skip: int = 0, most: int = LOG_STEPS) -> list[StoredStep]:
    """The newest steps of the log that a viewer can read, newest first, after skipping some."""
    if context.viewer.is_gm and not skip and most == LOG_STEPS:
        return find_newest(context.encounter)
    return find_rows(find_steps(context).order_by("-number")[skip : skip + most])


def find_steps(context: ViewerContext) -> QuerySet[StoredStep]:
    """The steps of the log that a viewer can read: for the GM all, for others what stands, and all dice."""
    viewer, rows = context.viewer, context.encounter.log.defer("after")
    if viewer.is_gm:
        return rows
    stands, fell = Q(kind__in=(COMMAND, SEAL), struck=False), Q(kind__in=(COMMAND, CANCEL), dice=True)
    return rows.filter(_find_readable(viewer), stands | fell)


def find_standing_steps(context: ViewerContext) -> QuerySet[StoredStep]:
    """The steps after which a viewer can look at the fight: for the GM all, for others those that count."""
    viewer, rows = context.viewer, context.encounter.log.defer("after")
    return rows if viewer.is_gm else rows.filter(_find_readable(viewer), kind=COMMAND, struck=False)


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
    """The scene conditions: each with its value and the others it could have."""
    found = []
    for setting in system.settings:
        value = system.setting(state, setting.key)
        words = dict(setting.choices)[value]
        is_usual = value == setting.default
        found.append(
            SettingView(setting.key, setting.label, value, words, setting.choices, setting.rule, is_usual)
        )
    return tuple(found)


def view_fighter(system: System, state: State, fighter: Combatant, viewer: Viewer) -> FighterView:
    """One fighter's row."""
    zone = find_zone(state.scene, fighter.at)
    health = system.health(fighter)
    tone = find_tones(state).get(fighter.side, "")
    active = is_acting(state, fighter.id)
    pools = system.pools if fighter.budget else ()
    return FighterView(
        id=fighter.id,
        name=fighter.name,
        side=fighter.side,
        tone=tone,
        letters=letters_of(fighter.name),
        initiative=fighter.initiative,
        health=view_obscured_health(system, state, fighter, viewer, health),
        chips=view_chips(system, state, fighter),
        pips=tuple(pips for pool in pools if (pips := _pips(pool, fighter)).most),
        zone=zone.name if zone else "",
        active=active,
        acted=fighter.acted and state.phase == "fight",
        hidden=fighter.hidden,
        out=health.out,
        pc=fighter.pc,
        full_name=name_fully(state, fighter),
        opens=viewer.is_gm or (viewer.plays(fighter.id) and state.phase == "fight"),
        look=find_look(
            system,
            fighter,
            tone,
            active=active,
            down=health.out,
            number=number_namesakes(state).get(fighter.id, ""),
        ),
        aboard=view_aboard(system, state, fighter),
        inside=carrier.name if (carrier := find_carrier(state, fighter.id)) else "",
        station=draw_station(system, fighter),
    )


def view_aboard(system: System, state: State, carrier: Combatant) -> tuple[Rider, ...]:
    """Those inside a carrier with their places, as far as the state of the viewer knows them."""
    riders = find_aboard(state, carrier.id)
    return tuple(Rider(rider.id, rider.name, draw_station(system, rider)) for rider in riders)


def draw_station(system: System, fighter: Combatant) -> str:
    """The words of the place somebody holds inside a carrier; empty if none is named."""
    return system.draw(f"station.{fighter.station}") if fighter.inside and fighter.station else ""


def _pips(pool: Any, fighter: Combatant) -> Pips:
    left = fighter.budget.get(pool.key, 0)
    return Pips(pool.label, left, max(pool.most, left))


def view_chips(system: System, state: State, fighter: Combatant) -> tuple[Chip, ...]:
    """The conditions worth a chip."""
    found, names = [], names_of(state)
    for held in fighter.conditions:
        known = system.describe_condition(held.kind)
        if known.for_gm:
            label = system.draw(held.label, names)
            label = f"{label} {held.level}" if held.level > 1 else label
            about = system.draw(system.about(held), names)
            label = f"{label}: {about}" if about else label
            usual = "" if known.ends == FOR_GOOD else known.ends
            what = system.draw(held.ends, names) or usual
            ends = describe_end(state, held.until) or (f"until {what}" if what else "")
            look = system.kinds.of_condition(held.kind)
            found.append(Chip(held.id, label, ends, known.text, held.rule or known.rule, look))
    return tuple(found)


def describe_end(state: State, until: Until | None) -> str:
    """When something anchored to a turn ends, in words."""
    if until is None:
        return ""
    if until.count > 1:
        return f"{until.count} turns left"
    fighter = state.combatants.get(until.who)
    whose = possessive(fighter.name) if fighter else "a"
    return f"until the {until.edge} of {whose} turn"


def view_turn(
    system: System,
    state: State,
    fighters: dict[str, FighterView],
    viewer: Viewer,
    chosen: str,
    rows: Iterable[StoredStep] = (),
    pins: tuple[str, ...] = (),
) -> TurnView | None:
    """The actions of the chosen fighter, or of the one whose turn it is."""
    who = chosen if chosen in fighters and viewer.plays(chosen) else state.active
    if not viewer.plays(who):
        who = next((w for w in fighters if w in viewer.seats), "")
    if state.phase != "fight" or who not in fighters:
        return None
    fighter = state.combatants[who]
    shown = fighters[who]
    place = f"round {state.round}"
    if who in state.order:
        place = f"{state.order.index(who) + 1} of {len(state.order)} in round {state.round}"
    return TurnView(
        fighter=shown,
        place=f"{place} · {shown.zone}" if shown.zone else place,
        derived=pen_of(system, state).derived(system.facts_of(state, fighter)),
        offer=view_offer(system, state, fighter, rows, pins),
        later=() if is_acting(state, who) else view_later(system),
        items=view_items(system, (*system.lent(state, fighter), *fighter.items)),
        is_active=is_acting(state, who),
        orders=tuple(Order(*order) for order in find_orders(fighter).items()),
        lead=view_lead(system, state, fighter),
    )


def view_items(system: System, items: Iterable[Item]) -> tuple[str, ...]:
    """What is held and worn, with the rounds left."""
    found, catalogue = [], system.catalogue
    for item in items:
        if item.place in ("held", "worn") and "natural" not in item.data.get("traits", ()):
            most = catalogue.capacity(item.kind, item.data) if catalogue else None
            rounds = "" if item.loaded is None else f" {item.loaded}/{most}"
            spare = f" ({item.spares} spare)" if item.spares else ""
            found.append(f"{item.name}{rounds}{spare}")
    return tuple(found)


def view_later(system: System) -> tuple[str, ...]:
    """What a fighter can do once it is its turn."""
    return tuple(action.label for action in system.actions.values() if action.who != "gm" and action.on_turn)


def view_gm_actions(system: System, state: State) -> tuple[Group, ...]:
    """What the GM lets happen, in any phase: the game's actions that are nobody's own."""
    groups: dict[str, list[ActionView]] = {}
    kinds = system.kinds
    for action in system.actions.values():
        if action.who == "gm" and action.name not in (system.start, system.advance):
            refusal = find_refusal(action, state, "")
            reason = refusal.message if refusal else ""
            view = _view_gm_action(action, reason, kinds.of_action(action.name))
            groups.setdefault(action.group, []).append(view)
    return make_groups(groups)


@remember_each
def _view_gm_action(action: Action, reason: str, look: str) -> ActionView:
    return ActionView(action.name, action.label, action.text, reason, action.rule, look=look)


def view_prompt(context: ViewerContext) -> Prompt | None:
    """The open command, for those it concerns: who is asked, who began it, who sees either."""
    encounter, viewer, system = context.encounter, context.viewer, context.system
    waiting = context.pending
    if waiting is None or not concerns(context, waiting):
        return None
    mine = [request for request in waiting.requests if any(map(viewer.plays, request.people))]
    keys = [question_key(encounter, request) for request in mine]
    questions = tuple(view_question(context, n, request, keys[n]) for n, request in enumerate(mine))
    lines = describe_facts(system, viewer.select(waiting.facts), names_of(context.known_state))
    label = find_action(system, encounter.open_command.name).label
    left = seconds_left(encounter, system, context.known_state, waiting)
    return Prompt(label, questions, lines, left, find_missing(context, waiting))


def find_missing(context: ViewerContext, waiting: PendingCommand) -> tuple[str, ...]:
    """The names of those who are asked and whom somebody else plays; nobody the viewer cannot know of.

    Where any of several may answer, they stand together: "Vega or Oslo". For a carrier that nobody plays from
    a seat the GM answers, which those aboard are told.
    """
    known, plays = context.known_state.combatants, context.viewer.plays
    elsewhere = [request for request in waiting.requests if not any(map(plays, request.people))]
    people = {who for one in elsewhere for who in one.people if who in known}
    carriers = {who for who in people if find_aboard(context.known_state, who)}
    carriers -= find_held(context.encounter) if carriers else set()
    full = {who: name_fully(context.known_state, known[who]) for who in people}
    names = {who: f"the GM ({name})" if who in carriers else name for who, name in full.items()}
    asked = ([names[who] for who in one.people if who in names] for one in elsewhere)
    return tuple(dict.fromkeys(" or ".join(each) for each in asked if each))


def find_awaited(context: ViewerContext) -> tuple[str, ...]:
    """The names of those whom spectators wait for, and no more of it; everybody else has the prompt."""
    waiting = context.pending
    return find_missing(context, waiting) if waiting and context.viewer.is_spectator else ()


def fill_dice(prompt: Prompt, posted: Mapping[str, str]) -> Prompt:
    """The prompt with the dice that were typed and refused, each row with what is wrong with it."""
    filled = []
    for question in prompt.questions:
        words = find_words(posted, question.key, question.dice) if question.kind == "roll" else ()
        fields = tuple(Die(die.side, word) for die, word in zip(question.fields, words, strict=False))
        problem = find_problem(words, question.dice)
        filled.append(replace(question, fields=fields, problem=problem))
    return replace(prompt, questions=tuple(filled))


def concerns(context: ViewerContext, waiting: PendingCommand) -> bool:
    """Whether a viewer may know that a command is open."""
    viewer, known = context.viewer, context.known_state.combatants.keys()
    if viewer.is_gm or any(viewer.plays(w) for w in people_of(waiting)):
        return True
    return viewer.is_seated and any(not known.isdisjoint(request.people) for request in waiting.requests)


def view_question(
    context: ViewerContext, number: int, request: RollRequest | ChoiceRequest, key: str
) -> Question:
    """A request in words. `key` tells the questions of different commands apart."""
    known, names = context.known_state.combatants, context.secret_names
    who = name_people(context.known_state, request.people) or "The GM"
    if isinstance(request, ChoiceRequest):
        return Question(
            number,
            "choice",
            who,
            mask_names(request.question, names),
            request.rule,
            options=add_prospects(context, request, _name_options(context, request)),
            default=request.default,
            can_stand=request.who in known and not request.also,
            key=key,
            total=request.split.total if request.split else 0,
            parts=view_parts(request),
        )
    sides = parse_dice(request.dice)
    return Question(
        number,
        "roll",
        who,
        mask_names(context.system.draw(request.why, names_of(context.full_state)), names),
        request.rule,
        dice=request.dice,
        fields=(Die(sides.sides),) * sides.count,
        key=key,
    )


def _name_options(context: ViewerContext, request: ChoiceRequest) -> tuple[Choice, ...]:
    """The options as a viewer may read them: nothing of those they do not know of."""
    masked = mask_choices(request.options, context.unknown, context.secret_names)
    return name_choices(context.known_state, masked)


def view_seating(system: System, state: State, fighters: dict[str, FighterView]) -> SeatingView | None:
    """Who sits where, in games where that matters; each with its way one place up and down."""
    if system.seating is None:
        return None
    ring = [who for who in system.seating.find(state) if who in fighters]
    seats = []
    for place, who in enumerate(ring):
        up = ring[place - 2] if place > 1 else "" if place else None
        down = ring[place + 1] if place + 1 < len(ring) else None
        seats.append(SeatView(fighters[who], up, down))
    seating, way = system.seating, system.seating.find_way(state)
    return SeatingView(seating.label, seating.move, seating.rule, way, tuple(seats))
