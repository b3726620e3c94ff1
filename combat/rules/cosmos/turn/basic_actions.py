"""Everyday actions: weapons in hand, devices, skills, rallying, doors, words."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, joined, say
from combat.rules.core.commands.commands import Command, Field, Handle, Preview, Targeted, Words, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.gm.doors import Arm, check_door, door_fields, find_doors, leave_door
from combat.rules.core.map.bodies import is_concealed, nearest
from combat.rules.core.space import distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Condition, Item, State, has_condition, present, replace
from combat.rules.core.turn import hands
from combat.rules.core.turn.turns import add_condition, remove_conditions, say_words, spend

from ..body.damage import is_droppable
from ..body.supplies import find_supply, take_use
from ..book.options import find_option
from ..book.tables import RALLY_TN, TARGET_NUMBERS, skills
from ..dice import DICE, check_terms, describe_some_uses, did_succeed, roll_check, table_terms
from ..move.movement import pay_move
from ..people.conditions import KINDS
from ..people.sheet import ATTRIBUTE_WORDS, ATTRIBUTES, skill
from ..world.scene import has_trait
from ..world.sight_lines import find_grid
from ..world.touch import check_place, fallen_choices, find_thing

RALLY_RANGE_M = 10  # RULING R53
SENSES = (Choice("", "no"), Choice("sight", "by sight"), Choice("hearing", "by hearing"))
ARM_M = 1.0  # the same as for picking things up
DOOR_RULE = "COS-ACT-11"
MAX_LENGTH = 200  # characters: the most that can be said in passing
HEARERS = (Choice("all", "everyone"), Choice("side", "your side"))
FAILS = {"sight": "note.no_sight", "hearing": "note.no_hearing"}


class Check(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A full use of a skill against a target number. `sense` is the only sense that can do it."""

    attribute: str
    skill: str = ""
    tn: int = 14
    why: str = ""
    sense: Literal["", "sight", "hearing"] = ""


def draw(context: RuleContext, command: Handle) -> None:
    """Draw a weapon, or put it away. [COS-ACT-10]"""
    item = find_thing(context.state, command.actor, command.item)
    check_handling(item)
    pay_move(context, command.actor, "Handling a weapon", "COS-ACT-10")
    (hands.put_away if item.place == "held" else hands.draw)(context, command.actor, item, "COS-ACT-10")


def check_handling(item: Item) -> None:
    """Refuse to draw body parts, or to take armor off in a fight."""
    if not is_droppable(item):
        raise Refused("not_allowed", f"{item.name} is always at hand.")
    if item.place == "worn":
        raise Refused("not_allowed", f"{item.name} is worn: it does not come off in a fight.")


def drop_item(context: RuleContext, command: Handle) -> None:
    """Drop a held item, as a Quick Action. [COS-ACT-15]"""
    item = find_thing(context.state, command.actor, command.item)
    check_in_hand(item)
    spend(context, command.actor, {"quick": 1}, "Dropping an item", "COS-ACT-15")
    hands.drop(context, command.actor, item, "COS-ACT-15")


def check_in_hand(item: Item) -> None:
    """Refuse to drop items that are not held, or body parts."""
    if item.place != "held" or not is_droppable(item):
        raise Refused("not_allowed", f"{item.name} is not in hand.")


def pick_up(context: RuleContext, command: Handle) -> None:
    """Take an item on the ground within 1 m into the hand; a Move Action like drawing."""
    item, _ = hands.find_lying(context.state, command.item, "That is not on the ground.")
    check_near(context.state, command.actor, item)
    pay_move(context, command.actor, "Picking up", "COS-ACT-10")
    hands.pick_up(context, command.actor, item, "COS-ACT-10")


def check_near(state: State, actor: str, item: Item) -> None:
    """Refuse an item out of reach."""
    if item.at:
        check_place(state, state[actor], item.at, item.name)


def reload(context: RuleContext, command: Handle) -> None:
    """Replace the magazine with a spare one; this also clears a jam. [COS-ACT-13]  RULING R56."""
    weapon = find_thing(context.state, command.actor, command.item)
    check_reload(context.state, context.state[command.actor], weapon)
    if weapon.marks.get("jammed"):
        pay_move(context, command.actor, "Clearing a jam", "COS-ACT-13")
        clear = replace(weapon, marks={**weapon.marks, "jammed": False})
        context.emit(e.ItemChanged(command.actor, clear, "how.clears"), "COS-ACT-13")
        return
    if not has_trait(weapon, "free_reload"):
        pay_move(context, command.actor, "Reloading", "COS-ACT-13")
    full = replace(weapon, loaded=int(weapon.data["magazine"]), spares=max(0, weapon.spares - 1))
    magazine = None if weapon.spares else find_magazine(context.state[command.actor], weapon)
    if magazine and context.option("track_ammunition"):
        take_use(context, command.actor, magazine, "how.spends", "COS-ACT-13")
    context.emit(e.ItemChanged(command.actor, full, "how.reloads"), "COS-ACT-13")


