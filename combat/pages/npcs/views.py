"""The form of an own NPC: a new one, one after a stat block or another NPC, or a change."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from characters.games import check_sheet, choose_game, find_games, find_problems, furnish_sheet, plan_of
from characters.gear.live import take_fix
from characters.models import Character
from characters.services import character_service
from combat.display.combatants.cards import NPC
from combat.models import Encounter
from combat.play.campaigns.campaigns import add_members
from combat.play.campaigns.npcs import find_npc
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import blank_draft
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import see_other

from .forms import Base, LiveNpc, NpcForm, Slot, find_offers, view_live

STEPS = ("add", "skill", "redraw")  # buttons that only draw the form again


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make_npc(request: HttpRequest) -> HttpResponse:
    """Make an NPC: from nothing, or `from` a block or another NPC; `for` an encounter, in its campaign."""
    asked = request.POST if request.method == "POST" else request.GET
    system = choose_game(asked.get("game", ""))
    base = _find_base(request, system, asked.get("from", "")[:80])
    return _edit(request, system, base)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_npc(request: HttpRequest, pk: int) -> HttpResponse:
    """Change an own NPC; people in fights keep what they have."""
    npc = get_object_or_404(character_service.find_npcs(person_of(request)), pk=pk)
    system = choose_game(npc.system)
    if find_problems(system, npc.sheet):
        raise Http404("This NPC no longer fits the rules: open the sheet.")
    return _edit(request, system, _read_npc(system, npc), npc)


def _find_base(request: HttpRequest, system: System, key: str) -> Base:
    """What a new NPC begins as; Http404 for a key that names nobody."""
    if not key:
        plan = plan_of(system)
        sheet = check_sheet(system, plan.write({}, blank_draft(plan)))
        return Base("", "", line="", face="", sheet=sheet)
    if key.startswith(NPC):
        npc = find_npc(person_of(request), system.slug, key.removeprefix(NPC))
        if npc is None or find_problems(system, npc.sheet):
            raise Http404("That NPC is not yours, or no longer fits the rules.")
        return _read_npc(system, npc)
    block = system.book.find_block(key)
    if block is None:
        raise Http404("That stat block is not in the library.")
    sheet = check_sheet(system, furnish_sheet(system, dict(block.sheet)))
    return Base(block.name, block.tier, line="", face="", sheet=sheet)


def _read_npc(system: System, npc: Character) -> Base:
    line = npc.notes.splitlines()[0] if npc.notes else ""
    sheet = check_sheet(system, furnish_sheet(system, npc.sheet))
    return Base(npc.name, npc.kind, line=line, face=npc.face, sheet=sheet)


def _find_encounter(request: HttpRequest, data: QueryDict) -> Encounter | None:
    """The encounter of the viewer that the NPC is made for."""
    number = read_count(data.get("for", "")) or 0
    return Encounter.objects.filter(pk=number, owner=person_of(request)).first() if number else None


def _edit(request: HttpRequest, system: System, base: Base, npc: Character | None = None) -> HttpResponse:
    """Show the form, or save it; "show" draws its card, "take" puts a value in."""
    offers = {one.key: one for one in find_offers(person_of(request), system)}
    posted, status = request.POST.copy(), 200
    do = posted.get("do", "")
    if "take" in posted:
        posted, do = take_fix(posted), "redraw"
    if "need" in posted:  # a skill that a weapon needs, offered beside it
        posted["wanted_skill"], posted["do"] = str(posted["need"]), "skill"
        do = "skill"
    form = NpcForm(system, base, offers, posted if request.method == "POST" else None)
    context: dict[str, Any] = {"form": form, "system": system, "npc": npc}
    if do == "show":
        return render(request, "combat/npcs/live.html", {**context, "live": view_live(form), "is_live": True})
    if request.method == "POST" and do not in STEPS:
        try:
            if form.is_valid():
                return _go_on(request, _save(request, form, npc))
            status = 422
        except Refused as refused:
            form.add_error(None, refused.message)
            status = status_of(refused)
    live = view_live(form)
    groups = groupby(offers.values(), key=lambda one: one.kind)
    context |= {
        "live": live,
        "words": _pair(form, live, form.words),
        "choices": _pair(form, live, form.selections),
        "numbers": _pair(form, live, form.attributes),
        "trained": _pair(form, live, form.skills),
        "counters": [_pair(form, live, names) for names in form.counters],
        "offers": [(kind, list(found)) for kind, found in groups],
        "games": find_games(),
        "encounter": _find_encounter(request, request.POST or request.GET),
        "source": (request.POST or request.GET).get("from", "")[:80],
        "has_face": bool(live.card and live.card.look.face),
    }
    return render(request, "combat/npcs/form.html", context, status=status)


def _pair(form: NpcForm, live: LiveNpc, names: Iterable[str]) -> list[tuple[BoundField, Slot]]:
    """Fields, each with what stands below it."""
    slots = {one.name: one for one in live.slots}
    return [(form[name], slots[name]) for name in names]


def _save(request: HttpRequest, form: NpcForm, npc: Character | None) -> Character:
    """Make the NPC, or change it in one step of its history; raises Refused."""
    owner, said, sheet = person_of(request), form.cleaned_data, form.make_sheet()
    if npc is None:
        made = character_service.create(
            owner,
            form.system.slug,
            said["name"],
            sheet,
            notes=said["line"],
            what=f"Copied from {form.base.name}" if form.base.name else "Created",
            npc=True,
            kind=said["kind"],
            face=said["face"],
        )
        encounter = _find_encounter(request, request.POST)
        if encounter and encounter.campaign:
            add_members(encounter.campaign, [made.pk], npc=True)
        return made
    rest = npc.notes.splitlines()[1:]
    notes = "\n".join([said["line"], *rest]).strip()
    fields = {"name": said["name"], "sheet": sheet, "notes": notes, "face": said["face"]}
    by, version = owner.get_username(), read_count(request.POST.get("version", "")) or npc.version
    character_service.set_kind(npc, said["kind"])
    return character_service.change(npc.pk, "Changed", by=by, version=version, author=owner, **fields)


def _go_on(request: HttpRequest, npc: Character) -> HttpResponse:
    """Lead back to the gallery, with the new one chosen, or to the list of NPCs."""
    messages.success(request, f"{npc.name} saved.")
    encounter = _find_encounter(request, request.POST)
    if encounter is None:
        return see_other("npcs")
    answer = see_other("prep_people", encounter.pk)
    answer["Location"] = (
        f"{reverse('prep_people', args=[encounter.pk])}?{urlencode({'who': f'{NPC}{npc.pk}'})}"
    )
    return answer
