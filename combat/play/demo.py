"""The demo fight of a game: its printed example, ready to be played."""

from __future__ import annotations

from contextlib import suppress

from django.contrib.auth.models import User

from combat.models import Encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused

from .writing.encounter_service import Submission, create_encounter, submit
from .writing.locking import alone


def make_demo_fight(owner: User, slug: str, number: int = 0) -> Encounter:
    """A new demo fight, ready for initiative: the game's first, or another by its number."""
    demo = find_system(slug).demo.make_all()[number]
    encounter = create_encounter(owner, slug, demo.name, demo=True)
    for step in demo.setup:
        submit(encounter.pk, Submission(step.name, step.command, by="demo", numbered=True))
    encounter.refresh_from_db()
    return encounter


def open_demo_fight(owner: User, slug: str, number: int = 0) -> Encounter:
    """Someone's demo fight of a game: the newest that is not archived, or a new one.

    The name tells the demo fights of a game apart. Raises LookupError for an unknown number.
    """
    demos = find_system(slug).demo.make_all()
    theirs = Encounter.objects.filter(owner=owner, system=slug, demo=True, archived=False)
    if len(demos) > 1:
        theirs = theirs.filter(name=demos[number].name)
    with alone():
        User.objects.select_for_update().get(pk=owner.pk)  # a press in the same instant waits, and finds it
        return theirs.order_by("-created").first() or make_demo_fight(owner, slug, number)


def ensure_demo(owner: User) -> list[Encounter]:
    """Make the first demo fight of every game, if this person has none and room for it."""
    have = set(Encounter.objects.filter(owner=owner, demo=True).values_list("system", flat=True))
    made: list[Encounter] = []
    with suppress(Refused):
        for slug in SYSTEMS:
            if slug not in have:
                made.append(make_demo_fight(owner, slug))
    return made
