"""Ranks, Mortality Points and armor of a combatant, term by term."""

from __future__ import annotations

from collections.abc import Mapping

from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label
from combat.rules.core.state.state import Combatant, Item, Scalar, State

from ..book import tables
from ..book.options import find_option
from ..book.tables import HEAD, TORSO
from .conditions import ROLLS_OF, terms_of

ATTRIBUTE, ASPECT, SKILL = "attribute", "aspect", "skill"
TOUGHNESS = "toughness"
NO_OPTIONS: dict[str, Scalar] = {}
BROKEN = "broken."  # the mark of broken armor on a part: "broken.left_leg"


def find_category(combatant: Combatant, name: str) -> str:
    """Whether a name is an attribute, an aspect or a skill; the table's own names store their kind."""
    if name in tables.attributes():
        return ATTRIBUTE
    if name in tables.aspects():
        return ASPECT
    return str(combatant.sheet["own"].get(name, SKILL))


def name_rank(name: str) -> str:
    """The printed name of a rank key."""
    for known in (tables.attributes(), tables.aspects(), tables.skills()):
        if name in known:
            return str(known[name].name)
    return name


def find_rank_label(name: str) -> Label:
    """The label of a rank's name: that of the game, or the table's own."""
    is_known = name in tables.attributes() or name in tables.aspects() or name in tables.skills()
    return f"term.{name}" if is_known else name


def find_base(state: State, combatant: Combatant, name: str) -> int:
    """The ranks before any reduction.

    Toughness may be lowered for a while [CG-SPEC-04]; an untrained skill has the ranks that everyone starts
    with, or the table's.  RULING R2
    """
    if name == TOUGHNESS:
        return combatant.tracks[TOUGHNESS]
    ranks = combatant.sheet["ranks"]
    if name in ranks:
        return int(ranks[name])
    known = tables.skills().get(name)
    if known and known.start_ranks:
        return known.start_ranks
    if find_category(combatant, name) != SKILL:
        return 0
    untrained = str(find_option(state, "untrained_ranks"))
    return int(ranks["coordination"]) // 2 if untrained == "half_coordination" else int(untrained)


def rank_terms(state: State, combatant: Combatant, name: str, rule: str = "", roll: bool = True) -> Modifiers:
    """Every current term of an attribute, aspect or skill, in ranks.

    With `roll`, terms of rolls alone count as well: Fatigue, on attributes and skills [CG-FAT-03], and fear
    [CG-REF-02]. [CG-TORSO-01] A torso wound lowers all ranks.  RULING R30 R36 R38
    """
    base = Modifier(find_rank_label(name), find_base(state, combatant, name), rule)
    return (base, *_find_changes(state, combatant, name, roll))


def _find_changes(state: State, combatant: Combatant, name: str, roll: bool) -> list[Modifier]:
    """What changes the ranks of an attribute, aspect or skill now."""
    changes: list[Modifier] = []
    tired = roll and combatant.tracks["fatigue"]
    if tired and find_category(combatant, name) != ASPECT:
        changes.append(Modifier("track.fatigue", -tired, "CG-FAT-03"))
    if combatant.conditions:
        numbers = ("rolls", ROLLS_OF.format(name)) if roll else ("ranks",)
        changes += terms_of(state, combatant, *numbers, name)
    return changes


def find_ranks(state: State, combatant: Combatant, name: str, roll: bool = True) -> int:
    """The effective ranks of an attribute, aspect or skill, never below 0.  RULING R36 R38"""
    return max(0, sum_ranks(state, combatant, name, roll))


def sum_ranks(state: State, combatant: Combatant, name: str, roll: bool = True) -> int:
    """The sum of `rank_terms`, which may be below 0."""
    return find_base(state, combatant, name) + add_up(_find_changes(state, combatant, name, roll))


def find_health_ranks(combatant: Combatant) -> int:
    """Unmodified Health: for Mortality Points, exhaustion and bleeding.  RULING R20 R27 R30"""
    return int(combatant.sheet["ranks"]["health"])


