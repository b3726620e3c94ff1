"""The pages of the rulebooks: the list, a game's rules with search and cards, publishers and licenses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from combat.display.rules_view import view_rules
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import State
from cosmos_site.base.htmx import is_htmx

from . import shapes as rulebooks
from .examples import say_usual

MAX_QUERY = 100  # characters of a search
MAX_BRIEF = 25  # entries that a search beside another page shows
CARD_SECONDS = 600  # how long a browser keeps a card


@require_http_methods(["GET", "HEAD"])
def list_rulebooks(request: HttpRequest) -> HttpResponse:
    """The games and their rulebooks."""
    games = [{"system": find_system(slug), "badges": rulebooks.count_badges(slug)} for slug in SYSTEMS]
    return render(request, "combat/book/rulebooks.html", {"games": games})


@require_http_methods(["GET", "HEAD"])
def show_rulebook(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game in our words, with an anchor each, its tables, and its rulings with reasons.

    `q` searches, `show` keeps the rules of one badge, `rule` asks for the card of one rule. With `brief` a
    script gets what fits beside another page: the place of a `rule`, the chapter `at` an anchor, what a
    search found, or the contents.
    """
    if slug not in SYSTEMS:
        raise Http404("There is no such game here.")
    if "brief" in request.GET and is_htmx(request):
        return _show_brief(request, slug)
    if "rule" in request.GET:
        return _show_card(request, slug, request.GET["rule"])
    asked, badge = request.GET.get("q", "").strip()[:MAX_QUERY], request.GET.get("show", "")
    badge = badge if badge in dict(badge[:2] for badge in rulebooks.BADGES) else ""
    found = render_found(slug, asked, badge)
    if is_htmx(request):
        answer = HttpResponse(found)
    else:
        context = {"system": find_system(slug), "q": asked, "show": badge, "found": found}
        context["rules"] = view_rules(find_system(slug), State(slug))
        context["badges"] = rulebooks.count_badges(slug)
        context["usual"] = say_usual(slug)
        answer = render(request, "combat/book/rulebook.html", context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def render_found(slug: str, asked: str, badge: str) -> SafeString:
    """The part of the page that a search changes; cached for an empty search."""
    return _render_found(slug, asked, badge) if asked else _render_all(slug, badge)


@cache
def _render_all(slug: str, badge: str) -> SafeString:
    return _render_found(slug, "", badge)


def _render_found(slug: str, asked: str, badge: str) -> SafeString:
    found = rulebooks.search(slug, asked, badge)
    context = {"slug": slug, "system": find_system(slug), "q": asked, "show": badge, "found": found}
    return render_to_string("combat/book/book_found.html", context)


def _show_brief(request: HttpRequest, slug: str) -> HttpResponse:
    """The rulebook beside another page, for scripts."""
    asked, rule, at = (request.GET.get(name, "").strip()[:MAX_QUERY] for name in ("q", "rule", "at"))
    place = rulebooks.find_place(slug, rule) if rule else rulebooks.find_chapter(slug, at) if at else None
    if (rule or at) and place is None:
        raise Http404("This rulebook has no such rule. Search it for a word of the rule.")
    found, more = place, 0
    if asked and not place:
        found, more = rulebooks.shorten(
            rulebooks.put_titles_first(rulebooks.search(slug, asked, ""), asked), MAX_BRIEF
        )
    context: dict[str, Any] = {"slug": slug, "q": asked, "found": found, "more": more}
    context["here"] = find_system(slug).rulebook.resolve(rule) if rule else ""
    context["chapters"] = () if found else rulebooks.find_chapters(slug)
    answer = render(request, "combat/book/beside/brief.html", context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def _show_card(request: HttpRequest, slug: str, rule_id: str) -> HttpResponse:
    """A card for scripts; a browser that opens the address as a page is redirected to the rule."""
    card = rulebooks.find_card(slug, rule_id)
    if card is None:
        raise Http404("This rulebook has no such rule. Search it for a word of the rule.")
    if not is_htmx(request):
        anchor = find_system(slug).rulebook.resolve(rule_id)
        return redirect(f"{reverse('rulebook', args=[slug])}#{anchor}")
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
    return tuple((name, _read(name)) for name in names if (settings.ROOT / name).is_file())


def _read(name: str) -> str:
    text: str = (settings.ROOT / name).read_text(encoding="utf-8")
    return text


def _join_lines(text: str) -> list[str]:
    """The lines with their hard wraps undone."""
    return re.sub(r"(?<![.\n])\n\s*", " ", text.strip()).split("\n")
