"""The page that imports a person's own items: it previews them, then stores all of them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.foreign import ForeignItem
from cosmos_site.base.errors import status_of

from ..access import person_of
from ..exchange.item_imports import ItemPreview, find_reading_games, list_item_readers, preview_items
from ..exchange.reading import ValidationFailed, read_answers
from ..views.forms import ImportForm, QuestionsForm
from ..views.imports import is_confirmed, read_again, read_sent
from .catalogue import CatalogueItem, compare
from .item_service import RecordInvalid, save_all
from .models import OwnItem


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_items(request: HttpRequest) -> HttpResponse:
    """Import the items of a file or text: all new ones, or none and a list of what is wrong."""
    if request.method != "POST":
        return _show_form(request, {})
    wrong: dict[str, Any] = {}
    status = 422
    try:
        text = read_sent(request)
        shown = preview_items(text, request.POST.get("game", ""), read_answers(request.POST))
        if not is_confirmed(request):
            return _show_preview(request, text, shown)
        if not QuestionsForm(shown.questions, request.POST).is_valid():
            return _show_preview(request, text, shown, request.POST)
        made = save_all(
            person_of(request), shown.system, [(item.kind, dict(item.record)) for item in shown.new]
        )
        return _show_made(request, shown, made)
    except ValidationFailed as failed:
        wrong = {"problems": failed.problems, "left_out": failed.left_out}
    except RecordInvalid as invalid:
        wrong = {"problems": invalid.problems}
    except Refused as refused:
        wrong, status = {"refused": refused}, status_of(refused)
    return _show_form(request, {**wrong, "text": read_again(request)}, status)


def _show_form(request: HttpRequest, more: dict[str, Any], status: int = 200) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    games = [(game.slug, game.name) for game in find_reading_games()]
    said = {"game": asked.get("game", ""), "text": more.get("text", "")}
    form = ImportForm(choices={"game": games}, initial=said)
    form.fields["file"].label, form.fields["game"].label = "JSON file", "Game"
    context = {
        "form": form,
        "readers": list_item_readers(),
        **more,
    }
    return render(request, "gear/import.html", context, status=status)


def _show_preview(request: HttpRequest, text: str, shown: ItemPreview, *refused: Any) -> HttpResponse:
    names = OwnItem.objects.filter(owner=person_of(request), system=shown.system.slug)
    taken = {name.casefold() for name in names.values_list("name", flat=True)}
    rows = [
        _describe(shown.system, item, item.name.casefold() in taken)
        | {"form": QuestionsForm(item.questions, *refused)}
        for item in shown.new
    ]
    context = {"shown": shown, "rows": rows, "text": text, "is_refused": bool(refused)}
    return render(request, "gear/import_preview.html", context, status=422 if refused else 200)


def _describe(system: System, item: ForeignItem, is_twin: bool) -> dict[str, Any]:
    """An item as the preview shows it: its kind, its figures, and what found no place."""
    assert system.book.catalogue is not None
    made = CatalogueItem(system, system.book.catalogue.describe(item.kind, dict(item.record)))
    return {"item": item, "kind": made.kind, "figures": compare([made]), "twin": is_twin}


def _show_made(request: HttpRequest, shown: ItemPreview, made: list[OwnItem]) -> HttpResponse:
    names = ", ".join(item.name for item in made[:10])
    more = f" and {len(made) - 10} more" if len(made) > 10 else ""
    messages.success(request, f"Imported: {names}{more}.")
    if len(made) == 1 and made[0].pk:
        return redirect("gear_item", f"own-{made[0].pk}")
    return redirect(f"{reverse('gear')}?own=on&game={shown.system.slug}")
