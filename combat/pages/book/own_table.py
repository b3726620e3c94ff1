"""What the reader's own table plays otherwise than the book, as a note beside its rules."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest

from combat.audience.viewer import GM
from combat.models import Encounter
from combat.rules.core.declaration.system import System
from combat.sharing.access import SignInFirst, find_context
from combat.sharing.viewer_context import ViewerContext

from .shapes import BookPage

TABLES = "rules_at"  # in the session: game -> the encounter whose table its rules were last opened from
MOST_DIGITS = 15


@dataclass(frozen=True)
class OwnRule:
    """A house rule that differs: its label, how the table plays it, the book's way, a rule on the page."""

    label: str
    now: str
    usual: str
    at: str


@dataclass(frozen=True)
class OwnTable:
    """An encounter of the reader, whether they run it, and its house rules that concern a page."""

    encounter: Encounter
    is_gm: bool
    rules: tuple[OwnRule, ...]


def remember_table(request: HttpRequest, system: System) -> None:
    """Keep the encounter that a link to the rules names (`at`), for those who take part in it."""
    at = request.GET.get("at", "")
    if at.isdecimal() and len(at) <= MOST_DIGITS and _find_table(request, system, int(at)):
        request.session[TABLES] = {**request.session.get(TABLES, {}), system.slug: int(at)}


def find_own_table(request: HttpRequest, system: System, page: BookPage) -> OwnTable | None:
    """The house rules that change a rule of this page; None without any.

    They are those of the encounter from whose table the reader came, while they take part in it; else of the
    newest encounter that they run.
    """
    came = request.session.get(TABLES, {}).get(system.slug)
    context = (_find_table(request, system, came) if came else None) or _find_newest(request, system)
    if context is None:
        return None
    entries = [entry.id for part in page.sections for entry in part.entries]
    first = {ruling: one for one in reversed(entries) for ruling in _find_rulings(system, one)}
    rules = tuple(
        OwnRule(option.label, option.describe(now), option.describe(option.default), first[option.ruling])
        for option in system.book.options
        if option.ruling in first
        and (now := system.option(context.known_state, option.key)) != option.default
    )
    return OwnTable(context.encounter, context.viewer.is_gm, rules) if rules else None


def _find_table(request: HttpRequest, system: System, pk: int) -> ViewerContext | None:
    """An encounter of a game that the reader takes part in."""
    try:
        context = find_context(request, pk)
    except (Http404, SignInFirst):
        return None
    return context if context.encounter.system == system.slug else None


def _find_newest(request: HttpRequest, system: System) -> ViewerContext | None:
    """The newest encounter of a game that the reader runs."""
    if not isinstance(request.user, User):
        return None
    own = Encounter.objects.filter(owner=request.user, system=system.slug, archived=False, downtime=False)
    newest = own.first()
    return ViewerContext(newest, GM) if newest else None


def _find_rulings(system: System, entry: str) -> tuple[str, ...]:
    """The rulings that a rule depends on; a ruling is its own."""
    rule = system.rulebook.all_rules.get(entry)
    return rule.rulings if rule else (entry,)
