"""The pages for when something is refused, missing or broken: plain words and the right status."""

import sys
from collections.abc import Callable

import structlog
from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string

from combat.rules.core.basics.errors import Refused

from .system_errors import is_outage

logger = structlog.get_logger(__name__)
SECONDS_TO_RETRY = 5
FULL = ("disk is full", "No space left")  # as SQLite and PostgreSQL say it

CONFLICT, UNPROCESSABLE = 409, 422
UNPROCESSABLE_CODES = frozenset({"bad_value", "bad_dice", "unknown"})


def status_of(refused: Refused) -> int:
    """409 for what cannot be done now, 422 for what cannot be read."""
    return UNPROCESSABLE if refused.code in UNPROCESSABLE_CODES else CONFLICT


def refuse_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 when more was sent than the site takes in; one line of the log."""
    logger.warning("request_refused", cause=type(exception).__name__, host=request.META.get("HTTP_HOST"))
    if isinstance(exception, RequestDataTooBig):
        limit = (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0) / 1_000_000
        return render(request, "413.html", {"limit": f"{limit:.1f} MB"}, status=413)
    unknown = request.META.get("HTTP_HOST", "") if isinstance(exception, DisallowedHost) else ""
    return render(request, "400.html", {"unknown_host": unknown[:100]}, status=400)


def refuse_permission(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: signed in or not, this is not for this person."""
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def refuse_forgery(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without the secret of this browser, mostly from a page that was open for too long."""
    logger.warning("form_refused", reason=reason)
    return render(request, "403_csrf.html", status=403)


class MethodNotAllowedPage:
    """Middleware: whoever opens an address that only takes what buttons send is told so on a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """A 405 without a word gets some; its header says which methods work."""
        answer = self.get_response(request)
        if answer.status_code != 405 or answer.content or not request.accepts("text/html"):
            return answer
        page = render(request, "405.html", status=405)
        page["Allow"] = answer["Allow"]
        return page


def show_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    return render(request, "404.html", status=404)


def show_server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 while the database is away: as a page if that still works, else in one sentence."""
    problem = sys.exception()
    if is_outage(problem):
        said = str(problem).strip().partition("\n")[0]
        logger.error("database_away", cause=said, request=f"{request.method} {request.get_full_path()}")
        return _say_away(is_full=any(words in said for words in FULL))
    try:
        return render(request, "500.html", status=500)
    except Exception:
        logger.exception("error_page_failed")
        return HttpResponseServerError("Something went wrong on our side. Nothing was changed.")


def _say_away(*, is_full: bool) -> HttpResponse:
    """503 on a page that is made without the database. What was sent may be saved or not."""
    answer = HttpResponse(render_to_string("503.html", {"is_full": is_full}), status=503)
    answer["Retry-After"] = str(SECONDS_TO_RETRY)
    return answer
