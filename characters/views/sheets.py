"""The pages of characters: the list, and the sheet with all its forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx
from cosmos_site.base.markdown import split_sections

from ..access import can_edit, can_read, can_track, check_change, find_character, find_hostings
from ..display import rolls
from ..display.editing import (
    ADDING,
    SECTIONS,
    BadForm,
    edit,
    open_section,
    read_typed,
    reopen_section,
)
from ..display.forms import SectionForm, make_section_form
from ..display.sheet_view import measure_rolls, recent_changes, view_rolls, view_sheet
from ..games import find_game
from ..guests import find_tables, for_keepers, keeper_of, visitor_of
from ..models import Character
from ..ports import encounters
from ..services import character_service
from ..story import read_story
from .lists import posted_from, view_list

PLACES_OF = {  # where on the sheet a change shows, for returning there without scripts
    **{do: do for do in ("attributes", "skills", "notes", "story", "bought", "counters")},
    **dict.fromkeys(("equip", "stow", "reload", "drop", "item"), "gear"),
    "money": "purse",
    "forget_bought": "bought",
    "rounds": "attacks",
    "about": "who",
    "roll": "rolls",
}
ROLLS_SHOWN, CHANGES_SHOWN = 20, 30
PART_OF = {  # of forms and places, on a phone; all others are in the first part
    **dict.fromkeys(("skills", "own", "rolls"), "skills"),
    **dict.fromkeys(("item", "money", "gear", "purse"), "gear"),
    **dict.fromkeys(("about", "who", "story", "bought", "notes"), "story"),
}


# ---------------------------------------------------------------- the list


@for_keepers
@require_http_methods(["GET", "HEAD"])
def list_characters(request: HttpRequest) -> HttpResponse:
    """A person's characters, newest first: in use, archived or deleted; searched by name, game and more."""
    owner, show = keeper_of(request), request.GET.get("show", "")
    mine = character_service.find_mine(owner).filter(archived=show == "archived")
    rows = character_service.find_deleted(owner) if show == "deleted" else mine
    context = view_list(
        request, rows, ("name", "summary"), label="Search characters", example="Name or species"
    )
    partial = "#found" if is_htmx(request) else ""
    return render(request, f"characters/list.html{partial}", context)


# ---------------------------------------------------------------- the sheet


