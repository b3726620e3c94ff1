"""The clock outside of turns: what expires, what comes due, rest, and the GM's "time passes"."""

from __future__ import annotations

from typing import Literal, NamedTuple

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, form_of, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.characters import DAY as DAY_USES
from combat.rules.core.declaration.characters import FIGHT
from combat.rules.core.declaration.parts import Interlude
from combat.rules.core.gm.decisions import GmCommand, begin_day
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, count_levels, has_condition, present
from combat.rules.core.turn.turns import let_pass, remove_condition, remove_conditions, renew

from ..body.damage import heal
from ..care.drugs import crash
from ..care.healing import count_open_wounds
from ..characters.conditions import KINDS
from ..characters.sheet import ability, max_hp
from ..environment import clear, find_ending
from ..hazards.exposure import INTERVALS, VACUUM, find_due, find_exposures, find_ticks, is_airless, tick
from ..hazards.protection import count_left, find_suits, use_up
from ..world.acting import gm

MAX_HOURS, MAX_CHECKS = 240, 200
SCENE_SECONDS = 600  # RULING R41: a scene is ten minutes
URGENT = {  # urgent matters, for a refusal and for the log
    "bleeding": ("is bleeding", "log.stops_bleeding"),
    "dying": ("is dying", "log.stops_dying"),
    "burning": ("is on fire", "log.stops_burning"),
    "airless": ("has no air", "log.stops_airless"),
    "radiation": ("is exposed to lethal radiation", "log.stops_radiation"),
    "toxic": ("is exposed to lethal air", "log.stops_toxic"),
}
DAY, NIGHT = 86_400, 28_800
MAX_DAYS = 365
INTERLUDES = (
    Interlude(
        "scene", "10 minutes to catch breath", "pass_time", {"minutes": 10}, size="short", rule="COS-HAZ-21"
    ),
    Interlude("night", "a full night's rest", "rest", {"kind": "night"}, size="night", rule="COS-COND-13"),
    Interlude("day", "a day of full rest", "rest", {"kind": "full"}, counts="days"),
    Interlude(
        "week", "a week of full rest", "rest", {"kind": "full", "days": 7}, size="week", rule="COS-HEAL-02"
    ),
)


class PassTime(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let time pass outside of turns."""

    minutes: int = 0
    hours: int = 0


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

# Rest between fights: nights and days of healing, for one combatant or a whole party.


Kind = Literal["night", "light", "full", "medical", "advanced"]


class Care(NamedTuple):
    """A way to rest: its label, its cause in the log, the HP of a day, and its rule.

    RULING R20: the better replaces the lesser.
    """

    label: str
    why: str
    points: int
    rule: str


CARES: dict[str, Care] = {
    "night": Care("A full night's rest (8 hours)", "why.night", 0, rule="COS-COND-13"),
    "light": Care("Light activity: 1 HP a day", "why.light_activity", 1, rule="COS-HEAL-01"),
    "full": Care("Full rest: 2 HP a day", "why.full_rest", 2, rule="COS-HEAL-02"),
    "medical": Care("Medical care: 3 HP a day", "why.medical_care", 3, rule="COS-HEAL-03"),
    "advanced": Care("Advanced medical care: 5 HP a day", "why.advanced_care", 5, rule="COS-HEAL-04"),
}


class Rest(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Days of rest for `who` (all, if empty). `other` names a different care for some of them."""

    kind: Kind = "full"
    days: int = 1
    who: tuple[str, ...] = ()
    other: dict[str, Kind] = {}


def check_rest(state: State, actor: str = "") -> None:
    """Refuse to rest in a fight."""
    if state.phase == "fight":
        raise Refused("not_allowed", "End the fight before anyone rests.")


def find_resting(state: State, command: Rest) -> list[Combatant]:
    """The combatants who rest; Refused while someone needs aid or the place itself does harm."""
    names = command.who or tuple(f.id for f in present(state) if not has_condition(f, "dead"))
    combatants = [state[who] for who in dict.fromkeys((*names, *command.other))]
    for combatant in combatants:
        if has_condition(combatant, "dead"):
            raise Refused("bad_target", f"{combatant.name} is dead.")
        trouble = find_urgent(state, combatant)
        exposed = ", ".join(find_exposures(state, combatant))
        if trouble or exposed:
            why = URGENT[trouble][0] if trouble else f"is exposed here ({exposed})"
            advice = ": treat them first" if trouble in ("bleeding", "dying") else ""
            raise Refused("not_allowed", f"No rest while {combatant.name} {why}{advice}.")
    return combatants


def rest(context: RuleContext, command: Rest) -> Then:
    """Let nights and days of rest pass. [COS-HEAL-01] [COS-HEAL-02] [COS-HEAL-03] [COS-HEAL-04]"""
    if not 1 <= command.days <= MAX_DAYS:
        raise Refused("bad_value", f"Rest for 1 to {MAX_DAYS} days.")
    combatants = find_resting(context.state, command)
    days = 0 if command.kind == "night" and not command.other else command.days
    expire(context)
    let_pass(context, days * DAY or NIGHT, CARES[command.kind].why, CARES[command.kind].rule)
    end_scene(context)
    if days:
        renew(context, DAY_USES, FIGHT)
    plan = tuple((f.id, str(command.other.get(f.id, command.kind))) for f in combatants)
    return Then(_recover, plan, max(1, days))


def _recover(context: RuleContext, plan: tuple[tuple[str, str], ...], days: int) -> Then | None:
    """Apply rest to each combatant: HP for the days; a night also ends fatigue."""
    (who, kind), left = plan[0], plan[1:]
    points = count_healing(context.state[who], kind, days)
    heal(context, who, points, why=CARES[kind].why, rule=CARES[kind].rule)
    remove_conditions(context, who, *KINDS.ended_by("rest"), why="why.rested", rule="COS-COND-13")
    return Then(_recover, left, days) if left else None


def count_healing(combatant: Combatant, kind: str, days: int) -> int:
    """The HP that days of rest restore, up to the limit that radiation sets.

    [COS-HAZ-16] RULING R43. A species may heal faster, or not at all by rest.
    """
    points = CARES[kind].points
    if not points or combatant.sheet["abilities"].get("natural_healing") is False:
        return 0
    most = max_hp(combatant) - count_levels(combatant, "irradiated")
    return max(0, min(days * (points + ability(combatant, "healing_per_day")), most - combatant.tracks["hp"]))


def rest_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: kind of rest, days, combatants."""
    kinds = tuple(Choice(key, care.label) for key, care in CARES.items())
    people = tuple(Choice(f.id, f.name, f"{f.tracks['hp']}/{max_hp(f)} HP") for f in present(state))
    return (
        Field("kind", "How", "choice", options=kinds, value="full", rule="COS-HEAL-02"),
        number_field("days", "Days", 1, low=1, high=MAX_DAYS),
        Field("who", "Who", "many", people, required=False, help="blank: everyone"),
    )


ACTIONS = (
    gm("pass_time", pass_time, fields=time_fields, has_odds=False),
    gm("new_day", begin_day, has_odds=False),
    gm("rest", rest, check_rest, fields=rest_fields),
)
