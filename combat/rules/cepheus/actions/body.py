"""What the GM deals out directly: damage, fatigue, hazards."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.forms import number_field
from combat.rules.core.state.state import State, present

from ..book import tables
from ..book.tables import MENTAL
from ..care import hazards
from .guards import TABLE, people_field


def _anybody(state: State, actor: str) -> Field:
    options = tuple(Choice(combatant.id, combatant.name) for combatant in present(state))
    known = {option.value for option in options}
    value = actor if actor in known else next(iter(known and [options[0].value]), "")
    return Field("target", "Target", "choice", options, value)


def find_fields_damage(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the amount of damage, and whether armor counts."""
    return (
        _anybody(state, actor),
        Field("amount", "Damage", "text", value="3d6", help="dice or points: 3d6, 5", rule="CE-DMG-01"),
        Field("past_armor", "Armor does not count", "flag", required=False, rule="CE-ARMOR-01"),
        Field("laser", "It is a laser", "flag", required=False),
    )


def find_fields_mind(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the mental characteristic, and the amount of damage."""
    names = tables.characteristics()
    keys = tuple(Choice(key, names[key].name) for key in MENTAL)
    return (
        people_field(state, "target", "Target", hazards.check_alive, actor),
        Field("key", "Characteristic", "choice", keys, MENTAL[0], rule="CE-MENT-01"),
        Field("amount", "Damage", "text", value="1d6", help="dice or points: 1d6, 2"),
    )


def find_fields_person(state: State, actor: str) -> tuple[Field, ...]:
    """The person it happens to."""
    return (people_field(state, "target", "Target", hazards.check_alive, actor),)


def find_fields_hazard(state: State, actor: str) -> tuple[Field, ...]:
    """The target, the hazard, and how often it strikes."""
    known = tuple(Choice(h.id, h.name, f"{h.damage}, {h.text}") for h in tables.hazards().values())
    return (
        people_field(state, "target", "Target", hazards.check_alive, actor),
        Field("hazard", "Hazard", "choice", known, known[0].value),
        number_field("times", "Times", 1, 1, 100, help="a fall: once for each 2 m"),
    )


ACTIONS = (
    TABLE.gm("deal_damage", hazards.deal_damage, fields=find_fields_damage),
    TABLE.gm("hazard", hazards.expose, fields=find_fields_hazard),
    TABLE.gm("deal_mind", hazards.deal_mind, fields=find_fields_mind),
    TABLE.gm("exhaust", hazards.exhaust, fields=find_fields_person),
)
