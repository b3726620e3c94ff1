"""What a GM's program can do besides the actions of the game: decisions and corrections, with their fields.

Pages have forms of their own for these. Here the fields are those of the command, with choices by their name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, get_args, get_origin

import msgspec
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import QueryDict
from django.urls import reverse
from msgspec.structs import FieldInfo

from characters.faces import FACES
from characters.games import search_blocks
from combat.audience.changes import find_encounter
from combat.audience.rights import check_gm
from combat.audience.things import CONDITION, FIGHT
from combat.audience.viewer import GM as GM_VIEWER
from combat.display.combatants.tokens import name_choices
from combat.display.forms.improvising import CHECK, NOTHING, OPPOSED
from combat.play.autopilot import PASSES
from combat.play.campaigns.campaigns import create_in_campaign
from combat.play.campaigns.own_conditions import find_kept_conditions
from combat.play.campaigns.roster import list_sides
from combat.play.scenes.ready import find_ready_scenes
from combat.play.writing.encounter_service import create_encounter
from combat.play.writing.locking import stale
from combat.rules import SYSTEMS
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.data import find_fields
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.conditions import OwnRules
from combat.rules.core.commands.commands import Command, Field, find_label, name_everyone
from combat.rules.core.declaration.improvising import Cost, Grade
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.gm.battle_map import name_door
from combat.rules.core.gm.clocks import AFTER, ALL, AT_SCORE, AT_START, GM, SOME
from combat.rules.core.gm.counters import REFILLS
from combat.rules.core.gm.improvising import ACT
from combat.rules.core.gm.loot import EVERYONE, find_asks, find_holders
from combat.rules.core.gm.own_conditions import SIGNS
from combat.rules.core.gm.reserves import CLOCK, DOOR_OPENS, EDGES, HAND, ROUND
from combat.rules.core.gm.rulings import BRING
from combat.rules.core.space import map_of
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.state.state import present
from combat.sharing.programs import make_token
from combat.sharing.viewer_context import ViewerContext

from ..map.views import use_ready_scene
from ..prep.people_view import PeopleBox, add_read
from ..prep.ready import find_missing
from ..table.rulings_view import list_earlier
from . import shapes as s

Choices = Callable[[ViewerContext], Iterable[Choice]]

DRAWN = frozenset({"set_scene", "set_map", "change_map"})  # no field holds what is drawn
RULED = frozenset({ACT, BRING, "help_next", "answer_wish"})  # the answers to wishes do these
UNASKED = {field.name for field in find_fields(Command)} | {"sheet", "record", "source", "seed"}
HELP = {
    "reason": "goes into the log",
    "points": "of each change: -2",
    "thing": "its id",
    "way": "left, up, down or right",
    "hide_area points": "two corners in meters: 0,0; 5,5",
    "overrule": "a step of this round",
    "roll": "which of its checks, from 0",
    "wish": "its number",
    "choice": "one of the wish's ways, by its number",
    "help_wish points": "2 or -2",
    "mode": "left out, all is as the words mean. More fields are the form's: works.harm.on, works.harm.dice",
}


class Decision(msgspec.Struct, frozen=True):
    """Something that the GM can do: its words, and the type with its fields."""

    label: str
    text: str
    type: type[msgspec.Struct]


# ---------------------------------------------------------------- choices


def _name(things: Iterable[Any]) -> list[Choice]:
    return [Choice(one.id, one.name) for one in things]


def _words(*words: str) -> Choices:
    return lambda context: [Choice(word, word) for word in words]


def _people(context: ViewerContext) -> Iterable[Choice]:
    return name_everyone(context.known_state)


def _blocks(context: ViewerContext) -> Iterable[Choice]:
    state, system = context.known_state, context.system
    return _name(b for b in search_blocks(system, "") if not b.option or system.option(state, b.option))


def _tracks(context: ViewerContext) -> Iterable[Choice]:
    characters = context.system.characters
    shared = (characters.shared_track,) if characters.shared_track else ()
    return [Choice(track.key, track.label) for track in (*characters.tracks, *shared)]


def _kinds(context: ViewerContext) -> Iterable[Choice]:
    known = context.system.characters.conditions.items()
    return [*(Choice(kind, one.label) for kind, one in known), *_own(context)]


def _held(context: ViewerContext) -> Iterable[Choice]:
    found = ((one, held) for one in present(context.known_state) for held in one.conditions)
    describe = context.system.characters.describe_held
    return [Choice(held.id, describe(held).label, one.name) for one, held in found]


def _doors(context: ViewerContext) -> Iterable[Choice]:
    walls = map_of(context.known_state.scene).walls
    return [Choice(wall.id, name_door(wall)) for wall in walls if wall.kind == DOOR]


def _clocks(context: ViewerContext) -> Iterable[Choice]:
    return _name(context.known_state.all_clocks)


def _counters(context: ViewerContext) -> Iterable[Choice]:
    found = ((one, counter) for one in present(context.known_state) for counter in one.all_counters)
    return [Choice(counter.id, counter.name, one.name) for one, counter in found]


def _reserves(context: ViewerContext) -> Iterable[Choice]:
    people, waiting = context.known_state.combatants, context.known_state.all_reserves
    return [Choice(one.id, ", ".join(people[who].name for who in one.who)) for one in waiting]


def _own(context: ViewerContext) -> Iterable[Choice]:
    return _name(context.known_state.all_own_conditions)


def _kept(context: ViewerContext) -> Iterable[Choice]:
    campaign = context.find_campaign(CONDITION)
    return _name(find_kept_conditions(campaign, context.system.slug)) if campaign else ()


def _options(context: ViewerContext) -> Iterable[Choice]:
    for one in context.system.book.all_options:
        values = one.choices or (() if one.number else ("true", "false"))
        span = ("{} to {}".format(*one.number),) if one.number else ()
        yield Choice(one.key, one.label, " | ".join(map(str, (*values, *span))))


def _settings(context: ViewerContext) -> Iterable[Choice]:
    settings = context.system.find_settings(context.known_state)
    return [Choice(one.key, one.label, " | ".join(value for value, _ in one.choices)) for one in settings]


def _rules(context: ViewerContext) -> OwnRules:
    return context.system.characters.own_conditions


def _grades(context: ViewerContext) -> Iterable[Grade]:
    rules = context.system.actions.improvising
    return rules.figures.grades if rules else ()


def _costs(context: ViewerContext) -> Iterable[Cost]:
    rules = context.system.actions.improvising
    return rules.costs if rules else ()


def _holders(context: ViewerContext) -> Iterable[Choice]:
    people, found = context.known_state.combatants, find_holders(context.system, context.known_state)
    return [Choice(one.id, people[one.id].name if one.id else "the scene") for one in found]


def _items(context: ViewerContext) -> Iterable[Choice]:
    found = find_holders(context.system, context.known_state)
    return [Choice(item.id, item.name) for holder in found for item in holder.items]


# By the name of a field; before that by those of the decision and the field
CHOICES: dict[str, Choices] = {
    **dict.fromkeys(("target", "targets", "after", "who", "group_of"), _people),
    **dict.fromkeys(("give_condition by", "share_money to"), _people),
    "hand_out to": lambda context: [Choice(EVERYONE, "everyone"), *_people(context)],
    "block": _blocks,
    "zone": lambda context: _name(context.known_state.scene.zones),
    "face": lambda context: [Choice(face.key, face.name) for face in FACES],
    "track": _tracks,
    "kind": _kinds,
    "condition": _held,
    "pool": lambda context: [Choice(pool.key, pool.label) for pool in context.system.turn.pools],
    "set_option key": _options,
    "set_setting key": _settings,
    "door": _doors,
    "clock": _clocks,
    **dict.fromkeys(("start_clock acts", "change_clock acts"), _words(AT_START, AT_SCORE, AFTER)),
    **dict.fromkeys(("start_clock condition", "change_clock condition"), _kinds),
    "counter": _counters,
    "refills": _words(*REFILLS),
    **dict.fromkeys(("start_counter shown", "change_counter shown"), _words(ALL, GM)),
    "shown": _words(ALL, SOME, GM),
    "reserve": _reserves,
    "when": _words(HAND, ROUND, CLOCK, DOOR_OPENS),
    "of": lambda context: [*_clocks(context), *_doors(context)],
    "edge": _words(*EDGES),
    "holder": _holders,
    "items": _items,
    "item": lambda context: [Choice(item, one.name) for one, item in find_asks(context.known_state)],
    "take_own own": _kept,
    "own": _own,
    "sign": _words(*SIGNS),
    "change": lambda context: [Choice(*one) for one in _rules(context).changes.items()],
    "effects": lambda context: [Choice(key, one.label) for key, one in _rules(context).effects.items()],
    "mode": _words(CHECK, OPPOSED, NOTHING),
    "grade": lambda context: [Choice(step.value, step.word) for step in _grades(context)],
    "opposed": _people,
    "cost": lambda context: [Choice(cost.key, cost.label) for cost in _costs(context)],
    **dict.fromkeys(("offer_wish whose", "rule_wish whose", "rule_again whose"), _people),
    "ruled": lambda context: [Choice(value, name) for value, name in list_earlier(context, "")],
    "whose": _words(*PASSES),
    "area": lambda context: _name(map_of(context.known_state.scene).hidden),
}


# ---------------------------------------------------------------- decisions


class Nothing(msgspec.Struct, frozen=True):
    """No fields."""


class OwnCondition(msgspec.Struct, frozen=True):
    """A condition of the GM's own, as its form has it: `points` are those of each `change`."""

    name: str
    own: str = ""
    sign: str = "ruling"
    change: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    turns: int = 0
    note: str = ""
    secret: bool = False


