"""Rest between fights: nights and days of healing, for one combatant or a whole party."""

from __future__ import annotations

from typing import Literal, NamedTuple

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.declaration.characters import DAY as DAY_USES
from combat.rules.core.declaration.characters import FIGHT
from combat.rules.core.declaration.turn import Interlude
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state.state import Combatant, State, count_levels, has_condition, present
from combat.rules.core.turn.spans import renew
from combat.rules.core.turn.turns import let_pass, remove_conditions

from ..body.damage import heal
from ..characters.conditions import KINDS
from ..characters.sheet import ability, max_hp
from ..hazards.exposure.exposure import find_exposures
from ..world.acting import gm
from .clock import URGENT, end_scene, expire, find_urgent

DAY, NIGHT = 86_400, 28_800
MAX_DAYS = 365
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


ACTIONS = (gm("rest", rest, check_rest, fields=rest_fields),)
INTERLUDES = (
    Interlude("scene", "10 minutes to catch breath", "pass_time", {"minutes": 10}),
    Interlude("night", "a full night's rest", "rest", {"kind": "night"}),
    Interlude("day", "a day of full rest", "rest", {"kind": "full"}),
    Interlude("week", "a week of full rest", "rest", {"kind": "full", "days": 7}),
)
