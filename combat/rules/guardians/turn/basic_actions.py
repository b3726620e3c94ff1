"""Other actions of a round: getting up, extra defense, items in hand, other deeds, words, doors."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Handle, Preview, Words
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.doors import Arm, UseDoor, check_door, form_of_doors
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Item, State, has_condition, replace
from combat.rules.core.turn.hands import find_lying
from combat.rules.core.turn.turns import say_words, spend

from ..body.effects import Effect
from ..body.happen import carry_out, find_hands, find_spot
from ..book.options import find_option
from ..book.tables import ACTION, LEGS, MAX_REASON
from ..dice import adjusted, preview_chance, roll_under
from ..fight.attack import exert
from ..people.values import name_rank, rank_terms
from ..world.place import NEAR
from ..world.sight_lines import find_grid
from ..world.strides import count_lame_legs
from ..world.touch import check_hands, check_place, count_item_hands, find_thing

DREW = "drew"  # the mark of a free draw: the clock, which no other fight repeats
DOOR_RULE = "CG-ACT-05"


class Other(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any other deed: its description, and the ranks to roll for it, if any. [CG-ACT-05]"""

    what: str
    roll: str = ""
    physical: bool = False


# ---------------------------------------------------------------- getting up, defending


def stand_up(context: RuleContext, command: Command) -> None:
    """Get up as the round's combat action. [CG-PRONE-01]  RULING R22 R40"""
    spend(context, command.actor, {ACTION: 1}, "getting up", "CG-PRONE-01")
    exert(context, command.actor, True)
    carry_out(context, Effect(kind="stand", who=command.actor, rule="CG-PRONE-01"))


def check_prone(state: State, actor: str) -> None:
    """Refuse to get up unless prone, with a sound leg.  RULING R25"""
    combatant = state[actor]
    if not has_condition(combatant, "prone"):
        raise Refused("not_allowed", f"{combatant.name} is on their feet.")
    if count_lame_legs(combatant) == len(LEGS):
        raise Refused("not_allowed", f"Neither leg of {combatant.name} can be used: crawl (Move).")


def guard(context: RuleContext, command: Command) -> None:
    """Take an extra defense: one more roll, once, until the end of the round. [CG-ACT-04]  RULING R4"""
    spend(context, command.actor, {ACTION: 1}, "an extra defensive action", "CG-ACT-04")
    exert(context, command.actor, False)
    carry_out(context, Effect(kind="guard", who=command.actor, rule="CG-ACT-04"))


# ---------------------------------------------------------------- items


def draw(context: RuleContext, command: Handle) -> None:
    """Take an item in hand: a non-combat action, or free once a round. [CG-ACT-05]  RULING R9"""
    item = check_draw(context.state, command)
    who = command.actor
    if is_free_draw(context.state, who):
        context.emit(e.Marked(who, DREW, context.state.clock), "CG-ACT-05", e.GM_ONLY)
    else:
        spend(context, who, {ACTION: 1}, "drawing", "CG-ACT-05")
    exert(context, who, False)
    carry_out(context, Effect(kind="ready", who=who, rule="CG-ACT-05", item=item.id))


def is_free_draw(state: State, who: str) -> bool:
    """Whether drawing costs nothing now.  RULING R9"""
    free = find_option(state, "draw_weapon") == "free_once"
    return bool(free and state[who].marks.get(DREW) != state.clock)


def check_draw(state: State, command: Handle) -> Item:
    """The carried item; Refused without hands to hold it. [CG-LIMB-02]"""
    item = find_thing(state, command.actor, command.item)
    if item.place != "carried" or not count_item_hands(item):
        raise Refused("bad_value", f"{item.name} is not something to draw: choose what is carried.")
    check_hands(find_hands(state, command.actor), item)
    return item


def check_can_draw(state: State, actor: str) -> None:
    """Refuse to draw if neither the budget nor the table allows it."""
    if not is_free_draw(state, actor) and state[actor].budget.get(ACTION, 0) < 1:
        raise Refused("no_budget", "No action left this round; drawing takes one.")


