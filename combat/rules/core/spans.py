"""What somebody has so often in a fight, on a day or in a session: what is used up, and its renewal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .basics.words import joined
from .commands.context import RuleContext
from .state import events as e
from .state.state import Combatant, Scalar, State, present
from .system import DAY, DAY_SECONDS, FIGHT, SESSION, System, Use

BEGUN = {FIGHT: "why.new_fight", DAY: "why.new_day", SESSION: "why.new_session"}
CLOCK = re.compile(r"@(-?\d+)")


def find_used(system: System, state: State, fighter: Combatant, *spans: str) -> list[Use]:
    """What a fighter has used up and does not have again by itself yet."""
    uses = [use for use in system.uses if use.span in spans]
    return [use for use in uses if _is_used(system, state, fighter, use)]


def _is_used(system: System, state: State, fighter: Combatant, use: Use) -> bool:
    if use.track:
        return fighter.tracks.get(use.key, 0) < find_full(system, fighter)[use.key]
    return _shift(use, fighter.marks.get(use.key), -state.clock) is not None


def find_full(system: System, fighter: Combatant) -> dict[str, int]:
    """A fighter's numbers at their fullest."""
    whole = {**fighter.sheet, "tracks": {}, "conditions": []}
    return system.make_combatant(fighter.id, fighter.name, fighter.side, whole, {}).tracks


def _shift(use: Use, value: Scalar | None, by: int) -> Scalar | None:
    """A mark with its times moved by so many seconds; without those of a day that is over by then.

    A mark is the clock as a number, words that each end in `@clock`, or only says that it is used.
    """
    if use.span != DAY or value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value + by if value + by > -DAY_SECONDS else None
    words = [CLOCK.sub(lambda found: f"@{int(found[1]) + by}", word) for word in value.split()]
    found = [word for word in words if int(word.rpartition("@")[2]) > -DAY_SECONDS]
    return " ".join(found) or None


def renew(context: RuleContext, *spans: str, told: bool = False) -> bool:
    """Give back what everybody has used up of these spans, saying so if `told`; whether there was any."""
    found = False
    for fighter in present(context.state):
        used = find_used(context.system, context.state, fighter, *spans)
        for use in used:
            _give_back(context, fighter, use)
        if used and told:
            labels = joined(use.word for use in used)
            to = "" if fighter.pc else e.GM_ONLY  # what the GM's own have used is nobody's business
            context.emit(e.Said("log.renewed", fighter.id, args={"what": labels}), used[0].rule, to)
        found = found or bool(used)
    return found


def _give_back(context: RuleContext, fighter: Combatant, use: Use) -> None:
    if use.track:
        now, full = fighter.tracks.get(use.key, 0), find_full(context.system, fighter)[use.key]
        context.emit(e.TrackChanged(fighter.id, use.key, now, full, BEGUN[use.span]), use.rule)
    else:
        context.emit(e.Marked(fighter.id, use.key, None), use.rule, e.GM_ONLY)


# ---------------------------------------------------------------- on a sheet


def write_uses(system: System, state: State, fighter: Combatant) -> dict[str, Scalar]:
    """What goes home with a fighter: marks of days and sessions, times as seconds before now."""
    found: dict[str, Scalar] = {}
    for use in system.uses:
        value = _shift(use, fighter.marks.get(use.key), -state.clock)
        if use.goes_home and value is not None:
            found[use.key] = value
    return found


def read_uses(system: System, state: State, sheet: dict[str, Any]) -> dict[str, Scalar]:
    """The marks that a fighter joins with: what its sheet says is used, by the clock of the encounter."""
    kept = sheet.get("uses", {})
    known: Iterable[Use] = (use for use in system.uses if use.goes_home and use.key in kept)
    marks = {use.key: _shift(use, kept[use.key], state.clock) for use in known}
    return {key: value for key, value in marks.items() if value is not None}