@for_keepers
@require_http_methods(["GET", "HEAD", "POST"])
def show_character(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the sheet; a POST changes it and shows the result. A deleted one leads to its list."""
    if request.method != "POST":
        try:
            return render_sheet(request, find_character(request, pk, may=can_read))
        except Http404:
            gone = find_character(request, pk, deleted=True, may=can_edit)  # Http404 for all others
            messages.info(request, f"{gone.name} is deleted: restore them here.")
            return redirect(f"{reverse(_list_of(gone))}?show=deleted")
    character = find_character(request, pk, may=can_track)
    try:
        answer = _perform(request, character)
    except Refused as refused:
        return render_sheet(request, find_character(request, pk, may=can_track), refused=refused)
    if answer:
        return answer
    if is_htmx(request):
        return render_sheet(request, find_character(request, pk, may=can_track), done=True)
    place = PLACES_OF.get(request.POST.get("do", ""))
    part = PART_OF.get(place or "", "")
    query = f"?part={part}" if part else ""
    return redirect(reverse("character", args=[pk]) + query + (f"#{place}" if place else ""))


def _perform(request: HttpRequest, character: Character) -> HttpResponse | None:
    """Do what the posted form says; raises Refused."""
    posted, by = request.POST, visitor_of(request).get_username()
    do, version = posted.get("do", ""), _read_version(posted.get("version", ""))
    if do in OF_THE_OWNER:
        check_change(visitor_of(request), character, {})
    if do in ACTIONS:
        return ACTIONS[do](request, character)
    if do == "undo":
        character_service.undo(character.pk, by=by, version=version)
    elif do == "redo":
        character_service.redo(character.pk, by=by, version=version)
    elif do == "roll":
        told = rolls.roll(find_game(character.system), character, posted)
        character_service.keep_roll(character, told, by)
    else:
        what, fields = edit(find_game(character.system), character, do, posted)
        seen = character.version if version is None else version  # the sheet they changed is that one
        author = visitor_of(request)
        character_service.change(character.pk, what, by=by, version=seen, author=author, **fields)
    return None


def _read_version(word: str) -> int | None:
    if not word:
        return None
    if not word.isdecimal() or len(word) > 9:
        raise Refused("bad_value", "This page is out of date: reload it.")
    return int(word)


def _duplicate(request: HttpRequest, character: Character) -> HttpResponse:
    copy = character_service.duplicate(character, keeper_of(request))
    messages.success(request, f"{copy.name} created.")
    return redirect("character", copy.pk)


def _set_kind(request: HttpRequest, character: Character) -> HttpResponse:
    character_service.set_kind(character, request.POST.get("kind", ""))
    return redirect("character", character.pk)


def _archive(request: HttpRequest, character: Character) -> HttpResponse:
    character_service.archive(character)
    done = "restored" if character.archived else "archived"
    messages.success(request, f"{character.name} {done}.")
    return redirect(_list_of(character))


def _list_of(character: Character) -> str:
    """The name of the page that lists it."""
    return "npcs" if character.npc else "characters"


def _delete(request: HttpRequest, character: Character) -> HttpResponse:
    character_service.delete(character)
    messages.success(
        request, f"{character.name} deleted. You can restore them for {character_service.GRACE.days} days."
    )
    return redirect(_list_of(character))


ACTIONS = {"duplicate": _duplicate, "archive": _archive, "delete": _delete, "kind": _set_kind}
OF_THE_OWNER = frozenset({*ACTIONS, "undo", "redo", "roll"})  # not for a GM who only keeps the tracks


@posted_from("characters", "Restore a character with its button.", "?show=deleted", same=False)
@for_keepers
def restore_character(request: HttpRequest, pk: int) -> HttpResponse:
    """Bring a deleted character back."""
    character = find_character(request, pk, deleted=True)
    try:
        character_service.restore(character)
    except Refused as refused:
        messages.warning(request, refused.message)
        return redirect(f"{reverse(_list_of(character))}?show=deleted")
    messages.success(request, f"{character.name} restored.")
    return redirect("character", pk)


def render_sheet(
    request: HttpRequest,
    character: Character,
    refused: Refused | None = None,
    done: bool = False,
    section: str = "",
) -> HttpResponse:
    """The page, or only its changing part for htmx; `section` is the one whose form is open."""
    system = find_game(character.system)
    if not can_edit(visitor_of(request), character):
        return _render_seated(request, system, character, refused)
    view = view_sheet(system, character)
    log = view_rolls(character.rolls.all()[:ROLLS_SHOWN])
    changes = recent_changes(character, CHANGES_SHOWN)
    undoable = character_service.find_undoable(character)
    context: dict[str, Any] = {
        "view": view,
        "character": character,
        "system": system,
        "rolls": log,
        "fell": measure_rolls(log),
        "changes": changes,
        "undoable": undoable,
        "hosts": character.hosts,
        "passing": None if character.npc else encounters.find_passing(character),
        "link": view_link(request, character),
        "refused": refused,
        "announce": _announce(refused, done, log, changes=changes, request=request),
    }
    if done and request.POST.get("do") == "roll" and log:
        context |= {"told": log[0], "offer": _find_offer(request.POST)}
    elif not view.problems:
        try:
            context |= _find_open(request, system, character, refused=refused, section=section)
        except Refused as problem:
            context["refused"] = refused = refused or problem
    context["adding"] = _find_adding(system, character, context)
    context["part"] = _find_part(request, context)
    context |= {"story": read_story(character.story), "notes": split_sections(character.notes)}
    partial = "#sheet" if is_htmx(request) else ""
    context["is_part"] = bool(partial)
    if not partial and not character.archived and not character.npc and not view.problems:
        context["tables"] = find_tables(request, character)
    return render(
        request, f"characters/sheet.html{partial}", context, status=status_of(refused) if refused else 200
    )


def _render_seated(
    request: HttpRequest, system: System, character: Character, refused: Refused | None
) -> HttpResponse:
    """A player's sheet as the GM of its table sees it: no notes, and only tracks can be changed."""
    view, user = view_sheet(system, character), visitor_of(request)
    context = {
        "view": view,
        "character": character,
        "system": system,
        "changes": recent_changes(character, CHANGES_SHOWN),
        "refused": refused,
        "keeps": can_track(user, character),
        "hosting": find_hostings(user, character)[0],
        "announce": refused.message if refused else "",
    }
    if isinstance(refused, BadForm):
        context |= {
            "section": refused.section,
            "form": refused.form,
            "open_item": request.POST.get("item", ""),
        }
    context["adding"] = _find_adding(system, character, context)
    context["part"] = _find_part(request, context)
    partial = "#sheet" if is_htmx(request) else ""
    status = status_of(refused) if refused else 200
    return render(request, f"characters/seated.html{partial}", context, status=status)


def _find_adding(system: System, character: Character, context: dict[str, Any]) -> dict[str, Any]:
    """The forms that are always on the page; the one that is open as it was sent."""
    if context["view"].problems:
        return {}
    fresh = {name: make_section_form(name, system, character) for name in ADDING}
    return fresh | ({context["section"]: context["form"]} if context.get("section") in ADDING else {})


def _announce(refused: Refused | None, done: bool, log: Any, changes: Any, request: HttpRequest) -> str:
    """The text that screen readers announce after a swap."""
    if refused:
        return refused.message
    if not done:
        return ""
    if request.POST.get("do") == "roll" and log:
        return " ".join(line.text for line in log[0].lines)
    return f"{changes[0].what}." if changes else ""


def _find_late(request: HttpRequest, system: System, character: Character) -> SectionForm | None:
    """The form of a section that arrived after the sheet changed elsewhere, with everything typed."""
    do = request.POST.get("do", "")
    return reopen_section(system, character, do, request.POST) if do in SECTIONS else None


def _find_open(
    request: HttpRequest, system: System, character: Character, refused: Refused | None, section: str
) -> dict[str, Any]:
    """The open form of the page: a section's or a check's."""
    if isinstance(refused, BadForm):
        return {"section": refused.section, "form": refused.form, "open_item": request.POST.get("item", "")}
    asked = request.POST if refused else request.GET
    if refused and refused.code == "stale" and (form := _find_late(request, system, character)):
        return {"section": asked["do"], "form": form, "open_item": asked.get("item", "")}
    section = section or request.GET.get("edit", "")
    if section in SECTIONS or section == "portrait":
        form = open_section(system, character, section, request.GET)
        return {"section": section, "form": form, "open_item": request.GET.get("item", "")} if form else {}
    if asked.get("roll"):
        return {"open": rolls.open_form(system, character, asked["roll"], asked), "offer": _find_offer(asked)}
    return {}


def _find_part(request: HttpRequest, context: dict[str, Any]) -> str:
    """The part of the sheet that a phone shows first: that of the open form, or the one that is asked for."""
    asked, parts = request.GET.get("part", ""), dict(context["view"].parts)
    if context.get("offer", "").startswith("s-"):
        return "skills"
    return PART_OF.get(context.get("section", ""), asked if asked in parts else next(iter(parts)))


def _find_offer(asked: QueryDict) -> str:
    """The place on the page where a check's form was opened."""
    return asked.get("at", "")


@for_keepers
@require_http_methods(["GET", "HEAD"])
def show_odds(request: HttpRequest, pk: int) -> HttpResponse:
    """The sum and the chance of a check for the current form."""
    character = find_character(request, pk)
    system = find_game(character.system)
    context: dict[str, Any] = {"character": character, "system": system, "is_odds": True}
    try:
        context["open"] = rolls.open_form(system, character, request.GET.get("roll", ""), request.GET)
    except Refused as refused:
        context["open"] = {"problem": refused.message}
    return render(request, "characters/rolls/odds_panel.html", context)


@for_keepers
@require_http_methods(["GET", "HEAD"])
def show_reading(request: HttpRequest, pk: int) -> HttpResponse:
    """What the points that someone types would do to a sheet, before they are set; plain words."""
    character = find_character(request, pk, may=can_track)
    try:
        words = read_typed(find_game(character.system), character, request.GET)
    except Refused as refused:
        words = refused.message
    return HttpResponse(escape(words))


@dataclass(frozen=True)
class LinkView:
    """A link and the places where others open it, the likeliest first; `only_here`: only this machine can.

    A link made with another secret key still works, but has no places: it cannot be shown.
    """

    path: str
    places: tuple[Any, ...]
    only_here: bool


def view_link(request: HttpRequest, character: Character) -> LinkView | None:
    """The link of a character; None without one."""
    link = character_service.find_link(character)
    if link is None:
        return None
    token = character_service.find_token(link)
    if not token:
        return LinkView("", (), only_here=False)
    path = reverse("shared_sheet", args=[token])
    places, only_here = encounters.find_places(request, path)
    return LinkView(path, places, only_here)
