"""The party's chest of a campaign, and handing something over in peace: the pages of the GM and the party."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from characters.access import can_edit, find_character
from characters.games import find_problems
from characters.gear import passing
from characters.guests import for_keepers, visitor_of
from characters.models import Character
from combat.display.combatants.tokens import Look, draw_character
from combat.models import Campaign, Transfer
from combat.play.campaigns import chest
from combat.play.campaigns.chest import Wish
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.loot import find_money
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx, see_other

MONEY = "money"  # in place of an item
CHEST = "chest"  # in place of a person
LOG_SHOWN = 30
MOST_NEW = 400  # names of the catalogue that the GM's list offers


@dataclass(frozen=True)
class ThingRow:
    """A thing in the chest, or on a sheet."""

    key: str
    name: str
    count: int


@dataclass(frozen=True)
class Act:
    """A line of the chest's log: who did it, what in words, and by whom it was undone."""

    act: Transfer
    words: str
    undone_by: str = ""


@dataclass(frozen=True)
class Whom:
    """Someone of the party, or the chest, who can get something; with the reason if they cannot."""

    key: str
    name: str
    look: Look | None
    refused: str = ""


# ---------------------------------------------------------------- the chest


@for_keepers
@require_http_methods(["GET", "HEAD", "POST"])
def show_chest(request: HttpRequest, pk: int) -> HttpResponse:
    """The chest of a campaign: what lies in it, its log, taking out and putting in; Http404 for others."""
    campaign = Campaign.objects.filter(pk=pk).first()
    if campaign is None or not chest.may_use(visitor_of(request), campaign):
        raise Http404("Chest not found, or not of your party.")
    slug, status = _find_game(request, campaign), 200
    if request.method == "POST":
        try:
            messages.success(request, _perform(request, campaign, slug))
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
        else:
            answer = see_other("chest", campaign.pk)
            answer["Location"] += "?" + urlencode({"game": slug, "who": request.POST.get("who", "")})
            return answer
    return render(
        request, "combat/campaigns/chest/chest.html", _view_chest(request, campaign, slug), status=status
    )


def _find_games(campaign: Campaign) -> list[str]:
    """The games of the party, that of the newest fight first."""
    known = [*campaign.encounters.order_by("-changed").values_list("system", flat=True)[:1]]
    party = chest.find_party(campaign).order_by("system").values_list("system", flat=True)
    return list(dict.fromkeys([*known, *party, *campaign.chests.values_list("system", flat=True)]))


def _find_game(request: HttpRequest, campaign: Campaign) -> str:
    games = _find_games(campaign)
    asked = request.POST.get("game") or request.GET.get("game", "")
    mine = [one.system for one in chest.find_mine(visitor_of(request), campaign)]
    if asked in games:
        return asked
    return next((one for one in games if one in mine), next(iter(games), next(iter(SYSTEMS))))


def _perform(request: HttpRequest, campaign: Campaign, slug: str) -> str:
    """Do what a form of the chest asks; returns what to say. Raises Refused."""
    visitor, asked = visitor_of(request), request.POST
    do = asked.get("do", "")
    if do == "undo":
        act = chest.undo(visitor, campaign, slug, read_count(asked.get("number", "")) or 0)
        return f"Undone: {act.by} {chest.say_act(act)}."
    if do == "new":
        act = chest.add_new(visitor, campaign, slug, asked.get("name", ""), _read_wish(asked))
        return f"{act.what} added to the chest."
    if do not in ("take", "put"):
        raise Refused("unknown", "The chest has no such action: take, add or undo.")
    one = _find_one(request, campaign, slug)
    giver, taker = (None, one) if do == "take" else (one, None)
    act = chest.pass_now(visitor, campaign, giver, taker, _read_wish(asked))
    return f"{act.what}: now with {one.name}." if taker else f"{act.what}: now in the chest."


