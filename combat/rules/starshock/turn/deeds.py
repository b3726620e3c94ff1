"""Objects, doors and a few words; deeds that the GM lets someone repeat."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Preview,
    Words,
    form_about,
    form_of,
    words_fields,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.gm.ways import (
    TakeWay,
    Trip,
    UseDoor,
    check_any_door,
    check_any_way,
    check_door,
    check_trip,
    find_course,
    find_trips,
    form_of_doors,
    form_of_ways,
    has_ways,
    leave_door,
)
from combat.rules.core.space.decks import LIFT_WAY
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import tell

from ..body.doses import burn
from ..book import tables
from ..move.movement import break_away, preview_way
from ..move.mover import MOVER, check_crossing
from ..move.ways import WAY, WAY_RULE, Move, count_way_moves
from ..world.acting import TABLE, act, check_repeat, gm
from ..world.economy import SEPARATOR, name_use, pay, take_free
from ..world.sight_lines import find_arm

MAX_LENGTH = 100
DOOR_RULE = "SS-OTHER-02"
REPEATABLE = tuple(Choice(key, row.name) for key, row in tables.actions().items())


class Use(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object by name, and its new state: "blast door", "open"."""

    what: str
    becomes: str = ""


def clean(text: str, what: str) -> str:
    """A short name, without the characters that the record uses itself."""
    text = " ".join(text.replace(SEPARATOR, "/").split())
    if not 1 <= len(text) <= MAX_LENGTH:
        raise Refused("bad_value", f"{what} has 1 to {MAX_LENGTH} characters.")
    return text


def interact(context: RuleContext, command: Use) -> Then | None:
    """Handle an object [SS-OTHER-02]; the same one once a turn. [SS-OTHER-03]"""
    what = clean(command.what, "The name of the object")
    who = command.actor
    pay(context, who, "interact", on="Interacting", rule="SS-OTHER-02", per=what.lower())
    becomes = command.becomes.strip()[:MAX_LENGTH]
    if becomes:
        context.emit(e.Marked("", f"object {what.lower()}", becomes), "SS-OTHER-02", e.GM_ONLY)
    key, args = ("log.makes", {"becomes": becomes}) if becomes else ("log.uses", {})
    context.emit(e.Said(key, who, args={"item": what, **args}), "SS-OTHER-02")
    return burn(context, who)


object_fields = form_of(  # [SS-OTHER-02]
    Field("what", "What", "text", value="something", rule="SS-OTHER-03"),
    Field("becomes", "Becomes", "text", help="open, broken, switched off…", required=False),
)


def communicate(context: RuleContext, command: Words) -> None:
    """Say something short, as the GM judges. [SS-FREE-11] Not in a coma. [SS-COMA-01]"""
    take_free(context, command.actor, "communicate", "SS-FREE-11")
    said = command.what.strip()[:MAX_LENGTH]
    tell(context, command.actor, said, plain="log.speaks", so="log.says", rule="SS-FREE-11", key="text")


def use_door(context: RuleContext, command: UseDoor) -> Then | None:
    """Use a door as an object: an action [SS-OTHER-02], and the same one once a turn. [SS-OTHER-03]"""
    who = command.actor
    door = check_door(context.state, who, command.door, find_arm(context.state))
    pay(context, who, "interact", on="A door", rule=DOOR_RULE, per=f"door {door.id}")
    leave_door(context, who, door.id, is_open=not door.open, rule=DOOR_RULE)
    return burn(context, who)


use_door_fields = form_of_doors(find_arm)


def take_way(context: RuleContext, command: TakeWay) -> Then | None:
    """Take stairs, a ladder or a lift to another deck: a Move for each 5 m. [SS-OTHER-04]

    Who has to break away on a map does so first. [SS-ZONE-07]  RULING R50
    """
    state, who = context.state, command.actor
    moves = count_way_moves(state, check_passage(state, who, command.way))
    pay(context, who, "move", on="A way", rule=WAY_RULE, count=moves)
    return Then(break_away, Move(actor=who, to=f"{WAY}{command.way}"))


def check_passage(state: State, who: str, way: str) -> Trip:
    """The trip by a way within reach; Refused if it is shut or blocked, or asks what someone cannot do."""
    trip = check_trip(state, who, way, find_arm(state))
    MOVER.check(state, find_course(state, who, trip, WAY_RULE))
    return trip


def preview_take_way(state: State, command: TakeWay) -> Preview:
    """The Moves that a way takes, and the check of breaking away if there is one."""
    moves = count_way_moves(state, check_passage(state, command.actor, command.way))
    leaving = Move(actor=command.actor, to=f"{WAY}{command.way}")
    return preview_way(state, leaving, (say("note.moves", n=moves),), paid=False)


take_way_fields = form_of_ways(find_arm, check_passage)
_check_any_way = check_any_way(find_arm)


def check_ways(state: State, actor: str) -> None:
    """Refuse a way to those who cannot leave their place, and if none is within reach."""
    _check_any_way(state, actor)
    if not any(trip.way.kind == LIFT_WAY for trip in find_trips(state, actor, find_arm(state))):
        check_crossing(state, state[actor])


class Again(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action that may be repeated this turn: "interact" with its object, "assist", …"""

    action: str
    per: str = ""


def allow_again(context: RuleContext, command: Again) -> None:
    """“Usually”: let someone repeat an action this turn. [SS-OTHER-03]"""
    combatant = context.state[command.target]
    use = name_use(command.action, command.per.lower() if command.action == "interact" else command.per)
    did = str(combatant.marks.get("did", "")).split(SEPARATOR)
    if use not in did:
        raise Refused(
            "bad_value", f"{combatant.name} has not done that this turn: choose something they did."
        )
    did.remove(use)
    known = tables.actions().get(command.action)
    overrule(context, "gm.again", command, combatant.id, what=known.name if known else command.action)
    context.emit(e.Marked(combatant.id, "did", SEPARATOR.join(did) or None), "SS-OTHER-03", e.GM_ONLY)


again_fields = form_about(
    Field("action", "What", "choice", options=REPEATABLE, value="interact", rule="SS-OTHER-03"),
    Field("per", "With what", "text", help="the object's name", required=False),
)


ACTIONS = (
    act("interact", interact, fields=object_fields),
    act("door", use_door, check_any_door(find_arm), fields=use_door_fields),
    act(
        "way",
        take_way,
        check_ways,
        fields=take_way_fields,
        preview=preview_take_way,
        has_place=has_ways,
    ),
    TABLE.act("communicate", communicate, check_repeat("communicate"), fields=words_fields, on_turn=False),
    gm("allow_again", allow_again, fields=again_fields),
)
