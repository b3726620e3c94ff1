"""Characters on paper and in files: printing, pictures, JSON in and out, the roster."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.sheets import SheetBase
from cosmos_site.files import answer_file, answer_picture, read_upload
from cosmos_site.pictures import PORTRAIT, remake

from .. import exchange
from ..access import can_edit, find_character, person_of
from ..display.sheet_view import SheetView, view_sheet
from ..games import find_game, find_games, plan_of
from ..guests import for_keepers, visitor_of
from ..services import character_service
from .buttons import posted_from
from .sheets import render_sheet

SPACIOUS, MAX_PRINTED = 24, 42  # items and skills set in the large type; items on a page of small type
LETTERS, LETTERS_WHEN_FULL = 1200, 600  # of the notes on paper


@for_keepers
@require_http_methods(["GET", "HEAD"])
def print_character(request: HttpRequest, pk: int) -> HttpResponse:
    """The sheet on one page of paper, its numbers as they are without wounds."""
    character = find_character(request, pk)
    character.sheet = {**character.sheet, "tracks": {}}
    character.notes = character.notes if can_edit(visitor_of(request), character) else ""
    system = find_game(character.system)
    view = view_sheet(system, character)
    context = {"view": view, "character": character, "system": system, **_fit_paper(view)}
    return render(request, "characters/print.html", context)


def _fit_paper(view: SheetView) -> dict[str, Any]:
    """What of the items and skills goes on one page, how small it is set, and what stays behind."""
    items = [(place, item) for place, items in view.places for item in items]
    skills = [stat for _, stats in view.skills for stat in stats if not stat.is_untrained]
    full = len(items) + len(skills) > SPACIOUS
    return {
        "full": full,
        "items": items[:MAX_PRINTED],
        "left_out": max(0, len(items) - MAX_PRINTED),
        "skills": skills,
        "most_notes": LETTERS_WHEN_FULL if full else LETTERS,
    }


@posted_from("character", "Choose a picture first.", "?edit=portrait")
@for_keepers
def send_portrait(request: HttpRequest, pk: int) -> HttpResponse:
    """Save a portrait, or remove the one there."""
    character, by = find_character(request, pk), visitor_of(request).get_username()
    try:
        if "remove" in request.POST:
            character_service.change(pk, "Portrait removed", by=by, portrait="")
        else:
            drawn = remake(read_upload(request, "picture", PORTRAIT.max_bytes), PORTRAIT)
            character_service.keep_portrait(pk, drawn.digest, drawn.image, by=by)
    except Refused as refused:
        return render_sheet(request, character, refused=refused, section="portrait")
    if request.htmx:  # type: ignore[attr-defined]
        return render_sheet(request, find_character(request, pk), done=True)
    return redirect("character", pk)


@for_keepers
@require_http_methods(["GET", "HEAD"])
def show_portrait(request: HttpRequest, pk: int, digest: str) -> HttpResponseBase:
    """A picture of a character: ours from the first byte to the last, and nothing but a picture."""
    character = find_character(request, pk)
    picture = character.portraits.filter(digest=digest).first()
    if picture is None:
        raise Http404("Portrait not found.")
    return answer_picture(bytes(picture.image), "portrait")


@for_keepers
@require_http_methods(["GET", "HEAD"])
def export_character(request: HttpRequest, pk: int) -> HttpResponse:
    """One character as a JSON document, for its owner: the notes are in it."""
    character = find_character(request, pk, may=can_edit)
    return answer_file(exchange.write_document([character]), f"{slugify(character.name) or 'character'}.json")


@login_required
@require_http_methods(["GET", "HEAD"])
def export_all(request: HttpRequest) -> HttpResponse:
    """The newest characters, as many as a document holds."""
    mine = character_service.find_mine(person_of(request))[: exchange.MAX_AT_ONCE]
    return answer_file(exchange.write_document(mine), "characters.json")


@login_required
@require_http_methods(["GET", "HEAD"])
def export_roster(request: HttpRequest) -> HttpResponse:
    """All characters in use as CSV."""
    mine = character_service.find_mine(person_of(request)).filter(archived=False)
    return answer_file(
        exchange.write_roster(mine).encode("utf-8-sig"), "roster.csv", "text/csv; charset=utf-8"
    )


@login_required
@require_http_methods(["GET", "HEAD"])
def show_schema(request: HttpRequest, slug: str) -> HttpResponse:
    """The JSON schema of a game's sheet."""
    try:
        system = find_game(slug)
    except Refused as refused:
        raise Http404(refused.message) from None
    return HttpResponse(exchange.write_schema(system), content_type="application/schema+json")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_characters(request: HttpRequest) -> HttpResponse:
    """Import the characters of a document: all of them, or none and all that is wrong."""
    games = find_games()
    context: dict[str, Any] = {
        "games": [_describe_game(system) for system in games],
        "example": exchange.write_example(games[0]),
        "format": exchange,
    }
    if request.method != "POST":
        return render(request, "characters/import.html", context)
    try:
        made = exchange.import_document(person_of(request), _read_document(request))
    except exchange.ValidationFailed as failed:
        context["problems"], context["left_out"] = failed.problems, failed.left_out
    except Refused as refused:
        context["refused"] = refused
    else:
        messages.success(request, f"Imported: {', '.join(character.name for character in made)}.")
        return redirect("character", made[0].pk) if len(made) == 1 else redirect("characters")
    context["text"] = request.POST.get("text", "")[: exchange.MAX_BYTES]
    return render(request, "characters/import.html", context, status=422)


def _read_document(request: HttpRequest) -> bytes:
    if request.FILES.get("file"):
        return read_upload(request, "file", exchange.MAX_BYTES)
    text = request.POST.get("text", "").strip()
    if not text:
        raise Refused("bad_value", "Choose a file, or paste the document.")
    return text.encode("utf-8", "surrogatepass")


def _describe_game(system: Any) -> dict[str, Any]:
    """What the page says of a game's sheet: its own fields, and the bounds of its numbers."""
    plan = plan_of(system)
    common = set(SheetBase.__struct_fields__)
    own = [name for name in system.sheet.__struct_fields__ if name not in common]
    return {"system": system, "plan": plan, "fields": own}
