"""The pages for anything refused, missing or broken: plain words and the right status; JSON for programs."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import structlog
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from combat.rules.core.basics.errors import Refused

from .outside import OUTSIDE, read_host
from .system_errors import is_broken, is_full, is_outage, is_read_only

logger = structlog.get_logger(__name__)
SECONDS_TO_RETRY = 5
UNREADABLE = "This site does not answer to that name, or cannot read that request. Nothing was changed."
BY_GET = "Read this address by GET."
BROKEN = "Something went wrong on our side. Nothing was changed."
AWAY = "The database is not available: try again in a moment. Check first whether your change was saved."
RESTORING = "The host restores a backup: what you sent was not saved. Try again in a moment."
DISK_FULL = "The disk of the server is full: what you sent was not saved. Everything can still be read."
READ_ONLY = "The database can only be read now: what you sent was not saved. Everything can still be read."

DISK_BROKEN = "The disk of the server fails: tell its host. Check first whether your change was saved."
TROUBLE = {READ_ONLY: is_read_only, DISK_FULL: is_full, DISK_BROKEN: is_broken}

CONFLICT, UNPROCESSABLE, TOO_MANY = 409, 422, 429
TOO_OFTEN = "too_often"  # the code of a refusal that ends by waiting
UNPROCESSABLE_CODES = frozenset({"bad_value", "bad_dice", "unknown"})
TOO_LARGE = "That is too much at once."
SECONDS = 86_400
MAX_LINES = 20  # of a traceback, the innermost


def status_of(refused: Refused) -> int:
    """409 for an action that is not possible now, 422 for one that cannot be read, 429 for one too many."""
    if refused.code == TOO_OFTEN:
        return TOO_MANY
    return UNPROCESSABLE if refused.code in UNPROCESSABLE_CODES else CONFLICT


def refuse_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 for a request over the size limit; one line in the log."""
    logger.warning("request_refused", cause=type(exception).__name__, host=request.META.get("HTTP_HOST"))
    is_large = isinstance(exception, RequestDataTooBig)
    if is_for_programs(request.path_info):
        return answer_problem(413 if is_large else 400, "bad_value", TOO_LARGE if is_large else UNREADABLE)
    if is_large:
        limit = (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) / 1_000_000
        return render(request, "413.html", {"limit": f"{limit:.1f} MB"}, status=413)
    unknown = request.META.get("HTTP_HOST", "") if isinstance(exception, DisallowedHost) else ""
    shown = {"unknown_host": unknown[:100], "at": find_way_to_open(request, unknown)}
    shown["asks"] = bool(shown["at"]) and shown["at"] in OUTSIDE.look().asked
    return render(request, "400.html", shown, status=400)


def find_way_to_open(request: HttpRequest, host: str) -> str:
    """The name for `play --at https://NAME` that would open this address; empty if that would not help.

    It helps where the name is used by https: so says the connection or, for this hint alone, any proxy.
    """
    is_https = request.is_secure() or request.META.get("HTTP_X_FORWARDED_PROTO", "").lower() == "https"
    return read_host(host) if OUTSIDE.is_offered and is_https else ""


