"""The page of a person's notes at a fight. The table shows single notes from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from combat.audience.things import NOTE
from combat.models import Note
from combat.play.campaigns.table_notes import (
    CHANGED,
    MAX_NOTE,
    NO_NOTE,
    ON_ENCOUNTER,
    ON_SCENE,
    OWN,
    SHARED,
    WATCHES,
    clean_note,
    find_notes,
    save_note,
)
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.state.state import present
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import CONFLICT
from cosmos_site.base.forms import CheckedField, SiteForm, is_htmx, see_other
from cosmos_site.base.markdown import HINT, draw_markdown

from ..home.pictures import draw_known
from ..table.rows import find_people
from .named import link_fighters

SHARED_TITLE = "Shared notes"
READERS = {OWN: "only for you", SHARED: "for all at a seat"}  # else for the GM
SAVED = "Saved."
DELETED = "Deleted. Save brings it back."
PLACES = ("note", "notes")  # alone beside the combatants, or in the list


class NoteForm(SiteForm):
    """The text of a note, in an editor of its own."""

    text = CheckedField(
        clean_note,
        required=False,
        max_length=MAX_NOTE,
        widget=forms.Textarea({"rows": 7}),
        help_text=HINT,
    )

    def __init__(self, about: str, title: str, place: str, *sent: Any, **shown: Any) -> None:
        super().__init__(*sent, auto_id=f"{place}-{about}-%s", **shown)
        self.fields["text"].label = format_html('<span class="vh">Note: {}</span>', title)


@dataclass(frozen=True)
class NoteView:
    """A note as it is read, or in its editor. `other` is what it became while someone typed."""

    about: str
    title: str
    readers: str
    html: SafeString | str
    revision: int
    form: NoteForm | None = None
    other: SafeString | str = ""
    said: str = ""


@never_cache
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_notes(request: HttpRequest, pk: int) -> HttpResponse:
    """All notes that the visitor may read; `about` names the one that is open in its editor."""
    context = find_context(request, pk)
    if context.viewer.is_spectator:
        raise PermissionDenied(WATCHES)
    titles = _find_titles(context)
    opened, status = None, 200
    if request.method == "POST":
        if request.POST.get("about") == SHARED:
            titles[SHARED] = SHARED_TITLE  # what was typed stays, also if the campaign was deleted meanwhile
        opened, status = _write(request, context, titles)
        if is_typing(request):
            return show_written(request, opened, status)
        if opened.form is None and not is_htmx(request):
            messages.success(request, f"{opened.title}: note saved.")
            return see_other("notes", pk)
    notes = find_notes(context.encounter, context.viewer, context.seat)
    if request.method != "POST" and (about := request.GET.get("about", "")) in titles:
        opened = open_note(about, titles[about], notes.get(about), _find_place(request))
    elif request.method != "POST" and not is_htmx(request):
        opened = _begin(context, titles, notes)
    shown = [
        view_note(about, title, notes.get(about)) if opened is None or opened.about != about else opened
        for about, title in titles.items()
    ]
    kept = [
        one for one in shown if one.html or one is opened or one.about in (ON_ENCOUNTER, ON_SCENE, *READERS)
    ]
    here = {one.id for one in present(context.known_state)}
    fighters, slug, table = find_people(context), context.system.slug, reverse("table", args=[pk])
    named = {who: one for who, one in fighters.items() if who in here}
    page = {
        "encounter": context.encounter,
        "is_gm": context.viewer.is_gm,
        "notes": [replace(one, html=link_fighters(one.html, named, slug, table)) for one in kept],
        "others": [one for one in shown if one not in kept and one.about in here],
        "fighters": fighters,
        "place": _find_place(request),
        "picture": "" if is_htmx(request) else draw_known(context),
    }
    return render(request, "combat/campaigns/notes/notes.html", page, status=status)


def _begin(context: ViewerContext, titles: dict[str, str], notes: dict[str, Note]) -> NoteView | None:
    """The first note in its editor where nothing is written in it: the page is there to write on."""
    first = ON_ENCOUNTER if context.viewer.is_gm else OWN
    return None if first in notes and notes[first].text else open_note(first, titles[first], notes.get(first))


def _find_titles(context: ViewerContext) -> dict[str, str]:
    """What the visitor may have notes on, with the title of each."""
    titles = {OWN: "My notes"}
    if context.viewer.is_gm:
        combatants = context.known_state.combatants.values()
        titles = {ON_ENCOUNTER: "Encounter", ON_SCENE: "Scene", **{one.id: one.name for one in combatants}}
    return titles | ({SHARED: SHARED_TITLE} if context.find_campaign_id(NOTE) else {})


def _find_place(request: HttpRequest) -> str:
    """Where on the table the note stands."""
    asked = (request.POST if request.method == "POST" else request.GET).get("place", "")
    return asked if asked in PLACES else PLACES[-1]


def view_note(about: str, title: str, note: Note | None) -> NoteView:
    """A note to read."""
    html, revision = (draw_markdown(note.text), note.revision) if note else ("", 0)
    return NoteView(about, title, READERS.get(about, "only for the GM"), html=html, revision=revision)


def open_note(about: str, title: str, note: Note | None, place: str = PLACES[-1]) -> NoteView:
    """A note in its editor."""
    form = NoteForm(about, title, place, initial={"text": note.text if note else ""})
    return replace(view_note(about, title, note), form=form)


def _write(request: HttpRequest, context: ViewerContext, titles: dict[str, str]) -> tuple[NoteView, int]:
    """Save or delete one of the visitor's notes."""
    about = request.POST.get("about", "")
    if about not in titles:
        raise Http404(NO_NOTE)
    save = partial(save_note, context.encounter.pk, about, grant=context.grant)
    return write_note(
        request,
        titles[about],
        lambda: find_notes(context.encounter, context.viewer, context.seat).get(about),
        save,
    )


