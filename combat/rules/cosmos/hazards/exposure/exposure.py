"""When each effect of the surroundings is checked, and its result.

Effects with intervals of a round apply at the combatant's own turn, except vacuum, whose clocks advance at
the end of a round. Longer intervals come due by the clock, in rounds and when time passes.
"""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Point, Scene
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    State,
    has_condition,
)
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ...book.tables import ROUND_SECONDS
from ...characters.sheet import attribute
from ...environment import find_around, is_heavy, read_setting
from ..protection import is_exposed
from .levels import SAVE_RULES, face_level, find_level
from .temperature import TEMPERATURES, endure
from .vacuum import VACUUM, is_airless, rescue

MINUTE = 60
INTERVALS = {"round": ROUND_SECONDS, "minute": 60, "10 minutes": 600, "hour": 3600, "day": 86_400}
USUAL = {"temperature": "normal", "radiation": "none", "air": "normal"}  # settings that harm nobody
TIMED = ("gravity", "heat", "cold", "radiation", "toxic")
SINCE = frozenset(f"{kind}_since" for kind in TIMED)  # marks: the clock when an exposure began


def find_exposures(state: State, combatant: Combatant) -> dict[str, int]:
    """The exposures of a combatant, each with its interval in seconds."""
    found: dict[str, int] = {}
    if is_mild(state.scene, combatant.at):
        return found
    if is_heavy(state, combatant) and not has_condition(combatant, "fatigued"):
        found["gravity"] = attribute(combatant, "MIG") * MINUTE  # RULING R47
    temperature = read_setting(state, "temperature", "normal")
    if temperature in TEMPERATURES and is_exposed(state, combatant, "temperature"):
        kind, seconds = TEMPERATURES[temperature]
        found[kind] = seconds
    for kind in SAVE_RULES:
        level = find_level(state, kind)
        if level and is_exposed(state, combatant, level.id if kind == "radiation" else kind):
            found[kind] = INTERVALS[level.interval]
    return found


def is_mild(scene: Scene, place: Point) -> bool:
    """Whether the surroundings of a place have no exposure for anybody, and air."""
    settings = {key: scene.settings.get(key, usual) for key, usual in USUAL.items()}
    around = find_around(scene, place)
    return settings == USUAL and around.gravity != "high" and VACUUM not in around.tags


def find_ticks(state: State, who: str) -> tuple[str, ...]:
    """The exposures to process for a combatant now: those that run, begin or end."""
    combatant = state.combatants[who]
    untouched = not combatant.conditions and SINCE.isdisjoint(combatant.marks)
    if untouched and is_mild(state.scene, combatant.at):
        return ()
    if has_condition(combatant, "dead"):
        return ()
    exposures = find_exposures(state, combatant)
    timed = [kind for kind in TIMED if kind in exposures or f"{kind}_since" in combatant.marks]
    breathes = has_condition(combatant, "airless", "last_breath") and not is_airless(state, combatant)
    return (VACUUM, *timed) if breathes else tuple(timed)


def find_due(state: State, combatant: Combatant) -> int | None:
    """The clock at which the next check of a combatant comes due; None if none runs."""
    if has_condition(combatant, "dead"):
        return None
    times = [
        int(combatant.marks.get(f"{kind}_since", state.clock)) + seconds
        for kind, seconds in find_exposures(state, combatant).items()
    ]
    return min(times, default=None)


def tick(context: RuleContext, who: str, kind: str) -> None:
    """Apply one exposure to a combatant, if it is due now.

    RULING R43: in rounds, a slower interval brings one save on entry.
    """
    if kind == VACUUM:
        rescue(context, who)
        return
    state, combatant = context.state, context.state[who]
    seconds = find_exposures(state, combatant).get(kind)
    if seconds is None:
        _leave(context, who, kind)
        return
    since = combatant.marks.get(f"{kind}_since")
    if since is not None and state.clock - int(since) < seconds:
        return
    context.emit(e.Marked(who, f"{kind}_since", state.clock), to=e.GM_ONLY)
    entering = since is None
    if not entering or (kind in SAVE_RULES and state.phase == "fight"):
        _check(context, who, kind)


def _check(context: RuleContext, who: str, kind: str) -> None:
    level = find_level(context.state, kind) if kind in SAVE_RULES else None
    if level:
        face_level(context, who, level)
    elif kind == "gravity":
        tire(context, who)
    else:
        endure(context, who, kind)


def _leave(context: RuleContext, who: str, kind: str) -> None:
    """End an exposure by leaving or protection; another one starts from the beginning."""
    for key in (f"{kind}_since", f"{kind}_failed"):
        if key in context.state[who].marks:
            context.emit(e.Marked(who, key, None), to=e.GM_ONLY)
    if kind == "cold":
        remove_conditions(context, who, "slowed", why="why.out_of_the_cold", rule="COS-ENV-19")


def tire(context: RuleContext, who: str) -> None:
    """High gravity tires a combatant after as many minutes as its Might. [COS-ENV-12]"""
    if not has_condition(context.state[who], "fatigued"):
        add_condition(context, who, "fatigued", rule="COS-ENV-12")
