"""The question before a restore, and the page while the table starts again with the copy."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from combat.backups import examine
from combat.backups.copies import Copy
from combat.backups.handover import Handover, restarter
from combat.backups.shared import BackupError

from .shapes import compare, view_copy
from .views import host_only, require_copy, show_restarting, speak

BY_COMMAND = "Restore by command here: stop the table first."
BUSY = "A restore is under way already: wait until the table is back."


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
    try:
        examine(copy.file)
    except BackupError as problem:
        return _ask(request, copy, speak(problem, copy), 422)
    if not restarter.ask(Handover(str(copy.file), request.session.session_key or "")):
        return _ask(request, copy, BUSY, 409)
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