def _read_wish(asked: QueryDict) -> Wish:
    """What a form wants to pass; Refused for words that are no number."""
    item = asked.get("item", "")
    number = read_count(asked.get("count", "1").replace(",", "").strip())
    if not number or number > chest.MAX_MONEY:
        raise Refused("bad_value", "How many? Type a number of 1 or more.")
    if item == MONEY:
        return Wish(money=number, once=asked.get("once", ""))
    return Wish(item=item[:60], count=number, once=asked.get("once", ""))


def _find_one(request: HttpRequest, campaign: Campaign, slug: str) -> Character:
    """The own character that a form names, or the only one; Refused if there is none."""
    mine = chest.find_mine(visitor_of(request), campaign, slug)
    asked = request.POST.get("who", "")
    found = next((one for one in mine if str(one.pk) == asked), mine[0] if len(mine) == 1 else None)
    if found is None:
        raise Refused("bad_target", "Choose for which of your characters.")
    return found


def _view_chest(request: HttpRequest, campaign: Campaign, slug: str) -> dict[str, Any]:
    visitor, system = visitor_of(request), find_system(slug)
    stored = chest.find_chest(campaign, slug)
    last = chest.find_last(campaign, slug)
    is_gm = chest.is_gm(visitor, campaign)
    money = system.book.sheets.money if system.book.sheets else None
    mine = [one for one in chest.find_mine(visitor, campaign, slug) if not find_problems(system, one.sheet)]
    asked = request.POST.get("who") or request.GET.get("who", "")
    return {
        "campaign": campaign,
        "system": system,
        "games": [find_system(one) for one in _find_games(campaign)],
        "money": money,
        "amount": stored.money,
        "things": [ThingRow(*one) for one in chest.list_things(stored)],
        "mine": [(one, draw_character(one, "is-ally")) for one in mine],
        "me": next((one for one in mine if str(one.pk) == asked), next(iter(mine), None)),
        "is_gm": is_gm,
        "new": _list_new(system) if is_gm else (),
        "log": [_view_act(act) for act in chest.find_log(campaign, slug)[:LOG_SHOWN]],
        "undo": _view_act(last) if last and chest.may_undo(visitor, last) else None,
        "once": secrets.token_urlsafe(),
    }


def _view_act(act: Transfer) -> Act:
    is_undone = act.state == Transfer.UNDONE
    return Act(act, chest.say_act(act), act.ended_by if is_undone else "")


def _list_new(system: System) -> list[str]:
    """The names of the catalogue's items, for what the GM adds."""
    catalogue = system.book.catalogue
    if catalogue is None:
        return []
    entries = catalogue.find_entries()
    names = {one.name for one in entries if not catalogue.is_built_in(one.kind, one.record)}
    return sorted(names)[:MOST_NEW]


# ---------------------------------------------------------------- handing over


