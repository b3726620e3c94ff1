"""The host's page of copies: the list, a new copy, a download, a check, an upload, a restore."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from characters.accounts.users import is_host
from characters.models import Character
from combat.backups import NAMES, add_upload, back_up, examine, find_backend, find_release
from combat.backups.copies import Copy, find_copies, find_copy
from combat.backups.handover import Handover, restarter
from combat.backups.manifest import BEFORE_RESTORE, BEFORE_UPDATE, BY_HAND, BackupError, Manifest
from combat.backups.schema import find_strange
from combat.models import Encounter
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.errors import UNPROCESSABLE, status_of
from cosmos_site.base.file_kinds import ARCHIVE, OTHER, find_kind
from cosmos_site.base.forms import SiteForm, see_other

View = Callable[..., HttpResponseBase]
BY_COMMAND = "Restore by command here: stop the table first."
BUSY = "A restore is under way already: wait until the table is back."
NO_ROOM = 507
LOOKED_AT = 1_000_000  # bytes of an upload, to name what else it is
SECONDS = 2  # until the page asks again
COUNTED: tuple[tuple[str, str, Callable[[], int]], ...] = (
    ("Fights", "combat_encounter", Encounter.objects.count),
    ("Characters", "characters_character", Character.objects.count),
    ("People with an account", "auth_user", User.objects.count),
)


def host_only(view: View) -> View:
    """A page that answers 404 to everyone but the host."""

    @wraps(view)
    def guarded(request: HttpRequest, **named: str) -> HttpResponseBase:
        if not is_host(request.user):
            raise Http404
        return view(request, **named)

    return guarded


def form_only(view: View) -> View:
    """An address that only takes forms: opened by hand, it leads to the page with the form."""

    @wraps(view)
    def guarded(request: HttpRequest, **named: str) -> HttpResponseBase:
        return view(request, **named) if request.method == "POST" else redirect("copies")

    return guarded


_making = threading.Lock()


def require_copy(name: str) -> Copy:
    """The copy with this name, or 404."""
    copy = find_copy(name)
    if copy is None:
        raise Http404
    return copy


class UploadForm(SiteForm):
    """A copy from the host's device; it stays in a file."""

    file = forms.FileField(label="File", error_messages={"required": "Choose a file first."})

    def __init__(self, *sent: Any) -> None:
        super().__init__(*sent)
        megabytes = intcomma(settings.COSMOS_COPY_BYTES // 1_000_000)
        self.fields["file"].help_text = f"up to {megabytes} MB; an upload restores nothing yet"


def show(
    request: HttpRequest, refused: str = "", status: int = 200, form: UploadForm | None = None
) -> HttpResponse:
    """The page, perhaps with the reason why nothing was done."""
    rows = [view_copy(copy) for copy in find_copies()]
    context = {
        "own": [row for row in rows if not row.automatic],
        "automatic": [row for row in rows if row.automatic],
        "refused": refused,
        "outcome": restarter.outcome,
        "can_restore": restarter.stop is not None,
        "form": form or UploadForm(),
        "data": settings.COSMOS_DATA,
    }
    return render(request, "combat/copies/copies.html", context, status=status)


def show_restarting(request: HttpRequest) -> HttpResponse:
    """The page while the table stops for a restore: it asks for the list until the table is back."""
    assert restarter.wanted
    answer = render(
        request, "combat/copies/restarting.html", {"name": restarter.wanted.path.name}, status=202
    )
    answer["Refresh"] = f"{SECONDS}; url={reverse('copies')}"
    return answer


@host_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def list_copies(request: HttpRequest) -> HttpResponse:
    """The list; POST makes a copy now."""
    if restarter.wanted:
        return show_restarting(request)
    if request.method != "POST":
        return show(request)
    try:
        made = _make()
    except Refused as refused:
        return show(request, refused.message, status_of(refused))
    except BackupError as problem:
        return show(request, str(problem), NO_ROOM)
    messages.success(request, f"Copied everything to {made}.")
    return see_other("copies")


def _make() -> str:
    """Make a copy, one at a time; return its name."""
    if not _making.acquire(blocking=False):
        raise Refused("not_now", "A backup is being made already: wait until it is in the list.")
    try:
        return back_up().name
    finally:
        _making.release()


@host_only
@never_cache
@require_safe
def download(request: HttpRequest, file_name: str) -> FileResponse:
    """A copy as a file."""
    file = require_copy(file_name).file
    answer = FileResponse(
        file.open("rb"), as_attachment=True, filename=file_name, content_type="application/octet-stream"
    )
    answer.block_size = 262_144
    return answer


@host_only
@form_only
def verify(request: HttpRequest, file_name: str) -> HttpResponseBase:
    """Check a copy to its last byte."""
    copy = require_copy(file_name)
    try:
        examine(copy.file)
    except BackupError as problem:
        return show(request, speak(problem, copy), 422)
    messages.success(
        request, f"{copy.name} is whole: checksum, manifest and rows match, and it fits this release."
    )
    return see_other("copies")


def speak(problem: BackupError, copy: Copy) -> str:
    """The sentence of a problem, with the name of the copy instead of its path."""
    return str(problem).replace(str(copy.file), copy.name)


@host_only
@form_only
def delete(request: HttpRequest, file_name: str) -> HttpResponse:
    """Delete a copy that was made by hand or uploaded; the app itself deletes those it makes."""
    if restarter.wanted:
        return show_restarting(request)
    copy = require_copy(file_name)
    if view_copy(copy).automatic:
        return show(request, "The app keeps the last five of its own backups, and deletes older ones.", 409)
    try:
        copy.file.unlink(missing_ok=True)
    except OSError as problem:
        return show(request, f"{copy.name} could not be deleted: {problem.strerror}.", 409)
    messages.success(request, f"Deleted {copy.name}.")
    return see_other("copies")


@csrf_exempt  # the form is read below, into a file, and its secret is checked there
@host_only
@form_only
def upload(request: HttpRequest) -> HttpResponseBase:
    """Add a copy from the host's device; a damaged one, or one of another release, is refused."""
    if restarter.stop is None:
        return show(request, "This table takes no uploads: copy the file to its server.", 409)
    request.upload_handlers = [TemporaryFileUploadHandler(request)]
    try:
        return _upload(request)
    except OSError as problem:
        return show(
            request, f"There is no room for that file ({problem.strerror}). Nothing was kept.", NO_ROOM
        )


@csrf_protect
def _upload(request: HttpRequest) -> HttpResponse:
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return show(request, form=form, status=UNPROCESSABLE)
    sent: TemporaryUploadedFile = form.cleaned_data["file"]
    try:
        copy = add_upload(sent.temporary_file_path(), sent.name or "The file")
    except BackupError as problem:
        form.add_error("file", _name_kind(sent) or str(problem))
        return show(request, form=form, status=UNPROCESSABLE)
    messages.success(request, f"Uploaded as {copy.name}. Nothing is restored yet.")
    return see_other("copies")


def _name_kind(sent: TemporaryUploadedFile) -> str:
    """Why a file of another kind is no backup; empty for one that may be a damaged backup."""
    with Path(sent.temporary_file_path()).open("rb") as opened:
        kind = find_kind(opened.read(LOOKED_AT))
    if kind is None or kind.family in (ARCHIVE, OTHER):  # a backup is a database
        return ""
    return kind.refuse("a backup", "send a file that was downloaded here.")


@host_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: HttpRequest, file_name: str) -> HttpResponse:
    """Ask, showing what would be replaced; POST checks the copy and restarts the table with it."""
    copy = require_copy(file_name)
    if request.method != "POST":
        return _ask(request, copy)
    if restarter.stop is None:
        return _ask(request, copy, BY_COMMAND, 409)
    with restarter.asking() as is_first:
        if not is_first:
            return _ask(request, copy, BUSY, 409)
        try:
            examine(copy.file)
        except BackupError as problem:
            return _ask(request, copy, speak(problem, copy), 422)
        restarter.ask(Handover(str(copy.file), request.session.session_key or ""))
    return show_restarting(request)