class Kept(msgspec.Struct, frozen=True):
    """A condition of the campaign."""

    own: str


class Pass(msgspec.Struct, frozen=True):
    """Whose turns end."""

    whose: str


class Overruling(msgspec.Struct, frozen=True):
    """A roll of a step."""

    overrule: int
    roll: int


class Fog(msgspec.Struct, frozen=True):
    """Whether there is fog, and memory of what was seen."""

    fog: bool = False
    remembers: bool = False


class Thing(msgspec.Struct, frozen=True):
    """A thing on the map."""

    thing: str


class Push(Thing, frozen=True):
    """A push by one square."""

    way: str


class HiddenArea(msgspec.Struct, frozen=True):
    """An area by its corners."""

    points: str
    name: str = ""


class Reveal(msgspec.Struct, frozen=True):
    """One of the hidden areas."""

    area: str


class Wish(msgspec.Struct, frozen=True):
    """A wish by its number, as the state of the table has it."""

    wish: int


class Figure(msgspec.Struct, frozen=True):
    """One figure of someone, such as "skills.Combat", "health" or "item.f2-1.armor", and what it is."""

    target: str
    figure: str
    value: str
    reason: str = ""


class Again(msgspec.Struct, frozen=True):
    """An earlier ruling of someone, for a wish by its number, or at 0 for `whose`."""

    ruled: str
    wish: int = 0
    whose: str = ""
    words: str = ""


