"""Characters in and out of fights: a snapshot joins; what the fight left may go back to the sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from characters import keeping
from characters.models import Character

from .models import Encounter, Seat, Sitting
from .play import Receipt, Wish, locked, read_state, submit
from .rules import find_system
from .rules.core.aftermath import Aftermath, find_aftermath
from .rules.core.errors import Refused
from .rules.core.events import CombatantJoined
from .rules.core.state import Combatant, present

PREFIX = "character:"


@dataclass(frozen=True)
class Return:
    """A fighter whose sheet can be brought up to date, and what that would change today."""

    fighter: Combatant
    character: Character
    aftermath: Aftermath


def find_ready(user: Any, encounter: Encounter) -> list[Character]:
    """Somebody's characters of this game that are not in the encounter yet."""
    if not isinstance(user, User):
        return []
    here = {str(f.marks.get("source", "")) for f in present(read_state(encounter))}
    mine = keeping.find_mine(user).filter(system=encounter.system, archived=False)
    return [character for character in mine if f"{PREFIX}{character.pk}" not in here]


def bring(encounter: Encounter, user: User, character_id: str, *, side: str, zone: str, by: str) -> Receipt:
    """Somebody's own character joins as it is on its sheet now. Refused if it is not theirs or is here."""
    with locked(encounter.pk) as (fresh, _):  # so that nobody joins twice
        ready = {str(character.pk): character for character in find_ready(user, fresh)}
        character = ready.get(character_id)
        if character is None:
            raise Refused("unknown", "Choose one of your own characters that is not here yet.")
        receipt = submit(encounter.pk, wish_to_join(character, side=side or "heroes", zone=zone, by=by))
        for fighter in find_joined(receipt):
            Sitting.objects.update_or_create(
                encounter=encounter, fighter=fighter, defaults={"character": character}
            )
        return receipt


def find_joined(receipt: Receipt) -> list[str]:
    """The fighters that joined with a wish."""
    return [f.event.combatant.id for f in receipt.facts if isinstance(f.event, CombatantJoined)]


def find_character_id(fighter: Combatant) -> int | None:
    """The number of the character that a fighter came from."""
    source = str(fighter.marks.get("source", ""))
    number = source.removeprefix(PREFIX)
    return int(number) if source.startswith(PREFIX) and number.isdigit() else None


def wish_to_join(character: Character, *, side: str, by: str, zone: str = "") -> Wish:
    """The wish that a character joins as it is on its sheet now."""
    fields = {
        "sheet": character.sheet,
        "name": character.name,
        "side": side,
        "zone": zone,
        "pc": True,
        "source": f"{PREFIX}{character.pk}",
    }
    return Wish("join", fields, by=by)


def find_side(encounter: Encounter) -> str:
    """The side player characters are on already."""
    fighters = present(read_state(encounter))
    return next((fighter.side for fighter in fighters if fighter.pc), "heroes")


def bring_to_seat(encounter: Encounter, seat: Seat, user: User, character_id: str) -> None:
    """A player's own character joins and is theirs to play."""
    side = find_side(encounter)
    with locked(encounter.pk):  # the GM may hand them a fighter, or see them out, at the same time
        receipt = bring(encounter, user, character_id, side=side, zone="", by=seat.name)
        seat.refresh_from_db()
        if seat.ended:
            raise Refused("stale", "That seat has been given up: ask the GM for a fresh link.")
        seat.fighters = [*seat.fighters, *find_joined(receipt)]
        seat.save(update_fields=["fighters"])


def find_returns(encounter: Encounter, user: User) -> list[Return]:
    """The fighters whose sheets belong to somebody, with what the fight would change on them."""
    system = find_system(encounter.system)
    fighters = {find_character_id(f): f for f in present(read_state(encounter))}
    characters = keeping.find_mine(user).filter(pk__in=[pk for pk in fighters if pk])
    return [Return(fighters[c.pk], c, find_aftermath(system, fighters[c.pk], c.sheet)) for c in characters]


def bring_back(encounter: Encounter, user: User, character_id: str) -> Character:
    """Write what the fight left onto the sheet: one change of its history, which can be undone."""
    for found in find_returns(encounter, user):
        if str(found.character.pk) == character_id:
            what = f"after {encounter.name}"
            sheet = found.aftermath.sheet
            return keeping.change(found.character.pk, what, by=user.get_username(), sheet=sheet)
    raise Refused("unknown", "That character is not yours, or not in this encounter.")
