"""Shared by the lists of characters and of NPCs: search words, a choice of game, pages, rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import reduce, wraps
from operator import or_
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from combat.rules.core.declaration.system import System
from cosmos_site.base.tags import MAX_TAG, list_tags

from ..display.rolls import clean_words
from ..display.sheet_view import view_health
from ..games import find_games
from ..models import Character
from ..services import character_service
from .forms import FindForm

PER_PAGE = 20


def view_list(
    request: HttpRequest, rows: QuerySet[Character], fields: tuple[str, ...], label: str, example: str
) -> dict[str, Any]:
    """The rows a list shows: of one game or all, each with every search word in one of `fields`."""
    tag = next(iter(request.GET.getlist("tag")), "")[:MAX_TAG]
    tags = _count_tags(rows)
    asked, show = clean_words(request.GET.get("q", ""), 100), request.GET.get("show", "")
    games = {system.slug: system for system in find_games()}
    game = request.GET.get("game", "") if request.GET.get("game") in games else ""
    for word in asked.split():
        rows = rows.filter(reduce(or_, (Q(**{f"{field}__icontains": word}) for field in fields)))
    rows = rows.filter(tags__contains=f",{tag},") if tag in tags else rows
    filters = {"show": show, "q": asked, "game": game, "tag": tag if tag in tags else ""}
    counts = Counter(dict(rows.order_by().values_list("system").annotate(Count("pk"))))
    rows = rows.filter(system=game) if game else rows
    paginator = Paginator(rows.defer("notes", "story"), PER_PAGE)
    paginator.count = counts[game] if game else counts.total()  # known already
    page = paginator.get_page(request.GET.get("page"))
    return {
        "page": page,
        "rows": [_view_row(character, games) for character in page],
        "form": FindForm(label, example, q=asked),
        "tabs": _list_tabs(games, counts, filters),
        "query": _write_query(filters),
        "tags": tags,
        "is_new": not page.paginator.count and not any(filters.values()),
        **filters,
    }


def _write_query(filters: dict[str, str]) -> str:
    return urlencode({name: word for name, word in filters.items() if word})


def _list_tabs(
    games: dict[str, System], counts: Counter[str], filters: dict[str, str]
) -> list[dict[str, Any]]:
    """All, and each game of a list: how many of it there are, and the link that shows them alone."""
    found = {
        "": counts.total(),
        **{slug: counts[slug] for slug in games if counts[slug] or slug == filters["game"]},
    }
    return [
        {
            "game": games.get(slug),
            "count": count,
            "link": f"?{_write_query({**filters, 'game': slug})}",
            "is_chosen": slug == filters["game"],
        }
        for slug, count in found.items()
    ]


def _count_tags(rows: QuerySet[Character]) -> dict[str, int]:
    """The tags of a list, and how many of it have each."""
    stored = rows.exclude(tags="").values_list("tags", flat=True)
    return dict(sorted(Counter(tag for tags in stored for tag in list_tags(tags)).items()))


def _view_row(character: Character, games: dict[str, System]) -> dict[str, Any]:
    system = games.get(character.system)
    return {
        "character": character,
        "game": system,
        "health": view_health(system, character) if system else None,
        "gone_at": character.deleted_at and character.deleted_at + character_service.GRACE,
    }


# Addresses that only buttons post to; opened directly, they lead to the page with the button.


View = Callable[..., HttpResponse]


def posted_from(page: str, words: str, query: str = "", same: bool = True) -> Callable[[View], View]:
    """A view for POST alone. GET leads to `page`, which shows `words` and decides who may see it.

    `same` is whether that page takes the same arguments as the view, or none.
    """

    def guard(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **kwargs)
            messages.info(request, words)
            return redirect(reverse(page, kwargs=kwargs if same else {}) + query)

        return guarded

    return guard
