"""People as a gallery: stat blocks and own NPCs with their faces and numbers, and one of them as a card."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.models import Character
from combat.display.combatants.cards import BOOK, NPC, Card, make_card
from combat.models import Pack
from combat.play.campaigns.npcs import find_offered, find_packed
from combat.play.campaigns.roster import list_sides
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import present
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.forms import see_other
from cosmos_site.base.htmx import is_htmx

from . import library, odds, people
from .danger import LEVELS, begin_danger, begin_some, find_party_state, read_danger

OWN, PACK, ALL = "own", "pack-", "all"
COUNTS = ("1", "3", "5")
MAX_LENGTH = 60
UNSORTED = "Yours, without a kind"


@dataclass(frozen=True)
class Choice:
    """What the address asks for: filters, the chosen card, how many of them and for whom."""

    q: str = ""
    source: str = ""
    kind: str = ""
    level: str = ""
    who: str = ""
    count: str = COUNTS[1]
    side: str = ""

    def make_query(self, **changed: str) -> str:
        """The query of this choice with a few changes; a change to what it is already takes that back."""
        asked = {**self.__dict__, **changed}
        return urlencode({name: value for name, value in asked.items() if value})


@dataclass(frozen=True)
class Filter:
    """A link that keeps some of the cards, and how many those are."""

    label: str
    query: str
    count: int
    is_on: bool
    tone: str = ""


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_people(request: HttpRequest, pk: int) -> HttpResponse:
    """The gallery; a POST begins to measure how dangerous someone is, or everyone, to the party."""
    context = find_gm_context(request, pk)
    choice, asked = _read_choice(request, context), request.POST.get("measure", "")[:MAX_LENGTH]
    if request.method == "POST":
        if asked == ALL:
            cards = list_cards(request, context)
            begin_some(context, request.user, [one.key for one in cards if not read_danger(context, one.key)])
        else:
            begin_danger(context, request.user, asked)
        if not is_htmx(request):
            answer = see_other("prep_people", pk)
            answer["Location"] += f"?{choice.make_query()}"
            return answer
    shown = _find_shown(request, context, choice)
    return render(request, "combat/prep/gallery/gallery.html", {**shown, "measures": asked})


def _read_choice(request: HttpRequest, context: ViewerContext) -> Choice:
    """The choice that an address asks for; words that name nothing count as blank."""
    asked = {name: request.GET.get(name, "").strip()[:MAX_LENGTH] for name in Choice.__dataclass_fields__}
    sides = list_sides(context.known_state)
    count, side = asked.pop("count"), asked.pop("side")
    return Choice(
        **asked,
        count=count if count in COUNTS else COUNTS[1],
        side=side if side in sides else sides[0],
    )


def _find_shown(request: HttpRequest, context: ViewerContext, choice: Choice) -> dict[str, Any]:
    system, state = context.system, context.known_state
    cards = [replace(one, danger=read_danger(context, one.key)) for one in list_cards(request, context)]
    found = [one for one in cards if _fits(one, choice)]
    chosen = next((one for one in cards if one.key == choice.who), found[0] if found else None)
    box = people.view_box(request, context, request.GET)
    counts = Counter(one.side for one in present(state))
    return {
        "encounter": context.encounter,
        "system": system,
        "phase": state.phase,
        "choice": choice,
        "total": len(cards),
        "is_measuring": any(one.danger and one.danger.running for one in cards),
        "unmeasured": sum(one.danger is None for one in cards),
        "cards": [(one, choice.make_query(who=one.key)) for one in found],
        "chosen": chosen,
        "lines": _preview(request, context, chosen),
        "counts": [(n, choice.make_query(count=n), n == choice.count) for n in COUNTS],
        "sides": [(side, choice.make_query(side=side), side == choice.side) for side in list_sides(state)],
        "filters": _make_filters(cards, choice),
        "has_party": find_party_state(context) is not None,
        "query": choice.make_query(),
        "there": [(side, counts[side]) for side in counts],
        "odds": odds.view_odds(context),
        "people": box,
        "next": "gallery",
        "late": False,
        "notes": people.make_form(context, box),
    }


def _fits(card: Card, choice: Choice) -> bool:
    """Whether a card has all that is asked for; a search finds its words in names, kinds and items."""
    if choice.source and choice.source != card.source:
        return False
    if choice.kind and card.kind != choice.kind:
        return False
    if choice.level and (card.danger is None or card.danger.level != choice.level):
        return False
    said = f"{card.name} {card.kind} {card.summary}".casefold()
    return all(word in said for word in choice.q.casefold().split())


def _make_filters(cards: list[Card], choice: Choice) -> list[tuple[str, list[Filter]]]:
    """Links by where cards come from, their kind and their danger, as far as there are several."""

    def make(name: str, value: str, label: str, count: int, tone: str = "") -> Filter:
        is_on = getattr(choice, name) == value
        query = choice.make_query(**{name: "" if is_on else value})
        return Filter(label, query, count, is_on=is_on, tone=tone)

    counts = Counter(card.source for card in cards)
    names = {OWN: "Yours", BOOK: "The game's", **{card.source: card.pack for card in cards if card.pack}}
    sources = [make("source", key, names[key], counts[key]) for key in names if counts[key]]
    kinds = Counter(card.kind for card in cards)
    levels = Counter(card.danger.level for card in cards if card.danger and card.danger.level)
    return [
        ("From", sources if len(sources) > 1 else []),
        ("Kind", [make("kind", kind, kind, count) for kind, count in kinds.items()]),
        (
            "For your party",
            [make("level", key, key, levels[key], tone=tone) for key, tone, _ in LEVELS if levels[key]],
        ),
    ]


def list_cards(request: HttpRequest, context: ViewerContext) -> list[Card]:
    """The viewer's own NPCs, then the stat blocks that the table plays with."""
    system, state = context.system, context.known_state
    offered = find_offered(request.user, system.slug, "", context.encounter.campaign_id, with_sheets=True)
    packed = find_packed(request.user) if offered else {}
    found = [_make_own(system, npc, packed.get(npc.pk)) for _, npc in offered]
    found += [
        make_card(system, block.id, block.name, (block.tier, block.summary), sheet=block.sheet)
        for block in system.book.find_blocks().values()
        if not block.option or system.option(state, block.option)
    ]
    return [one for one in found if one]


def _make_own(system: System, npc: Character, pack: Pack | None) -> Card | None:
    """The card of someone's own NPC, which a pack may have brought."""
    card = make_card(
        system,
        f"{NPC}{npc.pk}",
        npc.name,
        (npc.kind or UNSORTED, npc.summary),
        sheet=npc.sheet,
        face=npc.face,
    )
    if card is None:
        return None
    if pack is None:
        return replace(card, source=OWN)
    return replace(card, source=f"{PACK}{pack.pk}", pack=pack.name)


def _preview(
    request: HttpRequest, context: ViewerContext, chosen: Card | None
) -> tuple[tuple[str, str], ...]:
    """The lines of the chosen card's sheet."""
    if chosen is None:
        return ()
    found = library.find_block(request, context, chosen.key)
    return found.lines if found else ()
