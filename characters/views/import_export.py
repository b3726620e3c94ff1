"""Printed characters, pictures and files: documents, text blocks, rosters."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from cosmos_site.base.files import answer_file
from cosmos_site.base.htmx import is_htmx

from ..access import answer_portrait, can_edit, find_character, hide_own, person_of
from ..display.editing import BadForm
from ..display.forms import PortraitForm
from ..display.paper import view_paper
from ..exchange import batches, blocks, documents
from ..games import find_game
from ..guests import for_keepers, visitor_of
from ..services import character_service
from .buttons import posted_from
from .sheets import render_sheet

CSV = "text/csv; charset=utf-8"


@for_keepers
@require_http_methods(["GET", "HEAD"])
def print_character(request: HttpRequest, pk: int) -> HttpResponse:
    """The sheet on one printed page, with its numbers as they are without wounds."""
    character = find_character(request, pk)
    if not can_edit(visitor_of(request), character):
        hide_own(character)
    return render(request, "characters/print.html", view_paper(find_game(character.system), character))


@posted_from("character", "Choose a picture first.", "?edit=portrait")
@for_keepers
def send_portrait(request: HttpRequest, pk: int) -> HttpResponse:
    """Save a portrait or a drawn face, or remove the portrait there."""
    character, by = find_character(request, pk), visitor_of(request).get_username()
    try:
        if "remove" in request.POST:
            character_service.change(pk, "Portrait removed", by=by, portrait="")
        elif "draw" in request.POST:
            face = request.POST.get("face", "")
            character_service.change(pk, "New face", by=by, portrait="", face=face)
        else:
            form = PortraitForm(request.POST, request.FILES)
            if not form.is_valid():
                raise BadForm("portrait", form)
            drawn = form.cleaned_data["picture"]
            character_service.keep_portrait(pk, drawn.digest, drawn.image, by=by)
    except Refused as refused:
        return render_sheet(request, character, refused=refused, section="portrait")
    if is_htmx(request):
        return render_sheet(request, find_character(request, pk), done=True)
    return redirect("character", pk)


@for_keepers
@require_http_methods(["GET", "HEAD"])
def show_portrait(request: HttpRequest, pk: int, digest: str) -> HttpResponseBase:
    """A picture of a character."""
    return answer_portrait(find_character(request, pk), digest)


@for_keepers
@require_http_methods(["GET", "HEAD"])
def export_character(request: HttpRequest, pk: int, form: str = "json") -> HttpResponse:
    """One character as a JSON document, text block or CSV line, for its owner: it includes the notes."""
    character = find_character(request, pk, may=can_edit)
    name = f"{slugify(character.name) or 'character'}.{form}"
    if form == "csv":
        return answer_file(batches.write_rosters([character])[0], name, CSV)
    if form == "txt":
        block = blocks.write_block(find_game(character.system), character)
        return answer_file(block.encode(), name, "text/plain; charset=utf-8")
    return answer_file(documents.write_document([character]), name)


@login_required
@require_http_methods(["GET", "HEAD"])
def export_all(request: HttpRequest) -> HttpResponse:
    """All characters as JSON: one document, or a zip of several."""
    files = batches.write_documents(character_service.find_mine(person_of(request)))
    return answer_files(files, "characters", "json", "application/json")


@login_required
@require_http_methods(["GET", "HEAD"])
def export_roster(request: HttpRequest, *, npc: bool = False) -> HttpResponse:
    """All characters in use, or all NPCs, as CSV: one roster, or a zip of several."""
    owner = person_of(request)
    mine = character_service.find_npcs(owner) if npc else character_service.find_mine(owner)
    files = batches.write_rosters(mine.filter(archived=False))
    return answer_files(files, "npcs" if npc else "roster", "csv", CSV)


def answer_files(files: Sequence[bytes], name: str, ending: str, kind: str) -> HttpResponse:
    """A response with a file to save; several are numbered, in a zip."""
    if len(files) == 1:
        return answer_file(files[0], f"{name}.{ending}", kind)
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for number, raw in enumerate(files, 1):
            archive.writestr(f"{name}-{number}.{ending}", raw)
    return answer_file(packed.getvalue(), f"{name}.zip", "application/zip")


@login_required
@require_http_methods(["GET", "HEAD"])
def show_schema(request: HttpRequest, slug: str) -> HttpResponse:
    """The JSON schema of a game's sheet."""
    try:
        system = find_game(slug)
    except Refused as refused:
        raise Http404(refused.message) from None
    return HttpResponse(documents.write_schema(system), content_type="application/schema+json")
