"""The pages that make a character: guided, step by step, or free-form on one page.

Half-made ones are kept in the session of a browser until they are finished or forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import read_upload
from cosmos_site.base.forms import is_htmx
from cosmos_site.base.pictures import PORTRAIT, Picture, remake

from ..creation import builder
from ..creation.creation_view import CreationView, find_ready, view_creation
from ..creation.steps import WHO, count_spent, view_wizard, write_query
from ..folders import Folder, find_folder, make_in
from ..games import choose_game, find_game, find_games
from ..guests import Guest, Table, bring_made, find_tables, for_keepers, keeper_of, visitor_of
from ..models import Character
from ..services import character_service
from .forms import MakingForm

MAKING = "making"  # in the session: what a character is made for -> the query of its page
MAX_KEPT, MAX_LENGTH = 5, 8000


@dataclass(frozen=True)
class Making:
    """A page that makes a character: its purpose, game, form and present step."""

    table: Table | None
    folder: Folder | None
    npc: bool
    system: System
    form: builder.CharacterBuilder
    at: str

    @property
    def purpose(self) -> str:
        """What the character is for; a browser keeps one half-made character for each."""
        return urlencode(self.aims) or "own"

    @property
    def aims(self) -> dict[str, str]:
        """The fields that say what the character is for."""
        found = {
            "for": str(self.table.encounter) if self.table else "",
            "campaign": str(self.folder.number) if self.folder else "",
            "npc": "1" if self.npc else "",
        }
        return {key: word for key, word in found.items() if word}

    def write_query(self, at: str = "") -> str:
        """The query that opens this page again, with all of the form, at this step or another."""
        return write_query(self.form, at=at or self.at, **self.aims)


@for_keepers
@require_http_methods(["GET", "HEAD", "POST"])
def make_character(request: HttpRequest) -> HttpResponse:
    """The page that makes a character, guided or free-form; every button shows the form's next step.

    A character made for a table is of its game, and its sheet links back there. What is half made is kept.
    """
    data = request.POST if request.method == "POST" else request.GET
    making = _read_page(request, data)
    refused, asks = builder.find_misread(making.system, data), False
    if request.method == "POST" and "forget" in data:
        forget(request, making.purpose)
        start = {"game": making.system.slug, **making.aims}
        return redirect(f"{reverse('new_character')}?{urlencode(start)}")
    if making.form.guided and "way" in data and (request.method == "POST" or is_htmx(request)):
        keep(request, making.purpose, making.write_query(data.get("go", "")))
    if request.method == "POST" and "go" in data and not refused:
        return redirect(f"{reverse('new_character')}?{making.write_query(data['go'])}")
    if request.method == "POST" and "create" in data and not refused:
        try:
            asks = _asks(making, data["create"])
            if not asks:
                return _create(request, making)
        except Refused as problem:
            refused = problem
    return _show(request, making, refused, asks)


def _read_page(request: HttpRequest, data: QueryDict) -> Making:
    table, folder = _find_table(request, data), find_folder(request, data)
    wanted = (data.get("game", ""), folder.system if folder else "")
    system = find_game(table.system) if table else choose_game(*wanted)
    guided = data.get("way") != "free"
    visitor = visitor_of(request)
    joined = isinstance(visitor, Guest) and table is not None
    name = visitor.get_username() if joined else ""  # as it was typed at joining
    form = builder.read(system, guided, data) if "way" in data else builder.begin(system, guided, name)
    form = builder.switch(form) if "switch" in data else form
    npc = "npc" in data and request.user.is_authenticated
    return Making(table, folder, npc, system=system, form=form, at=data.get("at", "")[:20])


def _asks(making: Making, word: str) -> bool:
    """Whether points are left that the page asks about first; Refused if the character is not allowed."""
    builder.finish(making.form)
    return word != "anyway" and bool(view_creation(making.form).unspent)


def _create(request: HttpRequest, making: Making) -> HttpResponse:
    """Make the character with its picture, and lead to its table or its sheet; raises Refused."""
    name, sheet = builder.finish(making.form)
    keeper, picture = keeper_of(request), _read_picture(request)

    def create() -> list[Character]:
        made = character_service.create(
            keeper, making.system.slug, name, sheet, npc=making.npc, face=making.form.face
        )
        if picture:
            by = keeper.get_username()
            made = character_service.keep_portrait(made.pk, picture.digest, picture.image, by=by)
        return [made]

    (made,) = make_in(making.folder, create)
    forget(request, making.purpose)
    messages.success(request, f"{made.name} created.")
    if making.table and bring_made(request, making.table, made):
        return redirect("table", making.table.encounter)
    return redirect(
        reverse("character", args=[made.pk]) + (f"?for={making.table.encounter}" if making.table else "")
    )


def _read_picture(request: HttpRequest) -> Picture | None:
    """The uploaded picture, redrawn; None without one, Refused if it is none."""
    if not request.FILES.get("picture"):
        return None
    return remake(read_upload(request, "picture", PORTRAIT.max_bytes), PORTRAIT)


def _show(request: HttpRequest, making: Making, refused: Refused | None, asks: bool) -> HttpResponse:
    data = request.POST if request.method == "POST" else request.GET
    view = view_creation(making.form)
    line = data.get("line", "") if refused else ""
    context: dict[str, Any] = {
        "view": view,
        "asks": asks,
        "table": making.table,
        "folder": making.folder,
        "system": making.system,
        "games": find_games(),
        "guided": making.form.guided,
        "npc": making.npc,
        "refused": refused,
        "line": line,
        "form": MakingForm(view, line, refused is not None and not making.form.name),
    }
    if making.form.guided:
        context |= _view_step(request, making, view)
    page = "characters/steps/page.html" if making.form.guided else "characters/new.html"
    partial = "#build" if is_htmx(request) else ""
    status = status_of(refused) if refused and request.method == "POST" else 200
    return render(request, page + partial, context, status=status)


def _view_step(request: HttpRequest, making: Making, view: CreationView) -> dict[str, Any]:
    """What the page of a guided step shows besides the form's numbers."""
    asked = "way" in request.GET or request.method == "POST"
    wizard = view_wizard(view, making.at, making.npc)
    return {
        "wizard": wizard,
        "ready": find_ready(making.system) if wizard.now.key == WHO else (),
        "spent": count_spent(making.form),
        "kept": None if asked else find_kept(request, making.purpose),
    }