def refuse_permission(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: this person may not do this, signed in or not."""
    if is_for_programs(request.path_info):
        return answer_problem(403, "not_allowed", str(exception))
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def refuse_forgery(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without this browser's secret, mostly from a page that was open for too long.

    Or a proxy does not tell under which name it was opened.
    """
    logger.warning("form_refused", reason=reason)
    if is_for_programs(request.path_info):  # an address that is only read: others ask for no such secret
        return answer_problem(403, "not_allowed", BY_GET)
    sent_from = request.META.get("HTTP_ORIGIN", "").removeprefix("https://")
    at = "" if sent_from == request.META.get("HTTP_HOST") else find_way_to_open(request, sent_from)
    return render(request, "403_csrf.html", {"at": at}, status=403)


class MethodNotAllowedPage:
    """Middleware: explains on a page that an address only works with its button."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Give an empty 405 a page; its header names the methods that work."""
        answer = self.get_response(request)
        if answer.status_code != 405 or answer.content:
            return answer
        if is_for_programs(request.path_info):
            return answer_problem(405, "unknown", BY_GET, Allow=answer["Allow"])
        if not request.accepts("text/html"):
            return answer
        page = render(request, "405.html", status=405)
        page["Allow"] = answer["Allow"]
        return page


def show_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    if is_for_programs(request.path_info):
        return answer_no_address()
    return render(request, "404.html", status=404)


def show_server_error(request: HttpRequest) -> HttpResponse:
    """500, 503 without a database to write to, 507 on a full disk: as a page, or in one sentence."""
    problem = sys.exception()
    if is_outage(problem):
        said = str(problem).strip().partition("\n")[0]
        logger.error("database_away", cause=said, request=f"{request.method} {request.get_full_path()}")
        return _say_away(request, next((one for one, is_so in TROUBLE.items() if is_so(problem)), AWAY))
    if problem:
        keep_error(request.path, problem)
    if is_for_programs(request.path_info):
        return answer_problem(500, "fault", BROKEN)
    try:
        return render(request, "500.html", status=500)
    except Exception:
        logger.exception("error_page_failed")
        return HttpResponseServerError(BROKEN)


def _say_away(request: HttpRequest, sentence: str) -> HttpResponse:
    """503 or 507, made without the database. Only if it is away, the change may be saved or not."""
    if is_for_programs(request.path_info):
        answer = answer_problem(503, "busy", sentence)
    else:
        shown = {"at": request.get_full_path(), "is_opened": request.method == "GET"}
        shown |= {"is_full": sentence == DISK_FULL, "is_read_only": sentence == READ_ONLY}
        shown |= {"is_broken": sentence == DISK_BROKEN}
        answer = HttpResponse(render_to_string("503.html", shown), status=507 if shown["is_full"] else 503)
    if sentence != AWAY:
        answer["X-Why"] = sentence
    answer["Retry-After"] = str(SECONDS_TO_RETRY)
    return answer


def refuse_for_restore(request: HttpRequest) -> HttpResponse:
    """503 for what would be lost, as a backup is being restored; made without the database."""
    if is_for_programs(request.path_info):
        answer = answer_problem(503, "busy", RESTORING)
    else:
        page = render_to_string("503.html", {"is_restoring": True, "at": request.get_full_path()})
        answer = HttpResponse(page, status=503)
    answer["X-Why"] = RESTORING
    answer["Retry-After"] = str(SECONDS_TO_RETRY)
    return answer


class OpenProblem(msgspec.Struct, frozen=True):
    """Why there is nothing to read, or why nothing was done, in a sentence; the `code` is for programs."""

    problem: str
    code: str


def is_for_programs(path: str) -> bool:
    """Whether programs use an address, which is without COSMOS_PATH. /api/ itself is a page."""
    return path.startswith("/api/") and path != "/api/"


def write_problem(code: str, sentence: str) -> bytes:
    """A problem as JSON."""
    return msgspec.json.encode(OpenProblem(sentence, code))


def answer_problem(status: int, code: str, sentence: str, **headers: str) -> HttpResponse:
    """The answer with a problem."""
    return HttpResponse(write_problem(code, sentence), "application/json", status, headers=headers)


def answer_no_address() -> HttpResponse:
    """404 with the address of the document that names all, below COSMOS_PATH."""
    return answer_problem(404, "unknown", f"There is no such address: {reverse('openapi')} lists all.")


# The last error of each part of the site, kept in the cache for a day: for reports of faults. It has the
# type of the error and the lines of our code, never its message: that may hold values.


ROOT = Path(__file__).resolve().parents[2]


def keep_error(path: str, problem: BaseException) -> None:
    """Keep the error of a request to this address."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT)]
    found = {
        "type": type(problem).__name__,
        "lines": [_describe(frame) for frame in own[-MAX_LINES:]],
        "at": timezone.now().isoformat(timespec="seconds"),
    }
    cache.set(_key_of(path), found, SECONDS)


def find_error(path: str) -> dict[str, Any] | None:
    """The last error under the first two parts of an address, such as `/encounters/7/`."""
    found: dict[str, Any] | None = cache.get(_key_of(path))
    return found


def _describe(frame: traceback.FrameSummary) -> str:
    return f"{Path(frame.filename).relative_to(ROOT).as_posix()}:{frame.lineno} {frame.name}"


def _key_of(path: str) -> str:
    return "last-error:" + "/".join(path.removeprefix(settings.COSMOS_PATH).split("/")[:3])[:100]
