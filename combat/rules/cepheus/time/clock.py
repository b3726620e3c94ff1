"""The clock: the effects of each round and minute, and the GM's "time passes"."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.people import FIGHT
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present
from combat.rules.core.turn.spans import renew
from combat.rules.core.turn.turns import let_pass

from ..body.drugs import STIMS, pass_drugs
from ..body.parts import end_stalls
from ..body.senses import come_round, rest_off
from ..book.tables import HOUR_SECONDS, MINUTE_SECONDS
from ..fight.clouds import end_clouds
from ..people.values import is_person
from ..world.economy import check_quiet
from ..world.order import end_of_round

MAX_HOURS = 24 * 30
SLEEP_SECONDS = 6 * HOUR_SECONDS


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Time outside of rounds; `resting` means that everyone rests."""

    minutes: int = 0
    hours: int = 0
    resting: bool = False


def pass_clock(context: RuleContext) -> None:
    """Apply passing time, at the start of each round and after hours: drugs begin and end, the unconscious
    may wake. [CE-UNCON-01]"""
    for combatant in present(context.state):
        if is_person(combatant):
            pass_drugs(context, combatant.id)
            come_round(context, combatant.id)


def pass_rounds(context: RuleContext, rounds: int) -> None:
    """Apply rounds that nobody played: what lasts for rounds ends, and time passes for all."""
    ended = context.state.round + rounds
    end_of_round(context, ended)
    end_clouds(context, ended)
    end_stalls(context, ended)
    pass_clock(context)


def check_pass(state: State, actor: str = "") -> None:
    """Refuse to pass hours during a fight."""
    check_quiet(state)


def pass_time(context: RuleContext, command: PassTime) -> None:
    """Let minutes or hours pass outside of a fight; [CE-FAT-03] rest ends fatigue."""
    check_quiet(context.state)
    seconds = command.minutes * MINUTE_SECONDS + command.hours * HOUR_SECONDS
    if command.minutes < 0 or command.hours < 0 or not 0 < seconds <= MAX_HOURS * HOUR_SECONDS:
        raise Refused("bad_value", f"Let one minute to {MAX_HOURS} hours pass at a time.")
    let_pass(context, seconds, command.reason, "CE-UNCON-01")
    for combatant in present(context.state):
        rest_off(context, combatant.id, seconds if command.resting else 0)
    if command.resting and seconds >= SLEEP_SECONDS:
        sleep(context)


def sleep(context: RuleContext) -> None:
    """Restart the count of stim drugs after sleep, and restore what can be used once a fight."""
    for combatant in present(context.state):
        if STIMS in combatant.marks:
            context.emit(e.Marked(combatant.id, STIMS, None), "CE-FAT-01", e.GM_ONLY)
    renew(context, FIGHT)