def find_magazine(combatant: Combatant, weapon: Item) -> Item | None:
    """A spare magazine or cell for a weapon that takes one; single shots come with their weapon."""
    return find_supply(combatant, "refills") if int(weapon.data["magazine"]) > 1 else None


def check_reload(state: State, combatant: Combatant, weapon: Item) -> None:
    """Refuse a reload that changes nothing or has nothing to load."""
    if weapon.marks.get("jammed"):
        return
    if weapon.loaded is None or not takes_loading(weapon):
        raise Refused("not_allowed", f"{weapon.name} takes no ammunition.")
    if weapon.place != "held":
        raise Refused("not_allowed", f"{weapon.name} is not in hand: draw it first (Move Action).")
    if weapon.loaded >= int(weapon.data["magazine"]):
        raise Refused("not_allowed", f"{weapon.name} is full.")
    tracked = bool(find_option(state, "track_ammunition"))
    if tracked and weapon.spares < 1 and not find_magazine(combatant, weapon):
        raise Refused("no_budget", f"No spare magazine for {weapon.name} is left.")


def has_free_reload(state: State, actor: str) -> bool:
    """Whether a combatant holds a weapon whose next shot costs no Move Action.  RULING R56."""
    return any(has_trait(i, "free_reload") for i in state[actor].items if i.kind == "weapon")


def use_simple(context: RuleContext, command: Words) -> None:
    """A Quick Action. [COS-ACT-18]"""
    spend(context, command.actor, {"quick": 1}, "A simple device", "COS-ACT-18")
    say_words(context, command, "log.simple_device", "log.simple_device_so", "COS-ACT-18")


def use_complex(context: RuleContext, command: Words) -> None:
    """A Standard Action. [COS-ACT-05]"""
    spend(context, command.actor, {"standard": 1}, "A complex device", "COS-ACT-05")
    say_words(context, command, "log.complex_device", "log.complex_device_so", "COS-ACT-05")


def look_around(context: RuleContext, command: Words) -> None:
    """A Quick Action; the GM may reveal what is hidden. [COS-ACT-19]"""
    spend(context, command.actor, {"quick": 1}, "Looking around", "COS-ACT-19")
    say_words(context, command, "log.looks_around", "log.looks_around_so", "COS-ACT-19")
    if find_lost_sense(context.state[command.actor], "sight"):
        context.emit(e.Said("log.sees_nothing", command.actor), "COS-COND-05")
        return
    hidden = [f.id for f in present(context.state) if is_concealed(context.state, f)]
    if hidden:
        people = joined(say("note.person", target=who) for who in hidden)
        told = e.Said("log.still_hidden", command.actor, args={"people": people})
        context.emit(told, "COS-ACT-19", e.GM_ONLY)


def speak(context: RuleContext, command: Words) -> None:
    """A few words, a Quick Action. [COS-ACT-17]"""
    spend(context, command.actor, {"quick": 1}, "A few words", "COS-ACT-17")
    say_words(context, command, "log.speaks", "log.speaks_so", "COS-ACT-17")
    tell_unheard(context, command.actor)


def concentrate(context: RuleContext, command: Words) -> None:
    """Maintain concentration, which is free [COS-ACT-20]; so is ending it. [COS-ACT-21]"""
    who = command.actor
    if remove_conditions(context, who, "concentrating", why="why.lets_go", rule="COS-ACT-21"):
        return
    add_condition(context, who, "concentrating")


def skill_check(context: RuleContext, command: Check) -> Then:
    """A full use of a skill, a Standard Action. [COS-ACT-03]  RULING R5."""
    check_skill(context.state, command)
    spend(context, command.actor, {"standard": 1}, "Full skill use", "COS-ACT-03")
    return Then(use_skill, command)


def check_skill(state: State, command: Check) -> None:
    """Refuse unknown attributes and skills, and impossible numbers."""
    if command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", f"Choose one of {', '.join(ATTRIBUTES)}.")
    if command.skill and command.skill not in skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    if not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60.")


def skill_terms(state: State, command: Check) -> Modifiers:
    """The terms of the check, with the table's own modifier."""
    terms = check_terms(state, state[command.actor], command.attribute, command.skill)
    return (*terms, *table_terms(command, "COS-ACT-03"))


