"""The clock: what every round and every minute brings, and the GM's "time passes"."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.spans import renew
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present
from combat.rules.core.system import FIGHT

from ..body.drugs import STIMS, pass_drugs
from ..body.senses import come_round, rest_off
from ..book.tables import HOUR_SECONDS, MINUTE_SECONDS
from ..people.values import is_person
from ..world.economy import check_quiet

MAX_HOURS = 24 * 30
SLEEP_SECONDS = 6 * HOUR_SECONDS


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Time outside of rounds; `resting` says that everybody rests."""

    minutes: int = 0
    hours: int = 0
    resting: bool = False


def pass_clock(context: RuleContext) -> None:
    """[CE-UNCON-01] What time alone brings, at the start of each round and after hours: drugs begin and
    end, the unconscious may come round."""
    for fighter in present(context.state):
        if is_person(fighter):
            pass_drugs(context, fighter.id)
            come_round(context, fighter.id)


def check_pass(state: State, actor: str = "") -> None:
    """Hours pass outside of fights."""
    check_quiet(state)


def pass_time(context: RuleContext, command: PassTime) -> None:
    """Minutes or hours outside of a fight; [CE-FAT-03] rest takes fatigue away."""
    check_quiet(context.state)
    seconds = command.minutes * MINUTE_SECONDS + command.hours * HOUR_SECONDS
    if command.minutes < 0 or command.hours < 0 or not 0 < seconds <= MAX_HOURS * HOUR_SECONDS:
        raise Refused("bad_value", f"Let one minute to {MAX_HOURS} hours pass at a time.")
    context.emit(e.TimePassed(seconds, command.reason), "CE-UNCON-01")
    pass_clock(context)
    for fighter in present(context.state):
        rest_off(context, fighter.id, seconds if command.resting else 0)
    if command.resting and seconds >= SLEEP_SECONDS:
        sleep(context)


def sleep(context: RuleContext) -> None:
    """Stim drugs begin to count anew after sleep, and what one has once in a fight is there again."""
    for fighter in present(context.state):
        if STIMS in fighter.marks:
            context.emit(e.Marked(fighter.id, STIMS, None), "CE-FAT-01", e.GM_ONLY)
    renew(context, FIGHT)
