"""A fighter by its parts: the characteristics that wounds are taken from."""

from __future__ import annotations

from combat.rules.core.figures import FINE, HURT, OUT, Figure, Offer, Part
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book import tables
from ..book.tables import MENTAL, PHYSICAL
from ..people.values import count_lost, find_dm, find_full, find_score, is_machine
from ..vehicles.figure import find_machine_figure

AID: tuple[Offer, ...] = (("first_aid", {"target": ""}),)


def make_figure(state: State, fighter: Combatant) -> Figure | None:
    """[CE-DMG-10] The physical characteristics as boxes; a mental one as well once it is damaged."""
    if is_machine(fighter):
        return find_machine_figure(state, fighter)
    mental = [key for key in MENTAL if count_lost(fighter, key)]
    title = f"Characteristics of {fighter.name}"
    return Figure(shape="", title=title, parts=tuple(make_part(fighter, key) for key in (*PHYSICAL, *mental)))


def make_part(fighter: Combatant, key: str) -> Part:
    """One characteristic: its score now, the DM of it, and what helps."""
    now, lost = max(0, find_score(fighter, key)), count_lost(fighter, key)
    word, level = ("part.whole", FINE) if not lost else ("part.damaged", HURT)
    if not now:
        word, level = "part.at_zero", OUT
    is_treatable = key in PHYSICAL and lost and not has_condition(fighter, "dead")
    dm = find_dm(fighter, key)
    return Part(
        key=key,
        label=tables.characteristics()[key].name,
        now=now,
        most=find_full(fighter, key),
        level=level,
        word=word,
        text=f"DM {'+' if dm >= 0 else chr(0x2212)}{abs(dm)}",
        rule="CE-DMG-09" if key in PHYSICAL else "CE-MENT-01",
        actions=AID if is_treatable else (),
        track=key,
    )
