"""Printed characters, pictures and files: documents, text blocks, rosters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import SheetBase
from cosmos_site.base.files import answer_file, read_upload
from cosmos_site.base.forms import is_htmx

from ..access import answer_portrait, can_edit, find_character, hide_own, person_of
from ..display.editing import BadForm
from ..display.forms import PortraitForm
from ..display.sheet_view import view_paper
from ..exchange import blocks, documents, previews, roster
from ..exchange.item_imports import find_item_reader, list_item_readers
from ..exchange.reading import MAX_BYTES, MAX_DOCUMENT_BYTES, ValidationFailed, read_answers, read_text
from ..games import choose_game, find_game, find_games, plan_of
from ..guests import for_keepers, visitor_of
from ..models import Character
from ..services import character_service
from .forms import REPLACE, SKIP, TWIN_CHOICES, TWINS, DuplicatesForm, ImportForm, QuestionsForm, list_games
from .lists import posted_from
from .sheets import render_sheet

CSV = "text/csv; charset=utf-8"
ASK = "Choose below what to do with them."


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
        return answer_file(previews.write_rosters([character])[0], name, CSV)
    if form == "txt":
        block = blocks.write_block(find_game(character.system), character)
        return answer_file(block.encode(), name, "text/plain; charset=utf-8")
    return answer_file(documents.write_document([character]), name)


@login_required
@require_http_methods(["GET", "HEAD"])
def export_all(request: HttpRequest) -> HttpResponse:
    """All characters as JSON: one document, or a zip of several."""
    files = previews.write_documents(character_service.find_mine(person_of(request)))
    return answer_files(files, "characters", "json", "application/json")


@login_required
@require_http_methods(["GET", "HEAD"])
def export_roster(request: HttpRequest, *, npc: bool = False) -> HttpResponse:
    """All characters in use, or all NPCs, as CSV: one roster, or a zip of several."""
    owner = person_of(request)
    mine = character_service.find_npcs(owner) if npc else character_service.find_mine(owner)
    files = previews.write_rosters(mine.filter(archived=False))
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


# The page that imports characters and NPCs: it previews them, then stores all of them.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_characters(request: HttpRequest) -> HttpResponse:
    """Import the characters of a file or text: all, or none and a list of what is wrong.

    Rosters and files of other programs are previewed, with questions for what they leave open. Nothing is
    stored until every question has one of its options as its answer.
    """
    if request.method != "POST":
        return _show_form(request, request.GET, {})
    try:
        text = read_sent(request)
        answers = read_answers(request.POST)
        shown = previews.preview(text, choose_game(request.POST.get("game", "")).slug, answers)
        if shown.problems:
            raise ValidationFailed(*shown.problems)
        if not shown.whole and not is_confirmed(request):
            return _show_preview(request, text, shown)
        if not QuestionsForm(shown.questions, request.POST).is_valid():
            return _show_preview(request, text, shown, request.POST)
        twins = previews.find_twins(person_of(request), shown, npc=_wants_npcs(request.POST))
        if twins and not shown.whole and not DuplicatesForm(request.POST).is_valid():
            return _show_preview(request, text, shown, request.POST)
        shown = _settle_twins(request, shown, twins)
        replacing = twins if request.POST.get("twins") == REPLACE else set()
        made = previews.store(person_of(request), shown, npc=_wants_npcs(request.POST), replacing=replacing)
    except ValidationFailed as failed:
        wrong: dict[str, Any] = {"problems": failed.problems, "left_out": failed.left_out}
    except Refused as refused:
        wrong = {"refused": refused}
    else:
        return _show_made(request, made, shown)
    kept = read_again(request)
    items = find_item_reader(kept, request.POST.get("game", "")) is not None
    return _show_form(request, request.POST, {**wrong, "text": kept, "has_items": items}, status=422)


def _settle_twins(request: HttpRequest, shown: previews.Preview, twins: set[str]) -> previews.Preview:
    """What is made of a file with characters that the person has already: they say it. Refused until then."""
    asked = request.POST.get("twins", "")
    if not twins:
        return shown
    if asked not in dict(TWIN_CHOICES[1:]):
        raise Refused("not_allowed", f"You have these already: {_list_names(sorted(twins))}. {ASK}")
    if asked != SKIP:
        return shown
    left = [one for one in shown.wanted if one.name not in twins]
    if not left:
        raise Refused("not_allowed", "You have all of these already: nothing was imported.")
    messages.info(request, f"Left out, as you have them already: {_list_names(sorted(twins))}.")
    return replace(shown, wanted=left)


def read_sent(request: HttpRequest) -> str:
    """The text of the uploaded file, else of the field.

    Raises Refused if both are empty, ValidationFailed if it is not text.
    """
    if request.FILES.get("file"):
        return read_text(read_upload(request, "file", MAX_DOCUMENT_BYTES))
    text = request.POST.get("text", "")
    if not text.strip():
        raise Refused("bad_value", "Choose a file, or paste the document.")
    return read_text(text.encode("utf-8", "surrogatepass"), is_pasted=True)


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the preview was confirmed, rather than refreshed with other answers."""
    return "confirm" in request.POST and "again" not in request.POST