def put_away(context: RuleContext, command: Handle) -> None:
    """Put an item in hand away: a non-combat action. [CG-ACT-05]  RULING R9"""
    item = check_held(context.state, command)
    spend(context, command.actor, {ACTION: 1}, "putting away", "CG-ACT-05")
    exert(context, command.actor, False)
    carry_out(context, Effect(kind="stow", who=command.actor, rule="CG-ACT-05", item=item.id))


def let_go(context: RuleContext, command: Handle) -> None:
    """Drop an item, at no cost. [CG-ACT-02]  RULING R9"""
    item = check_held(context.state, command)
    effect = Effect(
        kind="drop", who=command.actor, target=command.actor, rule="CG-ACT-02", item=item.id, points=0
    )
    carry_out(context, effect)


def check_held(state: State, command: Handle) -> Item:
    """The item in hand; Refused if it cannot be let go."""
    item = find_thing(state, command.actor, command.item)
    if item.place != "held" or not count_item_hands(item):
        raise Refused("bad_value", f"{item.name} is not in hand: choose something that is.")
    return item


def pick_up(context: RuleContext, command: Handle) -> None:
    """Take an item from the ground: a non-combat action. [CG-ACT-05]  RULING R9"""
    item = check_pick_up(context.state, command)
    spend(context, command.actor, {ACTION: 1}, "picking up", "CG-ACT-05")
    exert(context, command.actor, False)
    carry_out(context, Effect(kind="pick", who=command.actor, rule="CG-ACT-05", item=item.id))


def check_pick_up(state: State, command: Handle) -> Item:
    """The item on the ground; Refused if it is not near or the hands are full."""
    item, at = find_lying(state, command.item, "That does not lie on the ground: choose another item.")
    combatant = replace(state[command.actor], at=find_spot(state, command.actor))
    check_place(state, combatant, at, item.name)
    check_hands(find_hands(state, command.actor), item)
    return item


# ---------------------------------------------------------------- other deeds


def do_other(context: RuleContext, command: Other) -> Then | None:
    """Do another deed, with a roll if ranks are named; the GM rules on it. [CG-ACT-05] [CG-REF-11]"""
    what = " ".join(command.what.split())[:MAX_REASON]
    if not what:
        raise Refused("bad_value", "Say what they do.")
    check_rank(context.state, command)
    spend(context, command.actor, {ACTION: 1}, "another deed", "CG-ACT-05")
    exert(context, command.actor, command.physical)
    context.emit(e.Said("log.does", command.actor, args={"text": what}), "CG-ACT-05")
    return Then(_roll_other, command) if command.roll else None


def check_rank(state: State, command: Other) -> None:
    """Refuse ranks that the combatant does not have. [CG-ATK-02]"""
    if command.roll and command.roll not in state[command.actor].sheet["ranks"]:
        raise Refused("bad_value", f"{state[command.actor].name} has no ranks in “{command.roll}”.")


def _roll_other(context: RuleContext, command: Other) -> None:
    terms = adjusted(command, rank_terms(context.state, context.state[command.actor], command.roll))
    roll_under(context, command.actor, terms, rule="CG-ATK-02", what=name_rank(command.roll))


def preview_other(state: State, command: Other) -> Preview:
    """The sums of the roll, if there is one."""
    check_rank(state, command)
    if not command.roll:
        return Preview()
    return preview_chance(state, adjusted(command, rank_terms(state, state[command.actor], command.roll)))


def speak(context: RuleContext, command: Words) -> None:
    """Say a few words, at no cost. [CG-ACT-02]  RULING R9"""
    say_words(context, command, "log.speaks", "log.says", "CG-ACT-02", "text", MAX_REASON)


# ---------------------------------------------------------------- doors


def find_arm(state: State) -> Arm:
    """The reach for a door, in yards."""
    return Arm(find_grid(state), NEAR)


def use_door(context: RuleContext, command: UseDoor) -> None:
    """Use a door as a non-combat action: the page names no doors, but they are no attack. [CG-ACT-05]

    If several act at one count, the door moves at its end. [CG-INIT-05]
    """
    who = command.actor
    door = check_door(context.state, who, command.door, find_arm(context.state))
    spend(context, who, {ACTION: 1}, "a door", DOOR_RULE)
    exert(context, who, False)
    carry_out(context, Effect(kind="door", who=who, rule=DOOR_RULE, item=door.id, points=int(not door.open)))


use_door_fields = form_of_doors(find_arm)
