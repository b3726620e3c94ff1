"""Adding people: a line that searches and reads notes; cards of stat blocks and NPCs, one of them whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.exchange.blocks import tell
from characters.exchange.words_out import NOTES
from characters.games import check_sheet, find_problems
from characters.models import Character
from combat.audience import things
from combat.display.combatants.cards import BOOK, NPC, Card, make_card
from combat.display.combatants.tokens import Look, find_look
from combat.display.forms.fields import JoinForm
from combat.display.shapes.table_shapes import CombatantView
from combat.models import Pack
from combat.play.campaigns.npcs import find_fields, find_offered, find_packed
from combat.play.campaigns.roster import list_sides
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.state.state import present
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.forms import is_htmx, see_other

from ..table.rows import find_people
from . import entering, odds_view, people_view
from .odds_view import LEVELS, begin_danger, begin_some, find_party_state, read_danger
from .people_view import PeopleBox

OWN, PACK, ALL = "own", "pack-", "all"
COUNTS = ("1", "3", "5")
MAX_LENGTH = 60
MAX_LINE = 2_000  # characters of the line; longer notes are typed in the preparation
TABLE = "table"  # where people lead back to who add reinforcements
UNSORTED = "Yours, without a kind"
MAX_VALUE = 400  # characters of a line
MAX_FOUND = 12  # names that are listed; the field for the block has all of them


@dataclass(frozen=True)
class Choice:
    """What the address asks for: filters, the chosen card, how many of them and for whom; `to` leads back."""

    source: str = ""
    kind: str = ""
    level: str = ""
    who: str = ""
    count: str = COUNTS[1]
    side: str = ""
    to: str = ""

    @property
    def usual_count(self) -> str:
        """How many one usually adds: one of an own NPC, a few of a stat block."""
        return COUNTS[0] if self.who.startswith(NPC) else COUNTS[1]

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
    """The gallery; a POST reads the line, or begins to measure how dangerous someone is, or everyone."""
    context = find_gm_context(request, pk)
    choice, asked = _read_asked(request, context), request.POST.get("measure", "")[:MAX_LENGTH]
    if request.method == "POST":
        if asked == ALL:
            cards = list_cards(request, context)
            begin_some(context, request.user, [one.key for one in cards if not read_danger(context, one.key)])
        elif asked:
            begin_danger(context, request.user, asked)
        if not is_htmx(request):
            people_view.keep_notes(request, pk, request.POST.get("notes", "")[:MAX_LINE])
            answer = see_other("prep_people", pk)
            answer["Location"] += f"?{choice.make_query()}"
            return answer
    said = request.POST.dict() if "notes" in request.POST else people_view.find_notes(request, pk)
    return _render(request, context, choice, {**said, "zone": _read_zone(request)}, measures=asked)


def show_again(request: HttpRequest, context: ViewerContext, status: int) -> HttpResponse:
    """The gallery as it was sent, after a refusal, with what is read now."""
    choice = _read_choice(request.POST, context)
    return _render(request, context, choice, request.POST.dict(), status=status)


def _render(
    request: HttpRequest,
    context: ViewerContext,
    choice: Choice,
    said: Mapping[str, str],
    measures: str = "",
    status: int = 200,
) -> HttpResponse:
    box = people_view.view_box(request, context, {**said, "side": choice.side, "new_side": ""})
    shown = {**_find_shown(request, context, choice, box), "measures": measures}
    return render(request, "combat/prep/gallery/gallery.html", shown, status=status)


def _read_asked(request: HttpRequest, context: ViewerContext) -> Choice:
    """The choice of an address. The line has none: its form says the rest, and nobody is chosen."""
    if request.GET or request.method != "POST":
        return _read_choice(request.GET, context)
    return replace(_read_choice(request.POST, context), who="")


def _read_zone(request: HttpRequest) -> str:
    """Where they come in: as the address says, else as the form does."""
    return request.GET.get("zone", request.POST.get("zone", ""))


def _read_choice(said: Mapping[str, str], context: ViewerContext) -> Choice:
    """The choice that an address or a form asks for; words that name nothing count as blank."""
    asked = {name: said.get(name, "").strip()[:MAX_LENGTH] for name in Choice.__dataclass_fields__}
    sides = list_sides(context.known_state)
    count, side = asked.pop("count"), asked.pop("side")
    to = TABLE if TABLE in (asked.pop("to"), said.get("next")) else ""
    choice = Choice(**asked, count=count, side=side if side in sides else sides[0], to=to)
    return choice if count in COUNTS else replace(choice, count=choice.usual_count)


def _find_shown(
    request: HttpRequest, context: ViewerContext, choice: Choice, box: PeopleBox
) -> dict[str, Any]:
    """The values of the page's template. The line `reads` as notes unless a card was chosen after it."""
    system, state = context.system, context.known_state
    cards = [replace(one, danger=read_danger(context, one.key)) for one in list_cards(request, context)]
    found = _find_fitting(cards, choice, box)
    chosen = next((one for one in cards if one.key == choice.who), found[0] if found else None)
    counts = Counter(one.side for one in present(state))
    others = {"count": ""} if choice.count == choice.usual_count else {}
    return {
        "encounter": context.encounter,
        "system": system,
        "phase": state.phase,
        "round": state.round,
        "order": _find_order(context),
        "choice": choice,
        "total": len(cards),
        "is_measuring": any(one.danger and one.danger.running for one in cards),
        "unmeasured": sum(one.danger is None for one in cards),
        "cards": [(one, choice.make_query(who=one.key, **others)) for one in found],
        "chosen": chosen,
        "lines": _preview(request, context, chosen),
        "counts": [(n, choice.make_query(count=n), n == choice.count) for n in COUNTS],
        "sides": [(side, choice.make_query(side=side), side == choice.side) for side in list_sides(state)],
        "where": entering.view_entries(context, box.zone),
        "filters": _make_filters(cards, choice),
        "has_party": find_party_state(context) is not None,
        "query": choice.make_query(),
        "there": [(side, counts[side]) for side in counts],
        "odds": odds_view.view_odds(context),
        "people": box,
        "reads": bool(box.groups) and not choice.who,
        "most": MAX_LINE,
        "example": system.book.imports.short_example,
    }


