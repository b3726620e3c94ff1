"""The clock outside of turns: what ends by it, what comes due, and the GM's "time passes"."""

from __future__ import annotations

from ..core import events as e
from ..core.errors import Refused
from ..core.gm import GmCommand
from ..core.state import Combatant, State, has_condition, present
from ..core.table import Table, Then
from ..core.turns import lift
from .drugs import crash
from .exposure import INTERVALS, VACUUM, find_due, find_exposures, find_ticks, is_airless, tick
from .healing import count_open_wounds
from .patches import clear, find_ending
from .protection import count_left, find_suits, use_up

MOST_HOURS, MOST_CHECKS = 240, 200
SCENE_SECONDS = 600  # RULING R41: a scene is ten minutes
# RULING R39: these last to the end of the scene unless their cause says otherwise
OF_THE_SCENE = ("blinded", "deafened", "frightened", "stunned", "surprised", "delaying")


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let time go by outside of turns."""

    minutes: int = 0
    hours: int = 0


# ---------------------------------------------------------------- what ends by the clock


def expire(table: Table) -> None:
    """End what the clock has brought to its end: drugs and their crash, conditions, suits, smoke."""
    for who, fighter in tuple(table.state.combatants.items()):
        for held in fighter.conditions:
            ends_at = held.marks.get("ends_at")
            if ends_at is not None and int(ends_at) <= table.state.clock:
                lift(table, who, held, "its time is over")
                if held.kind == "drug":
                    crash(table, who, held)
        if not fighter.gone:
            use_up(table, who)
    for patch, at in find_ending(table.state).items():
        if at <= table.state.clock:
            clear(table, patch, "COS-COVER-09")


def find_next_end(state: State) -> int | None:
    """The clock at which the next thing ends or comes due; None if nothing will."""
    times = list(find_ending(state).values())
    for fighter in present(state):
        times += [int(c.marks["ends_at"]) for c in fighter.conditions if "ends_at" in c.marks]
        times += _suit_ends(state, fighter)
        due = find_due(state, fighter)
        times += [] if due is None else [due]
    return min((at for at in times if at > state.clock), default=None)


def _suit_ends(state: State, fighter: Combatant) -> list[int]:
    left = [count_left(state, item) for item in find_suits(fighter) if item.place == "worn"]
    return [state.clock + seconds for seconds in left if seconds]


# ---------------------------------------------------------------- time passes


def pass_time(table: Table, command: PassTime) -> Then:
    """Let minutes or hours go by: what comes due on the way is applied at its time.

    [COS-ENV-12] [COS-ENV-22] [COS-HAZ-21]
    """
    seconds = command.minutes * 60 + command.hours * 3600
    if command.minutes < 0 or command.hours < 0 or not 0 < seconds <= MOST_HOURS * 3600:
        raise Refused("bad_value", f"Let one minute to {MOST_HOURS} hours pass at a time.")
    check_quiet(table.state)
    check_amount(table.state, seconds)
    expire(table)
    return Then(go_on, table.state.clock + seconds, seconds >= SCENE_SECONDS)


def check_quiet(state: State) -> None:
    """Refuse to skip minutes over what ticks by the round."""
    for fighter in present(state):
        reason = find_urgent(state, fighter)
        if reason:
            text = f"{fighter.name} {reason}: treat it or play it in rounds before time passes."
            raise Refused("not_allowed", text)


def find_urgent(state: State, fighter: Combatant) -> str:
    """What ticks by the round for a fighter, in words; empty if nothing does."""
    if has_condition(fighter, "dead"):
        return ""
    if count_open_wounds(state, fighter):
        return "is bleeding"
    for kind, words in (("dying", "is dying"), ("burning", "is on fire")):
        if has_condition(fighter, kind):
            return words
    if is_airless(state, fighter):
        return "has no air"
    each_round = [k for k, s in find_exposures(state, fighter).items() if s <= INTERVALS["round"]]
    return f"is exposed to lethal {each_round[0]}" if each_round else ""


def check_amount(state: State, seconds: int) -> None:
    """Refuse so much time that too many checks would come due in one go."""
    checks = sum(seconds // each for f in present(state) for each in find_exposures(state, f).values())
    if checks > MOST_CHECKS:
        text = f"{checks} checks would come due in that time: pass less at once, or protect people."
        raise Refused("bad_value", text)


def go_on(table: Table, until: int, ends_scene: bool = False) -> Then | None:
    """Advance to the next thing that comes due, or to the end of the time."""
    if ends_scene:
        end_scene(table)
    ticks = _all_ticks(table.state)
    if ticks:
        return Then(_tick_each, until, ticks)
    state = table.state
    if state.clock >= until or stops(table):
        return None
    due = find_next_end(state)
    goal = until if due is None else min(due, until)
    table.tell(e.TimePassed(goal - state.clock))
    expire(table)
    return Then(go_on, until)


def stops(table: Table) -> bool:
    """Whether something has begun on the way that has to be played in rounds."""
    for fighter in present(table.state):
        reason = find_urgent(table.state, fighter)
        if reason:
            table.tell(e.Said(f"Time stops here: {{who}} {reason}.", fighter.id))
            return True
    return False


def _all_ticks(state: State) -> tuple[tuple[str, str], ...]:
    """Every check that is to be made at this moment: those due, and exposures that begin or end."""
    return tuple(
        (fighter.id, kind)
        for fighter in present(state)
        for kind in find_ticks(state, fighter.id)
        if _is_open(state, fighter, kind)
    )


def _is_open(state: State, fighter: Combatant, kind: str) -> bool:
    if kind == VACUUM:
        return not is_airless(state, fighter)
    seconds = find_exposures(state, fighter).get(kind)
    since = fighter.marks.get(f"{kind}_since")
    if seconds is None or since is None:
        return True
    return state.clock - int(since) >= seconds


def _tick_each(table: Table, until: int, left: tuple[tuple[str, str], ...]) -> Then:
    (who, kind), rest = left[0], left[1:]
    tick(table, who, kind)
    return Then(_tick_each, until, rest) if rest else Then(go_on, until)


def end_scene(table: Table) -> None:
    """[COS-COND-05] [COS-COND-09] After a scene, what lasts for turns or for the scene is over.

    RULING R39.
    """
    for who, fighter in tuple(table.state.combatants.items()):
        for held in fighter.conditions:
            bound = held.until is not None or held.kind in OF_THE_SCENE
            if bound and "ends_at" not in held.marks:
                lift(table, who, held, "the scene is over")
