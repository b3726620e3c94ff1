"""The clock outside of turns: what expires, what comes due, and the GM's "time passes"."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import form_of, number_field
from combat.rules.core.gm.decisions import GmCommand, begin_day
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.turns import let_pass, remove_condition

from ..care.drugs import crash
from ..care.healing import count_open_wounds
from ..characters.conditions import KINDS
from ..environment import clear, find_ending
from ..hazards.exposure.exposure import INTERVALS, find_due, find_exposures, find_ticks, tick
from ..hazards.exposure.vacuum import VACUUM, is_airless
from ..hazards.protection import count_left, find_suits, use_up
from ..world.acting import gm

MAX_HOURS, MAX_CHECKS = 240, 200
SCENE_SECONDS = 600  # RULING R41: a scene is ten minutes


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let time pass outside of turns."""

    minutes: int = 0
    hours: int = 0


URGENT = {  # urgent matters, for a refusal and for the log
    "bleeding": ("is bleeding", "log.stops_bleeding"),
    "dying": ("is dying", "log.stops_dying"),
    "burning": ("is on fire", "log.stops_burning"),
    "airless": ("has no air", "log.stops_airless"),
    "radiation": ("is exposed to lethal radiation", "log.stops_radiation"),
    "toxic": ("is exposed to lethal air", "log.stops_toxic"),
}

# ---------------------------------------------------------------- expiry


def expire(context: RuleContext) -> None:
    """End whatever has expired: drugs (with their crash), conditions, suits, smoke."""
    for who, combatant in tuple(context.state.combatants.items()):
        for held in combatant.conditions:
            ends_at = held.marks.get("ends_at")
            if ends_at is not None and int(ends_at) <= context.state.clock:
                remove_condition(context, who, held, "why.expired")
                if held.kind == "drug":
                    crash(context, who, held)
        if not combatant.gone:
            use_up(context, who)
    for patch, at in find_ending(context.state).items() if context.state.marks else ():
        if at <= context.state.clock:
            clear(context, patch, "COS-COVER-09")


def find_next_end(state: State) -> int | None:
    """The clock time at which the next thing expires or comes due; None if there is none."""
    times = list(find_ending(state).values())
    for combatant in present(state):
        times += [int(c.marks["ends_at"]) for c in combatant.conditions if "ends_at" in c.marks]
        times += _suit_ends(state, combatant)
        due = find_due(state, combatant)
        times += [] if due is None else [due]
    return min((at for at in times if at > state.clock), default=None)


def _suit_ends(state: State, combatant: Combatant) -> list[int]:
    left = [count_left(state, item) for item in find_suits(combatant) if item.place == "worn"]
    return [state.clock + seconds for seconds in left if seconds]


# ---------------------------------------------------------------- time passes


def pass_time(context: RuleContext, command: PassTime) -> Then:
    """Let minutes or hours pass; checks that come due are applied at their time.

    [COS-ENV-12] [COS-ENV-22] [COS-HAZ-21]
    """
    seconds = command.minutes * 60 + command.hours * 3600
    if command.minutes < 0 or command.hours < 0 or not 0 < seconds <= MAX_HOURS * 3600:
        raise Refused("bad_value", f"Let one minute to {MAX_HOURS} hours pass at a time.")
    check_quiet(context.state)
    check_amount(context.state, seconds)
    expire(context)
    return Then(go_on, context.state.clock + seconds, seconds >= SCENE_SECONDS)


def check_quiet(state: State, patient: str = "") -> None:
    """Refuse to skip minutes over effects by the round; a `patient` must first stop bleeding and dying."""
    for combatant in present(state):
        reason = find_urgent(state, combatant)
        if reason and not (combatant.id == patient and reason in ("bleeding", "dying")):
            text = f"{combatant.name} {URGENT[reason][0]}: treat them or play in rounds first."
            raise Refused("not_allowed", text)


def find_urgent(state: State, combatant: Combatant) -> str:
    """The most urgent effect by the round on a combatant, a key of URGENT; empty if there is none."""
    if has_condition(combatant, "dead"):
        return ""
    if count_open_wounds(state, combatant):
        return "bleeding"
    for kind in ("dying", "burning"):
        if has_condition(combatant, kind):
            return kind
    if is_airless(state, combatant):
        return "airless"
    each_round = [k for k, s in find_exposures(state, combatant).items() if s <= INTERVALS["round"]]
    return each_round[0] if each_round else ""


def check_amount(state: State, seconds: int) -> None:
    """Refuse an amount of time with too many checks at once."""
    checks = sum(seconds // each for f in present(state) for each in find_exposures(state, f).values())
    if checks > MAX_CHECKS:
        text = f"{checks} checks would come due: pass less time at once, or protect people."
        raise Refused("bad_value", text)


def go_on(context: RuleContext, until: int, ends_scene: bool = False) -> Then | None:
    """Advance to the next check, or to the end of the time."""
    if ends_scene:
        end_scene(context)
    ticks = _all_ticks(context.state)
    if ticks:
        return Then(_tick_each, until, ticks)
    state = context.state
    if state.clock >= until or stops(context):
        return None
    due = find_next_end(state)
    goal = until if due is None else min(due, until)
    let_pass(context, goal - state.clock)
    return Then(go_on, until)


def stops(context: RuleContext) -> bool:
    """Whether an event on the way must be played in rounds."""
    for combatant in present(context.state):
        reason = find_urgent(context.state, combatant)
        if reason:
            context.emit(e.Said(URGENT[reason][1], combatant.id))
            return True
    return False


def _all_ticks(state: State) -> tuple[tuple[str, str], ...]:
    """All checks to make at this moment: those due, and exposures that begin or end."""
    return tuple(
        (combatant.id, kind)
        for combatant in present(state)
        for kind in find_ticks(state, combatant.id)
        if _is_open(state, combatant, kind)
    )


def _is_open(state: State, combatant: Combatant, kind: str) -> bool:
    if kind == VACUUM:
        return True  # air again
    seconds = find_exposures(state, combatant).get(kind)
    since = combatant.marks.get(f"{kind}_since")
    if seconds is None or since is None:
        return True
    return state.clock - int(since) >= seconds


def _tick_each(context: RuleContext, until: int, left: tuple[tuple[str, str], ...]) -> Then:
    (who, kind), rest = left[0], left[1:]
    tick(context, who, kind)
    return Then(_tick_each, until, rest) if rest else Then(go_on, until)


def end_scene(context: RuleContext) -> None:
    """After a scene, end conditions that last for turns or for the scene. [COS-COND-05] [COS-COND-09]

    RULING R39.
    """
    of_scene = KINDS.ended_by("scene")  # unless their cause says otherwise
    for who, combatant in tuple(context.state.combatants.items()):
        for held in combatant.conditions:
            bound = held.until is not None or held.kind in of_scene
            if bound and "ends_at" not in held.marks:
                remove_condition(context, who, held, "why.scene_over")


time_fields = form_of(
    number_field("minutes", "Minutes", 10, low=0, high=600, required=False),
    number_field("hours", "Hours", 0, low=0, high=MAX_HOURS, required=False),
)


ACTIONS = (
    gm("pass_time", pass_time, fields=time_fields, has_odds=False),
    gm("new_day", begin_day, has_odds=False),
)
