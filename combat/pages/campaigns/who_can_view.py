"""Who of us can…: one look for a party or a table, by skill, with totals as the owners of sheets share them.

They are the totals of an unhurt sheet, outside of any fight: nobody's wounds can be worked out from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import can_edit
from characters.display.totals import (
    Total,
    find_against,
    find_stats,
    find_total,
    list_stats,
    list_trained,
    try_sheet,
)
from characters.games import make_state, plan_of
from characters.guests import for_keepers, visitor_of
from characters.models import Character
from characters.services.character_service import GM_ALONE, share_totals
from combat.audience.rights import check_takes_part
from combat.display.combatants.tokens import Look, draw_character
from combat.models import Campaign, Encounter, Participation
from combat.play.campaigns import chest
from combat.play.campaigns.chest import Visitor
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.commands.commands import Field
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME, Stat
from combat.rules.core.state.state import present
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of

from ..table.rows import view_known

DONE = 303
UNKNOWN = "No skill or attribute is called that: try a shorter word."
MAX_WORDS, MAX_AGAINST = 60, 20  # characters


@dataclass(frozen=True)
class Member:
    """Someone at the table or of the party, with their sheet.

    `number` is that of a character; it is `kept` if its owner shows its totals to the GM alone, and `mine` if
    the reader decides that.
    """

    name: str
    sheet: dict[str, Any]
    look: Look | None
    player: str = ""
    number: int = 0
    kept: bool = False
    mine: bool = False


@dataclass(frozen=True)
class WhoRow:
    """A member with their total for what was asked; without one if they keep it to the GM."""

    member: Member
    total: Total | None

    @property
    def rank(self) -> tuple[bool | float | str, ...]:
        """Its place: who may be read first, by chance, then by total; the others by name."""
        if self.total is None:
            return True, self.member.name
        return False, -float(self.total.chance or "0"), -self.total.number, self.member.name


@dataclass(frozen=True)
class SkillRow:
    """A skill with the total of each member, None where nobody may read one, and whether it is the best."""

    stat: Stat
    cells: list[tuple[Total | None, bool]]


# ---------------------------------------------------------------- the pages


@for_keepers
@require_http_methods(["GET", "HEAD", "POST"])
def show_for_party(request: HttpRequest, pk: int) -> HttpResponse:
    """Who of a campaign's party can do something, for its GM and the party; Http404 for others."""
    campaign, visitor = Campaign.objects.filter(pk=pk).first(), visitor_of(request)
    if campaign is None or not chest.may_use(visitor, campaign):
        raise Http404("Party not found, or not yours.")
    games = list(
        dict.fromkeys(chest.find_party(campaign).order_by("system").values_list("system", flat=True))
    )
    asked = request.GET.get("game", "")
    slug = asked if asked in games else next(iter(games), next(iter(SYSTEMS)))
    party = chest.find_party(campaign, slug)
    is_gm = chest.is_gm(visitor, campaign)
    if (status := _share(request, party, visitor)) == DONE:
        return HttpResponseRedirect(request.get_full_path(), status=DONE)
    people = [_view_character(one, visitor) for one in chest.find_party(campaign, slug)]
    shown = {
        "up": campaign if is_gm else None,
        "title": campaign.name,
        "games": [find_system(one) for one in games],
        "table": None,
    }
    return _render(request, find_system(slug), people, is_gm, shown, status)


def _view_character(one: Character, visitor: Visitor) -> Member:
    return Member(
        one.name,
        one.sheet,
        draw_character(one, "is-ally"),
        one.owner.get_username() if one.owner else "",
        one.pk,
        kept=one.totals == GM_ALONE,
        mine=can_edit(visitor, one),
    )


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_for_table(request: HttpRequest, pk: int) -> HttpResponse:
    """Who at a table can do something: the heroes of one's own side, for the GM all of them."""
    context, visitor = find_context(request, pk), visitor_of(request)
    check_takes_part(context.viewer)
    brought = _find_brought(context.encounter)
    if (status := _share(request, brought.values(), visitor)) == DONE:
        return HttpResponseRedirect(request.get_full_path(), status=DONE)
    people = list(_view_table(context, brought, visitor))
    shown = {"up": None, "title": context.encounter.name, "games": (), "table": context.encounter}
    return _render(request, context.system, people, context.viewer.is_gm, shown, status)


def _find_brought(encounter: Encounter) -> dict[str, Character]:
    """The characters that were brought to an encounter, by combatant."""
    rows = Participation.objects.filter(encounter=encounter).select_related("character__owner")
    return {row.combatant: row.character for row in rows}


