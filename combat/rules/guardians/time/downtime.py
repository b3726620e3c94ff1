"""Time between fights: ends of conditions, rest, days of healing, repairs."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import follow
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state.state import has_condition, present
from combat.rules.core.turn.turns import forget, let_pass, remove_conditions, take_deferred

from ..body.happen import end_sleep
from ..body.states import ENDS
from ..book.options import find_option
from ..book.tables import DAY_SECONDS, PLACES
from ..care.healing import heal_place
from ..people.conditions import KINDS
from .clock import MINUTE, RESTED, ROUND_MARKS, RUN, change_fatigue, expire, restore_toughness

UNITS = {"minutes": MINUTE, "hours": 3600, "days": DAY_SECONDS}
MAX_COUNT = 1000


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Time that passes outside of a fight; at rest unless `busy`."""

    count: int = 1
    unit: str = "hours"
    busy: bool = False


def end_fight(context: RuleContext) -> None:
    """End holds, lost Toughness and some knock-outs with the fight. [CG-SPEC-04]  RULING R14"""
    follow(context, take_deferred(context))
    for combatant in present(context.state):
        who = combatant.id
        remove_conditions(context, who, *KINDS.ended_by("fight_over"), why="why.fight_over")
        end_sleep(context, who)
        if find_option(context.state, "toughness_recovers") == "end_of_encounter":
            restore_toughness(context, who, None, "why.fight_over")
        forget(context, who, *ROUND_MARKS, RUN, RESTED, "early", "again")


def pass_time(context: RuleContext, command: PassTime) -> None:
    """Run clocks down, take Fatigue off for rest, heal by days. [CG-FAT-05] [CG-BLEED-02]  RULING R37"""
    if context.state.phase == "fight":
        raise Refused("not_allowed", "End the fight first: in it, rounds are the clock.")
    if command.unit not in UNITS or not 1 <= command.count <= MAX_COUNT:
        raise Refused("bad_value", f"Enter 1 to {MAX_COUNT} minutes, hours or days.")
    seconds = command.count * UNITS[command.unit]
    before = context.state.clock
    let_pass(context, seconds, command.reason)
    expire(context, context.state.clock)
    days = context.state.clock // DAY_SECONDS - before // DAY_SECONDS if seconds < DAY_SECONDS else 0
    days = max(days, seconds // DAY_SECONDS)
    for combatant in present(context.state):
        if not has_condition(combatant, "dead"):
            _recover(context, combatant.id, seconds // MINUTE, days, command.busy)


def _recover(context: RuleContext, who: str, minutes: int, days: int, busy: bool) -> None:
    """RULING R14 R24 R37: Recover Fatigue by the minute, Toughness and Mortality Points by the day."""
    combatant = context.state[who]
    if minutes and combatant.tracks["fatigue"] and not busy:
        change_fatigue(context, who, -minutes, "why.rested", "CG-FAT-05")
    how = find_option(context.state, "toughness_recovers")
    if how == "per_minute" and minutes:
        restore_toughness(context, who, minutes, "why.rested")
    if how == "end_of_encounter" or (how == "next_day" and days):
        restore_toughness(context, who, None, "why.rested")
    points = days * int(find_option(context.state, "healing_per_day"))
    for place in PLACES if points and not busy else ():
        heal_place(context, who, place, points, "why.rested", "CG-TORSO-02")
    _end_knock(context, who)


def _end_knock(context: RuleContext, who: str) -> None:
    """Wake someone who was out for the rest of a fight, unless a clock still holds them."""
    if not any(c.kind == "unconscious" and ENDS in c.marks for c in context.state[who].conditions):
        end_sleep(context, who)
