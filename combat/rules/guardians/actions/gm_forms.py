"""The forms of the GM's actions: the flow of a fight, and rulings."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.forms import (
    anybody,
    folded_field,
    form_about,
    form_of,
    form_of_next,
    name_everyone,
    number_field,
)
from combat.rules.core.state.state import State, present

from ..book import tables
from ..book.tables import LIMBS, PLACES, SEVEREST_FEAR
from ..people.conditions import KINDS
from ..people.values import name_rank
from ..time import UNITS
from .gm_rulings import CLOCKED, MAX_RANKS, MAX_ROUNDS

REASON = Field("reason", "Reason", "text", required=False)


def _named(keys: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(key, key.replace("_", " ").capitalize()) for key in keys)


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatants who may be surprised. [CG-REF-03]"""
    people = name_everyone(state)
    label = "May be surprised (roll Perception)"
    return (Field("surprised", label, "many", people, rule="CG-REF-03", required=False),)


next_fields = form_of_next("CG-INIT-05")
time_fields = form_of(
    number_field("count", "How many", 1, 1, 1000),
    Field("unit", "Of", "choice", _named(tuple(UNITS)), "hours"),
    Field("busy", "No rest", "flag", rule="CG-FAT-05", required=False),
    REASON,
)


# ---------------------------------------------------------------- rulings on anybody

PART, LIMB = (
    Field("place", "Part of the body", "choice", _named(places), usual)
    for places, usual in ((PLACES, "torso"), (LIMBS, "right_arm"))
)
STATES = _named(("sound", "disabled", "severed", "crushed", "bleeding", "stanched"))
CLOCKED_KINDS = tuple(Choice(kind, KINDS[kind].label) for kind in CLOCKED)
harm_fields = form_about(
    PART,
    Field("damage", "Damage", "text", value="2d6", help="dice, or points", rule="CG-SPEC-07"),
    Field("soak", "Less armor and Toughness", "flag", rule="CG-ATK-03", required=False),
    folded_field("severs", "It can sever", "flag", rule="CG-LIMB-05"),
    REASON,
)
limb_fields = form_about(
    LIMB, Field("state", "Is now", "choice", STATES, "disabled", rule="CG-LIMB-03"), REASON
)
toil_fields = form_about(
    Field("physical", "Purely physical", "flag", value="true", rule="CG-FAT-01", required=False), REASON
)
impose_fields = form_about(
    Field("kind", "Condition", "choice", CLOCKED_KINDS, CLOCKED_KINDS[0].value),
    number_field("rounds", "Rounds", 2, 0, MAX_ROUNDS, help="the present one is the first; 0: until ended"),
    REASON,
)
fear_fields = form_about(
    number_field("severity", "Severity (ranks)", 0, SEVEREST_FEAR, 0, rule="CG-REF-02"), REASON
)
heal_fields = form_about(
    PART,
    number_field("points", "Points", 1, 1, 999),
    Field("magic", "By magic", "flag", rule="CG-LIMB-04", required=False),
    REASON,
)
repair_fields = form_about(REASON)


def call_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant who rolls, and the ranks. [CG-REF-11]"""
    ranks = number_field("ranks", "More or fewer ranks", 0, -MAX_RANKS, MAX_RANKS)
    return (anybody(state, "Who rolls"), rank_field(state), ranks, REASON)


def rank_field(state: State) -> Field:
    """The ranks that anyone here has."""
    names = dict.fromkeys(name for f in present(state) for name in f.sheet["ranks"])
    options = tuple(Choice(name, name_rank(name)) for name in names)
    return Field("roll", "Roll", "choice", options, first_open(options), rule="CG-ATK-02")


def thing_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item, and what happens to it. [CG-SPEC-06]"""
    owned = [(f, i) for f in present(state) for i in f.items if i.data.get("hands", 1) or i.kind == "armor"]
    items = tuple(Choice(item.id, f"{f.name}: {item.name}") for f, item in owned)
    fates = _named(("dropped", "destroyed"))
    return (
        anybody(state),
        Field("item", "What", "choice", items, first_open(items)),
        Field("fate", "Is", "choice", fates, "dropped", rule="CG-SPEC-06"),
        REASON,
    )


WEAPONS = tuple(Choice(w.id, w.name, w.damage) for w in tables.weapons().values() if w.hands)
SKILLS = tuple(Choice(s.id, s.name) for s in tables.skills().values() if s.attack_kind)
arm_fields = form_about(
    Field("weapon", "Weapon", "choice", WEAPONS, first_open(WEAPONS), rule="CG-REF-05"),
    folded_field("name", "Name", "text"),
    folded_field("damage", "Damage dice", "text"),
    folded_field("skill", "Skill", "choice", (Choice("", "its own"), *SKILLS), ""),
    number_field("range_yards", "Range step (yd)", 0, 0, 10_000, required=False, more=True),
    REASON,
)