def find_least(combatant: Combatant) -> dict[str, int]:
    """The points with which someone comes back: head less than half hurt, torso alive, breath left."""
    head = find_mp_most(combatant, HEAD)
    fatigue = min(combatant.tracks["fatigue"], max(0, find_health_ranks(combatant) - 1))
    return {
        f"mp.{HEAD}": max(find_mp(combatant, HEAD), head - (head - 1) // 2),
        f"mp.{TORSO}": max(find_mp(combatant, TORSO), 1),
        "fatigue": fatigue,
    }


def keep_state(before: Combatant, after: Combatant, key: str, left: int) -> int:
    """The points left once someone's figures are corrected: no part is disabled, saved or lost by it.

    A part that has lost all its points has none.  RULING R52
    """
    place = key.removeprefix("mp.")
    if place == key:
        return left
    if find_mp(before, place) <= 0:
        return 0
    half = find_mp_most(after, place) // 2
    return max(1, min(left, half)) if has_lost_half(before, place) else max(left, half + 1)


# ---------------------------------------------------------------- Mortality Points and armor


def find_factor(place: str, options: Mapping[str, Scalar]) -> int:
    """The Mortality Points of a part in percent of Health, at this table.  RULING R20"""
    kind = "arm" if place in tables.ARMS else "leg" if place in tables.LEGS else place
    return int(options.get(f"mortality_{kind}", tables.locations()[place].mortality_percent))


def count_mp(health: int, place: str, options: Mapping[str, Scalar] = NO_OPTIONS) -> int:
    """The Mortality Points of a part of the body by Health, rounded up, at least 1.  RULING R20"""
    return max(1, -(-health * find_factor(place, options) // 100))


def is_typed(combatant: Combatant, place: str) -> bool:
    """Whether the table typed the Mortality Points of this part, so that they do not follow from Health."""
    return place in combatant.sheet["mortality"]


def find_mp_most(combatant: Combatant, place: str) -> int:
    """The Mortality Points of an unhurt part: typed, or worked out on joining.  RULING R20"""
    sheet = combatant.sheet
    return int(sheet["mortality"].get(place) or sheet["computed"][place])


def find_mp(combatant: Combatant, place: str) -> int:
    """The Mortality Points left of a part of the body."""
    return combatant.tracks[f"mp.{place}"]


def count_lost(combatant: Combatant, place: str) -> int:
    """The Mortality Points that a part has lost."""
    return max(0, find_mp_most(combatant, place) - find_mp(combatant, place))


def has_lost_half(combatant: Combatant, place: str) -> bool:
    """Whether the loss is at least half of all points.  RULING R25"""
    most = find_mp_most(combatant, place)
    return 2 * (most - find_mp(combatant, place)) >= most


def find_armor_pieces(combatant: Combatant, place: str) -> list[Item]:
    """The worn pieces that still protect a part of the body.  [CG-SPEC-03]"""
    return [
        item
        for item in combatant.items
        if item.kind == "armor"
        and item.place == "worn"
        and item.data.get(place)
        and not item.marks.get(BROKEN + place)
    ]


def armor_terms(combatant: Combatant, place: str, rule: str = "CG-ATK-03") -> Modifiers:
    """The armor of a part of the body: natural, and the best worn piece.  RULING R35

    [CG-REF-08] Pieces over one another do not add up: the strongest counts.
    """
    terms = []
    if natural := find_natural_armor(combatant, place):
        terms.append(Modifier("term.natural_armor", natural, rule))
    pieces = find_armor_pieces(combatant, place)
    if pieces:
        best = max(pieces, key=lambda piece: int(piece.data[place]))
        terms.append(Modifier(best.name, int(best.data[place]), rule))
    return tuple(terms)


def find_armor(combatant: Combatant, place: str) -> int:
    """The armor of a part of the body, in points; 0 if broken.  [CG-REF-08] [CG-SPEC-03]"""
    natural, pieces = find_natural_armor(combatant, place), find_armor_pieces(combatant, place)
    return natural + max(int(piece.data[place]) for piece in pieces) if pieces else natural


def find_natural_armor(combatant: Combatant, place: str) -> int:
    """The natural armor of a part of the body, in points; 0 if broken."""
    natural = int(combatant.sheet["natural_armor"].get(place, 0))
    return 0 if natural and combatant.marks.get(BROKEN + place) else natural
