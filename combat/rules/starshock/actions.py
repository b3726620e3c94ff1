"""Help, guarding, lying down and getting up, and a few words."""

from __future__ import annotations

from typing import Literal

from ..core import events as e
from ..core.commands import Command
from ..core.errors import Refused
from ..core.state import Combatant, State, Until, find_condition, has_condition
from ..core.table import Table, Then
from ..core.turns import gain, lift
from . import tables
from .damage import fall_prone
from .doses import burn
from .economy import (
    can_afford,
    check_declared,
    check_free,
    has_used_free,
    pay,
    remember_free,
    take_free,
)
from .items import LONGEST, escape
from .place import is_near
from .rolls import action_penalty, assist_terms, check_terms, roll_check, use_assist
from .sheet import (
    ATTRIBUTES,
    attribute,
    find_option,
    has_skill,
    is_able,
    is_conscious,
    is_immune,
)
from .tables import ASSIST_LEAST, DEFENSIVES


class Help(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[SS-OTHER-09] Help for somebody's check with this attribute and skill."""

    target: str
    attribute: Literal["str", "dex", "int", "prs"]
    skill: str = ""


class Words(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    what: str = ""


# ---------------------------------------------------------------- help and guarding


def assist(table: Table, command: Help) -> None:
    """[SS-OTHER-09] [SS-OTHER-10] +1 for a check of somebody else, if the helper is good at it."""
    check_assist(table.state, command)
    who = command.actor
    pay(table, who, "assist", "Assisting", "SS-OTHER-09")
    name = table.state[who].name
    label = f"Help from {name}"
    marks = {"attribute": command.attribute, "skill": command.skill}
    gain(table, command.target, "assisted", label=label, by=who, marks=marks, until=Until(who, "start"))


def check_assist(state: State, command: Help) -> None:
    """[SS-OTHER-10] An attribute of 3, the one the check uses, or the skill.  RULING R22"""
    fighter, target = state[command.actor], state[command.target]
    if fighter.id == target.id:
        raise Refused("bad_target", "Assist is for somebody else's check.")
    if not is_conscious(target):
        raise Refused("bad_target", f"{target.name} is about to make no check.")
    if command.skill and command.skill not in tables.skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    good = attribute(fighter, command.attribute) >= ASSIST_LEAST
    if not good and not (command.skill and has_skill(fighter, command.skill)):
        label = ATTRIBUTES[command.attribute]
        needs = f"{label} {ASSIST_LEAST}" + (f" or {command.skill}" if command.skill else "")
        raise Refused("not_allowed", f"{fighter.name} cannot help with that: it takes {needs}.")


def defend(kind: str) -> object:
    """The procedure of one of the defensive actions."""

    def run(table: Table, command: Command) -> Then | None:
        """[SS-OTHER-20] [SS-OTHER-21] +1 [SS-OTHER-22] until the user's next turn begins."""
        who, row = command.actor, DEFENSIVES[kind]
        pay(table, who, kind, row.name, row.rule)
        gain(table, who, kind, until=Until(who, "start"))
        return burn(table, who) if row.value == "armor" else None

    return run


# ---------------------------------------------------------------- prone


def drop_prone(table: Table, command: Command) -> None:
    """[SS-FREE-07] Drop to the ground, a free action, [SS-FREE-02] in anybody's turn."""
    check_standing(table.state, command.actor)
    take_free(table, command.actor, "drop_prone", "SS-FREE-07")
    fall_prone(table, command.actor, "SS-FREE-07")


def check_standing(state: State, actor: str) -> None:
    """Only who stands can drop, and some never do."""
    fighter = state[actor]
    if has_condition(fighter, "prone"):
        raise Refused("not_allowed", f"{fighter.name} is prone already.")
    if is_immune(fighter, "prone"):
        raise Refused("not_allowed", f"{fighter.name} cannot lie down.")
    check_free(state, actor, "drop_prone")


def stand_up(table: Table, command: Command) -> Then | None:
    """[SS-OTHER-25] [SS-PRONE-04] Get up, an action.  RULING R15"""
    who = command.actor
    check_prone(table.state, who)
    if stands_freely(table.state, table.state[who]):
        remember_free(table, who, "stand_up", "SS-FREE-08")
    else:
        pay(table, who, "stand_up", "Standing up", "SS-PRONE-04")
    return burn(table, who, 1, (get_up, who, who))


def stands_freely(state: State, fighter: Combatant) -> bool:
    """[SS-FREE-08] Whether standing up is free now: only where the table has it so, one time."""
    return find_option(state, "stand_up") == "free_once" and not has_used_free(fighter, "stand_up")


def check_prone(state: State, actor: str) -> None:
    """Only the prone can stand up; it takes an action unless the table has it free one time.

    [SS-FREE-08]
    """
    fighter = state[actor]
    if not has_condition(fighter, "prone"):
        raise Refused("not_allowed", f"{fighter.name} is on its feet.")
    if stands_freely(state, fighter):
        return
    check_declared(state, actor)
    if not can_afford(state, actor):
        raise Refused("no_budget", "Standing up takes an action, and none is left this turn.")


def get_up(table: Table, who: str, by: str) -> None:
    """On one's feet, after a Str check if something pins down.  RULING R15"""
    held = find_condition(table.state[who], "prone")
    if held is None or not is_able(table.state[by]):
        return
    difficulty = int(held.marks.get("stand", 0))
    if difficulty and not _breaks_loose(table, by, difficulty):
        return
    lift(table, who, held, "stands up", "SS-PRONE-04")


def _breaks_loose(table: Table, by: str, difficulty: int) -> bool:
    fighter = table.state[by]
    terms = (
        *check_terms(table.state, fighter, "str", rule="SS-PRONE-04", hindered="none"),
        *action_penalty(table.state, fighter),
        *assist_terms(table.state, fighter, "str"),
    )
    result = roll_check(table, by, terms, difficulty, rule="SS-PRONE-04", what="getting up", again="str")
    use_assist(table, by, "str")
    return result.good


class Raise(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Help somebody who is pinned down to get up."""

    target: str


def raise_up(table: Table, command: Raise) -> None:
    """RULING R15: a helper may make the Str check against what pins down."""
    state, target = table.state, table.state[command.target]
    held = find_condition(target, "prone")
    if held is None or not held.marks.get("stand") or target.id == command.actor:
        raise Refused("bad_target", "Choose somebody else who is pinned to the ground.")
    if not is_near(state, state[command.actor], target):
        raise Refused("out_of_range", f"{target.name} is too far away: move there first.")
    pay(table, command.actor, "raise_up", "Helping up", "SS-PRONE-04")
    get_up(table, target.id, command.actor)


def communicate(table: Table, command: Words) -> None:
    """[SS-FREE-11] Say something short; the GM judges whether it is. [SS-COMA-01] Not in a coma."""
    take_free(table, command.actor, "communicate", "SS-FREE-11")
    said = escape(command.what.strip()[:LONGEST])
    table.tell(
        e.Said(f"{{who}}: “{said}”" if said else "{who} says a few words.", command.actor), "SS-FREE-11"
    )
