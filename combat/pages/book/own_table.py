"""What the reader's own table plays otherwise than the book, as a note beside its rules."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User

from combat.models import Encounter
from combat.play.writing.encounter_service import read_state
from combat.rules.core.declaration.system import System

from .shapes import BookPage


@dataclass(frozen=True)
class OwnRule:
    """A house rule that differs: its label, how the table plays it, the book's way, a rule on the page."""

    label: str
    now: str
    usual: str
    at: str


@dataclass(frozen=True)
class OwnTable:
    """An encounter of the reader, and its house rules that concern a page."""

    encounter: Encounter
    rules: tuple[OwnRule, ...]


def find_own_table(person: User | AnonymousUser, system: System, page: BookPage) -> OwnTable | None:
    """The GM's newest encounter of a game, if its house rules change a rule of this page."""
    if not isinstance(person, User):
        return None
    newest = Encounter.objects.filter(
        owner=person, system=system.slug, archived=False, downtime=False
    ).first()
    if newest is None:
        return None
    state = read_state(newest)
    entries = [entry.id for part in page.sections for entry in part.entries]
    first = {ruling: one for one in reversed(entries) for ruling in _find_rulings(system, one)}
    rules = tuple(
        OwnRule(option.label, option.describe(now), option.describe(option.default), first[option.ruling])
        for option in system.book.options
        if option.ruling in first and (now := system.option(state, option.key)) != option.default
    )
    return OwnTable(newest, rules) if rules else None


def _find_rulings(system: System, entry: str) -> tuple[str, ...]:
    """The rulings that a rule depends on; a ruling is its own."""
    rule = system.rulebook.all_rules.get(entry)
    return rule.rulings if rule else (entry,)
