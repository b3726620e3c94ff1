"""What lies in a campaign: handouts and who sees them, house rules by game, packs and their makers."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils.safestring import SafeString
from msgspec.structs import replace

from characters.games import check_sheet, find_problems, make_state
from characters.models import Character
from combat.audience.secrecy import view_health
from combat.audience.viewer import GM, HealthView
from combat.display.combatants.tokens import Look, draw_character, find_all_combatants, find_look, find_tones
from combat.models import (
    Campaign,
    Encounter,
    GuestSheet,
    Handout,
    HandoutShowing,
    PackUse,
    Seat,
    ShareLink,
    StoredStep,
)
from combat.play.campaigns.roster import find_sheet_id
from combat.play.scenes.ready import find_ready_scene
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.sides import find_able, find_outcome, is_able
from combat.rules.core.state.state import State, is_played, present
from combat.sharing.viewer_context import ViewerContext

from ..home.pictures import draw_known, draw_picture
from ..home.shapes import count_sides
from ..table.end_view import find_title
from ..table.rows import view_chips, view_items

MOST_NAMED = 3  # seats beside a handout
FIRST = ("docking_ring", "bazaar", "free_trader", "checkpoint")  # scenes that a new campaign shows
FACES = ("pilot", "raider", "enforcer", "horned")  # a player's, and those of a pack
ALLY = "is-ally"
MOST_FALLEN = 6  # faces beside a past fight
TITLES = {"Victory": ("Won", "is-healthy"), "Defeat": ("Lost", "is-critical")}
OTHER = ("Undecided", "is-wounded")


@dataclass(frozen=True)
class HandoutTile:
    """A handout: since when it is shown and to whom, such as “Ida, Tom”; no time if nobody sees it."""

    handout: Handout
    since: datetime | None = None
    to: str = ""


@dataclass(frozen=True)
class RulesLine:
    """What a campaign changes of a game: how many rules, and in words which; its own conditions.

    `is_used`: the game is the one played last, or the campaign changes something of it.
    """

    game: System
    count: int
    words: str
    conditions: int
    is_used: bool


@dataclass(frozen=True)
class PackLine:
    """A pack that is switched on: whose it is, and how many things it made here."""

    use: PackUse
    whose: str
    things: int


def view_first() -> dict[str, Any]:
    """The pictures of an empty campaign: some ready scenes, and faces."""
    system = find_system(next(iter(SYSTEMS)))
    scenes = (replace(system.begin(), scene=find_ready_scene(key).scene) for key in FIRST)
    return {"scenes": [draw_picture(system, state, {}) for state in scenes], "faces": FACES}


def view_handouts(campaign: Campaign) -> list[HandoutTile]:
    """The handouts, each with who sees it at any table of the campaign. Two queries."""
    seen: dict[int, list[HandoutShowing]] = {}
    for one in HandoutShowing.objects.filter(handout__campaign=campaign).select_related("seat"):
        seen.setdefault(one.handout_id, []).append(one)
    return [_view_handout(one, seen.get(one.pk, [])) for one in campaign.handouts.defer("image")]


def _view_handout(handout: Handout, seen: list[HandoutShowing]) -> HandoutTile:
    if not seen:
        return HandoutTile(handout)
    names = list(dict.fromkeys(one.seat.name for one in seen if one.seat))
    more = len(names) - MOST_NAMED
    listed = ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    to = "everyone" if any(one.seat is None for one in seen) else listed
    return HandoutTile(handout, max(one.since for one in seen), to)


def view_rules(campaign: Campaign, last: System | None) -> list[RulesLine]:
    """A line for each game, those that the campaign uses first."""
    lines = [_view_game(campaign, find_system(slug), last) for slug in SYSTEMS]
    return sorted(lines, key=lambda line: not line.is_used)


def _view_game(campaign: Campaign, game: System, last: System | None) -> RulesLine:
    changed = campaign.options.get(game.slug, {})
    labels = [option.label for option in game.book.all_options if option.key in changed]
    conditions = campaign.conditions.get(game.slug, [])
    words = [*labels, *(str(one.get("name", "")) for one in conditions)]
    is_used = game == last or bool(changed or conditions)
    return RulesLine(game, len(changed), "; ".join(words), conditions=len(conditions), is_used=is_used)


def view_packs(campaign: Campaign) -> list[PackLine]:
    """The packs that are switched on, without their files."""
    uses = campaign.packs.select_related("pack").defer("pack__document")
    own = campaign.owner.get_username()
    return [_view_pack(use, own) for use in uses]


def _view_pack(use: PackUse, own: str) -> PackLine:
    author = use.pack.author
    things = sum(len(made) for made in use.made.values() if isinstance(made, list | dict))
    return PackLine(use, "yours" if author == own else f"by {author}" if author else "", things)


# What a campaign shows of its fights and its people: pictures, results, faces, health, who plays whom.


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

    @property
    def one_side(self) -> str:
        """Who stands there if there is no second side: the party, or those against it."""
        able = find_able(self.context.system, self.context.known_state)
        foes = [one for one in able if not is_played(self.context.known_state, one)]
        if not foes:
            return "nobody against them yet" if able else "nobody yet"
        return f"{len(foes)} of the GM, nobody of the party yet"


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
    """Someone of the campaign: sheet, face, health, who plays them, what lasts of fights, rounds in weapons.

    There is no health, and no more of a sheet, if it is not valid or not the GM's to read. `fell` is the
    newest fight that they did not get through.
    """

    character: Character
    look: Look
    health: HealthView | None = None
    player: str = ""
    fell: PastCard | None = None
    wounds: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()

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


def find_result(system: System, state: State) -> tuple[str, str]:
    """How a fight that is over went for the party, in a word, and its tone.

    Without heroes or people who play it went so for the side that is drawn as theirs; it is undecided only
    if not one side is left. Of others it says who won.
    """
    title, tones = find_title(system, state), find_tones(state)
    outcome = find_outcome(system, state, state.combatants)
    if title in TITLES or not outcome.winner:
        return TITLES.get(title, OTHER)
    if tones.get(outcome.winner) == ALLY:
        return TITLES["Victory"]
    if any(tones.get(side) == ALLY for side in outcome.beaten):
        return TITLES["Defeat"]
    return title, OTHER[1]


def _view_past(context: ViewerContext, played: datetime | None) -> PastCard:
    system, state = context.system, context.full_state
    result, tone = find_result(system, state)
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
    people: Iterable[Character],
    tone: str,
    past: Iterable[PastCard],
    players: Mapping[int, str],
    known: Container[int],
) -> list[PersonCard]:
    """The cards of these characters or NPCs, with the tone of their side; of `known` sheets with more."""
    fell = _find_fallen(past)
    return [
        _view_person(one, tone, players.get(one.pk, ""), fell.get(one.pk), is_known=one.pk in known)
        for one in people
    ]


def _view_person(
    one: Character, tone: str, player: str, fell: PastCard | None, *, is_known: bool
) -> PersonCard:
    system, sheet = find_system(one.system), dict(one.sheet)
    if find_problems(system, sheet) or not is_known:
        return PersonCard(one, draw_character(one, tone), None, player, fell=fell)
    state = make_state(system, one.name, check_sheet(system, sheet))
    made = state[ME]
    health = system.characters.health(made)
    chips = view_chips(system, state, find_all_combatants(system, state), made)
    return PersonCard(
        one,
        replace(draw_character(one, tone), down=health.is_out or bool(fell)),
        view_health(system, health),
        player,
        fell=fell,
        wounds=tuple(chip.label for chip in chips),
        rounds=view_items(system, [item for item in made.items if item.loaded is not None]),
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
    campaign: Campaign, people: Collection[Character], coming: Iterable[FightCard]
) -> dict[int, str]:
    """Who plays each of these: their owner, a guest, or who has them at a table to come. Two queries."""
    guests = GuestSheet.objects.filter(character__in=[one.pk for one in people if one.owner_id is None])
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
    return owners | dict(guests.values_list("character", "seat__name")) | seated
