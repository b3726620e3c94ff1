"""Squads in the rows of the table: one row for each, with a piece of health for each member."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from combat.display.shapes.table_shapes import GAP, PIP, CombatantView, SquadMember, SquadView
from combat.rules.core.gm.squads import find_kin
from combat.rules.core.state.state import State
from combat.rules.core.turn.squads import list_squads


def add_squads(
    state: State, combatants: Mapping[str, CombatantView], is_gm: bool
) -> dict[str, CombatantView]:
    """The rows with the squads that the viewer knows, and to the GM whom each could form one with."""
    found = dict(combatants)
    for (name, _), people in list_squads(state).items():
        known = [combatants[who] for who in people if who in combatants]
        squad = _view_squad(name, known)
        found |= {one.id: replace(one, squad=squad) for one in known if len(known) > 1}
    if is_gm:
        found |= {who: replace(found[who], kin=kin) for who, kin in find_kin(state).items() if who in found}
    return found


def _view_squad(name: str, members: list[CombatantView]) -> SquadView:
    pieces = tuple(_view_member(number, one) for number, one in enumerate(members))
    standing, width = sum(not one.is_out for one in members), (PIP + GAP) * len(members) - GAP
    return SquadView(name, pieces, standing, width, tuple(one.id for one in members))


def _view_member(number: int, one: CombatantView) -> SquadMember:
    """A piece says no more than the row of one alone would: without health, only who is down."""
    shown = one.health.shown
    left = 0 if one.is_out else PIP * one.health.percent / 100 if shown else PIP
    words = "down" if one.is_out else one.health.word or (one.health.spoken if shown else "up")
    return SquadMember(one.name, one.is_out, (PIP + GAP) * number, left, words)


def fold_squads(rows: Iterable[CombatantView]) -> tuple[CombatantView, ...]:
    """The rows with one for each squad, at its first place: of who acts, else of the first who stands.

    Its face has no number: it is that of all.
    """
    found: dict[tuple[str, ...], list[CombatantView]] = {}
    for one in rows:
        found.setdefault(one.squad.ids if one.squad else (one.id,), []).append(one)
    return tuple(_choose(*each) for each in found.items())


def _choose(ids: tuple[str, ...], people: Iterable[CombatantView]) -> CombatantView:
    first = min(people, key=lambda one: (not one.active, one.is_out, ids.index(one.id)))
    return replace(first, look=replace(first.look, badge="")) if first.squad else first
