"""The pages of the rulebooks: the list, a game's chapters with search and cards, publishers and licenses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from combat.audience.viewer import GM
from combat.display.rules_view import view_rules
from combat.models import Encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.release import PROGRAM
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import State
from combat.sharing.access import SignInFirst, find_context
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.forms import is_htmx

from ..home.pictures import view_demos
from . import shapes as rulebooks
from .examples import find_hit, roll_card, say_usual
from .shapes import BookPage, compare_games

MAX_QUERY = 100  # characters of a search
MAX_BRIEF = 25  # entries that a search beside another page shows
MAX_HITS = 6  # entries of each book that a search in all books shows
MAX_FOUND = 150  # entries that a search shows
WHOLE = "whole"  # the page with all chapters
CARD_SECONDS = 600  # how long a browser keeps a card
TABLES = "rules_at"  # in the session: game -> the encounter whose table its rules were last opened from
MOST_DIGITS = 15


@require_http_methods(["GET", "HEAD"])
def list_rulebooks(request: HttpRequest) -> HttpResponse:
    """The games and their rulebooks, or what a search in all of them found."""
    if asked := request.GET.get("q", "").strip()[:MAX_QUERY]:
        found = [(find_system(slug), rulebooks.search(slug, asked, "")) for slug in SYSTEMS]
        hits = [(game, *rulebooks.shorten(one, MAX_HITS), one) for game, one in found if one.pages]
        return render(request, "combat/book/rulebooks_found.html", {"q": asked, "hits": hits})
    games = [
        {
            "system": find_system(slug),
            "picture": view_demos(slug)[0].picture,
            "hit": find_hit(slug),
        }
        for slug in SYSTEMS
    ]
    return render(request, "combat/book/rulebooks.html", {"q": "", "games": games})


@require_http_methods(["GET", "HEAD"])
def show_side_by_side(request: HttpRequest) -> HttpResponse:
    """What every game says to the same questions."""
    return render(request, "combat/book/side_by_side.html", {"q": "", "questions": compare_games()})


@require_http_methods(["GET", "HEAD"])
def show_rulebook(request: HttpRequest, slug: str) -> HttpResponse:
    """The contents of a game's rulebook, or what a search in all of it found.

    `q` searches, `show` keeps the rules of one badge, `at` names the encounter that one comes from. With
    `brief` a script gets what fits beside another page: what a search found, or the contents.
    """
    system = _find_game(slug)
    remember_table(request, system)
    asked, badge = request.GET.get("q", "").strip()[:MAX_QUERY], request.GET.get("show", "")
    badge = badge if badge in dict(badge[:2] for badge in rulebooks.BADGES) else ""
    if "brief" in request.GET and is_htmx(request):
        return _answer(request, "beside/brief", slug, q=asked, **_search(slug, asked, "", MAX_BRIEF))
    found = _search(slug, asked, badge, MAX_FOUND)
    if is_htmx(request):
        return _answer(request, "book_found", slug, q=asked, show=badge, **found)
    more = {"rules": view_rules(system, State(slug)), "badges": rulebooks.count_badges(slug)}
    return _answer(request, "rulebook", slug, q=asked, show=badge, usual=say_usual(slug), **found, **more)


@require_http_methods(["GET", "HEAD"])
def show_book_page(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """A chapter of a rulebook by its name, or the whole book; the id of a rule leads to its place.

    With `brief` a script gets what fits beside another page: a chapter, or the place of a rule. Without it, a
    script gets the card of a rule.
    """
    system = _find_game(slug)
    remember_table(request, system)
    if part == WHOLE:
        return _answer(request, "book_whole", slug, pages=rulebooks.find_pages(slug), usual=say_usual(slug))
    place = rulebooks.find_place(slug, part)
    page = place.page if place else rulebooks.find_page(slug, part)
    if page is None:
        raise Http404("This rulebook has no such rule. Search it for a word of the rule.")
    if "brief" in request.GET and is_htmx(request):
        pages = [replace(page, sections=(place.section,)) if place else page]
        return _answer(request, "beside/brief", slug, pages=pages, here=place.here if place else "")
    if place:
        return _show_card(request, slug, place)
    before, after = rulebooks.find_neighbours(slug, page)
    more = {"before": before, "after": after, "usual": say_usual(slug)}
    own = find_own_table(request, system, page)
    return _answer(request, "book_page", slug, page=page, pages=rulebooks.find_pages(slug), own=own, **more)


@require_http_methods(["GET", "HEAD"])
def roll_again(request: HttpRequest, slug: str, part: str, number: int) -> HttpResponse:
    """An example of a rule with new dice: its card for a script, else a page with it and the rule."""
    system = _find_game(slug)
    card, rule = roll_card(slug, part, number), system.rulebook.all_rules.get(part)
    if card is None or rule is None:
        raise Http404("This rule has no such example. Open the rule to see those that it has.")
    name = "book_rolled" if is_htmx(request) else "book_again"
    answer = _answer(request, name, slug, card=card, rule=rule, usual=say_usual(slug))
    answer["Cache-Control"] = "no-store"
    return answer


def _find_game(slug: str) -> System:
    if slug not in SYSTEMS:
        raise Http404("There is no such game here.")
    return find_system(slug)


def _search(slug: str, asked: str, badge: str, most: int) -> dict[str, Any]:
    """What a search found; without one, the contents."""
    if not asked and not badge:
        return {"contents": rulebooks.find_pages(slug)}
    found = rulebooks.search(slug, asked, badge)
    shown, more = rulebooks.shorten(found, most)
    return {"found": found, "pages": shown.pages, "more": more}


def _answer(request: HttpRequest, name: str, slug: str, **context: Any) -> HttpResponse:
    context = {"slug": slug, "system": find_system(slug), **context}
    answer = render(request, f"combat/book/{name}.html", context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def _show_card(request: HttpRequest, slug: str, place: rulebooks.Place) -> HttpResponse:
    """A card for scripts; a browser that opens the address as a page is redirected to the rule."""
    card = rulebooks.find_card(slug, place.here) if is_htmx(request) else None
    if card is None:
        answer: HttpResponse = redirect(f"{reverse('book_page', args=[slug, place.page.name])}#{place.here}")
    else:
        answer = HttpResponse(card)
        answer["Cache-Control"] = f"private, max-age={CARD_SECONDS}"
    patch_vary_headers(answer, ["HX-Request"])
    return answer


# ---------------------------------------------------------------- makers and licenses


@require_http_methods(["GET", "HEAD"])
def about_rules(request: HttpRequest) -> HttpResponse:
    """Who made the games, and the licenses of their rules."""
    context = {"notices": read_notices(), "licenses": read_licenses()}
    return render(request, "combat/book/about_rules.html", context)


def read_notices() -> tuple[dict[str, Any], ...]:
    """The notices as parts with headings, each with its sentences and its `games` that are played here.

    They are the file NOTICE and those in folders of games. A heading may name several games, separated by
    commas.
    """
    games = {find_system(slug).name: slug for slug in SYSTEMS}
    parts: list[dict[str, Any]] = []
    for block in "\n\n".join(_find_notices()).split("\n\n"):
        head, _, body = block.partition("\n")
        if body.startswith(" ") or not parts:
            played = [(name, games[name]) for name in head.split(", ") if name in games]
            parts.append({"title": head, "games": played, "lines": _join_lines(body)})
        else:
            parts[-1]["lines"] += _join_lines(block)
    return tuple(parts)


def _find_notices() -> Iterator[str]:
    """The text of the file NOTICE, then of the notices that lie in folders of games."""
    yield _read("NOTICE").strip()
    folders = dict.fromkeys(find_system(slug).folder for slug in SYSTEMS)
    for path in (folder / "NOTICE" for folder in folders):
        if path.exists():
            yield path.read_text(encoding="utf-8").strip()


def read_licenses() -> tuple[tuple[str, str], ...]:
    """The licenses that are beside the file NOTICE and named in it, each with its text."""
    names = dict.fromkeys(re.findall(r"\b[\w.-]+\.txt\b", _read("NOTICE")))
    return tuple((name, text) for name in names if (text := _read(name)))


def _read(name: str) -> str:
    """The text of a license file: of the checkout, or of the installed program; empty if there is none."""
    if not settings.IS_INSTALLED:
        path: Path = settings.ROOT / name
        return path.read_text("utf-8") if path.is_file() else ""
    return distribution(PROGRAM).read_text(f"licenses/{name}") or ""


def _join_lines(text: str) -> list[str]:
    """The lines with their hard wraps undone."""
    return re.sub(r"(?<![.\n])\n\s*", " ", text.strip()).split("\n")


# What the reader's own table plays otherwise than the book, as a note beside its rules.


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
