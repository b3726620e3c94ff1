"""The help pages. They are open to all, also without an account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.display.help.marks import view_marks
from combat.display.help.pages import BY_NAME, PAGES, find_neighbours
from combat.play.notes.examples import make_example
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.system import System


def _find_first() -> System:
    return find_system(next(iter(SYSTEMS)))


# What the text of a page is made from, by its name
SOURCES: dict[str, Callable[[], dict[str, Any]]] = {
    "marks": lambda: {"marks": view_marks()},
    "gm": lambda: {"example": make_example(_find_first()), "game": _find_first()},
    "house-rules": lambda: {"games": [find_system(slug) for slug in SYSTEMS]},
}


@require_http_methods(["GET", "HEAD"])
def list_pages(request: HttpRequest) -> HttpResponse:
    """All help pages, each with what it is for."""
    return render(request, "help/list.html", {"pages": PAGES})


@require_http_methods(["GET", "HEAD"])
def show_page(request: HttpRequest, name: str) -> HttpResponse:
    """One page of help."""
    page = BY_NAME.get(name)
    if page is None:
        raise Http404("There is no such page of help. The list is at /help/.")
    before, after = find_neighbours(page)
    more = SOURCES[name]() if name in SOURCES else {}
    return render(request, page.template, {"page": page, "before": before, "after": after, **more})