class Help(Wish, frozen=True):
    """Points on the next roll of who wants it."""

    points: int


class Reply(Wish, frozen=True):
    """An answer in words; no for none."""

    text: str = ""


class Ruling(msgspec.Struct, frozen=True):
    """What the GM rules: for a wish by its number, or at 0 for `whose`, with the `words` for it.

    `choice` is one of the ways that the state of the table lists for the wish.
    """

    wish: int = 0
    whose: str = ""
    words: str = ""
    choice: int | None = None
    mode: str = ""
    grade: str = ""
    opposed: str = ""
    cost: str = ""
    secret: bool = False
    hides: bool = False


@cache
def list_decisions() -> dict[str, Decision]:
    """All that a GM's program can do besides the actions of the game, by name."""
    found = {
        one.name: Decision(one.label, one.text, one.type)
        for one in GM_ACTIONS.values()
        if one.name not in DRAWN | RULED
    }
    found["define_condition"] = msgspec.structs.replace(found["define_condition"], type=OwnCondition)
    return found | {
        "correct": Decision("Figures", "Corrects a figure of someone for this fight.", Figure),
        "take_own": Decision("Use a condition of the campaign", "This fight gets it too.", Kept),
        "let_work": Decision("It just works", "What a player wants happens without a roll.", Wish),
        "help_wish": Decision("Bonus on the next roll", "For what a player wants, or a penalty.", Help),
        "refuse_wish": Decision("No", "Refuses what a player wants, or answers in words.", Reply),
        "offer_wish": Decision("Offer", "A player sees what their wish takes, and decides.", Ruling),
        "rule_wish": Decision("Rule it here", "What a player or you want is rolled now.", Ruling),
        "rule_again": Decision("As ruled before", "An earlier ruling, offered to a player or done.", Again),
        "drop_wish": Decision("Put away", "Takes a wish or its answer from the table.", Wish),
        "let_in": Decision("Let players in", "Opens a fight that is prepared; start does so too.", Nothing),
        "close_again": Decision("Close to players", "They wait again until the fight starts.", Nothing),
        "undo": Decision("Undo", "Takes back the last step.", Nothing),
        "redo": Decision("Redo", "Does again what was undone last.", Nothing),
        "cancel": Decision("Cancel", "Takes back the action that waits for an answer.", Nothing),
        "autoplay": Decision("Auto-play", "Plays the turn of the one who acts.", Nothing),
        "autoplay_all": Decision("Auto-play NPCs", "Plays on to the turn of someone with a player.", Nothing),
        "pass_turns": Decision("Pass turns", "Ends the turns of a side, or of the idle.", Pass),
        "overrule": Decision("Overrule a roll", "A success becomes a failure, or the reverse.", Overruling),
        "fog": Decision("Fog", "Players see what their side sees, or remembers.", Fog),
        "push_thing": Decision("Push a thing", "A crate or the like goes one square.", Push),
        "remove_thing": Decision("Remove a thing", "It is no longer on the map.", Thing),
        "hide_area": Decision("Hide an area", "Players do not see what is there.", HiddenArea),
        "reveal_area": Decision("Reveal an area", "Players see what is there.", Reveal),
    }


