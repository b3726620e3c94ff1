"""The current numbers of a combatant, each with its sum, for rows, cards and sheets."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import say
from combat.rules.core.sheets.sheets import DerivedGroup
from combat.rules.core.state.state import Combatant, State

from ..book import tables
from ..book.tables import PLACES
from ..characters.values import (
    armor_terms,
    find_category,
    find_factor,
    find_health_ranks,
    find_mp_most,
    is_typed,
    name_rank,
    rank_terms,
)
from ..turn.rounds import initiative_terms
from ..world.strides import stride_terms, stride_yards


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """Initiative, movement, Toughness and Fatigue.  [CG-INIT-01] [CG-MOVE-01] [CG-ATK-03] [CG-FAT-02]"""
    fatigue = combatant.tracks["fatigue"]
    initiative, stride = initiative_terms(state, combatant), stride_terms(state, combatant)
    toughness = rank_terms(state, combatant, "toughness", roll=False)
    return (
        Derived("Initiative", *_sum(initiative), "CG-INIT-01"),
        Derived(name_stride(state, combatant), *_sum(stride), "CG-MOVE-01", " yd"),
        Derived("Toughness", *_count_ranks(toughness), "CG-ATK-03"),
        Derived("Fatigue", *_sum((Modifier("track.fatigue", fatigue, "CG-FAT-02"),)), "CG-FAT-02"),
    )


def name_stride(state: State, combatant: Combatant) -> str:
    """The label of the movement; with what lies beyond whole yards, if the table keeps it.  RULING R46"""
    yards = stride_yards(state, combatant)
    return "Movement" if yards.is_integer() else f"Movement (exactly {yards:g} yd)"


def _sum(terms: Modifiers) -> tuple[int, Modifiers]:
    """The sum with the terms that change it."""
    return add_up(terms), without_zeros(terms)


def _count_ranks(terms: Modifiers) -> tuple[int, Modifiers]:
    """The sum of ranks with the terms that change it, at least 0."""
    total, changing = _sum(terms)
    return max(0, total), changing


def derive(state: State, combatant: Combatant) -> tuple[DerivedGroup, ...]:
    """The derived numbers of a sheet, each with its sum. [CG-ATK-03] [CG-ATK-04]"""
    names = {place: tables.locations()[place].name for place in PLACES}
    points = tuple(mortality(combatant, place, names[place]) for place in PLACES)
    armor = (
        Derived(names[place], add_up(terms), terms, "CG-ATK-03")
        for place in PLACES
        if (terms := armor_terms(combatant, place))
    )
    groups = [
        DerivedGroup("", describe_combatant(state, combatant)),
        DerivedGroup("Mortality Points", points),
    ]
    if worn := tuple(armor):
        groups.append(DerivedGroup("Armor", worn))
    return (*groups, *_own_groups(state, combatant))


def mortality(combatant: Combatant, place: str, label: str) -> Derived:
    """The Mortality Points of a part, and whether they are worked out or typed by the table.  RULING R20"""
    most = find_mp_most(combatant, place)
    if is_typed(combatant, place):
        return Derived(
            f"{label} (typed by the table)", most, (Modifier("term.typed", most, "CG-REF-11"),), "CG-ATK-04"
        )
    term = Modifier(
        say("term.by_health", percent=find_factor(place, {}), ranks=find_health_ranks(combatant)),
        most,
        "CG-ATK-04",
    )
    return Derived(label, most, (term,), "CG-ATK-04")


def _own_groups(state: State, combatant: Combatant) -> tuple[DerivedGroup, ...]:
    """Ranks of the table's own attributes, aspects and skills."""
    own = sorted(combatant.sheet["own"])
    numbers = tuple(
        Derived(
            f"{name_rank(name)} ({find_category(combatant, name)})",
            *_count_ranks(rank_terms(state, combatant, name)),
            "CG-ATK-02",
        )
        for name in own
    )
    return (DerivedGroup("The table's own", numbers),) if numbers else ()