def _find_order(context: ViewerContext) -> list[CombatantView]:
    """Those who fight, in the order of their turns; nobody before the fight."""
    state = context.known_state
    if state.phase != "fight":
        return []
    people = find_people(context)
    ordered = [*state.order, *(one.id for one in present(state) if one.id not in state.order)]
    return [people[who] for who in ordered if who in people]


def _find_fitting(cards: list[Card], choice: Choice, box: PeopleBox) -> list[Card]:
    """The cards with the words of the line, else those of whom it names as notes; the named ones first."""
    kept, words = [one for one in cards if _fits(one, choice)], box.text.casefold().split()
    named = {group.source for group in box.groups}
    found = [one for one in kept if _has(one, words)]
    if not found:
        names = {word for one in cards if one.key in named for word in one.name.casefold().split()}
        found = [one for one in kept if one.key in named or names & {*one.name.casefold().split()}]
    return sorted(found, key=lambda one: one.key not in named)


def _fits(card: Card, choice: Choice) -> bool:
    """Whether a card passes all filters."""
    if choice.source and choice.source != card.source:
        return False
    if choice.kind and card.kind != choice.kind:
        return False
    return not choice.level or (card.danger is not None and card.danger.level == choice.level)


def _has(card: Card, words: list[str]) -> bool:
    """Whether a card has all these words in its name, kind or items."""
    said = f"{card.name} {card.kind} {card.summary}".casefold()
    return all(word in said for word in words)


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
    offered = find_offered(
        request.user, system.slug, "", context.find_campaign_id(things.NPC), with_sheets=True
    )
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
    found = find_block(request, context, chosen.key)
    return found.lines if found else ()


# The library of stat blocks: what a search found, and a block before it is taken.


@dataclass(frozen=True)
class BlockView:
    """A stat block or an own NPC: its name, its kind, its token, and its lines by label."""

    key: str
    name: str
    kind: str
    look: Look
    lines: tuple[tuple[str, str], ...]


def view_block(system: System, key: str, name: str, kind: str, sheet: Mapping[str, Any]) -> BlockView:
    """The preview of a sheet; one that is no longer valid has no lines."""
    plain = dict(sheet)
    if find_problems(system, plain):
        return BlockView(key, name, kind, look=Look("is-foe", face="stranger"), lines=())
    plain = check_sheet(system, plain)
    made = system.characters.make_combatant(ME, name, "", plain, {})
    look = find_look(system, made, "is-foe", active=False, down=False)
    told = (*tell(system, name, plain), (NOTES, "; ".join(plain.get("notes", ()))))
    lines = tuple((label, str(value)[:MAX_VALUE]) for label, value in told if value)
    return BlockView(key, name, kind, look=look, lines=lines)


def list_found(join: JoinForm, find: str) -> list[tuple[str, str]]:
    """The blocks that a search found, each with the query of the page that shows it; none without words."""
    if not find:
        return []
    found = [(urlencode({"find": find, "block": key}), label.split(" (")[0]) for key, label in join.blocks]
    return found[:MAX_FOUND]


def list_tiers(system: System) -> list[str]:
    """The tiers of a game's stat blocks, in the order of the book, to filter by."""
    return list(dict.fromkeys(block.tier for block in system.book.find_blocks().values() if block.tier))


def preview(request: HttpRequest, context: ViewerContext, join: JoinForm) -> BlockView | None:
    """The block that is chosen in the form, else the first that it offers; None without any."""
    keys = [key for key, _ in join.blocks]
    wanted = str(join["block"].value() or "")
    key = wanted if wanted in keys else next(iter(keys), "")
    return find_block(request, context, key)


def find_block(request: HttpRequest, context: ViewerContext, key: str) -> BlockView | None:
    """A stat block, or an NPC of the viewer's own, by its key; None if it is gone."""
    system = context.system
    if key.startswith(NPC):
        try:
            own = find_fields(request.user, system.slug, key.removeprefix(NPC))
        except Refused:
            return None
        return view_block(system, key, own["name"], kind="your NPC", sheet=own["sheet"])
    block = system.book.find_block(key)
    return view_block(system, key, block.name, kind=block.tier, sheet=block.sheet) if block else None