def _view_table(context: ViewerContext, brought: dict[str, Character], visitor: Visitor) -> Iterable[Member]:
    """The heroes whom a viewer knows: of their own side, for the GM of all."""
    state, viewer, rows = context.known_state, context.viewer, view_known(context)
    sides = {state[who].side for who in viewer.seats if who in state.combatants}
    for one in present(state):
        if one.id not in rows or not (viewer.is_gm or viewer.plays(one.id) or (one.pc and one.side in sides)):
            continue
        if not one.pc and not viewer.plays(one.id):
            continue
        character = brought.get(one.id)
        yield Member(
            rows[one.id].full_name,
            one.sheet,
            rows[one.id].look.plain,
            rows[one.id].player,
            character.pk if character else 0,
            kept=character is not None and character.totals == GM_ALONE,
            mine=character is not None and can_edit(visitor, character),
        )


def _share(request: HttpRequest, people: Iterable[Character], visitor: Visitor) -> int:
    """Do what a form asks: who sees the totals of an own character. The status of the answer."""
    if request.method != "POST":
        return 200
    number = read_count(request.POST.get("character", ""))
    one = next((one for one in people if one.pk == number and can_edit(visitor, one)), None)
    try:
        if one is None:
            raise Refused("not_allowed", "Only its owner says who sees a character's totals.")
        share_totals(one, request.POST.get("totals", "?"))
    except Refused as refused:
        messages.warning(request, refused.message)
        return status_of(refused)
    messages.success(request, f"{one.name}: saved.")
    return DONE


# ---------------------------------------------------------------- what is shown


def _render(
    request: HttpRequest,
    system: System,
    people: list[Member],
    is_gm: bool,
    shown: dict[str, Any],
    status: int,
) -> HttpResponse:
    words = request.GET.get("q", "")[:MAX_WORDS]
    stats = find_stats(system, words)
    key = request.GET.get("skill", "")
    known = {stat.key: stat for stat in list_stats(system)}
    chosen = known.get(key) or next(iter(stats), None)
    against = request.GET.get("against", "")[:MAX_AGAINST]
    rows = _view_rows(system, people, is_gm, chosen, against) if chosen else []
    shown |= {
        "system": system,
        "labels": [stat.label for stat in known.values()],
        "words": words,
        "found": stats if len(stats) > 1 else (),
        "chosen": chosen,
        "against": against,
        "number": _find_number(system, people, chosen) if chosen else None,
        "rows": rows,
        "people": people,
        "skills": () if words and not chosen else _view_all(system, people, is_gm),
        "best": rows[0] if rows and rows[0].total else None,
        "mine": [one for one in people if one.mine],
        "is_gm": is_gm,
        "problem": UNKNOWN if words and not chosen else "",
    }
    return render(request, "combat/campaigns/who_can.html", shown, status=status)


def _view_rows(system: System, people: list[Member], is_gm: bool, stat: Stat, against: str) -> list[WhoRow]:
    """Everyone with their total; of whom keeps it to the GM, others learn nothing."""
    rows = [
        WhoRow(
            one,
            None
            if one.kept and not (is_gm or one.mine)
            else find_total(system, try_sheet(system, one.name, one.sheet), stat, against),
        )
        for one in people
    ]
    return sorted(rows, key=lambda row: row.rank)


def _view_all(system: System, people: list[Member], is_gm: bool) -> list[SkillRow]:
    """All that somebody has learned, skill by skill: the total of each, the best ones marked."""
    tried = {
        n: try_sheet(system, one.name, one.sheet)
        for n, one in enumerate(people)
        if is_gm or one.mine or not one.kept
    }
    found = []
    for stat in list_trained(system, tried.values()):
        totals = {n: find_total(system, each, stat) for n, each in tried.items()}
        most = max((one.number for one in totals.values() if one), default=None)
        cells = [totals.get(n) for n in range(len(people))]
        found.append(SkillRow(stat, [(one, one is not None and one.number == most) for one in cells]))
    return found


def _find_number(system: System, people: list[Member], stat: Stat) -> Field | None:
    """The field that names the number to reach, as the check's own form has it; None without one."""
    check = stat.offers[0].action
    name = find_against(system, check)
    if not people:
        return None
    state = make_state(system, people[0].name, people[0].sheet)
    fields = plan_of(system).checks[check].find_fields(state, ME)
    return next((field for field in fields if field.name == name), None)
