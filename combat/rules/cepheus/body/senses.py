"""Waking up, and fatigue."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, find_condition, has_condition, replace
from combat.rules.core.turn.turns import add_condition, remove_condition

from ..book.options import find_option
from ..book.tables import HOUR_SECONDS, MINUTE_SECONDS
from ..characters.conditions import is_dead
from ..characters.values import find_dm
from ..dice.rolls import roll_check
from .states import FATIGUE, fall_unconscious, wake

REST_HOURS = 3  # CE-FAT-03
RESTED = "rested"  # mark of fatigue: seconds of rest so far


# ---------------------------------------------------------------- waking up


def count_seconds_out(state: State, combatant: Combatant) -> int:
    """Seconds someone has been unconscious, or since the last check; 0 for the conscious."""
    held = find_condition(combatant, "unconscious")
    return state.clock - int(held.marks.get("since", state.clock)) if held else 0


def come_round(context: RuleContext, who: str) -> None:
    """Roll an Endurance check for each minute that someone has been unconscious, until one succeeds.
    [CE-UNCON-01]"""
    while count_seconds_out(context.state, context.state[who]) >= MINUTE_SECONDS:
        _try_to_wake(context, who)


def _try_to_wake(context: RuleContext, who: str) -> None:
    """Roll to wake [CE-UNCON-02]; a failure adds 1 to the next check, a minute later. [CE-UNCON-03]"""
    held = find_condition(context.state[who], "unconscious")
    assert held is not None
    tries = int(held.marks.get("tries", 0))
    terms = (Modifier("term.failed_tries", tries, "CE-UNCON-03"),) if tries else ()
    effect = roll_check(
        context,
        who,
        what="check.wake",
        skill="",
        characteristic="end",
        terms=terms,
        rule="CE-UNCON-01",
        matters="none",
    )
    if effect >= 0:
        wake(context, who, "why.woke", "CE-UNCON-02")
        return
    since = int(held.marks["since"]) + MINUTE_SECONDS
    later = replace(held, marks={**held.marks, "since": since, "tries": tries + 1})
    context.emit(e.ConditionChanged(who, later), "CE-UNCON-03", e.GM_ONLY)


# ---------------------------------------------------------------- fatigue


def tire(context: RuleContext, who: str, why: Label, rule: str = "CE-FAT-01") -> None:
    """Make someone fatigued [CE-FAT-01]; a second time, unconscious. [CE-FAT-04]"""
    combatant = context.state[who]
    if is_dead(combatant) or not find_option(context.state, "use_fatigue"):
        return
    if has_condition(combatant, "fatigued"):
        context.emit(e.Said("log.tired_out", who, args={"why": why}), "CE-FAT-04")
        fall_unconscious(context, who, FATIGUE, "CE-FAT-04")
        return
    add_condition(context, who, "fatigued", rule=rule)


def count_rest(combatant: Combatant) -> int:
    """The hours of rest that end fatigue: 3 less the Endurance DM. [CE-FAT-03]  RULING R41: 1 at least."""
    return max(1, REST_HOURS - find_dm(combatant, "end"))


def rest_off(context: RuleContext, who: str, seconds: int) -> None:
    """Count rest against fatigue; 0 seconds restart the count. [CE-FAT-03]"""
    combatant = context.state[who]
    held = find_condition(combatant, "fatigued")
    if held is None:
        return
    so_far = int(held.marks.get(RESTED, 0)) + seconds if seconds else 0
    if so_far >= count_rest(combatant) * HOUR_SECONDS:
        remove_condition(context, who, held, why="why.rested", rule="CE-FAT-03")
    elif so_far != held.marks.get(RESTED, 0):
        changed = replace(held, marks={**held.marks, RESTED: so_far})
        context.emit(e.ConditionChanged(who, changed), "CE-FAT-03", e.GM_ONLY)