@for_keepers
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand something of a character over: what, to whom, how many; a POST offers it, or answers an offer."""
    character, status = find_character(request, pk, may=can_edit), 200
    if request.method == "POST":
        try:
            messages.success(request, _answer(request, character))
        except Refused as refused:
            messages.warning(request, refused.message)
            if request.POST.get("do") != "offer":
                return _to_sheet(character)
            status = status_of(refused)
        else:
            return _to_sheet(character)
    asked = request.POST if request.method == "POST" else request.GET
    shown = _view_handing(request, character, asked)
    page = "combat/campaigns/chest/hand_over.html"
    return render(request, page + ("#form" if is_htmx(request) else ""), shown, status=status)


def _to_sheet(character: Character) -> HttpResponse:
    answer = see_other("character", character.pk)
    answer["Location"] = reverse("character", args=[character.pk]) + "?part=gear#gear"
    return answer


def _answer(request: HttpRequest, character: Character) -> str:
    """Do what a form asks; returns what to say. Raises Refused."""
    visitor, asked = visitor_of(request), request.POST
    do, number = asked.get("do", ""), read_count(asked.get("number", "")) or 0
    if do in ("take", "decline"):
        act = chest.answer(visitor, number, takes=do == "take")
        if do == "take":
            return f"{act.what} from {act.giver_name}: now with {act.taker_name}."
        return f"{act.what}: {act.giver_name} keeps that."
    if do == "back":
        act = chest.give_back(visitor, number)
        return f"{act.what}: back with {act.giver_name}."
    if do != "offer":
        raise Refused("unknown", "This page has no such action: offer, take or decline.")
    campaign, wish = _choose_campaign(character, asked), _read_wish(asked)
    if campaign is None:
        raise Refused("not_allowed", f"{character.name} is in no campaign: nobody is there to hand it to.")
    if asked.get("to") == CHEST:
        act = chest.pass_now(visitor, campaign, character, None, wish)
        return f"{act.what}: now in the chest."
    party = chest.find_party(campaign, character.system)
    taker = party.filter(pk=read_count(asked.get("to", "")) or 0).first()
    if taker is None:
        raise Refused("bad_target", "Choose to whom: one of the party, or the chest.")
    if can_edit(visitor, taker):
        act = chest.answer(visitor, chest.offer(visitor, campaign, character, taker, wish).pk, takes=True)
        return f"{act.what}: now with {taker.name}."
    act = chest.offer(visitor, campaign, character, taker, wish)
    return f"{act.what} offered to {taker.name}: they take it, or not."


def _choose_campaign(character: Character, asked: QueryDict) -> Campaign | None:
    found = list(chest.find_parties(character))
    return next((one for one in found if str(one.pk) == asked.get("campaign")), next(iter(found), None))


def _view_handing(request: HttpRequest, character: Character, asked: QueryDict) -> dict[str, Any]:
    system, campaign = find_system(character.system), _choose_campaign(character, asked)
    things = [ThingRow(*one) for one in passing.list_things(system, character.sheet)]
    money = find_money(system, character.sheet)
    if money and (have := int(character.sheet[money.key])):
        things.append(ThingRow(MONEY, money.label, have))
    thing = next((one for one in things if one.key == asked.get("item")), things[0] if things else None)
    whom = _list_whom(request, campaign, character, thing)
    open_ones = [one.key for one in whom if not one.refused]
    to = asked.get("to", "") if asked.get("to", "") in open_ones else next(iter(open_ones), "")
    wanted = read_count(asked.get("count", "1").replace(",", "")) or 1
    count = min(wanted, thing.count if thing else 1)
    return {
        "character": character,
        "system": system,
        "campaign": campaign,
        "campaigns": list(chest.find_parties(character)),
        "things": things,
        "thing": thing,
        "whom": whom,
        "to": to,
        "to_one": next((one for one in whom if one.key == to), None),
        "is_mine": to.isdecimal()
        and can_edit(visitor_of(request), Character.objects.filter(pk=int(to)).first() or character),
        "count": count,
        "keeps": thing.count - count if thing else 0,
        "problem": _find_obstacle(character),
        "once": secrets.token_urlsafe(),
    }


def _find_obstacle(character: Character) -> str:
    """Why nothing leaves this sheet now; empty if something may."""
    try:
        chest.check_free(character)
    except Refused as refused:
        return refused.message
    return ""


def _list_whom(
    request: HttpRequest, campaign: Campaign | None, character: Character, thing: ThingRow | None
) -> list[Whom]:
    """Who can get a thing: the others of the party, each as far as their sheet takes it, and the chest."""
    if campaign is None or thing is None:
        return []
    system, found = find_system(character.system), list[Whom]()
    for one in chest.find_party(campaign, character.system).exclude(pk=character.pk):
        found.append(
            Whom(
                str(one.pk),
                one.name,
                draw_character(one, "is-ally"),
                _find_reason(system, character, one, thing),
            )
        )
    return [*found, Whom(CHEST, "Chest", None)]


def _find_reason(system: System, giver: Character, taker: Character, thing: ThingRow) -> str:
    """Why someone's sheet does not take a thing; empty if it does."""
    try:
        if thing.key == MONEY:
            passing.add_money(system, taker.sheet, 1)
        else:
            part = passing.take_out(system, giver.sheet, thing.key, 1)[1]
            passing.put_in(system, taker.sheet, part)
    except Refused as refused:
        return refused.message
    return ""
