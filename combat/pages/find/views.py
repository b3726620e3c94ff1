"""The page that finds anything, which scripts show in a dialog on every other page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from characters.guests import Guest, visitor_of
from combat.rules import SYSTEMS
from combat.sharing.access import SignInFirst, find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.htmx import is_htmx

from . import anywhere, at_table
from .matching import Hit, Kind, choose

MAX_QUERY = 100  # characters of a search


@for_visitors
@require_http_methods(["GET", "HEAD"])
def find_anything(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """What has all words of `q`, by kind; someone may ask at the table of an encounter.

    Without an account it is only open at a table where the browser holds a seat. Scripts get what was found.
    """
    context = None if pk is None else find_context(request, pk)
    if context is None and not request.user.is_authenticated:
        raise SignInFirst
    asked = request.GET.get("q", "").strip()[:MAX_QUERY]
    words = asked.casefold().split()
    found = [choose(title, words, hits) for title, hits in _find_offers(request, context)] if words else []
    kinds = [kind for kind in found if kind.hits]
    shown = {"q": asked, "kinds": kinds, "count": _count(kinds), "at": pk}
    template = "found" if is_htmx(request) else "find"
    answer = render(request, f"combat/find/{template}.html", shown)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def _count(kinds: Iterable[Kind]) -> int:
    return sum(len(kind.hits) + kind.more for kind in kinds)


def _find_offers(request: HttpRequest, context: ViewerContext | None) -> Iterator[tuple[str, Iterable[Hit]]]:
    """All that the visitor may find, by kind: what is at their table comes first."""
    person, visitor = request.user, visitor_of(request)
    own = person if isinstance(person, User) else None
    if context:
        yield "People", at_table.find_people(context)
        yield "Actions", at_table.find_actions(context)
        yield "Places", at_table.find_zones(context)
        yield (
            "At this table",
            at_table.find_table_pages(context, owns=context.encounter.owner_id == person.pk),
        )
    shown = at_table.find_shown_handouts(context) if context else ()
    yield "Handouts", chain(shown, anywhere.find_own_handouts(own) if own else ())
    if context:
        yield "Settings", at_table.find_settings(context)
    if own:
        yield "Encounters", anywhere.find_encounters(own)
        yield "Campaigns", anywhere.find_campaigns(own)
    if isinstance(visitor, User | Guest):
        yield "Characters", anywhere.find_characters(visitor)
    yield "Pages", anywhere.find_pages(visitor)
    yield "Rules", anywhere.find_rules([context.encounter.system] if context else SYSTEMS)
