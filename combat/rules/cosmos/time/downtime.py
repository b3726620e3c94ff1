"""Rest between fights: nights and days of healing, for one or for a whole party."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.spans import renew
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, count_levels, has_condition, present
from combat.rules.core.system import DAY as DAY_USES
from combat.rules.core.system import FIGHT
from combat.rules.core.turns import remove_conditions

from ..body.damage import heal
from ..hazards.exposure import find_exposures
from ..people.sheet import ability, max_hp
from .clock import URGENT, end_scene, expire, find_urgent

DAY, NIGHT = 86_400, 28_800
MAX_DAYS = 365
Kind = Literal["night", "light", "full", "medical", "advanced"]
# HP for a day of each, and its rule.  RULING R20: the better takes the place of the lesser
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
    """Nobody rests in a fight."""
    if state.phase == "fight":
        raise Refused("not_allowed", "End the fight before anyone rests.")


def find_resting(state: State, command: Rest) -> list[Combatant]:
    """Who rests; Refused while somebody needs aid or the place itself does harm."""
    names = command.who or tuple(f.id for f in present(state) if not has_condition(f, "dead"))
    fighters = [state[who] for who in dict.fromkeys((*names, *command.other))]
    for fighter in fighters:
        if has_condition(fighter, "dead"):
            raise Refused("bad_target", f"{fighter.name} is dead.")
        trouble = find_urgent(state, fighter)
        exposed = ", ".join(find_exposures(state, fighter))
        if trouble or exposed:
            why = URGENT[trouble][0] if trouble else f"is exposed here ({exposed})"
            raise Refused("not_allowed", f"No rest while {fighter.name} {why}.")
    return fighters


def rest(context: RuleContext, command: Rest) -> Then:
    """[COS-HEAL-01] [COS-HEAL-02] [COS-HEAL-03] [COS-HEAL-04] Let nights and days of rest pass."""
    check_rest(context.state)
    if not 1 <= command.days <= MAX_DAYS:
        raise Refused("bad_value", f"Rest for 1 to {MAX_DAYS} days.")
    fighters = find_resting(context.state, command)
    days = 0 if command.kind == "night" and not command.other else command.days
    expire(context)
    context.emit(e.TimePassed(days * DAY or NIGHT, RESTS[command.kind]), PER_DAY[command.kind][1])
    end_scene(context)
    expire(context)
    if days:
        renew(context, DAY_USES, FIGHT)
    plan = tuple((f.id, str(command.other.get(f.id, command.kind))) for f in fighters)
    return Then(_recover, plan, max(1, days))


def _recover(context: RuleContext, plan: tuple[tuple[str, str], ...], days: int) -> Then | None:
    """One after the other: HP for the days, and a night's rest takes fatigue away."""
    (who, kind), left = plan[0], plan[1:]
    points = count_healing(context.state[who], kind, days)
    heal(context, who, points, why=RESTS[kind], rule=PER_DAY[kind][1])
    remove_conditions(context, who, "fatigued", "slowed", why="why.rested", rule="COS-COND-13")
    return Then(_recover, left, days) if left else None


def count_healing(fighter: Combatant, kind: str, days: int) -> int:
    """HP that days of rest give back, at most to where the harm of radiation begins.

    [COS-HAZ-16] RULING R43. A species may heal faster, or not at all by rest.
    """
    points, _ = PER_DAY[kind]
    if not points or fighter.sheet["abilities"].get("natural_healing") is False:
        return 0
    most = max_hp(fighter) - count_levels(fighter, "irradiated")
    return max(0, min(days * (points + ability(fighter, "healing_per_day")), most - fighter.tracks["hp"]))


def rest_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: how, how long, who."""
    kinds = tuple(Choice(key, label) for key, label in LABELS.items())
    people = tuple(Choice(f.id, f.name, f"{f.tracks['hp']}/{max_hp(f)} HP") for f in present(state))
    return (
        Field("kind", "How", "choice", kinds, "full", rule="COS-HEAL-02"),
        Field("days", "Days", "number", value="1", low=1, high=MAX_DAYS),
        Field("who", "Who", "many", people, required=False, help="blank: everyone"),
    )