def is_typing(request: HttpRequest) -> bool:
    """Whether an editor sends its text while someone writes on: it stays open."""
    return is_htmx(request) and "typing" in request.POST


def show_state(request: HttpRequest, form: SiteForm | None, status: int, **state: Any) -> HttpResponse:
    """What became of a text that was sent while someone writes: not the editor, which has more by now.

    `state` is the `stamp` of what the next text goes over, by the name of its field, as `seen`, and what the
    text became meanwhile as `other`.
    """
    errors = [*form.errors.values()] if form else []
    told = " ".join(str(words) for one in errors for words in one) or SAVED
    page = {"told": told, "here": request.path, **state}
    return render(request, "combat/campaigns/notes/state.html", page, status=status)


def show_written(request: HttpRequest, note: NoteView, status: int) -> HttpResponse:
    """What became of a note that someone writes."""
    return show_state(request, note.form, status, stamp="seen", seen=note.revision, other=note.other)


def write_note(
    request: HttpRequest, title: str, find: Callable[[], Note | None], save: Callable[..., Note]
) -> tuple[NoteView, int]:
    """Save or delete a note: the note as it is read then, or its editor with what was typed, and a status.

    `save` takes the text and the revision that was read. If it refuses, `find` gives the note as it is now.
    """
    asked, about = request.POST, request.POST["about"]
    form = NoteForm(about, title, _find_place(request), asked)
    seen = read_count(asked.get("seen", "")) or 0
    deletes = "delete" in asked
    note = form.carry_out(lambda said: save(text="" if deletes else said["text"], seen=seen))
    if note is None:
        view = replace(view_note(about, title, find()), form=form)
        stale = form.status == CONFLICT and CHANGED in form.non_field_errors()
        other = (view.html or "It was deleted.") if stale else ""
        return replace(view, other=other, revision=view.revision if stale else seen), form.status
    view = view_note(about, title, note)
    if deletes and asked.get("text", "").strip():
        return replace(view, form=form, said=DELETED), 200
    return replace(view, said=SAVED), 200
