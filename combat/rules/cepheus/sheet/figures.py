"""The drawing of a combatant by parts: the characteristics that wounds reduce."""

from __future__ import annotations

from combat.rules.core.declaration.figures import FINE, HURT, OUT, Figure, Offer, Part
from combat.rules.core.state.state import Combatant, State

from ..book import tables
from ..book.tables import MENTAL, PHYSICAL
from ..characters.conditions import is_dead
from ..characters.values import count_lost, find_dm, find_full, find_score, is_machine
from ..vehicles.figure import make_machine_figure

AID: tuple[Offer, ...] = (("first_aid", {"target": ""}),)


def make_figure(state: State, combatant: Combatant) -> Figure | None:
    """The physical characteristics as boxes, and mental ones once they are damaged. [CE-DMG-10]"""
    if is_machine(combatant):
        return make_machine_figure(state, combatant)
    mental = [key for key in MENTAL if count_lost(combatant, key)]
    title = f"Characteristics of {combatant.name}"
    return Figure(
        shape="", title=title, parts=tuple(make_part(combatant, key) for key in (*PHYSICAL, *mental))
    )


def make_part(combatant: Combatant, key: str) -> Part:
    """One characteristic: its current score, its DM, and the actions that heal it."""
    now, lost = max(0, find_score(combatant, key)), count_lost(combatant, key)
    word, level = ("part.whole", FINE) if not lost else ("part.damaged", HURT)
    if not now:
        word, level = "part.at_zero", OUT
    is_treatable = key in PHYSICAL and lost and not is_dead(combatant)
    dm = find_dm(combatant, key)
    return Part(
        key=key,
        label=tables.characteristics()[key].name,
        now=now,
        most=find_full(combatant, key),
        level=level,
        word=word,
        text=f"DM {'+' if dm >= 0 else chr(0x2212)}{abs(dm)}",
        rule="CE-DMG-09" if key in PHYSICAL else "CE-MENT-01",
        actions=AID if is_treatable else (),
        track=key,
    )
