"""The forms of the GM's actions: the flow of a fight, and rulings."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.forms import anybody, folded_field, name_everyone, number_field
from combat.rules.core.state.state import State, present

from ..book import tables
from ..book.tables import LIMBS, PLACES, SEVEREST_FEAR
from ..people.conditions import KINDS
from ..people.values import name_rank
from ..time.downtime import UNITS
from .gm_rulings import CLOCKED, MAX_RANKS, MAX_ROUNDS

REASON = Field("reason", "Reason", "text", required=False)


def _named(keys: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(key, key.replace("_", " ").capitalize()) for key in keys)


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatants who may be surprised. [CG-REF-03]"""
    people = name_everyone(state)
    label = "May be surprised (roll Perception)"
    return (Field("surprised", label, "many", people, rule="CG-REF-03", required=False),)


def next_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatant whose turn ends, among those who share a count. [CG-INIT-05]"""
    acting = [who for who in (state.active, *state.sharing) if who in state.combatants]
    options = (Choice("", "the first"), *(Choice(who, state.combatants[who].name) for who in acting))
    return (
        Field("target", "Whose turn ends", "choice", options, "", rule="CG-INIT-05", required=False),
        Field("whole", "All who act now", "flag", rule="CG-INIT-05", required=False),
    )


def time_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The time that passes."""
    return (
        number_field("count", "How many", 1, 1, 1000),
        Field("unit", "Of", "choice", _named(tuple(UNITS)), "hours"),
        Field("busy", "No rest", "flag", rule="CG-FAT-05", required=False),
        REASON,
    )


def place_field(limbs: bool = False) -> Field:
    """A part of the body."""
    options = _named(LIMBS if limbs else PLACES)
    return Field("place", "Part of the body", "choice", options, "right_arm" if limbs else "torso")


def harm_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Damage that the GM enters. [CG-SPEC-07]"""
    return (
        anybody(state),
        place_field(),
        Field("damage", "Damage", "text", value="2d6", help="dice, or points", rule="CG-SPEC-07"),
        Field("soak", "Less armor and Toughness", "flag", rule="CG-ATK-03", required=False),
        folded_field("severs", "It can sever", "flag", rule="CG-LIMB-05"),
        REASON,
    )


def limb_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The new state of a limb. [CG-LIMB-03]"""
    states = _named(("sound", "disabled", "severed", "crushed", "bleeding", "stanched"))
    state_field = Field("state", "Is now", "choice", states, "disabled", rule="CG-LIMB-03")
    return (anybody(state), place_field(limbs=True), state_field, REASON)


def toil_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Whether the round was purely physical. [CG-FAT-01]"""
    physical = Field("physical", "Purely physical", "flag", value="true", rule="CG-FAT-01", required=False)
    return (anybody(state), physical, REASON)


def impose_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A condition and its length."""
    kinds = tuple(Choice(kind, KINDS[kind].label) for kind in CLOCKED)
    hint = "the present one is the first; 0: until ended"
    return (
        anybody(state),
        Field("kind", "Condition", "choice", kinds, kinds[0].value),
        number_field("rounds", "Rounds", 2, 0, MAX_ROUNDS, help=hint),
        REASON,
    )


def make_up_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A condition that the GM makes up."""
    names = {name: None for f in present(state) for name in f.sheet["ranks"]}
    of = (Choice("", "all rolls"), *(Choice(name, name_rank(name)) for name in names))
    return (
        anybody(state),
        Field("name", "Condition", "text"),
        number_field("ranks", "Ranks", -1, -MAX_RANKS, MAX_RANKS),
        Field("of", "On", "choice", of, "", required=False),
        REASON,
    )


def fear_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The frightened person, and the severity. [CG-REF-02]"""
    severity = number_field("severity", "Severity (ranks)", 0, SEVEREST_FEAR, 0, rule="CG-REF-02")
    return (anybody(state), severity, REASON)


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


def arm_fields(state: State, actor: str) -> tuple[Field, ...]:
    """A weapon, and the table's own values for it. [CG-REF-05]"""
    weapons = tuple(Choice(w.id, w.name, w.damage) for w in tables.weapons().values() if w.hands)
    skills = (
        Choice("", "its own"),
        *(Choice(s.id, s.name) for s in tables.skills().values() if s.attack_kind),
    )
    return (
        anybody(state),
        Field("weapon", "Weapon", "choice", weapons, first_open(weapons), rule="CG-REF-05"),
        folded_field("name", "Name", "text"),
        folded_field("damage", "Damage dice", "text"),
        folded_field("skill", "Skill", "choice", skills, ""),
        number_field("range_yards", "Range step (yd)", 0, 0, 10_000, required=False, more=True),
        REASON,
    )


def heal_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The patient, the part, the points, and whether by magic. [CG-LIMB-04]"""
    return (
        anybody(state),
        place_field(),
        number_field("points", "Points", 1, 1, 999),
        Field("magic", "By magic", "flag", rule="CG-LIMB-04", required=False),
        REASON,
    )


def repair_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person whose armor is repaired. [CG-SPEC-03]"""
    return (anybody(state), REASON)