def read_again(request: HttpRequest) -> str:
    """The text that was refused, to be corrected in the field; empty if it is not text."""
    if request.POST.get("text"):
        return request.POST["text"][:MAX_BYTES]
    sent = request.FILES.get("file")
    if not isinstance(sent, UploadedFile):
        return ""
    sent.seek(0)
    try:
        return read_text(read_upload(request, "file", MAX_BYTES)).replace("\x00", "")
    except ValidationFailed:
        return ""


def _wants_npcs(data: Any) -> bool:
    return bool(data.get("as") == "npc")


def _show_form(request: HttpRequest, data: Any, more: dict[str, Any], status: int = 200) -> HttpResponse:
    games, system = find_games(), choose_game(data.get("game", ""))
    has_twins = "twins" in data or ASK in str(more.get("refused", ""))
    context = {
        "games": [_describe_game(system) for system in games],
        "example": documents.write_example(games[0]),
        "format": documents,
        "roster": roster,
        "readers": previews.find_readers(),
        "item_readers": list_item_readers(),
        "system": system,
        "npc": _wants_npcs(data),
        "form": _make_form(system, data, more.get("text", ""), has_twins),
        "has_twins": has_twins,
        **more,
    }
    return render(request, "characters/import.html", context, status=status)


def _make_form(system: System, data: Any, text: str, has_twins: bool) -> ImportForm:
    form = ImportForm(choices={"game": list_games()}, initial={"text": text, "game": system.slug})
    kinds = (("character", "characters"), ("npc", "NPCs"))
    chosen = data.get("as") or kinds[0][0]
    form.fields["as"] = forms.ChoiceField(
        label="Import as", choices=kinds, initial=chosen, widget=forms.RadioSelect
    )
    if has_twins:
        form.fields["twins"] = forms.ChoiceField(label=TWINS, choices=TWIN_CHOICES, initial=data.get("twins"))
    return form


def _show_preview(request: HttpRequest, text: str, shown: previews.Preview, *refused: Any) -> HttpResponse:
    twins = previews.find_twins(person_of(request), shown, npc=_wants_npcs(request.POST))
    context = {
        "shown": shown,
        "text": text,
        "is_refused": bool(refused),
        "rows": [(entry, QuestionsForm(entry.questions, *refused)) for entry in shown.sound],
        "system": choose_game(request.POST.get("game", "")),
        "npc": _wants_npcs(request.POST),
        "twins": twins,
        "twins_form": DuplicatesForm(*refused) if twins else None,
    }
    status = 422 if refused else 200
    return render(request, "characters/import_preview.html", context, status=status)


def _show_made(request: HttpRequest, made: list[Character], shown: previews.Preview) -> HttpResponse:
    messages.success(request, f"Imported: {_list_names([character.name for character in made])}.")
    if shown.faulty:
        messages.warning(request, f"Left out, since they cannot be read: {len(shown.faulty)} of the file.")
    if shown.remarks:
        count = f"{shown.remarks} thing{'s' if shown.remarks != 1 else ''}"
        messages.warning(request, f"Changed or left out: {count}. The end of the notes lists them.")
    if len(made) == 1:
        return redirect("character", made[0].pk)
    return redirect("npcs" if _wants_npcs(request.POST) else "characters")


def _list_names(names: list[str]) -> str:
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return f"{', '.join(names[:10])}{more}"


def _describe_game(system: System) -> dict[str, Any]:
    """A game's sheet for the page: its own fields, and the bounds of its numbers."""
    plan = plan_of(system)
    common = set(SheetBase.__struct_fields__)
    fields = msgspec.structs.fields(system.characters.sheet)
    own = [field.name for field in fields if field.name not in common]
    return {"system": system, "plan": plan, "fields": own}