def _ask(request: HttpRequest, copy: Copy, refused: str = "", status: int = 200) -> HttpResponse:
    context = {
        "copy": view_copy(copy),
        "differences": compare(copy),
        "refused": refused,
        "can_restore": restarter.stop is not None,
        "file": copy.file,
    }
    return render(request, "combat/copies/restore.html", context, status=status)


# The copies of all data, as their page shows them to the host.


@dataclass(frozen=True)
class CopyRow:
    """One copy. `obstacle` says why it cannot be restored here; empty if nothing is known against it."""

    name: str
    bytes: int
    made: datetime
    reason: str
    release: str
    automatic: bool
    obstacle: str


@dataclass(frozen=True)
class Difference:
    """One line of the question before a restore."""

    label: str
    now: object
    then: object
    is_time: bool = False


def view_copy(copy: Copy) -> CopyRow:
    """A copy for the list."""
    known = copy.manifest
    return CopyRow(
        name=copy.name,
        bytes=copy.bytes,
        made=copy.made,
        reason=_describe(copy),
        release=known.release if known else "",
        automatic=copy.reason in (BEFORE_UPDATE, BEFORE_RESTORE) and not copy.is_uploaded,
        obstacle=_find_obstacle(known),
    )


def _describe(copy: Copy) -> str:
    """Why a copy was made, in words."""
    words = "By hand"
    if copy.reason == BEFORE_UPDATE:
        update = copy.manifest.update if copy.manifest else None
        words = f"Before the update to {update}" if update else "Before an update"
    elif copy.reason == BEFORE_RESTORE:
        words = "Before a restore"
    if not copy.is_uploaded:
        return words
    return "Uploaded" if copy.reason == BY_HAND else f"Uploaded, made {words[0].lower()}{words[1:]}"


def _find_obstacle(known: Manifest | None) -> str:
    if known is None:
        return "Damaged or cut off"
    if known.kind != find_backend().KIND:
        return f"Of a table on {NAMES.get(known.kind, 'another database')}"
    return f"Restore it with release {known.release}" if find_strange(known) else ""


def compare(copy: Copy) -> list[Difference]:
    """What the table has now, and what it would have after a restore."""
    lines = [Difference(label, count(), copy.count(table)) for label, table, count in COUNTED]
    release = copy.manifest.release if copy.manifest else ""
    lines.append(Difference("Release", find_release(), release))
    return [*lines, Difference("As of", timezone.now(), copy.made, is_time=True)]
