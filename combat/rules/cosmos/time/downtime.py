"""Rest between fights: nights and days of healing, for one combatant or a whole party."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.declaration.people import DAY as DAY_USES
from combat.rules.core.declaration.people import FIGHT
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state.state import Combatant, State, count_levels, has_condition, present
from combat.rules.core.turn.spans import renew
from combat.rules.core.turn.turns import let_pass, remove_conditions

from ..body.damage import heal
from ..hazards.exposure.exposure import find_exposures
from ..people.conditions import KINDS
from ..people.sheet import ability, max_hp
from .clock import URGENT, end_scene, expire, find_urgent

DAY, NIGHT = 86_400, 28_800
MAX_DAYS = 365
Kind = Literal["night", "light", "full", "medical", "advanced"]
# HP for a day of each, and its rule.  RULING R20: the better replaces the lesser
PER_DAY = {
    "night": (0, "COS-COND-13"),
    "light": (1, "COS-HEAL-01"),
    "full": (2, "COS-HEAL-02"),
    "medical": (3, "COS-HEAL-03"),
    "advanced": (5, "COS-HEAL-04"),
}
LABELS = {
    "night": "A full night's rest (8 hours)",
    "light": "Light activity: 1 HP a day",
    "full": "Full rest: 2 HP a day",
    "medical": "Medical care: 3 HP a day",
    "advanced": "Advanced medical care: 5 HP a day",
}

RESTS = {
    "night": "why.night",
    "light": "why.light_activity",
    "full": "why.full_rest",
    "medical": "why.medical_care",
    "advanced": "why.advanced_care",
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
    let_pass(context, days * DAY or NIGHT, RESTS[command.kind], PER_DAY[command.kind][1])
    end_scene(context)
    expire(context)
    if days:
        renew(context, DAY_USES, FIGHT)
    plan = tuple((f.id, str(command.other.get(f.id, command.kind))) for f in combatants)
    return Then(_recover, plan, max(1, days))


def _recover(context: RuleContext, plan: tuple[tuple[str, str], ...], days: int) -> Then | None:
    """Apply rest to each combatant: HP for the days; a night also ends fatigue."""
    (who, kind), left = plan[0], plan[1:]
    points = count_healing(context.state[who], kind, days)
    heal(context, who, points, why=RESTS[kind], rule=PER_DAY[kind][1])
    remove_conditions(context, who, *KINDS.ended_by("rest"), why="why.rested", rule="COS-COND-13")
    return Then(_recover, left, days) if left else None


def count_healing(combatant: Combatant, kind: str, days: int) -> int:
    """The HP that days of rest restore, up to the limit that radiation sets.

    [COS-HAZ-16] RULING R43. A species may heal faster, or not at all by rest.
    """
    points, _ = PER_DAY[kind]
    if not points or combatant.sheet["abilities"].get("natural_healing") is False:
        return 0
    most = max_hp(combatant) - count_levels(combatant, "irradiated")
    return max(0, min(days * (points + ability(combatant, "healing_per_day")), most - combatant.tracks["hp"]))


def rest_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: kind of rest, days, combatants."""
    kinds = tuple(Choice(key, label) for key, label in LABELS.items())
    people = tuple(Choice(f.id, f.name, f"{f.tracks['hp']}/{max_hp(f)} HP") for f in present(state))
    return (
        Field("kind", "How", "choice", kinds, "full", rule="COS-HEAL-02"),
        number_field("days", "Days", 1, 1, MAX_DAYS),
        Field("who", "Who", "many", people, required=False, help="blank: everyone"),
    )
