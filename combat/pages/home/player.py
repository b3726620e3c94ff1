"""The home of a player: their characters with health and last fight, and the last evening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from characters.games import check_sheet, find_problems, make_combatant
from characters.guests import Keeper
from characters.models import Character
from characters.services import character_service
from combat.audience.secrecy import view_health
from combat.audience.viewer import HealthView
from combat.models import EveningAnswer, GameEvening, Participation
from combat.play.campaigns.chest import Visitor, is_gm
from combat.play.campaigns.next_evening import find_my_answer, mark
from combat.rules import SYSTEMS, find_system
from combat.sharing.viewer_context import ViewerContext

from .shapes import TableCard, view_card

MOST_SHOWN = 7


@dataclass(frozen=True)
class OwnCard:
    """A character of the viewer: how they are, and the name of the fight that they were in last."""

    character: Character
    health: HealthView | None
    last: str = ""
    is_own: bool = True


@dataclass(frozen=True)
class LastEvening:
    """The fight of the last evening: its card, its number, and whether the viewer played in it."""

    card: TableCard
    pk: int
    has_mine: bool


@dataclass(frozen=True)
class EveningCard:
    """The next evening of a campaign, what the viewer answered, and whether they are asked."""

    evening: GameEvening
    mark: str
    answer: EveningAnswer | None
    is_asked: bool


def view_evenings(found: Iterable[GameEvening], visitor: Visitor) -> list[EveningCard]:
    """The evenings that someone is asked to, or runs."""
    return [
        EveningCard(
            evening, mark(evening), find_my_answer(evening, visitor), not is_gm(visitor, evening.campaign)
        )
        for evening in found
    ]


def view_own(keeper: Keeper) -> list[OwnCard]:
    """The characters that changed last. Two queries."""
    mine = list(character_service.find_mine(keeper).filter(archived=False)[:MOST_SHOWN])
    rows = (
        Participation.objects.filter(character__in=mine)
        .exclude(encounter__phase="prep")
        .order_by("encounter__changed", "pk")
    )
    last = dict(rows.values_list("character", "encounter__name"))
    return [OwnCard(one, _find_health(one), last.get(one.pk, "")) for one in mine]


def _find_health(one: Character) -> HealthView | None:
    system = find_system(one.system) if one.system in SYSTEMS else None
    if system is None or find_problems(system, one.sheet):
        return None
    made = make_combatant(system, one.name, check_sheet(system, dict(one.sheet)))
    return view_health(system, system.characters.health(made))


def view_last(tables: Iterable[ViewerContext]) -> LastEvening | None:
    """The fight at one of these seats that ended last; None without one."""
    over = (one for one in tables if one.seat and one.encounter.phase == "over")
    last = max(over, key=lambda one: one.encounter.changed, default=None)
    if last is None:
        return None
    return LastEvening(view_card(last), last.encounter.pk, bool(last.viewer.seats))
