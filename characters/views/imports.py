"""The page that imports characters and NPCs: it previews them, then stores all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import SheetBase
from cosmos_site.base.files import read_upload

from ..access import person_of
from ..exchange import documents, previews, roster
from ..exchange.item_imports import find_item_reader, list_item_readers
from ..exchange.reading import MAX_BYTES, MAX_DOCUMENT_BYTES, ValidationFailed, read_answers, read_text
from ..games import choose_game, find_games, plan_of
from ..models import Character
from .forms import REPLACE, SKIP, TWIN_CHOICES, TWINS, ImportForm, QuestionsForm, TwinsForm, list_games

ASK = "Choose below what to do with them."


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
        if twins and not shown.whole and not TwinsForm(request.POST).is_valid():
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
    return read_text(text.encode("utf-8", "surrogatepass"))


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
    form.fields["as"] = forms.ChoiceField(label="Import as", choices=kinds, initial=data.get("as"))
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
        "twins_form": TwinsForm(*refused) if twins else None,
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