def use_skill(context: RuleContext, command: Check) -> None:
    """Make the check; it fails without a roll if it needs a lost sense. [COS-COND-05] [COS-COND-09]"""
    what = command.skill or ATTRIBUTE_WORDS[command.attribute]
    lost = find_lost_sense(context.state[command.actor], command.sense)
    if lost:
        fails = describe_lost_sense(context.state[command.actor], command.sense)
        told = e.Said("log.fails", command.actor, args={"what": what, "why": fails})
        context.emit(told, lost[1])
        return
    terms = skill_terms(context.state, command)
    roll_check(context, command.actor, terms, command.tn, "COS-ACT-03", what, command.why[:100])


def preview_skill(state: State, command: Check) -> Preview:
    """The sums of a skill check."""
    check_skill(state, command)
    target = (Modifier("term.target_number", command.tn, "COS-ACT-03"),)
    fails = describe_lost_sense(state[command.actor], command.sense)
    notes = (*((fails,) if fails else ()), *describe_some_uses(state[command.actor], command.skill))
    return Preview(skill_terms(state, command), target, "against.tn", DICE, notes)


def skill_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a skill check, with the combatant's own skills first."""
    combatant = state[actor]
    known = sorted(skills(), key=lambda name: (-skill(combatant, name), name))
    options = tuple(Choice(name, f"{name} {skill(combatant, name)}") for name in known)
    numbers = ", ".join(f"{word} {tn}" for word, tn in TARGET_NUMBERS.items())
    attributes = tuple(Choice(key, name) for key, name in ATTRIBUTES.items())
    return (
        Field("attribute", "Attribute", "choice", attributes, "INT"),
        Field("skill", "Skill", "choice", (Choice("", "none"), *options), options[0].value, required=False),
        number_field("tn", "Target number", 14, 2, 60, help=numbers),
        Field("why", "For what", "text", required=False),
        Field("sense", "By one sense alone", "choice", SENSES, "", rule="COS-COND-05", required=False),
    )


def rally(context: RuleContext, command: Targeted) -> Then:
    """Presence + Social against 14 ends an ally's fear. [COS-ACT-07]  RULING R53."""
    check_rally(context.state, command)
    spend(context, command.actor, {"standard": 1}, "Rallying", "COS-ACT-07")
    return Then(_rally, command)


def check_any_afraid(state: State, actor: str) -> None:
    """Refuse to rally if no ally is afraid, to gray out an action; the reason names one who is not."""
    friends = [f for f in present(state) if f.side == state[actor].side and f.id != actor]
    if not friends:
        raise Refused("bad_target", "There is no ally to rally.")
    if not any(has_condition(friend, "frightened") for friend in friends):
        check_rally(state, Targeted(actor=actor, target=friends[0].id))


def check_rally(state: State, command: Targeted) -> Combatant:
    """Refuse to rally combatants who are not afraid, or too far away."""
    combatant, target = state[command.actor], state[command.target]
    friend = target.side == combatant.side and target.id != combatant.id
    if not friend or not has_condition(target, "frightened"):
        raise Refused("bad_target", f"Choose a frightened ally; {target.name} is not one.")
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead.")
    if distance(*nearest(combatant, target)) > RALLY_RANGE_M + 0.01:
        raise Refused("out_of_range", f"{target.name} is more than {RALLY_RANGE_M} m away.")
    return target


def _rally(context: RuleContext, command: Targeted) -> None:
    """Roll to rally; the GM decides if the deafened can be rallied without words. [COS-COND-11]"""
    if find_lost_sense(context.state[command.target], "hearing"):
        context.emit(e.Said("log.rally_deaf", command.actor, command.target), "COS-COND-11", e.GM_ONLY)
    terms = rally_terms(context.state, command)
    roll_check(context, command.actor, terms, RALLY_TN, "COS-ACT-07", "Social", "roll.rally")
    if did_succeed(context):
        remove_conditions(context, command.target, "frightened", why="why.rallied", rule="COS-ACT-07")


def rally_terms(state: State, command: Targeted) -> Modifiers:
    """Presence and half Social."""
    rule = "COS-ACT-07"
    terms = check_terms(state, state[command.actor], "PRE", "Social", rule)
    return (*terms, *table_terms(command, rule))


def preview_rally(state: State, command: Targeted) -> Preview:
    """The sums of rallying."""
    check_rally(state, command)
    target = (Modifier("term.target_number", RALLY_TN, "COS-ACT-07"),)
    return Preview(rally_terms(state, command), target, "against.tn", DICE)


