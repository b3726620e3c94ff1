"""A long list of combatants: namesakes of one side fold into one row, until someone opens it."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable
from string import digits

from msgspec.structs import replace

from characters.display.shapes import Shape
from combat.display.combatants.tokens import Look
from combat.display.shapes.table_shapes import ClockView, CombatantView

LONG = 12  # rows: a list with more of them folds
LEAST = 3  # namesakes who fold
MOST = 8  # folds of a list: the stylesheet knows their numbers
NUMBER = f"{digits} "  # what tells namesakes apart, at the end of their names


class FoldView(Shape, frozen=True):
    """The row of namesakes: `words` say how they are, `count` is how many of them it holds now."""

    number: int
    name: str
    side: str
    look: Look
    count: int
    words: str


ListRow = CombatantView | ClockView | FoldView


def fold_rows(
    rows: Iterable[CombatantView | ClockView], kept: set[str], *, in_turn: bool
) -> tuple[list[ListRow], dict[str, int]]:
    """The rows with those of folds before their first members, and the number of the fold of each member.

    Played ones, squads, who acts and who is `kept`, by id or by name, stand alone. Before a fight those who
    are no member come first.
    """
    listed = list(rows)
    people = [row for row in listed if isinstance(row, CombatantView)]
    if len(people) <= LONG:
        return [*listed], {}
    folds = _find_folds(people, kept)
    numbers = {one.id: number for number, members in folds.items() for one in members}
    if not in_turn:
        listed.sort(key=lambda row: row.id in numbers)
    heads = {members[0].id: _view_fold(number, members) for number, members in folds.items()}
    found: list[ListRow] = []
    for row in listed:
        found += [heads[row.id]] if row.id in heads else []
        found.append(row)
    return found, numbers


def _find_folds(people: list[CombatantView], kept: set[str]) -> dict[int, list[CombatantView]]:
    """Those who fold, by the number of their fold, which stays while others stand out."""
    groups: dict[tuple[str, str], list[CombatantView]] = {}
    for one in people:
        if not (one.played or one.squad):
            groups.setdefault((one.side, one.name.rstrip(NUMBER)), []).append(one)
    large = [members for _, members in sorted(groups.items()) if len(members) >= LEAST][:MOST]
    folded = (
        [one for one in members if not one.active and kept.isdisjoint((one.id, one.name))]
        for members in large
    )
    return {number: members for number, members in enumerate(folded, 1) if len(members) >= LEAST}


def _view_fold(number: int, members: list[CombatantView]) -> FoldView:
    first = next((one for one in members if not one.is_out), members[0])
    name = first.name.rstrip(NUMBER) or first.name
    states = Count(one.health.word for one in members if one.health.shown and one.health.word)
    words = ", ".join(f"{count} {word.lower()}" for word, count in states.items())
    look = replace(first.look.plain, badge="")
    return FoldView(number, name, first.side, look, len(members), words)
