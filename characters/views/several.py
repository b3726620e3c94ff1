"""Several characters at once: printed, exported, archived or deleted after a question."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.numbers import read_count

from ..display.sheet_view import view_paper
from ..exchange import previews
from ..games import find_game
from ..guests import for_keepers, keeper_of
from ..models import Character
from ..services import character_service
from .import_export import answer_files
from .lists import posted_from

MAX_SEVERAL = 100
SHOWN = {"print": "print_characters", "export": "export_several"}


@posted_from("characters", "Select characters first.", same=False)
@for_keepers
def change_several(request: HttpRequest) -> HttpResponse:
    """Do to all selected characters what the button says; deleting asks first and names them."""
    do, back = request.POST.get("do", ""), _find_list(request.POST)
    chosen = find_chosen(request, request.POST)
    if not chosen or do not in (*SHOWN, "archive", "delete", "sure"):
        messages.warning(
            request, "Select the characters first, then a button." if not chosen else "Choose a button."
        )
        return redirect(back)
    if do in SHOWN:
        return redirect(f"{reverse(SHOWN[do])}?{_write_query(chosen)}")
    if do == "delete":
        return render(
            request, "characters/delete_several.html", {"chosen": chosen, "back": back, "npc": chosen[0].npc}
        )
    act = character_service.archive if do == "archive" else character_service.delete
    with transaction.atomic():
        for character in chosen:
            act(character)
    messages.success(request, f"{_say_done(do, chosen)}: {', '.join(one.name for one in chosen)}.")
    return redirect(back)


def _say_done(do: str, chosen: Sequence[Character]) -> str:
    if do == "sure":
        return f"Deleted, and kept for {character_service.GRACE.days} days"
    return "Restored" if chosen[0].archived else "Archived"


def _find_list(data: QueryDict) -> str:
    """The list that the characters were selected in."""
    shown = "?show=archived" if data.get("show") == "archived" else ""
    return reverse("npcs" if data.get("of") == "npcs" else "characters") + shown


def _write_query(chosen: Sequence[Character]) -> str:
    return urlencode({"character": [one.pk for one in chosen]}, doseq=True)


def find_chosen(request: HttpRequest, data: QueryDict) -> list[Character]:
    """The person's own characters among those that are named, by name; at most 100."""
    numbers = [number for word in data.getlist("character")[:MAX_SEVERAL] if (number := read_count(word))]
    return list(character_service.find_some(keeper_of(request), numbers).order_by("name", "pk"))


@for_keepers
@require_http_methods(["GET", "HEAD"])
def print_several(request: HttpRequest) -> HttpResponse:
    """Several sheets, each on a page of its own; without any, the list."""
    chosen = find_chosen(request, request.GET)
    if not chosen:
        return redirect("characters")
    papers = [view_paper(find_game(one.system), one) for one in chosen]
    drawn = [render_to_string("characters/paper/paper.html", paper) for paper in papers]
    return render(request, "characters/print_several.html", {"papers": drawn})


@for_keepers
@require_http_methods(["GET", "HEAD"])
def export_several(request: HttpRequest) -> HttpResponse:
    """Several characters as JSON: one document, or a zip of several; without any, the list."""
    chosen = find_chosen(request, request.GET)
    if not chosen:
        return redirect("characters")
    return answer_files(previews.write_documents(chosen), "characters", "json", "application/json")
