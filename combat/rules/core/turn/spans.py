"""Limited uses per fight, day or session: what is spent, and its renewal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..basics.words import joined
from ..commands.context import RuleContext
from ..declaration.characters import DAY, DAY_SECONDS, FIGHT, SESSION, Use
from ..declaration.system import System, system_of
from ..state import events as e
from ..state.state import Combatant, Scalar, State, present

BEGUN = {FIGHT: "why.new_fight", DAY: "why.new_day", SESSION: "why.new_session"}
CLOCK = re.compile(r"@(-?\d+)")


def find_used(system: System, state: State, combatant: Combatant, *spans: str) -> list[Use]:
    """The spent uses of a combatant that have not returned yet."""
    uses = [use for use in system.characters.uses if use.span in spans]
    return [use for use in uses if _is_used(system, state, combatant, use)]


def _is_used(system: System, state: State, combatant: Combatant, use: Use) -> bool:
    if use.track:
        return combatant.tracks.get(use.key, 0) < find_full(system, combatant)[use.key]
    return _shift(use, combatant.marks.get(use.key), -state.clock) is not None


def find_full(system: System, combatant: Combatant) -> dict[str, int]:
    """A combatant's numbers at their maximum."""
    whole = {**combatant.sheet, "tracks": {}, "conditions": []}
    return system.characters.make_combatant(combatant.id, combatant.name, combatant.side, whole, {}).tracks


def _shift(use: Use, value: Scalar | None, by: int) -> Scalar | None:
    """A mark with its times shifted by some seconds; daily times that are over are dropped.

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
    """Return everyone's uses of these spans; whether there were any. With `told`, each gets a log line."""
    found = False
    for combatant in present(context.state):
        used = find_used(system_of(context), context.state, combatant, *spans)
        for use in used:
            _give_back(context, combatant, use)
        if used and told:
            labels = joined(use.word for use in used)
            to = "" if combatant.pc else e.GM_ONLY  # the uses of the GM's own combatants are secret
            context.emit(e.Said("log.renewed", combatant.id, args={"what": labels}), used[0].rule, to)
        found = found or bool(used)
    return found


def _give_back(context: RuleContext, combatant: Combatant, use: Use) -> None:
    if use.track:
        now, full = combatant.tracks.get(use.key, 0), find_full(system_of(context), combatant)[use.key]
        context.emit(e.TrackChanged(combatant.id, use.key, now, new=full, why=BEGUN[use.span]), use.rule)
    else:
        context.emit(e.Marked(combatant.id, use.key, None), use.rule, e.GM_ONLY)


# ---------------------------------------------------------------- on a sheet


def write_uses(system: System, state: State, combatant: Combatant) -> dict[str, Scalar]:
    """The used marks for a combatant's sheet: days and sessions, times as seconds before now."""
    found: dict[str, Scalar] = {}
    for use in system.characters.uses:
        value = _shift(use, combatant.marks.get(use.key), -state.clock)
        if use.goes_home and value is not None:
            found[use.key] = value
    return found


def read_uses(system: System, state: State, sheet: dict[str, Any]) -> dict[str, Scalar]:
    """The marks of a joining combatant: the uses on its sheet, by the clock of the encounter."""
    kept = sheet.get("uses", {})
    known: Iterable[Use] = (use for use in system.characters.uses if use.goes_home and use.key in kept)
    marks = {use.key: _shift(use, kept[use.key], state.clock) for use in known}
    return {key: value for key, value in marks.items() if value is not None}
