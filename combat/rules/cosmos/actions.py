"""Everyday actions: weapons in and out of hand, reloading, doors, devices, skills, rallying."""

from __future__ import annotations

from typing import Literal

from ..core import events as e
from ..core.commands import Command, Field, Preview
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers
from ..core.requests import Choice
from ..core.space import distance
from ..core.state import Combatant, Item, State, find_item, has_condition, replace
from ..core.table import Table, Then
from ..core.turns import gain, lift_kinds, spend
from .damage import drop, is_droppable
from .movement import pay_move
from .rolls import (
    DICE,
    check_terms,
    default_tn,
    describe_some_uses,
    did_succeed,
    roll_check,
    table_terms,
)
from .scene import has_trait, in_metres
from .senses import LOST_TO, describe_lost_sense, find_lost_sense, tell_unheard
from .sheet import ATTRIBUTES, skill
from .supplies import find_supply, take_use
from .tables import TARGET_NUMBERS, skills

RALLY_RANGE_M = 10  # RULING R53
PICK_UP_M = 1
SENSES = (Choice("", "no"), Choice("sight", "by sight"), Choice("hearing", "by hearing"))


class Handle(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    item: str


class Check(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A full use of a skill against a target number. `sense` is the only one that can do it."""

    attribute: str
    skill: str = ""
    tn: int = 14
    why: str = ""
    sense: Literal["", "sight", "hearing"] = ""


class Aid(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str


class Words(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is done, in a few words for the log."""

    what: str = ""


def draw(table: Table, command: Handle) -> None:
    """[COS-ACT-10] A weapon into the hand, or put away."""
    item = find_item(table.state[command.actor], command.item)
    check_handling(item)
    pay_move(table, command.actor, "Handling a weapon", "COS-ACT-10")
    place, how = ("carried", "puts away") if item.place == "held" else ("held", "draws")
    table.tell(e.ItemChanged(command.actor, replace(item, place=place), how), "COS-ACT-10")


def check_handling(item: Item) -> None:
    """Refuse to draw what is part of the body, or to take armor off in a fight."""
    if not is_droppable(item):
        raise Refused("not_allowed", f"{item.name} is always at hand.")
    if item.place == "worn":
        raise Refused("not_allowed", f"{item.name} is worn: it does not come off in a fight.")


def drop_item(table: Table, command: Handle) -> None:
    """[COS-ACT-15] A held thing falls to the ground, as a Quick Action."""
    item = find_item(table.state[command.actor], command.item)
    if item.place != "held" or not is_droppable(item):
        raise Refused("not_allowed", f"{item.name} is not in hand.")
    spend(table, command.actor, {"quick": 1}, "Dropping an item", "COS-ACT-15")
    drop(table, command.actor, item, "COS-ACT-15")


def pick_up(table: Table, command: Handle) -> None:
    """Take a thing from the ground within 1 m into the hand; a Move Action like drawing."""
    fighter = table.state[command.actor]
    item = next((i for i in table.state.ground if i.id == command.item), None)
    if item is None or item.at is None:
        raise Refused("unknown", "That is not on the ground.")
    metres = distance(fighter.at, item.at)
    if metres > PICK_UP_M + 0.01:
        raise Refused("out_of_range", f"Out of reach: {item.name} lies {in_metres(metres)} away.")
    pay_move(table, command.actor, "Picking up", "COS-ACT-10")
    taken = replace(item, place="held", at=None)
    table.tell(e.ItemGained(command.actor, taken, "picks up"), "COS-ACT-10")


def reload(table: Table, command: Handle) -> None:
    """[COS-ACT-13] A full magazine from a spare one; also clears a jam.  RULING R56."""
    weapon = find_item(table.state[command.actor], command.item)
    check_reload(table.state, table.state[command.actor], weapon)
    if weapon.marks.get("jammed"):
        pay_move(table, command.actor, "Clearing a jam", "COS-ACT-13")
        clear = replace(weapon, marks={**weapon.marks, "jammed": False})
        table.tell(e.ItemChanged(command.actor, clear, "clears"), "COS-ACT-13")
        return
    if not has_trait(weapon, "free_reload"):
        pay_move(table, command.actor, "Reloading", "COS-ACT-13")
    full = replace(weapon, loaded=int(weapon.data["magazine"]), spares=max(0, weapon.spares - 1))
    magazine = None if weapon.spares else find_magazine(table.state[command.actor], weapon)
    if magazine and table.option("track_ammunition"):
        take_use(table, command.actor, magazine, "spends", "COS-ACT-13")
    table.tell(e.ItemChanged(command.actor, full, "reloads"), "COS-ACT-13")


def find_magazine(fighter: Combatant, weapon: Item) -> Item | None:
    """A spare magazine or cell carried for whatever takes one; single shots come with their weapon."""
    return find_supply(fighter, "refills") if int(weapon.data["magazine"]) > 1 else None


def check_reload(state: State, fighter: Combatant, weapon: Item) -> None:
    """Refuse a reload that changes nothing or has nothing to load."""
    if weapon.marks.get("jammed"):
        return
    if weapon.kind != "weapon" or weapon.loaded is None or weapon.data["mode"] != "ranged":
        raise Refused("not_allowed", f"{weapon.name} takes no ammunition.")
    if weapon.place != "held":
        raise Refused("not_allowed", f"{weapon.name} is not in hand: draw it first (Move Action).")
    if weapon.loaded >= int(weapon.data["magazine"]):
        raise Refused("not_allowed", f"{weapon.name} is full.")
    tracked = state.options.get("track_ammunition") is not False
    if tracked and weapon.spares < 1 and not find_magazine(fighter, weapon):
        raise Refused("no_budget", f"No spare magazine for {weapon.name} is left.")


def has_free_reload(state: State, actor: str) -> bool:
    """Whether a fighter holds a weapon whose next shot costs no Move Action.  RULING R56."""
    return any(has_trait(i, "free_reload") for i in state[actor].items if i.kind == "weapon")


def open_door(table: Table, command: Words) -> None:
    """[COS-ACT-11] A Move Action."""
    pay_move(table, command.actor, "Opening a door", "COS-ACT-11")
    _say(table, command, "opens a door", "COS-ACT-11")


def _say(table: Table, command: Words, what: str, rule: str) -> None:
    words = " ".join(command.what.replace("{", "").replace("}", "").split())[:200]
    table.tell(e.Said(f"{{who}} {what}{': ' + words if words else '.'}", command.actor), rule)


def use_simple(table: Table, command: Words) -> None:
    """[COS-ACT-18] A Quick Action."""
    spend(table, command.actor, {"quick": 1}, "A simple device", "COS-ACT-18")
    _say(table, command, "activates a simple device", "COS-ACT-18")


def use_complex(table: Table, command: Words) -> None:
    """[COS-ACT-05] A Standard Action."""
    spend(table, command.actor, {"standard": 1}, "A complex device", "COS-ACT-05")
    _say(table, command, "operates a complex device", "COS-ACT-05")


def look_around(table: Table, command: Words) -> None:
    """[COS-ACT-19] A Quick Action; the GM may reveal what is hidden."""
    spend(table, command.actor, {"quick": 1}, "Looking around", "COS-ACT-19")
    _say(table, command, "looks around", "COS-ACT-19")
    if find_lost_sense(table.state[command.actor], "sight"):
        table.tell(e.Said("{who} is blinded and sees nothing.", command.actor), "COS-COND-05")
        return
    hidden = [f.name for f in table.state.combatants.values() if f.hidden and not f.gone]
    if hidden:
        text = f"Still hidden: {', '.join(hidden)}. Reveal whom {{who}} notices."
        table.tell(e.Said(text, command.actor), "COS-ACT-19", e.GM_ONLY)


def speak(table: Table, command: Words) -> None:
    """[COS-ACT-17] A few words, a Quick Action."""
    spend(table, command.actor, {"quick": 1}, "A few words", "COS-ACT-17")
    _say(table, command, "says", "COS-ACT-17")
    tell_unheard(table, command.actor)


def concentrate(table: Table, command: Words) -> None:
    """[COS-ACT-20] Keeping concentration up is free; [COS-ACT-21] so is ending it."""
    who = command.actor
    if lift_kinds(table, who, "concentrating", why="lets go", rule="COS-ACT-21"):
        return
    gain(table, who, "concentrating")


def skill_check(table: Table, command: Check) -> Then:
    """[COS-ACT-03] A full use of a skill, a Standard Action.  RULING R5."""
    check_skill(table.state, command)
    spend(table, command.actor, {"standard": 1}, "Full skill use", "COS-ACT-03")
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
    """The terms of the check, with the table's own."""
    terms = check_terms(state, state[command.actor], command.attribute, command.skill)
    return (*terms, *table_terms(command, "COS-ACT-03"))


def use_skill(table: Table, command: Check) -> None:
    """[COS-COND-05] [COS-COND-09] What takes a sense that is lost fails without a roll."""
    what = command.skill or ATTRIBUTES[command.attribute]
    fails = describe_lost_sense(table.state[command.actor], command.sense)
    if fails:
        table.tell(e.Said(f"{{who}}: {what}. {fails}", command.actor), LOST_TO[command.sense][1])
        return
    terms = skill_terms(table.state, command)
    roll_check(table, command.actor, terms, command.tn, "COS-ACT-03", what, command.why[:100])


def preview_skill(state: State, command: Check) -> Preview:
    """The sums of a skill check."""
    check_skill(state, command)
    target = (Modifier("Target number", command.tn, "COS-ACT-03"),)
    fails = describe_lost_sense(state[command.actor], command.sense)
    notes = (*((fails,) if fails else ()), *describe_some_uses(state[command.actor], command.skill))
    return Preview(skill_terms(state, command), target, "TN", DICE, notes)


def skill_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a skill check, with the fighter's own skills first."""
    fighter = state[actor]
    known = sorted(skills(), key=lambda name: (-skill(fighter, name), name))
    options = tuple(Choice(name, f"{name} {skill(fighter, name)}") for name in known)
    numbers = ", ".join(f"{word} {tn}" for word, tn in TARGET_NUMBERS.items())
    attributes = tuple(Choice(key, name) for key, name in ATTRIBUTES.items())
    return (
        Field("attribute", "Attribute", "choice", attributes, "INT"),
        Field("skill", "Skill", "choice", (Choice("", "none"), *options), options[0].value, required=False),
        Field("tn", "Target number", "number", value="14", low=2, high=60, help=numbers),
        Field("why", "For what", "text", required=False),
        Field("sense", "By one sense alone", "choice", SENSES, "", rule="COS-COND-05", required=False),
    )


def rally(table: Table, command: Aid) -> Then:
    """[COS-ACT-07] Presence + Social against 14 ends a comrade's fear.  RULING R53."""
    check_rally(table.state, command)
    spend(table, command.actor, {"standard": 1}, "Rallying", "COS-ACT-07")
    return Then(_rally, command)


def check_rally(state: State, command: Aid) -> Combatant:
    """Refuse to rally who is not afraid, or too far away."""
    fighter, target = state[command.actor], state[command.target]
    friend = target.side == fighter.side and target.id != fighter.id
    if not friend or not has_condition(target, "frightened"):
        raise Refused("bad_target", f"Choose a frightened comrade; {target.name} is not.")
    if distance(fighter.at, target.at) > RALLY_RANGE_M + 0.01:
        raise Refused("out_of_range", f"{target.name} is more than {RALLY_RANGE_M} m away.")
    return target


def _rally(table: Table, command: Aid) -> None:
    """[COS-COND-11] Whether the deafened can be rallied without words is the GM's to say."""
    if find_lost_sense(table.state[command.target], "hearing"):
        text = "{target} is deafened: undo this if {who} has nothing but words to rally with."
        table.tell(e.Said(text, command.actor, command.target), "COS-COND-11", e.GM_ONLY)
    terms = rally_terms(table.state, command)
    roll_check(table, command.actor, terms, default_tn(table.state), "COS-ACT-07", "Social", "rally")
    if did_succeed(table):
        lift_kinds(table, command.target, "frightened", why="rallied", rule="COS-ACT-07")


def rally_terms(state: State, command: Aid) -> Modifiers:
    """Presence and half Social."""
    rule = "COS-ACT-07"
    terms = check_terms(state, state[command.actor], "PRE", "Social", rule)
    return (*terms, *table_terms(command, rule))


def preview_rally(state: State, command: Aid) -> Preview:
    """The sums of rallying."""
    check_rally(state, command)
    target = (Modifier("Target number", default_tn(state), "COS-ACT-07"),)
    return Preview(rally_terms(state, command), target, "TN", DICE)


def items_field(state: State, actor: str, wanted: str, label: str) -> tuple[Field, ...]:
    """A field with the items an action can take: "draw", "held", "ground" or "reload"."""
    fighter = state[actor]
    things: tuple[Item, ...] = state.ground if wanted == "ground" else fighter.items
    options = tuple(
        Choice(item.id, item.name, item.place, _why_not(state, actor, item, wanted))
        for item in things
        if wanted == "ground" or is_droppable(item)
    )
    ready = [option.value for option in options if not option.refused]
    return (Field("item", label, "choice", options, ready[0] if ready else ""),)


def _why_not(state: State, actor: str, item: Item, wanted: str) -> str:
    if wanted == "held" and item.place != "held":
        return f"{item.name} is not in hand"
    if wanted == "draw" and item.place == "worn":
        return f"{item.name} is worn"
    if wanted == "reload":
        try:
            check_reload(state, state[actor], item)
        except Refused as refused:
            return refused.message
    return ""
