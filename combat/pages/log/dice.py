"""The dice of an encounter: what is sealed, what is opened, and how anyone can check each roll."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.audience.rights import check_takes_part
from combat.display.combatants.namesakes import name_fully
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.gm.dice_words import MAX_LENGTH, WORD
from combat.rules.core.state.state import present
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import answer_file, read_static
from cosmos_site.base.forms import see_other

from ..table.shapes import find_steps
from .dice_view import find_rolls, find_seals, write_shell

STEPS_PER_PAGE = 200
MAX_PAGES = 10_000


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_dice(request: HttpRequest, pk: int) -> HttpResponse:
    """Seals, rolls and the players' words; `as=file` is a page that checks them offline."""
    context, problem, status = find_context(request, pk), "", 200
    if request.method == "POST":
        try:
            _give_word(request, context)
            return see_other("dice", pk)
        except Refused as refused:
            problem, status = refused.message, status_of(refused)
    if request.GET.get("as") == "file":
        return _write_file(request, context)
    page = min(max(read_count(request.GET.get("page", "")) or 1, 1), MAX_PAGES)
    first = (page - 1) * STEPS_PER_PAGE
    rows = list(find_steps(context).order_by("-number")[first : first + STEPS_PER_PAGE + 1])
    rolls, seals = find_rolls(context, rows[:STEPS_PER_PAGE]), find_seals(context)
    shown = {
        **_share(context),
        "seals": seals,
        "rolls": rolls,
        "shell": write_shell(seals, rolls),
        "complete": "page" if len(rows) > STEPS_PER_PAGE else "all",
        "newer": page - 1,
        "older": page + 1 if len(rows) > STEPS_PER_PAGE else 0,
        "words": _find_words(context),
        "most": MAX_LENGTH,
        "problem": problem,
    }
    return render(request, "combat/log/dice.html", shown, status=status)


def _share(context: ViewerContext) -> dict[str, Any]:
    return {"encounter": context.encounter, "is_gm": context.viewer.is_gm, "name": context.encounter.name}


def _give_word(request: HttpRequest, context: ViewerContext) -> None:
    check_takes_part(context.viewer)
    fields = {"actor": request.POST.get("combatant", ""), "word": request.POST.get("word", "")}
    submit(context.encounter.pk, Submission("give_word", fields, by=context.name, grant=context.grant))


def _find_words(context: ViewerContext) -> list[tuple[str, str, str, bool]]:
    """The combatants and their words: id, name, word, and whether the viewer may change it."""
    viewer, state = context.viewer, context.known_state
    people = ((f, name_fully(state, f)) for f in present(state) if not f.hidden)
    return [(f.id, name, str(f.marks.get(WORD, "")), f.id in viewer.seats) for f, name in people]


def _write_file(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """A self-contained page, to save and open anywhere."""
    rolls = find_rolls(context, find_steps(context).order_by("number"))
    script = read_static("js/log/seals.js")
    seals = find_seals(context)
    shown = {**_share(context), "seals": seals, "rolls": rolls, "shell": write_shell(seals, rolls)}
    shown["complete"] = "all"
    page = render_to_string("combat/log/dice_file.html", {**shown, "script": script}, request)
    name = slugify(context.encounter.name) or "encounter"
    return answer_file(page.encode(), f"{name}-dice.html", "text/html; charset=utf-8")
