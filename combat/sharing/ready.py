"""Ready characters at a table: made for a player who joins, and brought to their seat at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import User

from characters.creation.ready import Ready, choose_name, find_one, find_ready, make_ready_sheet
from characters.faces import fits
from characters.guests import Guest
from characters.services import character_service
from combat.models import Encounter, LateJoin, Seat
from combat.play.campaigns.roster import bring_to_seat
from combat.play.writing.encounter_service import read_state
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.sheets import Archetype

from .guests import keep_sheets
from .links import find_characters

READY = "ready:"  # precedes the id of an archetype, in place of a combatant
UNKNOWN = "There is no such ready character: choose one of those shown."


@dataclass(frozen=True)
class Offer:
    """A ready character that a link offers, with the name it would get."""

    ready: Ready
    name: str

    @property
    def short(self) -> str:
        """The first part of the name."""
        return self.name.split()[0]


def find_offers(encounter: Encounter, taken: frozenset[str]) -> tuple[Offer, ...]:
    """The ready characters of an encounter's game, under names that nobody there has."""
    system = find_system(encounter.system)
    if system.book.sheets is None:
        return ()
    return tuple(Offer(ready, choose_name(ready.archetype, taken)) for ready in find_ready(system))


def find_wanted(encounter: Encounter, word: str) -> Archetype | None:
    """The archetype that a form asks for; None if it asks for something else, Refused if there is none."""
    if not word.startswith(READY):
        return None
    system = find_system(encounter.system)
    found = find_one(system, word.removeprefix(READY)) if system.book.sheets else None
    if found is None:
        raise Refused("unknown", UNKNOWN)
    return found


def play_ready(seat: Seat, user: User | None, archetype: Archetype) -> None:
    """Make a ready character and give it to a seat that plays nobody yet; Refused if there is no room."""
    if seat.combatants or LateJoin.objects.filter(seat=seat).exists():  # the form was sent twice
        return
    system = find_system(seat.encounter.system)
    name = choose_name(archetype, _find_names(seat.encounter))
    keeper = user or Guest(seat.name, frozenset(), partial(keep_sheets, seat))
    sheet = make_ready_sheet(system, archetype)
    face = seat.face or (archetype.face if fits(archetype.face, name) else "")
    made = character_service.create(keeper, system.slug, name, sheet, face=face)
    owner = user or Guest(seat.name, frozenset({made.pk}), partial(keep_sheets, seat))
    bring_to_seat(seat.encounter, seat, owner, str(made.pk))


def _find_names(encounter: Encounter) -> set[str]:
    """The names of the players' characters: those that everyone at the table knows."""
    free, taken = find_characters(encounter, read_state(encounter))
    return {one.name for one in (*free, *taken)}
