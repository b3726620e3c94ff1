"""What the GM deals out by hand: damage, fatigue, hazards."""

from __future__ import annotations

from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.gm.decisions import Target, gm_action
from combat.rules.core.state.state import State, present

from ..book import tables
from ..book.tables import MENTAL
from ..care import hazards
from .guards import people_field

GROUP = "Harm"


def _anybody(state: State, actor: str) -> Field:
    options = tuple(Choice(fighter.id, fighter.name) for fighter in present(state))
    known = {option.value for option in options}
    value = actor if actor in known else next(iter(known and [options[0].value]), "")
    return Field("target", "Target", "choice", options, value)


def find_fields_damage(state: State, actor: str) -> tuple[Field, ...]:
    """Whom, how much, and whether armor counts."""
    return (
        _anybody(state, actor),
        Field("amount", "Damage", "text", value="3d6", help="dice or points: 3d6, 5", rule="CE-DMG-01"),
        Field("past_armor", "Armor does not count", "flag", required=False, rule="CE-ARMOR-01"),
        Field("laser", "It is a laser", "flag", required=False),
    )


def find_fields_mind(state: State, actor: str) -> tuple[Field, ...]:
    """Whom, which characteristic, how much."""
    names = tables.characteristics()
    keys = tuple(Choice(key, names[key].name) for key in MENTAL)
    return (
        people_field(state, "target", "Target", hazards.check_alive, actor),
        Field("key", "Characteristic", "choice", keys, MENTAL[0], rule="CE-MENT-01"),
        Field("amount", "Damage", "text", value="1d6", help="dice or points: 1d6, 2"),
    )


def find_fields_person(state: State, actor: str) -> tuple[Field, ...]:
    """Whom."""
    return (people_field(state, "target", "Target", hazards.check_alive, actor),)


def find_fields_hazard(state: State, actor: str) -> tuple[Field, ...]:
    """Whom, which hazard, how often."""
    known = tuple(Choice(h.id, h.name, f"{h.damage}, {h.text}") for h in tables.hazards().values())
    return (
        people_field(state, "target", "Target", hazards.check_alive, actor),
        Field("hazard", "Hazard", "choice", known, known[0].value),
        Field("times", "Times", "number", value="1", low=1, high=100, help="a fall: once for each 2 m"),
    )


ACTIONS = (
    gm_action(
        "deal_damage",
        "Deal damage",
        GROUP,
        hazards.DealDamage,
        hazards.deal_damage,
        "CE-DMG-01",
        fields=find_fields_damage,
        text="Without an attack: armor takes its part, and the player says what it comes off.",
    ),
    gm_action(
        "hazard",
        "Hazard",
        GROUP,
        hazards.Expose,
        hazards.expose,
        "CE-DMG-01",
        fields=find_fields_hazard,
    ),
    gm_action(
        "deal_mind",
        "Damage a mind",
        GROUP,
        hazards.DealMind,
        hazards.deal_mind,
        "CE-MENT-01",
        fields=find_fields_mind,
    ),
    gm_action(
        "exhaust",
        "Tire out",
        GROUP,
        Target,
        hazards.exhaust,
        "CE-FAT-01",
        fields=find_fields_person,
    ),
)
