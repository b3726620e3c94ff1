"""The demo fight of a game: its printed example, ready to be played."""

from __future__ import annotations

from django.contrib.auth.models import User

from combat.models import Encounter
from combat.rules import SYSTEMS, find_system

from .encounter_service import Submission, create_encounter, submit


def make_demo_fight(owner: User, slug: str) -> Encounter:
    """A fresh demo fight, set up and ready for initiative."""
    demo = find_system(slug).demo()
    encounter = create_encounter(owner, slug, demo.name, demo=True)
    for step in demo.setup:
        submit(encounter.pk, Submission(step.name, step.command, by="demo"))
    encounter.refresh_from_db()
    return encounter


def open_demo_fight(owner: User, slug: str) -> Encounter:
    """Somebody's demo fight of a game: the newest one that is not archived, or a fresh one."""
    theirs = Encounter.objects.filter(owner=owner, system=slug, demo=True, archived=False)
    return theirs.order_by("-created").first() or make_demo_fight(owner, slug)


def ensure_demo(owner: User) -> list[Encounter]:
    """The demo fights of every game, made where this person has none."""
    have = set(Encounter.objects.filter(owner=owner, demo=True).values_list("system", flat=True))
    return [make_demo_fight(owner, slug) for slug in SYSTEMS if slug not in have]
