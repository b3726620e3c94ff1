"""Days between fights: an encounter without a fight, in which characters rest and are treated.

Rules, dice, undo, the log and the way back to the sheets are those of a fight.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction

from characters.models import Character
from characters.services import character_service
from combat.models import Encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused

from ..campaigns.roster import submission_to_join
from ..notes.glossary import ALLIES
from ..writing.encounter_service import create_encounter, submit_all

MAX_SHOWN = 10
MAX_TOGETHER = 20


def find_parties(owner: User) -> list[tuple[str, list[Character]]]:
    """Someone's active characters, by the name of their game."""
    mine = list(character_service.find_mine(owner).filter(archived=False).only("name", "summary", "system"))
    games = ((find_system(slug).name, [c for c in mine if c.system == slug]) for slug in SYSTEMS)
    return [(name, people) for name, people in games if people]


def find_downtimes(owner: User) -> list[Encounter]:
    """Someone's downtimes under way, newest first."""
    mine = Encounter.objects.filter(owner=owner, downtime=True, archived=False)
    return list(mine.defer("start", "state")[:MAX_SHOWN])


def begin_downtime(owner: User, picked: Iterable[str]) -> Encounter:
    """A new downtime of the chosen characters. Refused unless they are of one game."""
    wanted = {int(word) for word in picked if word.isascii() and word.isdigit() and len(word) < 10}
    people = list(character_service.find_mine(owner).filter(pk__in=wanted, archived=False))
    if not people or len(people) < len(wanted):
        raise Refused("unknown", "Choose one or more of your own characters.")
    if len({character.system for character in people}) > 1:
        raise Refused("not_allowed", "Choose characters of the same game: each game has its own downtime.")
    if len(people) > MAX_TOGETHER:
        raise Refused("not_allowed", f"Choose at most {MAX_TOGETHER} characters.")
    with transaction.atomic():
        made = create_encounter(owner, people[0].system, _name(people), downtime=True)
        by = owner.get_username()
        submit_all(made.pk, [submission_to_join(character, side=ALLIES, by=by) for character in people])
    return made


def _name(people: list[Character]) -> str:
    names = [character.name for character in people]
    several = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"Downtime: {several if len(several) <= 80 else f'{len(names)} characters'}"
