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
from cosmos_site.base.forms import is_htmx

from . import anywhere, at_table
from .at_table import MOST, MOST_OF_ONE, Hit, Kind, choose

MAX_QUERY = 100  # characters of a search
MAX_ALONE = 3  # words that are tried alone where nothing has all of them
SIGNS = {  # the icon of a kind, for what has no picture of its own
    "People": "people",
    "Actions": "play",
    "Places": "zone",
    "At this table": "layers",
    "Handouts": "letter",
    "Notes": "notes",
    "Settings": "check",
    "Encounters": "layers",
    "Campaigns": "box",
    "Characters": "people",
    "Gear": "box",
    "Stat blocks": "people",
    "Pages": "screen",
    "Rules": "notes",
    "Help": "more",
}


@for_visitors
@require_http_methods(["GET", "HEAD"])
def find_anything(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """What has all words of `q`, by kind; someone may ask at the table of an encounter.

    Without an account it is only open at a table where the browser holds a seat. Scripts get what was found.
    """
    context = None if pk is None else find_context(request, pk)
    if context is None and not request.user.is_authenticated:
        raise SignInFirst
    asked, chosen = (request.GET.get(name, "").strip()[:MAX_QUERY] for name in ("q", "kind"))
    words = asked.casefold().split()
    kinds = _find_kinds(request, context, words, chosen)
    shown = {
        "q": asked,
        "words": words,
        "all": kinds,
        "kinds": [kind for kind in kinds if kind.title == chosen] or kinds,
        "chosen": chosen,
        "count": sum(kind.count for kind in kinds),
        "alone": _count_alone(request, context, words) if not kinds else [],
        "at": pk,
    }
    template = "found" if is_htmx(request) else "find"
    answer = render(request, f"combat/find/{template}.html", shown)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def _find_kinds(
    request: HttpRequest, context: ViewerContext | None, words: list[str], chosen: str = ""
) -> list[Kind]:
    """What has all of these words, by kind; more of the chosen kind. Without words, where to go back to."""
    if not words:
        recent = anywhere.find_recent(request.user) if isinstance(request.user, User) else []
        return [Kind("Back to", tuple(recent), sign="layers")] if recent else []
    found = []
    for title, hits in _find_offers(request, context, " ".join(words)):
        most = MOST_OF_ONE if title == chosen else MOST
        found.append(choose(title, words, hits, most=most, sign=SIGNS[title]))
    return [kind for kind in found if kind.hits]


def _count_alone(
    request: HttpRequest, context: ViewerContext | None, words: list[str]
) -> list[tuple[str, int]]:
    """How many things have one of several words that nothing has together, without those that nothing has."""
    if len(words) < 2:
        return []
    counts = [
        (word, sum(kind.count for kind in _find_kinds(request, context, [word])))
        for word in dict.fromkeys(words[:MAX_ALONE])
    ]
    return [(word, count) for word, count in counts if count]


def _find_offers(
    request: HttpRequest, context: ViewerContext | None, asked: str
) -> Iterator[tuple[str, Iterable[Hit]]]:
    """All that the visitor may find, by kind: what is at their table comes first."""
    person, visitor = request.user, visitor_of(request)
    own = person if isinstance(person, User) else None
    games = [context.encounter.system] if context else list(SYSTEMS)
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
        yield "Gear", anywhere.find_gear(visitor, games, asked)
    here = context.encounter.pk if context else None
    runs = here if context and context.viewer.is_gm else None
    if own or runs:
        yield "Stat blocks", anywhere.find_blocks(games, runs)
    written = at_table.find_table_notes(context) if context else ()
    yield "Notes", chain(written, anywhere.find_own_notes(own, other_than=here) if own else ())
    yield "Pages", anywhere.find_pages(visitor)
    yield "Rules", anywhere.find_rules(games)
    yield "Help", anywhere.find_help(asked)