def find_decision_fields(context: ViewerContext) -> dict[str, tuple[Field, ...]]:
    """The fields of each decision now, with their choices."""
    known: dict[str, tuple[Choice, ...]] = {}

    def choose(key: str) -> tuple[Choice, ...]:
        if key not in known:
            known[key] = name_choices(context.known_state, CHOICES[key](context))
        return known[key]

    def make(name: str, info: FieldInfo) -> Field:
        key = next((key for key in (f"{name} {info.name}", info.name) if key in CHOICES), "")
        return _make_field(name, info, choose(key) if key and _holds_words(info) else None)

    return {
        name: tuple(make(name, info) for info in find_fields(one.type) if info.name not in UNASKED)
        for name, one in list_decisions().items()
    }


def _holds_words(info: FieldInfo) -> bool:
    return str in (info.type, *get_args(info.type))


def _make_field(name: str, info: FieldInfo, options: tuple[Choice, ...] | None) -> Field:
    if get_origin(info.type) is tuple:
        kind = "many"
    elif options is not None:
        kind = "target" if info.name == "target" else "choice"
    elif _holds_words(info):
        kind = "text"
    else:
        kind = "flag" if bool in (info.type, *get_args(info.type)) else "number"
    usual = info.default if isinstance(info.default, str | int) else ""
    hint = HELP.get(f"{name} {info.name}", HELP.get(info.name, ""))
    value = str(usual).lower() if kind == "flag" else str(usual)
    return Field(
        info.name,
        find_label(info.name),
        kind,
        options=options or (),
        value=value,
        help=hint,
        required=info.required,
    )


# What a GM's program does before a fight: it chooses a ready scene, and adds people as notes name them.


def create_new(context: ViewerContext, wanted: s.NewEncounter) -> s.Created:
    """Create an encounter of the same owner, with a token of the same name; for the owner's programs alone.

    Both or, if one is refused, none.
    """
    encounter = context.encounter
    if context.seat is not None or not context.viewer.is_gm:
        raise PermissionDenied("Only a program of the encounter's owner creates another.")
    game = wanted.game or encounter.system
    if game not in SYSTEMS:
        raise Refused("unknown", f"There is no such game: choose one of {', '.join(SYSTEMS)}.")
    name = tidy(wanted.name)
    if not name:
        raise Refused("bad_value", "Name the encounter.")
    campaign = context.find_campaign(FIGHT)
    with transaction.atomic():
        if campaign and game == encounter.system:
            made = create_in_campaign(campaign, encounter.owner, game, name)
        else:
            made = create_encounter(encounter.owner, game, name)
        program = context.name.removesuffix(f" of {encounter.owner.get_username()}")
        _, token = make_token(ViewerContext(made, GM_VIEWER), program)
    return s.Created(made.pk, reverse("table", args=[made.pk]), token)


def list_scenes(context: ViewerContext, _: QueryDict) -> s.Scenes:
    """The ready scenes, for those who run the encounter."""
    check_gm(context.viewer)
    now = context.known_state.scene.name
    found = (
        s.OpenScene(one.key, one.group, one.name, about=one.about, used=one.name == now)
        for one in find_ready_scenes()
    )
    return s.Scenes(context.stamp, tuple(found))


def use_scene(context: ViewerContext, wanted: s.UseScene) -> s.Prepared:
    """Use a ready scene."""
    _check(context, wanted.stamp)
    use_ready_scene(context, wanted.scene)
    return _tell(context)


def add_people(context: ViewerContext, wanted: s.People) -> s.Prepared:
    """Add the people whom notes name, all who are understood."""
    _check(context, wanted.stamp)
    if wanted.zone and wanted.zone not in {zone.id for zone in context.known_state.scene.zones}:
        raise Refused("unknown", "There is no such zone: choose one of the scene, by its id.")
    side = tidy(wanted.side) or list_sides(context.known_state)[0]
    box = PeopleBox(wanted.notes, side, wanted.zone, hidden=wanted.hidden, later=wanted.later)
    added, rest = add_read(_find_person(context), context, box, wanted.stamp)
    return _tell(context, tuple(added), rest)


def _check(context: ViewerContext, stamp: str) -> None:
    """Refuse all but those who run the encounter, and what was outdated."""
    check_gm(context.viewer)
    if stamp != context.stamp:
        raise stale()


def _find_person(context: ViewerContext) -> User | None:
    """The account whose program it is, for their own NPCs; a co-GM may have none."""
    return context.seat.user if context.seat else context.encounter.owner


def _tell(context: ViewerContext, added: tuple[str, ...] = (), rest: str = "") -> s.Prepared:
    encounter = find_encounter(context.encounter.pk)
    if encounter is None:
        raise Refused("stale", "This encounter was deleted.")
    now = ViewerContext(encounter, context.viewer, context.seat, context.name)
    return s.Prepared(now.stamp, added, rest, find_missing(now))
