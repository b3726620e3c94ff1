"""Defensive actions, lying down and getting up."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Command, Field, Preview, Targeted, adjusted
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state.state import Combatant, State, find_condition, has_condition
from combat.rules.core.turn.turns import add_condition, remove_condition

from ..body.damage import fall_prone
from ..body.doses import burn
from ..book.options import find_option
from ..book.tables import DEFENSIVES
from ..characters.conditions import check_target
from ..characters.sheet import is_able, is_immune
from ..dice import DICE, action_penalty, assist_terms, check_terms, roll_check, use_assist
from ..world.acting import TABLE, act, target_field
from ..world.economy import (
    can_afford,
    check_declared,
    check_free,
    has_used_free,
    pay,
    remember_free,
    take_free,
)
from ..world.sight_lines import check_within


def defend(kind: str) -> Callable[[RuleContext, Command], Then | None]:
    """The procedure of one of the defensive actions."""

    def run(context: RuleContext, command: Command) -> Then | None:
        """Add 1 [SS-OTHER-20] [SS-OTHER-21], until the user's next turn begins. [SS-OTHER-22]"""
        who, row = command.actor, DEFENSIVES[kind]
        pay(context, who, kind, on=row.name, rule=row.rule)
        add_condition(context, who, kind)
        return burn(context, who) if row.value == "armor" else None

    return run


def drop_prone(context: RuleContext, command: Command) -> None:
    """Drop to the ground, a free action [SS-FREE-07], in anyone's turn. [SS-FREE-02]"""
    take_free(context, command.actor, "drop_prone", "SS-FREE-07")
    fall_prone(context, command.actor, "SS-FREE-07")


def check_standing(state: State, actor: str) -> None:
    """Refuse someone who is prone already, or cannot lie down."""
    combatant = state[actor]
    if has_condition(combatant, "prone"):
        raise Refused("not_allowed", f"{combatant.name} is already prone.")
    if is_immune(combatant, "prone"):
        raise Refused("not_allowed", f"{combatant.name} cannot lie down.")
    check_free(state, actor, "drop_prone")


def stand_up(context: RuleContext, command: Command) -> Then | None:
    """Get up, an action. [SS-OTHER-25] [SS-PRONE-04]  RULING R15"""
    who = command.actor
    if stands_freely(context.state, context.state[who]):
        remember_free(context, who, "stand_up", "SS-FREE-08")
    else:
        pay(context, who, "stand_up", on="Standing up", rule="SS-PRONE-04")
    return burn(context, who, 1, (get_up, command, who))


def stands_freely(state: State, combatant: Combatant) -> bool:
    """Whether standing up is free now: once, and only if the table has it so. [SS-FREE-08]"""
    return find_option(state, "stand_up") == "free_once" and not has_used_free(combatant, "stand_up")


def check_prone(state: State, actor: str) -> None:
    """Refuse to stand up unless prone; it takes an action unless the table has it free once.

    [SS-FREE-08]
    """
    combatant = state[actor]
    if not has_condition(combatant, "prone"):
        raise Refused("not_allowed", f"{combatant.name} is already standing.")
    if stands_freely(state, combatant):
        return
    check_declared(state, actor)
    if not can_afford(state, actor):
        raise Refused("no_budget", "No action left this turn; standing up takes one.")


def get_up(context: RuleContext, command: Command, who: str) -> None:
    """Stand up, after the actor's Str check if something pins them down.  RULING R15"""
    held = find_condition(context.state[who], "prone")
    if held is None or not is_able(context.state[command.actor]):
        return
    if find_hold(context.state, who) and not _breaks_loose(context, command, who):
        return
    remove_condition(context, who, held, why="why.stands_up", rule="SS-PRONE-04")


def find_hold(state: State, who: str) -> int:
    """The difficulty of breaking loose; 0 if nothing pins them down.  RULING R15"""
    held = find_condition(state[who], "prone")
    return int(held.marks.get("stand", 0)) if held else 0


def _breaks_loose(context: RuleContext, command: Command, who: str) -> bool:
    by, terms = command.actor, terms_for_rising(context.state, command)
    difficulty = find_hold(context.state, who)
    result = roll_check(
        context, by, terms, difficulty, rule="SS-PRONE-04", what="check.getting_up", again="str"
    )
    use_assist(context, by, "str")
    return result.good


def terms_for_rising(state: State, command: Command, paid: bool = True) -> Modifiers:
    """Str against the hold; being prone hinders it. [SS-PRONE-02]  RULING R38"""
    combatant = state[command.actor]
    terms = (
        *check_terms(state, combatant, "str", rule="SS-PRONE-04"),
        *action_penalty(state, combatant, paid),
        *assist_terms(state, combatant, "str"),
    )
    return adjusted(command, terms, "SS-PRONE-04")


def preview_standing(state: State, command: Command) -> Preview:
    """The sums of breaking loose; standing up takes no roll if nothing pins the actor down."""
    check_prone(state, command.actor)
    return _preview_rising(state, command, command.actor, stands_freely(state, state[command.actor]))


def _preview_rising(state: State, command: Command, who: str, paid: bool) -> Preview:
    difficulty = find_hold(state, who)
    if not difficulty:
        return Preview()
    number = (Modifier("term.difficulty", difficulty, "SS-PRONE-04"),)
    return Preview(terms_for_rising(state, command, paid), number, "against.difficulty", DICE)


def raise_up(context: RuleContext, command: Targeted) -> None:
    """RULING R15: Let a helper make the Str check against the hold."""
    check_raise(context.state, command)
    pay(context, command.actor, "raise_up", on="Helping up", rule="SS-PRONE-04")
    get_up(context, command, command.target)


def check_raise(state: State, command: Targeted) -> None:
    """Refuse a target who is not pinned down, or too far away."""
    target = state[command.target]
    if not find_hold(state, target.id) or target.id == command.actor:
        raise Refused("bad_target", "Choose someone else who is pinned down.")
    check_target(target, "help")
    check_within(state, state[command.actor], target)


def preview_raise(state: State, command: Targeted) -> Preview:
    """The sums of helping up."""
    check_raise(state, command)
    return _preview_rising(state, command, command.target, paid=False)


def raise_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person who is pinned down."""

    def check(target: Combatant) -> None:
        check_raise(state, Targeted(actor=actor, target=target.id))

    return (target_field(state, actor, foes=False, check=check),)


ACTIONS = (
    *(act(kind, defend(kind)) for kind in DEFENSIVES),
    TABLE.act("stand_up", stand_up, check_prone, preview=preview_standing),
    act("raise_up", raise_up, fields=raise_fields, preview=preview_raise),
    TABLE.act("drop_prone", drop_prone, check_standing, on_turn=False),
)
