"""What a campaign shows of its fights and its people: pictures, results, faces, health, who plays whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.utils.safestring import SafeString
from msgspec.structs import replace

from characters.games import check_sheet, find_problems, make_state
from characters.models import Character
from combat.audience.secrecy import view_health
from combat.audience.viewer import GM, HealthView
from combat.display.combatants.tokens import Look, find_look, find_tones
from combat.models import Campaign, Encounter, Seat, ShareLink, StoredStep
from combat.play.campaigns.roster import find_sheet_id
from combat.rules import find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.sides import find_able, is_able
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext

from ..home.pictures import draw_known
from ..home.shapes import count_sides
from ..table.ending_view import find_title

STRANGER = Look("is-ally", face="stranger")
ALLY = "is-ally"
MOST_FALLEN = 6  # faces beside a past fight
TITLES = {"Victory": ("Won", "is-healthy"), "Defeat": ("Lost", "is-critical")}
OTHER = ("Undecided", "is-wounded")


@dataclass(frozen=True)
class FightCard:
    """An encounter of the campaign: its game, the picture of its scene, how many stand against how many."""

    context: ViewerContext
    picture: SafeString

    @property
    def encounter(self) -> Encounter:
        """The encounter."""
        return self.context.encounter

    @property
    def game(self) -> System:
        """Its game."""
        return self.context.system

    @property
    def sides(self) -> str:
        """Such as “6 against 5”; empty unless there are two sides."""
        return count_sides(self.context)


@dataclass(frozen=True)
class PastCard(FightCard):
    """A fight that is over: how it went for the party, the strength it had left in percent, who fell."""

    result: str
    tone: str
    left: int
    fallen: tuple[Look, ...]
    more: int
    played: datetime | None


@dataclass(frozen=True)
class PersonCard:
    """Someone of the campaign: sheet, face, health (none for a sheet that is not valid), who plays them.

    `fell` is the newest fight that they did not get through.
    """

    character: Character
    look: Look
    health: HealthView | None = None
    player: str = ""
    fell: PastCard | None = None

    @property
    def is_out(self) -> bool:
        """Whether they cannot act, or could not after their last fight."""
        return self.look.down or bool(self.fell)


def view_fights(encounters: Iterable[Encounter]) -> tuple[list[FightCard], list[PastCard]]:
    """The cards of these encounters: those to come, the nearest date first, and those that are over."""
    contexts = [ViewerContext(one, GM) for one in encounters]
    over = [one for one in contexts if one.encounter.phase == "over"]
    coming = [FightCard(one, draw_known(one)) for one in contexts if one not in over]
    coming.sort(key=lambda one: (one.encounter.planned is None, one.encounter.planned))
    ends = StoredStep.objects.filter(encounter__in=[one.encounter.pk for one in over]).order_by()
    played = dict(ends.values_list("encounter").annotate(Max("created"))) if over else {}
    return coming, [_view_past(one, played.get(one.encounter.pk)) for one in over]


def _view_past(context: ViewerContext, played: datetime | None) -> PastCard:
    system, state = context.system, context.full_state
    result, tone = TITLES.get(find_title(system, state), OTHER)
    tones = find_tones(state)
    own = [one for one in present(state) if tones.get(one.side) == ALLY]
    most = sum(system.find_health(state, one).most for one in own)
    left = [system.find_health(state, one) for one in own if is_able(system, state, one)]
    able = {one.id for one in find_able(system, state)}
    fallen = [one for one in present(state) if one.id not in able and system.characters.health(one).is_out]
    looks = tuple(
        find_look(system, one, tones.get(one.side, ""), active=False, down=True)
        for one in fallen[:MOST_FALLEN]
    )
    strength = round(100 * sum(one.most * one.share for one in left) / most) if most else 0
    more = len(fallen[MOST_FALLEN:])
    return PastCard(
        context, draw_known(context), result, tone, left=strength, fallen=looks, more=more, played=played
    )


def view_people(
    people: Iterable[Character], tone: str, past: Iterable[PastCard], players: Mapping[int, str]
) -> list[PersonCard]:
    """The cards of these characters or NPCs, with the tone of their side."""
    fell = _find_fallen(past)
    return [_view_person(one, tone, players.get(one.pk, ""), fell.get(one.pk)) for one in people]


def _view_person(one: Character, tone: str, player: str, fell: PastCard | None) -> PersonCard:
    system, sheet = find_system(one.system), dict(one.sheet)
    if find_problems(system, sheet):
        return PersonCard(one, replace(STRANGER, tone=tone), None, player, fell=fell)
    made = make_state(system, one.name, check_sheet(system, sheet))[ME]
    health = system.characters.health(made)
    look = find_look(system, made, tone, active=False, down=health.is_out or bool(fell))
    return PersonCard(
        one, replace(look, face=one.face or look.face), view_health(system, health), player, fell=fell
    )


def _find_fallen(past: Iterable[PastCard]) -> dict[int, PastCard]:
    """Who did not get through their newest fight, by the number of their sheet."""
    found: dict[int, PastCard | None] = {}
    for card in past:
        for one in present(card.context.full_state):
            if number := find_sheet_id(one):
                found.setdefault(number, card if card.game.characters.health(one).dead else None)
    return {number: card for number, card in found.items() if card}


def find_players(
    campaign: Campaign, people: Iterable[Character], coming: Iterable[FightCard]
) -> dict[int, str]:
    """Who plays each of these characters: their owner, or who has them at a table to come. One query."""
    owners = {
        one.pk: one.owner.get_username() for one in people if one.owner and one.owner_id != campaign.owner_id
    }
    seats = Seat.objects.filter(encounter__campaign=campaign, kind=ShareLink.PLAY, ended=None)
    names = {(seat.encounter_id, who): seat.name for seat in seats.defer("digest") for who in seat.combatants}
    seated = {
        number: names[card.encounter.pk, one.id]
        for card in coming
        for one in present(card.context.full_state)
        if (number := find_sheet_id(one)) and (card.encounter.pk, one.id) in names
    }
    return owners | seated