def _find_table(request: HttpRequest, data: QueryDict) -> Table | None:
    """The table a character is made for: the requested one; guests make characters only for their tables."""
    is_guest = isinstance(visitor_of(request), Guest)
    tables = find_tables(request) if is_guest or data.get("for") else []
    asked = [table for table in tables if str(table.encounter) == data.get("for")]
    return next(iter(asked or (tables if is_guest else [])), None)


@dataclass(frozen=True)
class Kept:
    """A half-made character: the query that opens its page again, and its name."""

    query: str
    name: str


def keep(request: HttpRequest, purpose: str, query: str) -> None:
    """Keep a half-made character; the oldest of many are dropped."""
    if len(query) > MAX_LENGTH:
        return
    others = {key: value for key, value in _find_all(request).items() if key != purpose}
    while len(others) >= MAX_KEPT:
        del others[next(iter(others))]
    request.session[MAKING] = {**others, purpose: query}


def find_kept(request: HttpRequest, purpose: str) -> Kept | None:
    """The character that this browser left half made for the same purpose."""
    query = _find_all(request).get(purpose, "")
    return Kept(query, QueryDict(query).get("name", "")) if query else None


def forget(request: HttpRequest, purpose: str) -> None:
    """Drop a half-made character: it is finished, or not wanted."""
    others = {key: value for key, value in _find_all(request).items() if key != purpose}
    if others != _find_all(request):
        request.session[MAKING] = others


def _find_all(request: HttpRequest) -> dict[str, str]:
    found: dict[str, str] = request.session.get(MAKING, {})
    return found
