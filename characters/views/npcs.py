"""A GM's own NPCs: the list, and the page that makes them from a stat block, text, a character or nothing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.foreign import split_lines
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx

from ..access import person_of
from ..display.rolls import clean_words
from ..folders import Folder, find_folder, make_in
from ..games import choose_game, find_games, search_blocks
from ..models import Character
from ..services import character_service
from ..services.character_service import Wanted
from .forms import CopyForm, LinesForm
from .lists import view_list

BLOCKS_PER_PAGE = 12
MOST_FACES = 8  # more characters are a list
MAX_QUERY = 60  # characters in the search
MAX_TEXT = 8000  # characters of all lines


@login_required
@require_http_methods(["GET", "HEAD"])
def list_npcs(request: HttpRequest) -> HttpResponse:
    """A person's NPCs: searched by name, kind and summary, by game; in use, archived or deleted."""
    rows = _find_shown(request, request.GET.get("show", ""))
    context = view_list(
        request, rows, ("name", "summary", "kind"), label="Search NPCs", example="Name or kind"
    )
    partial = "#found" if is_htmx(request) else ""
    return render(request, f"characters/npcs.html{partial}", context)


def _find_shown(request: HttpRequest, show: str) -> Any:
    owner = person_of(request)
    if show == "deleted":
        return character_service.find_deleted(owner, npc=True)
    return character_service.find_npcs(owner).filter(archived=show == "archived")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make_npcs(request: HttpRequest) -> HttpResponse:
    """Make NPCs: copied from a stat block or a character, or read from lines of text."""
    refused = None
    data = request.POST if request.method == "POST" else request.GET
    folder = find_folder(request, data)
    system = choose_game(data.get("game", ""), folder.system if folder else "")
    if request.method == "POST":
        try:
            made = make_in(folder, lambda: _make(request, system))
        except Refused as problem:
            refused = problem
        else:
            return _show_made(request, made, folder)
    found = clean_words(data.get("find", ""), MAX_QUERY)
    page = Paginator(search_blocks(system, found), BLOCKS_PER_PAGE).get_page(data.get("page"))
    mine = character_service.find_mine(person_of(request)).filter(system=system.slug, archived=False)
    kept = {"game": system.slug, "find": found, "campaign": folder.number if folder else ""}
    context = {
        "system": system,
        "games": find_games(),
        "page": page,
        "find": found,
        "folder": folder,
        "query": urlencode({name: word for name, word in kept.items() if word}),
        "faces": mine if len(mine) <= MOST_FACES else (),
        "copy": CopyForm(choices={"character": [(one.pk, one.name) for one in mine]}),
        "lines": LinesForm(initial={"lines": data.get("lines", "")[:MAX_TEXT] if refused else ""}),
        "refused": refused,
    }
    status = status_of(refused) if refused else 200
    partial = "#found" if is_htmx(request) and request.method != "POST" else ""
    return render(request, f"characters/new_npc.html{partial}", context, status=status)


def _show_made(request: HttpRequest, made: list[Character], folder: Folder | None) -> HttpResponse:
    """Show one new NPC for editing, or several in the list."""
    where = f", in “{folder.name}”" if folder else ""
    messages.success(request, f"Created: {', '.join(npc.name for npc in made)}{where}.")
    if len(made) == 1:
        return redirect("character", made[0].pk)
    return redirect("campaign", folder.number) if folder else redirect("npcs")


def _make(request: HttpRequest, system: System) -> list[Character]:
    """The NPCs that a posted form asks for; raises Refused."""
    owner, posted = person_of(request), request.POST
    if "block" in posted:
        block = system.book.find_block(posted["block"])
        if block is None:
            raise Refused("unknown", "That stat block is not in the library: choose one from the list.")
        wanted = [Wanted(system.slug, block.name, block.sheet, npc=True, kind=block.tier)]
        return character_service.create_all(owner, wanted, f"Copied from {block.name}")
    if "lines" in posted:
        return character_service.create_all(owner, _read_lines(system, posted["lines"]), "Created from text")
    if "character" in posted:
        mine = character_service.find_mine(owner).filter(pk=read_count(posted["character"]) or 0)
        if not mine:
            raise Refused("unknown", "Choose one of your own characters.")
        return [character_service.duplicate(mine[0], owner, as_npc=True)]
    raise Refused("bad_value", "Choose a stat block, write a line, or choose a character.")


def _read_lines(system: System, text: str) -> list[Wanted]:
    """The NPCs that the lines describe; Refused names the first line that cannot be read."""
    if system.book.imports.lines is None:
        raise Refused("not_allowed", f"{system.name} reads nobody from a line.")
    wanted = []
    for number, line in enumerate(split_lines(text[:MAX_TEXT]), 1):
        try:
            written = system.book.imports.lines.read(line)
        except Refused as refused:
            raise Refused("bad_value", f"Line {number}: {refused.message}") from None
        wanted.append(Wanted(system.slug, written.name, written.sheet, npc=True))
    if not wanted:
        raise Refused("bad_value", f"Write a line, such as: {system.book.imports.lines.example}")
    return wanted