def items_field(state: State, actor: str, wanted: str, label: str) -> tuple[Field, ...]:
    """A field with the items an action can take: "draw", "held", "ground" or "reload".

    Items on the ground are listed with their place.
    """
    combatant = state[actor]
    options = [
        Choice(item.id, item.name, item.place, _why_not(state, actor, item, wanted))
        for item in (state.ground if wanted == "ground" else combatant.items)
        if wanted == "ground" or (is_droppable(item) and (wanted != "reload" or takes_loading(item)))
    ]
    if wanted in ("draw", "reload"):
        options += fallen_choices(state, actor)
    return (Field("item", label, "choice", tuple(options), first_open(options)),)


def takes_loading(item: Item) -> bool:
    """Whether an item is ever reloaded."""
    return item.kind == "weapon" and item.loaded is not None and item.data["mode"] == "ranged"


def _why_not(state: State, actor: str, item: Item, wanted: str) -> str:
    """Why an item does not fit an action, in the words of the action's own refusal."""
    if wanted == "held":
        return why_refused(check_in_hand, item)
    if wanted == "draw":
        return why_refused(check_handling, item)
    if wanted == "reload":
        return why_refused(check_reload, state, state[actor], item)
    return why_refused(check_near, state, actor, item)


class Door(Words, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A door of the map by its id; without one, a description of any door for the log."""

    door: str = ""


def find_arm(state: State) -> Arm:
    """The reach of a combatant for a door, in meters."""
    return Arm(find_grid(state), ARM_M)


def use_door(context: RuleContext, command: Door) -> None:
    """Open a door, a Move Action. [COS-ACT-11] The text does not mention shutting: we treat it the same."""
    who = command.actor
    if command.door:
        door = check_door(context.state, who, command.door, find_arm(context.state))
        pay_move(context, who, "Shutting a door" if door.open else "Opening a door", DOOR_RULE)
        leave_door(context, who, door.id, not door.open, DOOR_RULE)
        return
    pay_move(context, who, "Opening a door", DOOR_RULE)
    say_words(context, command, "log.opens_door", "log.opens_door_so", DOOR_RULE)


def use_door_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The doors of the map within reach, or else a text field."""
    if find_doors(state, actor, find_arm(state)):
        return door_fields(state, actor, find_arm(state))
    return (Field("what", "What", "text", required=False),)


class Speech(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of at most 200 characters, and their audience."""

    what: str = ""
    to: Literal["all", "side"] = "all"


def talk(context: RuleContext, command: Speech) -> None:
    """Simple communication is free, on any turn. [COS-ACT-22]

    The own side are the players of those who fight on it now; the GM hears everything.
    """
    words = tidy(command.what)
    if not 1 <= len(words) <= MAX_LENGTH:
        raise Refused("bad_value", f"Say something of 1 to {MAX_LENGTH} characters.")
    who = command.actor
    to = e.for_seats(f.id for f in present(context.state) if f.side == context.state[who].side)
    to = to if command.to == "side" else ""
    key = "log.says_to_side" if to else "log.says"
    context.emit(e.Said(key, who, args={"words": words}), "COS-ACT-22", to)
    tell_unheard(context, who, to)


def speech_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The fields for the words and their audience."""
    return (
        Field("what", "Words", "text", help=f"up to {MAX_LENGTH} characters"),
        Field("to", "Heard by", "choice", HEARERS, "all", rule="COS-ACT-22"),
    )


# ---------------------------------------------------------------- lost senses


def find_lost_sense(combatant: Combatant, sense: str) -> tuple[Condition, str] | None:
    """The condition that takes this sense from a combatant, with its rule; None if none does.

    [COS-COND-05] [COS-COND-09] Things that can only be seen or heard are then missed without a roll.
    """
    return KINDS.find_loss(combatant, sense) if sense else None


def describe_lost_sense(combatant: Combatant, sense: str) -> Label:
    """Why a check by this sense alone fails; empty if it does not."""
    lost = find_lost_sense(combatant, sense)
    return say(FAILS[sense], condition=lost[0].label) if lost else ""


def tell_unheard(context: RuleContext, speaker: str, to: str = "") -> None:
    """Flag words as not heard by every deafened combatant. [COS-COND-11]

    `to` is the audience of the words, if not everyone: then only those on the speaker's side count.
    """
    side = context.state[speaker].side
    for combatant in present(context.state):
        meant = combatant.id != speaker and (not to or combatant.side == side)
        if meant and KINDS.loses(combatant, "hearing"):
            told = e.Said("log.unheard", speaker, combatant.id)
            context.emit(told, "COS-COND-11", to)


def describe_unwary(state: State, actor: str) -> str:
    """The combatants that a stealthy approach surprises easily, for the form; RULING R23. [COS-COND-12]"""
    side = state[actor].side
    deaf = [f.name for f in present(state) if f.side != side and KINDS.loses(f, "hearing")]
    return f"easy with {', '.join(deaf)}: deafened" if deaf else ""
